"""How Azul Duel draws tiles, plates and goals, spelled out one by one.

Colors count from 0: blue, yellow, red, black, turquoise. Plates have the ids 0 to 17, and
goal tokens the numbers 1 to 4.
"""

from typing import Any

from referee.rules import Stream

Entry = dict[str, Any]

GOALS = {
    1: ("rows", "five_colors"),
    2: ("columns", "perimeter"),
    3: ("diagonals", "corners"),
    4: ("wilds", "empty_specials"),
}


def tiles(bag: list[int], tower: list[int], stream: Stream) -> Entry:
    """Fill the large factory, then the small ones."""
    bag, tower = list(bag), list(tower)

    def pour() -> None:
        for color in range(5):
            bag[color] += tower[color]
            tower[color] = 0

    def draw(size: int) -> list[int]:
        drawn: list[int] = []
        while len(drawn) < size:
            if not any(bag):
                pour()
            if not any(bag):
                break
            k = stream.uniform(sum(bag))
            color = 0
            while k >= bag[color]:
                k -= bag[color]
                color += 1
            bag[color] -= 1
            drawn.append(color)
        return drawn

    def one_color() -> bool:
        return sum(tiles > 0 for tiles in bag) == 1

    redraws = []
    large = draw(5)
    while len(large) == 5 and len(set(large)) == 1:
        color = large[0]
        bag[color] += 5
        if one_color():
            pour()
        if one_color():
            bag[color] -= 5
            break
        redraws.append(color)
        large = draw(5)
    small = [draw(4) for _ in range(4)]
    return {
        "redraws": redraws,
        "large": large,
        "small": small,
        "bag_after": bag,
        "tower_after": tower,
    }


class Plates:
    """Display and stack; which plate is the top is drawn when it becomes the top."""

    def __init__(self, state: Entry, stream: Stream) -> None:
        self.unseen: list[int] = list(state["unseen"])
        self.top: int | None = state["top"]
        self.display: list[int] = list(state["display"])
        self.returned: list[int] = list(state["returned"])
        self.stream = stream

    def state(self) -> Entry:
        """Return what lies where."""
        return {
            "unseen": list(self.unseen),
            "top": self.top,
            "display": list(self.display),
            "returned": list(self.returned),
        }

    def new_top(self) -> None:
        """Draw the plate that becomes the top, or take the one returned first."""
        if self.unseen:
            self.top = self.unseen.pop(self.stream.uniform(len(self.unseen)))
        elif self.returned:
            self.top = self.returned.pop(0)
        else:
            self.top = None

    def leave(self) -> int:
        """Take the top plate off the stack."""
        assert self.top is not None
        plate = self.top
        self.new_top()
        return plate

    def prepare(self) -> list[int]:
        """Fill the display up to three plates and return those that were added."""
        if self.top is None:
            self.new_top()
        before = len(self.display)
        while len(self.display) < 3 and self.top is not None:
            self.display.append(self.leave())
        return self.display[before:]

    def step(self, name: str, plate: int, shown: int | None = None) -> Entry:
        """Return what happened to a plate, and the top afterwards."""
        return {"step": name, "plate": plate, "shown": shown, "top": self.top}

    def turn(self, name: str, at: int, rest: list[int]) -> list[Entry]:
        """Play the plates of a turn.

        "opening" and "take" take place ``at`` of the display. "draw" draws one plate, and
        one more for each of ``rest``; it keeps the one drawn as number ``at``, from 0, and
        returns the others in the order of ``rest``.
        """
        if name == "draw":
            steps, drawn = [], []
            for _ in range(1 + len(rest)):
                drawn.append(self.leave())
                steps.append(self.step("draw", drawn[-1]))
            steps.append(self.step("keep", drawn[at]))
            for number in rest:
                self.returned.append(drawn[number])
                if self.top is None:
                    self.new_top()
                steps.append(self.step("return", drawn[number]))
            return steps
        plate = self.display.pop(at)
        if name == "take":
            return [self.step("take", plate)]
        shown = self.leave()
        self.display.append(shown)
        return [self.step("opening", plate, shown)]


def goals(count: int, stream: Stream) -> Entry:
    """Draw the tokens, then a side of each."""
    tokens = [1, 2, 3, 4]
    picked = sorted(tokens.pop(stream.uniform(len(tokens))) for _ in range(count))
    sides = [stream.uniform(2) for _ in picked]
    names = [GOALS[token][side] for token, side in zip(picked, sides, strict=True)]
    return {"tokens": picked, "sides": sides, "goals": names}
