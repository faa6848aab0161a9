"""The rules of Azul Duel, written to be read and not to be fast.

Everything is spelled out: a factory is a list of color names, a stack a list from bottom to top,
legal moves are counted by listing them. The class `Table` plays any legal course of a game and
refuses all else with `RuleError`. It draws no random numbers and knows no file format.
"""

from __future__ import annotations

from collections import Counter
from math import factorial
from typing import Any

from tests.oracle.engine import RuleError, same

from .board import BROKEN_SPACES, Player
from .components import ROUNDS
from .offer import Offer
from .supply import SMALL_SIZE, Supply

DISPLAY_SIZE = 3
CHIPS_A_ROUND = 2
TOKENS_A_ROUND = 2

Move = list[Any]
"""A decision of phase 1: ["plate", plate, slot, rotation], ["draw"], ["stop"],
["keep", plate, slot, rotation, returned], ["sun", factory, color, line, stack],
["moon", color, line], ["chip", factory] or ["pass"]."""


class Table:
    """A game in progress.

    The course of a round: `start_round`, the four steps of the deal, in the first round `open`
    twice, then `play` until `phase_is_over`, then `tile` as long as `pending_tiling` names a
    line, then `finish_round`, after which `over` tells whether another round follows. `seen`
    counts the rare cases met on the way.
    """

    def __init__(self, goals: list[str], plates: list[int]) -> None:
        """Set the table; the first three plates are the display, the others the stack."""
        self.goals = goals
        self.display = plates[:DISPLAY_SIZE]
        self.stack = plates[DISPLAY_SIZE:]
        self.players = [Player(), Player()]
        self.seen: Counter[str] = Counter()
        self.supply = Supply(self.seen)
        self.round = -1
        self.starter = 0
        self.turn = 0
        self.openings = 0
        self.offer = Offer()
        # The plates drawn in the present turn, in order.
        self.drawn: list[int] = []
        self.has_stopped = False
        self.returned: list[int] = []
        # The next line to be looked at in phase 2.
        self.tiling_player = 0
        self.tiling_line = 0
        self.over = False

    # The start of a round.

    def start_round(self, starter: int) -> None:
        """Begin a round; who starts is free in the first one only."""
        if self.over:
            raise RuleError("over")
        if self.round >= 0 and starter != self.starter:
            raise RuleError("starter")
        self.round += 1
        self.starter = starter
        # The opening of the first round begins with the other player.
        self.turn = 1 - starter if self.round == 0 else starter
        self._fill_display()
        for player in self.players:
            # The plates are used up when the last round begins, and so are the tokens.
            player.tokens = TOKENS_A_ROUND if self.round < ROUNDS - 1 else 0
            player.chips_taken = 0
            player.has_passed = False
            player.has_first_tile = False
        self.offer = Offer()
        self.tiling_player = self.tiling_line = 0

    def _fill_display(self) -> None:
        while len(self.display) < DISPLAY_SIZE and self.stack:
            self.display.append(self.stack.pop(0))

    def deal_redraws(self, redraws: list[Any]) -> None:
        """Draw and put back the large factory's tiles, once for each color given."""
        for color in redraws:
            self.supply.redraw(color)

    def deal_large(self, tiles: list[Any]) -> None:
        """Deal the tiles that stay on the large factory."""
        self.offer.large = self.supply.draw_large(tiles)

    def deal_small(self, factories: list[Any]) -> None:
        """Deal the small factories, one after the other."""
        if len(factories) != 4:
            raise RuleError("factory-count")
        self.offer.small = [self.supply.draw(tiles, SMALL_SIZE) for tiles in factories]
        for tiles in self.offer.small:
            if len(tiles) == 4 and len(set(tiles)) == 1:
                self.seen["small factory of one color"] += 1

    def deal_chips(self, faces: list[Any]) -> None:
        """Put a chip on every small factory."""
        self.offer.chips = self.supply.draw_chips(faces)

    # The opening.

    def openings_left(self) -> int:
        """Count the opening decisions still to come."""
        return 2 - self.openings

    def legal_openings(self) -> list[Move]:
        """List the opening decisions of the player in turn as [plate, slot, rotation]."""
        return self._placements(self.display)

    def _placements(self, plates: list[int]) -> list[Move]:
        slots = self.players[self.turn].free_slots()
        return [[p, slot, rotation] for p in plates for slot in slots for rotation in range(4)]

    def open(self, placement: Move) -> None:
        """Lay the opening plate of the player in turn."""
        if not any(same(placement, legal) for legal in self.legal_openings()):
            raise RuleError("illegal-opening")
        plate, slot, rotation = placement
        self.display.remove(plate)
        self.players[self.turn].lay_plate(plate, slot, rotation)
        self._fill_display()
        self.openings += 1
        # The starter opens second and then begins the round.
        self.turn = self.starter

    # Phase 1.

    def phase_is_over(self) -> bool:
        """Say whether nothing is left on offer and every token is used."""
        return (
            not self.drawn
            and not self.offer.has_tiles()
            and not self.offer.has_chips()
            and all(player.tokens == 0 for player in self.players)
        )

    def legal_count(self) -> int:
        """Count the moves of the player in turn; a pass is no move."""
        if self.has_stopped:
            # Which plate is kept and in which order the others go back, then where it lies.
            slots = self.players[self.turn].free_slots()
            return factorial(len(self.drawn)) * len(slots) * 4
        return len(self.legal_moves())

    def legal_moves(self) -> list[Move]:
        """List the moves of the player in turn, except those that keep a drawn plate."""
        assert not self.has_stopped
        if self.drawn:
            return [["stop"], ["draw"]] if self._may_draw() else [["stop"]]
        player = self.players[self.turn]
        moves: list[Move] = []
        if player.tokens > 0:
            moves += [["plate", *placement] for placement in self._placements(self.display)]
            if self._may_draw():
                moves.append(["draw"])
        for factory, color, stack in self.offer.sun_takes():
            lines = [*player.open_lines(color), "broken"]
            moves += [["sun", factory, color, line, stack] for line in lines]
        for color in self.offer.moon_colors():
            lines = [*player.open_lines(color), "broken"]
            moves += [["moon", color, line] for line in lines]
        # D7: nobody takes a third chip in a round.
        if player.chips_taken < CHIPS_A_ROUND:
            moves += [["chip", factory] for factory in self.offer.revealed()]
        return moves

    def _may_draw(self) -> bool:
        if not self.stack:
            return False
        if self.players[self.turn].score >= 1:
            return True
        # D1: the one draw that is free.
        return not self.drawn and not self.display

    def play(self, move: Move) -> None:
        """Play a move of phase 1 for the player in turn."""
        if self.phase_is_over():
            raise RuleError("phase-over")
        if self.has_stopped:
            self._keep(move)
            return
        legal = self.legal_moves()
        if not legal:
            # D8: a pass is for those who can do nothing else.
            if not same(move, ["pass"]):
                raise RuleError("must-pass")
            self.players[self.turn].has_passed = True
            self.seen["pass"] += 1
            self._end_turn()
            return
        if not any(same(move, option) for option in legal):
            raise RuleError("illegal-move")
        if move[0] == "draw":
            self._draw()
        elif move[0] == "stop":
            self.has_stopped = True
        else:
            self._play_turn(move)
            self._end_turn()

    def _end_turn(self) -> None:
        if not self.players[1 - self.turn].has_passed:
            self.turn = 1 - self.turn

    def _play_turn(self, move: Move) -> None:
        player = self.players[self.turn]
        match move[0]:
            case "plate":
                _, plate, slot, rotation = move
                self.display.remove(plate)
                player.lay_plate(plate, slot, rotation)
                player.tokens -= 1
            case "sun":
                _, factory, color, line, stack = move
                self._take(*self.offer.take_sun(factory, color, stack), line)
            case "moon":
                _, color, line = move
                self._take(*self.offer.take_moon(color), line)
            case "chip":
                player.chips.append(self.offer.take_chip(move[1]))
                player.chips_taken += 1

    def _draw(self) -> None:
        player = self.players[self.turn]
        if player.score == 0:
            self.seen["free draw"] += 1
        else:
            player.score -= 1
        plate = self.stack.pop(0)
        if plate in self.returned:
            self.seen["returned plate drawn again"] += 1
        self.drawn.append(plate)

    def _keep(self, move: Move) -> None:
        if not (move and move[0] == "keep" and len(move) == 5):
            raise RuleError("must-keep")
        plate, slot, rotation, returned = move[1:]
        if not any(same([plate, slot, rotation], p) for p in self._placements(self.drawn)):
            raise RuleError("illegal-keep")
        others = [other for other in self.drawn if other != plate]
        if not isinstance(returned, list) or not all(type(other) is int for other in returned):
            raise RuleError("returned-type")
        if sorted(returned) != sorted(others):
            raise RuleError("returned")
        player = self.players[self.turn]
        player.lay_plate(plate, slot, rotation)
        player.tokens -= 1
        self.stack += returned
        self.returned += returned
        if len(self.drawn) >= 4:
            self.seen["four or more plates drawn"] += 1
        self.drawn = []
        self.has_stopped = False
        self._end_turn()

    def _take(self, tiles: list[str], with_first_tile: bool, line: int | str) -> None:
        """Lay taken tiles into one line, or break them all (D30)."""
        player = self.players[self.turn]
        if with_first_tile:
            player.has_first_tile = True
        for tile in tiles:
            if isinstance(line, int) and len(player.lines[line]) < line + 1:
                player.lines[line].append(tile)
            else:
                self._break(player, tile)

    def _break(self, player: Player, tile: str) -> None:
        if len(player.broken) < BROKEN_SPACES:
            player.broken.append(tile)
        else:
            self.supply.tower[tile] += 1
            self.seen["broken area overflows"] += 1

    # Phase 2.

    def pending_tiling(self) -> tuple[int, int] | None:
        """Name the next line with a decision as (player, line), player 0 first, from the top.

        Lines before it that leave no decision are settled on the way.
        """
        while self.tiling_player < 2:
            while self.tiling_line < 6:
                if self.tiling_options():
                    return self.tiling_player, self.tiling_line
                self._settle_without_decision(self.players[self.tiling_player], self.tiling_line)
                self.tiling_line += 1
            self.tiling_player += 1
            self.tiling_line = 0
        return None

    def tiling_options(self) -> list[Move]:
        """List the decisions about the line reached, as [column, chips] with chips by name."""
        player, row = self.players[self.tiling_player], self.tiling_line
        line = player.lines[row]
        columns = player.columns_for(row, line[0]) if line else []
        if not columns:
            # D12: no chips for a line that has nowhere to go.
            return []
        if len(line) == row + 1:
            return [[column, []] for column in columns]
        chip_sets = player.chip_sets(row)
        options: list[Move] = [[column, chips] for column in columns for chips in chip_sets]
        return [*options, ["leave", []]] if options else []

    def _settle_without_decision(self, player: Player, row: int) -> None:
        line = player.lines[row]
        if not line or player.columns_for(row, line[0]):
            return
        is_full = len(line) == row + 1
        if not player.plate_row_is_full(row):
            if is_full:
                self.seen["full line waits for a plate"] += 1
            return
        # D14: full or not, all tiles of a line without a cell break.
        self.seen["full line breaks" if is_full else "incomplete line breaks"] += 1
        player.lines[row] = []
        for tile in line:
            self._break(player, tile)

    def tile(self, choice: Move) -> None:
        """Decide about the pending line with one of `tiling_options`."""
        if not self.phase_is_over() or self.pending_tiling() is None:
            raise RuleError("no-tiling-due")
        options = self.tiling_options()
        if not any(same(choice, option) for option in options):
            raise RuleError("illegal-tiling")
        column, chips = choice
        player, row = self.players[self.tiling_player], self.tiling_line
        self.tiling_line += 1
        if column == "leave":
            self.seen["line left though chips could complete it"] += 1
            return
        if chips:
            cheapest = min(len(option[1]) for option in options if option[0] != "leave")
            self.seen["line completed by chips"] += 1
            if len(chips) > cheapest:
                self.seen["more chips than the cheapest set"] += 1
            for face in chips:
                player.chips.remove(face)
        # Only real tiles go to the tower; what chips stood for does not exist.
        self.supply.tower.update(player.lines[row][1:])
        color = player.lines[row][0]
        player.lines[row] = []
        if player.place(row, column, color):
            self.seen["special tile"] += 1

    # The end of a round and of the game.

    def finish_round(self) -> None:
        """Take the penalties off, empty the broken areas, name the next starter."""
        if not self.phase_is_over() or self.pending_tiling() is not None:
            raise RuleError("round-not-finished")
        for index, player in enumerate(self.players):
            if player.penalty() > player.score:
                self.seen["penalty stops at 0"] += 1
            player.score = max(0, player.score - player.penalty())
            self.supply.tower.update(player.broken)
            player.broken = []
            if player.has_first_tile:
                self.starter = index
        if self.offer.has_first_tile:
            # D18: nobody could take it, so the same player starts again.
            self.seen["first-player tile not taken"] += 1
        self.over = self.round == ROUNDS - 1

    def scores(self) -> list[int]:
        """Give the scores as they stand."""
        return [player.score for player in self.players]

    def goal_points(self) -> dict[str, list[int]]:
        """Give both players' points for every goal in play."""
        return {goal: [p.goal_points(goal) for p in self.players] for goal in self.goals}

    def final_scores(self) -> list[int]:
        """Give the scores with all goals; only their sum stops at 0 (D16)."""
        points = self.goal_points().values()
        sums = [self.players[i].score + sum(pair[i] for pair in points) for i in range(2)]
        return [max(0, total) for total in sums]

    def winners(self) -> list[int]:
        """Name the one winner; on equal scores the holder of the first-player tile (D22)."""
        scores = self.final_scores()
        if scores[0] == scores[1]:
            # The next starter is that holder, or who started if nobody took the tile.
            return [self.starter]
        return [scores.index(max(scores))]
