"""The README of the kit is true: its bot plays, its links lead somewhere, its tables are complete."""

import dataclasses
import re
from pathlib import Path
from typing import Any

import azul_agent
from azul_agent.__main__ import parser
from azul_agent.bots.greedy_bot import greedy
from tests.clients_python.test_bots import play

README = Path(azul_agent.__file__).parents[1] / "README.md"
TEXT = README.read_text(encoding="utf-8")


def test_its_bot_plays() -> None:
    """The function of the second step plays a whole game, and not on the floor line."""
    (program,) = re.findall(r"```py\n(def bot.*?)```", TEXT, re.DOTALL)
    names: dict[str, Any] = {}
    exec(program, names)
    moves, _ = play("azul", [names["bot"]] * 2, 3)
    assert sum(move.endswith("F") for move in moves) < len(moves) / 4


def test_its_bot_is_no_fool() -> None:
    """Whoever copies it scores something, here and in the README of the project: they are one."""
    (program,) = re.findall(r"```py\n(def bot.*?)```", TEXT, re.DOTALL)
    whole = (README.parents[2] / "README.md").read_text(encoding="utf-8")
    (other,) = re.findall(r"```py\n(def bot.*?)```", whole, re.DOTALL)
    assert other.split("    return max(")[0] == program.split("    best = max(")[0]
    names: dict[str, Any] = {}
    exec(other, names)
    scores = [play("azul", [names["bot"], greedy], seed)[1][0] for seed in range(4)]
    assert min(scores) > 20, scores
    for key in ("azul-gray", "duel"):
        play(key, [names["bot"]] * 2, 1)


def test_its_programs_can_be_compiled() -> None:
    """None has a slip of the pen, and each names only what the kit exports."""
    for program in re.findall(r"```py\n(.*?)```", TEXT, re.DOTALL):
        compile(program, "README.md", "exec")
        for names in re.findall(r"from azul_agent import (.*)", program):
            assert set(names.split(", ")) <= set(azul_agent.__all__)


def test_its_links_lead_somewhere() -> None:
    """Every file that it points at exists."""
    for target in re.findall(r"\]\(([^)#\s]+)", TEXT):
        assert (README.parent / target).exists(), target


def test_its_tables_are_complete() -> None:
    """Every field of a turn and every option of an agent is explained."""
    turn, agent = (
        "\n".join(re.findall(r"^\| (`.*)$", part, re.MULTILINE))
        for part in (
            TEXT.split("| `Turn` |")[1].split("##")[0],
            TEXT.split("| `Agent` |")[1].split("##")[0],
        )
    )
    for field in dataclasses.fields(azul_agent.Turn):
        assert f"`{field.name}`" in turn or field.name == "notes"
    for field in dataclasses.fields(azul_agent.Agent):
        assert f"`{field.name}`" in agent or field.name == "kit"


def test_its_commands_exist() -> None:
    """Every option that it shows is one of the command line."""
    known = set(parser().format_help().replace(",", " ").split())
    for option in re.findall(r"(--[a-z][a-z-]*)", TEXT):
        assert option in known or f"[{option}" in known, option
