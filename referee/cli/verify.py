"""`referee verify`: whether transcripts hold, level by level."""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.cli.text import printable

if TYPE_CHECKING:
    from referee.transcript.report import Summary

ENDING = ".azt"
# So few files are verified before other processes have even started.
FEW = 64
# Files that a process takes at a time.
CHUNK = 32


@click.command("verify")
@click.argument("paths", nargs=-1, required=True, type=click.Path(), metavar="PATH...")
@click.option("--key", help="The only public key to trust: 64 hex digits, or a file with them.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a file.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes. [default: one a core]")
def command(*, paths: tuple[str, ...], key: str | None, as_json: bool, jobs: int | None) -> None:
    """Verify transcripts: files, and all .azt files in folders.

    Each level is checked on its own: frames, chain, signature, rules, result, draws, clocks. The
    exit code says which failed first: 10 corrupt, 11 torn, 12 chain, 13 signature, 14 rules,
    15 result, 16 draws, 17 clocks, 18 incomplete, 3 unreadable, 0 if all holds.
    """
    from referee.transcript.verify import WORST_FIRST, Verdict

    pinned = None if key is None else read_key(key)
    files = list(_files(paths))
    counts = dict.fromkeys(WORST_FIRST, 0)
    alone = len(files) == 1
    for found in _with_progress(_verified(files, pinned, jobs), len(files)):
        verdict = Verdict[found["verdict"]]
        counts[verdict] += 1
        if as_json:
            click.echo(json.dumps(found))
        elif alone:
            _print_levels(found)
        elif verdict is not Verdict.OK:
            click.echo(_line(found))
    if not as_json and not alone:
        words = ", ".join(f"{number} {name.name}" for name, number in counts.items() if number)
        click.echo(f"{len(files)} transcripts: {words or 'none'}")
    worst = next((verdict for verdict in WORST_FIRST if counts[verdict]), Verdict.UNREADABLE)
    raise click.exceptions.Exit(worst.value)


def read_key(text: str) -> bytes:
    """Read a public key, in hex or from a file."""
    try:
        path = Path(text)
        if path.is_file():
            text = path.read_text(encoding="ascii", errors="replace")[:200].strip()
        key = bytes.fromhex(text)
    except (OSError, ValueError):
        key = b""
    if len(key) != 32:
        raise click.UsageError("a public key is 64 hex digits, as `referee key` prints it")
    return key


def _files(paths: Iterable[str]) -> Iterator[str]:
    """Yield files as named, and the transcripts in folders, in order."""
    for path in paths:
        if not Path(path).is_dir():
            yield path
            continue
        for folder, folders, names in os.walk(path):
            folders.sort()
            for name in sorted(names):
                if name.endswith(ENDING):
                    yield f"{folder}/{name}"


def verify_one(path: str, pinned: bytes | None) -> "Summary":
    """Verify one file; this runs in other processes, too."""
    from referee.transcript.report import summary
    from referee.transcript.verify import verify_file

    return summary(path, verify_file(path, pinned))


def _leave_garbage_alone() -> None:
    """Let the collector pass over what stays to the end: modules, tables and schemas."""
    import gc
    import importlib

    importlib.import_module("referee.transcript.report")
    gc.freeze()


def _verified(files: list[str], pinned: bytes | None, jobs: int | None) -> Iterator[Any]:
    """Yield the report of every file, in order, on all cores if there are many."""
    _leave_garbage_alone()
    cores = jobs or len(os.sched_getaffinity(0))
    if len(files) <= FEW or cores == 1:
        for file in files:
            yield verify_one(file, pinned)
        return
    from functools import partial
    from multiprocessing import get_context

    # Spawned, not forked: nothing of this process may be shared half-way.
    with get_context("spawn").Pool(cores, _leave_garbage_alone) as pool:
        yield from pool.imap(partial(verify_one, pinned=pinned), files, CHUNK)


def _with_progress(found: Iterator[Any], length: int) -> Iterator[Any]:
    """Show how far long work is, where somebody looks on."""
    if length <= FEW or not sys.stderr.isatty():
        yield from found
        return
    with click.progressbar(found, length, label="verifying", file=sys.stderr) as bar:
        yield from bar


def _line(found: "Summary") -> str:
    path = printable(found["path"])
    if found["problem"]:
        return f"{path}: {found['verdict']}: {printable(found['problem'])}"
    if found["frame"] is None:
        return f"{path}: {found['verdict']}: it ends before its signature"
    return f"{path}: {found['verdict']} at {_place(found)}: {_difference(found)}"


def _place(found: dict[str, Any]) -> str:
    record = "" if found["record"] is None else f", record {found['record']}"
    return f"frame {found['frame']}{record}"


def _difference(found: dict[str, Any]) -> str:
    rule = f" ({found['rule']})" if found["rule"] else ""
    return f"expected {printable(found['expected'])}, found {printable(found['found'])}{rule}"


def _print_levels(found: "Summary") -> None:
    click.echo(f"{printable(found['path'])}: {found['verdict']}")
    if found["problem"]:
        click.echo(f"  {printable(found['problem'])}")
        return
    findings = {finding["level"]: finding for finding in found["findings"]}
    for level, status in found["levels"].items():
        text = status
        if level in findings:
            finding = findings[level]
            text = f"FAILED at {_place(finding)}: {_difference(finding)}"
        else:
            text += _remark(level, found)
        click.echo(f"  {level:<10} {text}")
    _print_result(found)


def _remark(level: str, found: "Summary") -> str:
    """Return what is worth saying of a level that holds."""
    if level == "frames":
        return f", {found['frames']} frames with {found['records']} records"
    if level == "signature" and found["levels"][level] == "ok":
        pinned = "the pinned key" if found["key_pinned"] else "key not pinned"
        return f", {pinned}, {found['public_key']}"
    fairness = found["fairness"]
    if level == "draws" and fairness and found["levels"][level] == "ok":
        return f", {_fairness(fairness)}"
    return ""


def _fairness(fairness: dict[str, Any]) -> str:
    level = fairness["level"]
    if level == "fixed":
        return "fixed seed, no level"
    seats = sorted({seat for seats in fairness["rounds"] for seat in seats})
    named = " or ".join(f"seat {seat}" for seat in seats)
    text = f"{level}, if {named} is honest" if named else level
    if fairness["bare_rounds"]:
        text += f"; no reveal in rounds {', '.join(map(str, fairness['bare_rounds']))}"
    return text


def _print_result(found: "Summary") -> None:
    result = found["result"]
    if result is None:
        if found["ended_by"] in ("voided", "aborted"):
            click.echo(f"  the match was {found['ended_by']} and counts for nothing")
        return
    seats = ", ".join(
        f"{printable(agent)} (seat {seat}): {entry['score']} points, rank {entry['rank']}"
        + (f", out by {entry['out']}" if entry["out"] else "")
        for seat, (agent, entry) in enumerate(zip(found["agents"], result["seats"], strict=True))
    )
    click.echo(f"  the events come to: {seats}; ended by {result['reason']}")
