"""Watching a match step by step: what the keys do, and what the screen shows then.

Nothing here knows a terminal. `Player` takes the names of keys and instants of a clock, and
`compose` returns as many lines as the screen has; `replay_loop` does the rest.
"""

from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from referee.cli.draw import draw_table
from referee.cli.replay_text import boards, gained_by, step_lines
from referee.transcript.events import Step
from referee.transcript.text import printable

# Seconds an event is shown while the match plays by itself.
SPEEDS = (4.0, 2.0, 1.0, 0.5, 0.25, 0.1)
USUAL_SPEED = 2
# So many lines are for words, however small the screen is.
FEWEST_WORDS = 4
MAX_PROMPT = 8
# Only measures text; nothing is ever printed with it.
RULER = Console(no_color=True)

KEYS = {
    "right": "forward",
    " ": "forward",
    "n": "forward",
    "left": "back",
    "b": "back",
    "p": "back",
    "r": "next_round",
    "R": "previous_round",
    "home": "first",
    "end": "last",
    "g": "ask",
    "a": "autoplay",
    "+": "faster",
    "=": "faster",
    "-": "slower",
    "down": "scroll_down",
    "j": "scroll_down",
    "up": "scroll_up",
    "k": "scroll_up",
    "h": "help",
    "?": "help",
    "q": "quit",
}
HELP = (
    "right, space, n    one event forward",
    "left, b, p         one event back",
    "r / R              the next / the previous round",
    "g, number, enter   go to that event; r and a number: to that round",
    "home / end         the first / the last event",
    "a                  play by itself, or stop; + faster, - slower",
    "down, j / up, k    more of the words, where they do not fit",
    "h, ?               this list, or back to the match",
    "q                  quit",
)
STATUS = "arrows step  r/R round  g go to  a autoplay  h help  q quit"


@dataclass
class Player:
    """A match being watched; ``closing`` says how far its record goes."""

    steps: list[Step]
    closing: list[str]
    at: int = 0
    scroll: int = 0
    speed: int = USUAL_SPEED
    next_tick: float | None = None
    prompt: str | None = None
    note: str = ""
    helping: bool = False
    done: bool = False

    @property
    def step(self) -> Step:
        """The step that is shown."""
        return self.steps[self.at]

    def press(self, key: str, now: float) -> None:
        """Do what a key is for; keys without a meaning do nothing."""
        self.note = ""
        if self.prompt is not None:
            self._type(key)
            return
        action = KEYS.get(key)
        if action is None:
            return
        if self.helping:
            # Any known key leaves the list; only quitting does more.
            self.helping = False
            self.done = action == "quit"
            return
        getattr(self, f"_{action}")(now)

    def wait(self, now: float) -> float | None:
        """Return how long to wait for a key before the match goes on; None: for ever."""
        return None if self.next_tick is None else max(0.0, self.next_tick - now)

    def tick(self, now: float) -> None:
        """Go on by itself, if it is time."""
        if self.next_tick is None or now < self.next_tick:
            return
        self._go(self.at + 1)
        self.next_tick = now + SPEEDS[self.speed]
        if self.at == len(self.steps) - 1:
            self.next_tick = None

    def _go(self, at: int) -> None:
        at = min(max(at, 0), len(self.steps) - 1)
        if at != self.at:
            self.at = at
            self.scroll = 0

    def _forward(self, _: float) -> None:
        self._stop()
        self._go(self.at + 1)

    def _back(self, _: float) -> None:
        self._stop()
        self._go(self.at - 1)

    def _first(self, _: float) -> None:
        self._stop()
        self._go(0)

    def _last(self, _: float) -> None:
        self._stop()
        self._go(len(self.steps) - 1)

    def _next_round(self, _: float) -> None:
        self._stop()
        later = (at for at in range(self.at + 1, len(self.steps)) if self.steps[at].begins)
        self._go(next(later, len(self.steps) - 1))

    def _previous_round(self, _: float) -> None:
        self._stop()
        earlier = (at for at in range(self.at - 1, -1, -1) if self.steps[at].begins)
        self._go(next(earlier, 0))

    def _ask(self, _: float) -> None:
        self._stop()
        self.prompt = ""

    def _autoplay(self, now: float) -> None:
        if self.next_tick is not None:
            self._stop()
        elif self.at < len(self.steps) - 1:
            self.next_tick = now + SPEEDS[self.speed]
        else:
            self.note = "this is the last event"

    def _faster(self, now: float) -> None:
        self._set_speed(self.speed + 1, now)

    def _slower(self, now: float) -> None:
        self._set_speed(self.speed - 1, now)

    def _set_speed(self, speed: int, now: float) -> None:
        self.speed = min(max(speed, 0), len(SPEEDS) - 1)
        self.note = f"autoplay: {SPEEDS[self.speed]:g} s an event"
        if self.next_tick is not None:
            self.next_tick = now + SPEEDS[self.speed]

    def _stop(self) -> None:
        self.next_tick = None

    def _scroll_down(self, _: float) -> None:
        # `compose` knows how far there is something to see.
        self.scroll += 1

    def _scroll_up(self, _: float) -> None:
        self.scroll = max(0, self.scroll - 1)

    def _help(self, _: float) -> None:
        self._stop()
        self.helping = True

    def _quit(self, _: float) -> None:
        self.done = True

    # The prompt ------------------------------------------------------------------------------

    def _type(self, key: str) -> None:
        assert self.prompt is not None
        if key == "enter":
            text, self.prompt = self.prompt, None
            self._go_to(text)
        elif key in ("escape", "q"):
            self.prompt = None
        elif key == "backspace":
            self.prompt = self.prompt[:-1]
        elif len(self.prompt) < MAX_PROMPT and (
            key in "0123456789" or (key == "r" and not self.prompt)
        ):
            self.prompt += key

    def _go_to(self, text: str) -> None:
        number = text.removeprefix("r")
        if not number:
            return
        wanted = int(number)
        if text.startswith("r"):
            found = (
                at for at, step in enumerate(self.steps) if step.begins and step.round == wanted
            )
            rounds = self.steps[-1].round
            what = f"there is no round {wanted}; there are {rounds}"
        else:
            found = (at for at, step in enumerate(self.steps) if step.index == wanted)
            what = f"there is no event {wanted}; the last is {self.steps[-1].index}"
        at = next(found, None)
        if at is None:
            self.note = what
        else:
            self._go(at)


