"""What holds in every position of Duel that play can reach."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.draws import FixedStreams
from referee.rules import CHANCE, OVER, Deal, IllegalMove, Move, Options, tally
from referee.rules.duel import chips as chipset
from referee.rules.duel import dome, offer
from referee.rules.duel.chips import ALL_CHIPS
from referee.rules.duel.components import (
    BROKEN,
    FULL_BAG,
    HIDDEN_FACE,
    NOBODY,
    PLATES,
    ROTATIONS,
    is_special,
)
from referee.rules.duel.deal import RoundDeal
from referee.rules.duel.moves import (
    DuelMove,
    PlaceTile,
    SpendChips,
    TakeMoon,
    TakeSun,
)
from referee.rules.duel.position import DuelPosition
from referee.rules.duel.position_check import open_plates, tiles_by_place
from referee.rules.duel.ruleset import DUEL
from tests import games
from tests.games import seed_bytes
from tests.well_formed import duel_moves

SEEDS = range(16)


def play_out(seed: int) -> Iterator[tuple[DuelPosition, Deal | Move | None]]:
    """Yield every position of a game with the step that led to it; every other one is a mason's."""
    options = Options(goals=(None, 3, 4)[seed % 3])
    if seed % 2:
        yield from mason_game(seed, options)
        return
    for position, step in games.walk("duel", 2, seed, options):
        assert isinstance(position, DuelPosition)
        yield position, step


def walk(seed: int) -> Iterator[DuelPosition]:
    """Yield every position of a game."""
    for position, _ in play_out(seed):
        yield position


def mason_game(seed: int, options: Options) -> Iterator[tuple[DuelPosition, Deal | Move | None]]:
    """Play so that domes fill: random players hardly ever complete a plate."""
    position = DUEL.initial(2, options)
    streams = FixedStreams(seed_bytes(seed), 2)
    rng = random.Random(seed)
    yield position, None
    while position.actor != OVER:
        step: Deal | Move
        if position.actor == CHANCE:
            step = position.draw(streams.round(position.chance_round))
            position.deal(step)
        else:
            moves = position.legal_moves()
            step = max(moves, key=lambda move: (_worth(position, move), rng.random()))
            position.play(step)
        yield position, step


def _worth(position: DuelPosition, move: Move) -> int:
    """Return what a mason thinks of a move: short lines that have a cell to go to come first."""
    board = position.boards[position.mover]
    if isinstance(move, (TakeSun, TakeMoon)):
        if move.line == BROKEN:
            return -10
        return 4 - move.line if board.free_columns(move.line, move.color) else -5
    if isinstance(move, SpendChips):
        return 10 - chipset.size(move.chips) if move.chips else 0
    if isinstance(move, PlaceTile):
        slot = dome.SLOT_OF_CELL[6 * move.line + move.column]
        return int(board.filled & dome.WHOLE[slot]).bit_count()
    return 3


@pytest.mark.parametrize("seed", SEEDS)
def test_every_tile_is_somewhere_at_every_instant(seed: int) -> None:
    """P-G1: 65 tiles, each in one place, and the counts that are kept beside them."""
    for position in walk(seed):
        places = tiles_by_place(position)
        assert sum(places.values()) == FULL_BAG
        on_factories = [name for name in places if name.startswith(("factory", "pile", "moon"))]
        assert position.tiles_left == sum(tally.size(places[name]) for name in on_factories)
        for board in position.boards:
            assert board.filled == sum(board.colors) + board.specials
            assert all(not cells & board.filled for cells in board.accepts)


