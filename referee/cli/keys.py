"""Names of keys from the bytes that a terminal sends."""

from collections.abc import Iterator

ESCAPE = b"\x1b"
# After an escape: the sequences of the usual terminals.
SEQUENCES = {
    b"[A": "up",
    b"[B": "down",
    b"[C": "right",
    b"[D": "left",
    b"OA": "up",
    b"OB": "down",
    b"OC": "right",
    b"OD": "left",
    b"[H": "home",
    b"[F": "end",
    b"OH": "home",
    b"OF": "end",
    b"[1~": "home",
    b"[4~": "end",
    b"[7~": "home",
    b"[8~": "end",
}
PLAIN = {b"\r": "enter", b"\n": "enter", b"\x7f": "backspace", b"\x08": "backspace"}


class Keys:
    """Splits what was read into keys; the rest of a sequence may come later."""

    def __init__(self) -> None:
        self._waiting = b""

    @property
    def is_waiting(self) -> bool:
        """Whether an escape was read that may be the start of a sequence."""
        return bool(self._waiting)

    def feed(self, data: bytes) -> Iterator[str]:
        """Yield the keys in these bytes; those that have no name are skipped."""
        data = self._waiting + data
        self._waiting = b""
        while data:
            if data[:1] != ESCAPE:
                key, data = data[:1], data[1:]
                if key in PLAIN:
                    yield PLAIN[key]
                elif b" " <= key <= b"~":
                    yield key.decode("ascii")
                continue
            length = _sequence(data[1:])
            if length is None:
                self._waiting = data
                return
            sequence, data = data[1 : 1 + length], data[1 + length :]
            if not length:
                yield "escape"
            elif sequence in SEQUENCES:
                yield SEQUENCES[sequence]

    def flush(self) -> Iterator[str]:
        """Yield the escape that nothing followed."""
        if self._waiting:
            self._waiting = b""
            yield "escape"


def _sequence(data: bytes) -> int | None:
    """Return the length of the sequence after an escape, None if it is not complete yet."""
    if not data:
        return None
    if data[:1] == b"O":
        return 2 if len(data) > 1 else None
    if data[:1] != b"[":
        return 0
    for at in range(1, len(data)):
        # Parameters and intermediate bytes, then one byte that ends it.
        if 0x40 <= data[at] <= 0x7E:
            return at + 1
        if not 0x20 <= data[at] <= 0x3F:
            return at
    # Nothing that a key sends is as long.
    return None if len(data) < 16 else len(data)
