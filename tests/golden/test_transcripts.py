"""Golden transcripts: records of every ruleset and every kind of end, kept forever.

A file that was once written must always be read and verified as it was then, whatever
becomes of the code that writes. A new kind of record brings a new file; none is replaced.
"""

import pytest

from referee.transcript import reader
from referee.transcript.verify import Verdict, verify
from tests.golden.write import TRANSCRIPTS
from tests.transcript.scene import KEY
from tests.transcript.scenes import SCENES

VERDICTS = {"open": Verdict.INCOMPLETE, "secret-lost": Verdict.DRAWS}
FILES = sorted(TRANSCRIPTS.glob("*.azt"))


@pytest.mark.parametrize("name", [file.stem for file in FILES])
def test_kept_transcripts_hold(name: str) -> None:
    """Every level of a kept file is what it was when it was written."""
    report = verify(reader.load(TRANSCRIPTS / f"{name}.azt"), KEY.public)
    assert report.verdict is VERDICTS.get(name, Verdict.OK), report.findings


@pytest.mark.parametrize("name", SCENES)
def test_scenes_are_still_written_so(name: str) -> None:
    """The bytes of a scene are those that were kept: equal matches, equal files."""
    assert SCENES[name]() == (TRANSCRIPTS / f"{name}.azt").read_bytes()


def test_no_transcript_is_missing_or_left_over() -> None:
    """Every scene is kept, and every ruleset has one."""
    assert {file.stem for file in FILES} == set(SCENES)
