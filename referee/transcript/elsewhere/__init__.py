"""Games that were played elsewhere, in the format ``azul-game/1`` (docs/check.md).

lines    reads lines out of files, plain or gzip      shape    is it a game at all?
finding  what is wrong, and where                     azul     re-plays a game by the rules
"""

from referee.transcript.elsewhere.check import LineReport, check_game, check_line
from referee.transcript.elsewhere.finding import Finding
from referee.transcript.elsewhere.lines import Line, read_lines

__all__ = ["Finding", "Line", "LineReport", "check_game", "check_line", "read_lines"]
