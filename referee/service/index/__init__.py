"""The index of all matches, `index.db`: what `ListMatches` needs, and nothing else.

It is a cache. Every row follows from one transcript, so that it can be made anew at any time
and is then the same, row by row; where the two differ, the transcript is right.

row       what the index knows of a match, from its transcript or from the live match
table     the database: rows in, pages out
rebuild   making it anew, and mending it after a crash
"""

from referee.service.index.rebuild import (
    Mended,
    Problem,
    Rebuilt,
    open_or_rebuild,
    rebuild,
    reconcile,
)
from referee.service.index.row import CannotIndex, Ending, Row, ending_of, row_of, row_of_fold
from referee.service.index.table import BadPageToken, Index, Page

__all__ = [
    "BadPageToken",
    "CannotIndex",
    "Ending",
    "Index",
    "Mended",
    "Page",
    "Problem",
    "Rebuilt",
    "Row",
    "ending_of",
    "open_or_rebuild",
    "rebuild",
    "reconcile",
    "row_of",
    "row_of_fold",
]
