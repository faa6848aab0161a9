"""Every limit of a transcript, in one place; docs/transcript.md publishes them."""

from typing import Final

MAX_FILE_BYTES: Final = 64 << 20
MAX_BODY_BYTES: Final = 1 << 20
MAX_RECORDS: Final = 100_000
MAX_FRAME_RECORDS: Final = 4096
MAX_ACTION_BYTES: Final = 1 << 16
# What an agent says of itself.
MAX_NAME_BYTES: Final = 128
MAX_ID_BYTES: Final = 64
MAX_DETAIL_BYTES: Final = 1024
MAX_STRIKES: Final = 1000
# A bit more than eleven days: no match is meant to last longer, and sums stay small.
MAX_TIME_NS: Final = 10**15