@pytest.mark.parametrize("seed", SEEDS)
def test_special_tiles_lie_exactly_where_they_belong(seed: int) -> None:
    """P-G1: on every special plate whose other cells are filled, so there are nine at most."""
    for position in walk(seed):
        for board in position.boards:
            wanted = 0
            for slot, laid in enumerate(board.plates):
                if laid != NOBODY and "S" in PLATES[laid // ROTATIONS]:
                    cells = dome.rotated(laid // ROTATIONS, laid % ROTATIONS)
                    special = dome.SLOT_CELLS[slot][cells.index("S")]
                    others = [cell for cell in dome.SLOT_CELLS[slot] if cell != special]
                    if all(board.filled >> cell & 1 for cell in others):
                        wanted |= 1 << special
            assert board.specials == wanted
        assert sum(int(board.specials).bit_count() for board in position.boards) <= 9


@pytest.mark.parametrize("seed", SEEDS)
def test_every_plate_and_chip_is_somewhere_at_every_instant(seed: int) -> None:
    """P-G1: 18 plates; 20 chips, those that were spent included."""
    spent = 0
    for position, step in play_out(seed):
        stack = position.stack
        held = [entry & 31 for entry in (stack.top, *stack.returned, *stack.drawn) if entry >= 0]
        assert sorted([*open_plates(position), *held, *stack.ids()]) == list(range(len(PLATES)))
        if isinstance(step, SpendChips):
            spent += step.chips
        lying = [chipset.ONE_CHIP[face] for face in position.chips if face != NOBODY]
        owned = [board.chips for board in position.boards]
        assert position.supply + sum(lying) + sum(owned) + spent == ALL_CHIPS
        assert position.chips_left == len(lying)


@pytest.mark.parametrize("seed", range(4))
def test_a_copy_stays_when_the_game_goes_on(seed: int) -> None:
    """No list is shared between a position and its copy, which can make the same step."""
    kept, text = DUEL.initial(2), str(DUEL.initial(2))
    for position, step in play_out(seed):
        assert str(kept) == text
        if isinstance(step, Deal):
            kept.deal(step)
        elif step is not None:
            kept.play(step)
        assert kept.legal_moves() == position.legal_moves()
        kept, text = position.copy(), str(position)
        assert str(kept) == text


@pytest.mark.parametrize("seed", SEEDS)
def test_every_dome_is_full_after_round_4(seed: int) -> None:
    """Nine plates each, and the stack is empty: 2 + 4 rounds x 2 seats x 2 tokens."""
    stacks: dict[int, int] = {}
    for position in walk(seed):
        if position.actor == CHANCE and position.chance_round == position.round + 1:
            laid = [int(board.taken_slots).bit_count() for board in position.boards]
            assert laid == ([1 + 2 * position.round] * 2 if position.round else [0, 0])
        stacks.setdefault(position.round, position.stack.size() + len(position.stack.drawn))
    assert stacks == {0: 18, 1: 15, 2: 9, 3: 5, 4: 1, 5: 0}
    assert [board.taken_slots for board in position.boards] == [511, 511]


@given(st.integers(0, 300), st.integers(0, 170))
def test_check_agrees_with_legal_moves(seed: int, steps: int) -> None:
    """P-G2: over moves of every kind; what check refuses, play refuses and changes nothing."""
    position = games.reach("duel", 2, seed, steps)
    assert isinstance(position, DuelPosition)
    allowed = set(position.legal_moves())
    before = str(position)
    tried = 0
    for move in duel_moves(position):
        try:
            position.check(move)
            legal = True
        except IllegalMove:
            legal = False
        assert legal == (move in allowed), str(move)
        if not legal and tried < 60:
            tried += 1
            with pytest.raises(IllegalMove):
                position.play(move)
    assert str(position) == before


@pytest.mark.parametrize("seed", SEEDS)
def test_views_show_no_face_that_their_seat_has_not_seen(seed: int) -> None:
    """A plate in the stack by its back, a covered chip not at all; what is seen is shown."""
    for position in walk(seed):
        for seat in (None, 0, 1):
            view = position.view(seat)
            entries = (position.stack.top, *position.stack.returned, *position.stack.drawn)
            seen = (view.stack.top, *view.stack.returned, *view.stack.drawn)
            for true, shown in zip(entries, seen, strict=True):
                knows = seat is not None and true >= 0 and true >> 5 >> seat & 1
                assert (shown & 31 < 18) == bool(knows) or true < 0
            for factory, face in enumerate(view.chips):
                covered = position.chips[factory] != NOBODY and not position.revealed >> factory & 1
                assert (face == HIDDEN_FACE) == covered


@given(st.integers(0, 60), st.integers(1, 170))
def test_views_are_the_same_whatever_lies_face_down(seed: int, steps: int) -> None:
    """P-R2: exchange plates of one type that a seat has not seen, and covered chips.

    Its view, its moves and its view of what is dealt next must not change.
    """
    table = games.reach("duel", 2, seed, steps)
    assert isinstance(table, DuelPosition)
    for seat in (None, 0, 1):
        other = table.copy()
        exchange_hidden(other, seat)
        assert str(other.view(seat)) == str(table.view(seat))
        assert other.legal_moves() == table.legal_moves()


def exchange_hidden(position: DuelPosition, seat: int | None) -> None:
    """Put other plates and chips where this seat sees only backs."""
    stack = position.stack
    entries = [stack.top, *stack.returned, *stack.drawn]
    dark = [
        at
        for at, entry in enumerate(entries)
        if entry >= 0 and not (seat is not None and entry >> 5 >> seat & 1)
    ]
    for special in (True, False):
        places = [at for at in dark if is_special(entries[at] & 31) == special]
        faces = [entries[at] & 31 for at in places]
        faces += [plate for plate in stack.ids() if is_special(plate) == special]
        # Everything moves on by one: what was unseen lies somewhere now, and the other way round.
        moved = faces[1:] + faces[:1]
        for at, face in zip(places, moved, strict=False):
            entries[at] = face | entries[at] >> 5 << 5
        for face in moved:
            stack.unseen &= ~(1 << face)
        for face in moved[len(places) :]:
            stack.unseen |= 1 << face
    stack.top = entries[0]
    stack.returned = entries[1 : 1 + len(stack.returned)]
    stack.drawn = entries[1 + len(stack.returned) :]
    covered = [
        factory
        for factory in range(4)
        if position.chips[factory] != NOBODY and not position.revealed >> factory & 1
    ]
    chips = [position.chips[factory] for factory in covered] + chipset.faces(position.supply)
    moved = chips[1:] + chips[:1]
    for factory, face in zip(covered, moved, strict=False):
        position.chips[factory] = face
    position.supply = chipset.of_faces(moved[len(covered) :])


# Symmetry ---------------------------------------------------------------------------------------


@contextmanager
def renamed_pieces(order: list[int]) -> Iterator[None]:
    """Print other colors on plates and chips: color c becomes order[c]."""
    tables = [*(codes for slot in dome.ACCEPTS for codes in slot), chipset.MATCHING]
    kept = [list(table) for table in tables]
    # What was listed with other pieces is not to be listed again.
    offer._spends.clear()
    try:
        for table, old in zip(tables, kept, strict=True):
            for color in range(5):
                table[order[color]] = old[color]
        yield
    finally:
        offer._spends.clear()
        for table, old in zip(tables, kept, strict=True):
            table[:] = old


def rename_deal(deal: Deal, order: list[int]) -> Deal:
    """Rename the tiles of a deal."""
    if not isinstance(deal, RoundDeal):
        return deal
    return RoundDeal(
        _rename(deal.large, order),
        tuple(_rename(tiles, order) for tiles in deal.small),
        deal.chips,
        display=deal.display,
        top=deal.top,
        redraws=tuple(order[color] for color in deal.redraws),
        starter=deal.starter,
        goals=deal.goals,
    )


def _rename(tiles: int, order: list[int]) -> int:
    return sum(tally.count(tiles, c) << (6 * order[c]) for c in range(5))


def rename_move(move: Move, order: list[int]) -> Move:
    """Rename the color of a move."""
    if isinstance(move, TakeSun):
        pile = tuple(order[tile] for tile in move.stack)
        return TakeSun(move.factory, order[move.color], move.line, pile)
    return TakeMoon(order[move.color], move.line) if isinstance(move, TakeMoon) else move


@given(st.integers(0, 300), st.permutations(range(5)))
def test_nothing_depends_on_color_names(seed: int, order: list[int]) -> None:
    """P-G3: the same game with other colors on all its pieces scores the same."""
    steps: list[Deal | Move] = []
    scores = []
    legal = []
    for position, step in games.walk("duel", 2, seed, Options(goals=4, first_player=0)):
        if step is not None:
            steps.append(step)
        scores.append((position.actor, position.scores))
        legal.append(set(position.legal_moves()))
    outcome = position.outcome()
    with renamed_pieces(order):
        again = DUEL.initial(2, Options(goals=4, first_player=0))
        for at, step in enumerate([None, *steps]):
            if isinstance(step, Deal):
                again.deal(rename_deal(step, order))
            elif step is not None:
                again.play(rename_move(step, order))
            assert (again.actor, again.scores) == scores[at]
            assert set(again.legal_moves()) == {rename_move(move, order) for move in legal[at]}
        assert again.outcome() == outcome


@given(st.integers(0, 300))
def test_nothing_depends_on_seat_numbers(seed: int) -> None:
    """P-G3: the same game with seats exchanged gives each the same."""
    options = Options(goals=3, first_player=0)
    other = DUEL.initial(2, Options(goals=3, first_player=1))
    for position, step in games.walk("duel", 2, seed, options):
        if isinstance(step, RoundDeal):
            starter = None if step.starter is None else 1 - step.starter
            parts = step.__reduce__()[1][0]
            large, small, chips, display, top, redraws, _, goals = parts
            other.deal(
                RoundDeal(
                    large,
                    small,
                    chips,
                    display=display,
                    top=top,
                    redraws=redraws,
                    starter=starter,
                    goals=goals,
                )
            )
        elif isinstance(step, Deal):
            text = str(step)
            text = text.replace("looker=0", "looker=x").replace("looker=1", "looker=0")
            other.deal(DUEL.parse_deal(text.replace("looker=x", "looker=1")))
        elif step is not None:
            other.play(step)
        assert other.actor == (position.actor if position.actor < 0 else 1 - position.actor)
        assert other.scores == position.scores[::-1]
        assert other.legal_moves() == position.legal_moves()
    first, second = position.outcome(), other.outcome()
    assert first is not None
    assert second is not None
    assert second.ranks == first.ranks[::-1]


def test_random_games_meet_every_kind_of_move() -> None:
    """So that what is tested above is tested for all of them."""
    kinds: set[type] = set()
    specials = 0
    for seed in range(30):
        for position in walk(seed):
            kinds |= {type(move) for move in position.legal_moves()}
        assert position.actor == OVER
        specials += sum(int(board.specials).bit_count() for board in position.boards)
    assert kinds == set(DuelMove.__subclasses__())
    assert specials > 20