# The screen ------------------------------------------------------------------------------------


def compose(player: Player, width: int, height: int) -> list[Text]:
    """Return the lines of the screen, as many as it has and none wider than it is."""
    if player.helping:
        top: list[Text] = [Text("Keys", style="bold"), Text()]
        words = [Text(line) for line in HELP]
    else:
        top = _table(player.step, width)
        words = _words(player, width)
    title = _title(player)
    room = max(0, height - 2)
    top = top[: max(0, room - min(FEWEST_WORDS, len(words)))]
    body = _window(player, words, room - len(top))
    lines = [title, *top, *body]
    lines += [Text()] * (height - 1 - len(lines))
    lines = [*lines[: height - 1], _status(player)]
    for line in lines:
        line.truncate(width)
    return lines[-height:]


def _title(player: Player) -> Text:
    step = player.step
    last = player.steps[-1].index
    names = ", ".join(
        f"{seat} {printable(name)}" for seat, name in enumerate(_names(player)) if name is not None
    )
    title = Text(f"event {step.index} of {last}, round {step.round}", style="bold")
    return title.append(f"  {names}", style="not bold")


def _names(player: Player) -> list[str | None]:
    """Return the name of each seat as far as it has come."""
    names: list[str | None] = [None] * len(player.step.live)
    for step in player.steps[: player.at + 1]:
        if step.kind == "joined" and step.seat is not None:
            names[step.seat] = step.message.name
        elif step.begins:
            break
    return names


def _table(step: Step, width: int) -> list[Text]:
    return [
        *draw_table(step.position, width),
        *boards(step, gained_by(step), width),
        Text("-" * width, style="dim"),
    ]


def _words(player: Player, width: int) -> list[Text]:
    lines = step_lines(player.step)
    if player.at == len(player.steps) - 1:
        lines += [*_outcome(player), "", *player.closing]
    words = []
    for line in lines:
        indent = len(line) - len(line.lstrip())
        words += wrapped(line, width, indent)
    return words


def _outcome(player: Player) -> list[str]:
    """Return who won, where that was said before the last event."""
    ends = [step for step in player.steps[:-1] if step.kind == "game_over"]
    return list(ends[-1].telling.details[-1:]) if ends else []


def wrapped(line: str, width: int, indent: int) -> list[Text]:
    """Return a line broken to the width of the screen, as cells count, not characters."""
    margin = " " * min(indent // 4, max(0, width // 4))
    text = Text(line.strip())
    found: list[Text] = []
    room = max(1, width - len(margin) - 2)
    for part in text.wrap(RULER, room):
        lead = margin if not found else margin + "  "
        found.append(Text(lead).append_text(part))
    return found or [Text()]


def _window(player: Player, words: list[Text], room: int) -> list[Text]:
    """Return the part of the words that fits, with a hint where there are more."""
    if len(words) <= room:
        player.scroll = 0
        return words
    inner = max(1, room - 1)
    player.scroll = min(player.scroll, len(words) - inner)
    shown = words[player.scroll : player.scroll + inner]
    below = len(words) - player.scroll - inner
    above = player.scroll
    hint = f"(more words: {above} above, {below} below; up and down)"
    return [*shown, Text(hint, style="dim")][:room]


def _status(player: Player) -> Text:
    if player.prompt is not None:
        return Text(f"go to event, or r and a round: {player.prompt}_", style="reverse")
    if player.note:
        return Text(player.note, style="reverse")
    if player.next_tick is not None:
        return Text(f"playing, {SPEEDS[player.speed]:g} s an event; a stops", style="reverse")
    return Text(STATUS, style="reverse")
