"""Tiles as styled letters, and lines of them beside and below each other."""

from collections.abc import Iterable, Iterator

from rich.text import Text

GAP = 2
# Letters of both families, of special tiles and of the first-player marker.
STYLES = {
    "B": "bold white on blue",
    "Y": "bold black on yellow",
    "R": "bold white on red",
    "K": "bold white on bright_black",
    "W": "bold black on white",
    "T": "bold black on cyan",
    "S": "bold black on magenta",
    "M": "bold reverse",
}
EMPTY = "dim"


def tile(letter: str) -> Text:
    """Return one place: a tile, or a small letter or a dot where there is none."""
    return Text(letter, style=STYLES.get(letter, EMPTY))


def tiles(letters: str) -> Text:
    """Return tiles one after the other."""
    return Text().join(tile(letter) for letter in letters)


def spaced(letters: str) -> Text:
    """Return tiles with a space between them."""
    return Text(" ").join(tile(letter) for letter in letters)


def flow(items: Iterable[Text], width: int) -> Iterator[Text]:
    """Yield items in lines that are no wider than that, as long as each of them fits."""
    line = Text()
    for item in items:
        if line.cell_len and line.cell_len + GAP + item.cell_len > width:
            yield line
            line = Text("  ")
        elif line.cell_len:
            line.append(" " * GAP)
        line.append_text(item)
    yield line


def beside(columns: list[list[Text]], width: int) -> Iterator[Text]:
    """Yield the lines of several boards beside each other."""
    for row in range(max(len(column) for column in columns)):
        line = Text()
        for column in columns:
            cell = column[row].copy() if row < len(column) else Text()
            cell.append(" " * (width - cell.cell_len))
            if line.cell_len:
                line.append(" " * GAP)
            line.append_text(cell)
        yield line
