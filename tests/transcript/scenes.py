"""The matches that are kept forever: every ruleset, and every way a match can go."""

from typing import Any

from referee.rules import Options
from referee.transcript.wire.game import index_action
from tests.transcript.scene import Scene, bytes_of


def _begun(*arguments: Any, **options: Any) -> Scene:
    scene = Scene(*arguments, **options)
    scene.join(*range(len(scene.live)))
    scene.start()
    return scene


def _moves(scene: Scene, number: int) -> Scene:
    for _ in range(number):
        scene.reveal_all()
        scene.move()
    return scene


def _whole(ruleset: str, seats: int, *, shared: bool, cap: int | None) -> bytes:
    options = Options(round_cap=cap) if ruleset != "duel" else Options(goals=4)
    shares = [True] * seats if shared else None
    name = f"whole, {'shares' if shared else 'a fixed seed'}"
    return _begun(ruleset, seats, name=name, shares=shares, options=options).play_on()


def _short(ruleset: str) -> bytes:
    """Return a match that is over soon, for tests that look at every bit of it."""
    scene = _moves(_begun(ruleset, 2, name="short", shares=[True, False]), 2)
    scene.resign()
    return scene.data()


ILLEGAL = index_action(999)
GARBAGE = b"\xff\xff\xff"


def _strikes() -> bytes:
    scene = _moves(_begun("azul", 2, name="strikes"), 3)
    scene.reject(ILLEGAL)
    scene.reject(GARBAGE)
    scene.move()
    scene.reject(ILLEGAL)
    scene.move()
    scene.reject(ILLEGAL)
    return scene.play_on()


def _protocol() -> bytes:
    scene = _moves(_begun("azul-gray", 2, name="protocol", strikes=1), 4)
    scene.reject(GARBAGE)
    return scene.data()


def _frozen() -> bytes:
    scene = _moves(_begun("azul", 4, name="frozen", shares=[True, True, False, True]), 5)
    scene.resign()
    _moves(scene, 9).flag(scene.position.actor)
    return scene.play_on()


def _frozen_gray() -> bytes:
    scene = _moves(_begun("azul-gray", 3, name="frozen", options=Options(round_cap=3)), 12)
    scene.resign()
    return scene.play_on()


def _double_fault() -> bytes:
    scene = _moves(_begun("azul", 2, name="double", shares=[True, True]), 4)
    while not scene.asked():
        scene.move()
    scene.flag(0, 1)
    return scene.data()


def _entropy() -> bytes:
    scene = _begun("azul", 3, name="entropy", shares=[True, True, True])
    scene.reveal(1)
    scene.reveal(0, bytes_of("no share"))
    return scene.play_on()


def _absent() -> bytes:
    scene = Scene("azul", 3, name="absent", shares=[True, True, True])
    scene.join(1)
    scene.no_show(0, 2)
    return scene.data()


def _late() -> bytes:
    scene = Scene("azul", 4, name="late", shares=[True] * 4, options=Options(round_cap=2))
    scene.join(0, 3, 1)
    scene.no_show(2)
    scene.start()
    return scene.play_on()


def _nobody() -> bytes:
    scene = Scene("azul", 2, name="nobody")
    scene.no_show(0, 1)
    return scene.data()


def _restarts() -> bytes:
    scene = _begun("azul", 2, name="restarts", shares=[True, False], options=Options(round_cap=3))
    scene.restart(2)
    _moves(scene, 6).disconnect(1)
    scene.restart(5)
    scene.move(credited_ns=7_000_000)
    return scene.play_on()


def _no_clock() -> bytes:
    return _begun("azul", 2, name="no clock", clock=None, options=Options(round_cap=1)).play_on()


def _void() -> bytes:
    scene = _moves(_begun("azul", 2, name="void"), 7)
    scene.void()
    return scene.data()


def _secret_lost() -> bytes:
    scene = _moves(_begun("azul", 2, name="lost", shares=[True, True]), 7)
    scene.void(secret_lost=True)
    return scene.data()


def _aborted() -> bytes:
    scene = Scene("duel", 2, name="aborted")
    scene.join(1)
    scene.abort()
    return scene.data()


def _open() -> bytes:
    return _moves(_begun("azul", 2, name="open", shares=[True, True]), 8).data()


SCENES = {
    "azul-2": lambda: _whole("azul", 2, shared=False, cap=None),
    "azul-2-shares": lambda: _whole("azul", 2, shared=True, cap=2),
    "azul-4-shares": lambda: _whole("azul", 4, shared=True, cap=2),
    "azul-gray-2": lambda: _whole("azul-gray", 2, shared=True, cap=4),
    "azul-gray-3": lambda: _whole("azul-gray", 3, shared=False, cap=3),
    "chocolatier-2": lambda: _whole("chocolatier", 2, shared=True, cap=3),
    "chocolatier-gray-4": lambda: _whole("chocolatier-gray", 4, shared=False, cap=3),
    "duel-2": lambda: _whole("duel", 2, shared=True, cap=None),
    "azul-short": lambda: _short("azul"),
    "azul-gray-short": lambda: _short("azul-gray"),
    "chocolatier-short": lambda: _short("chocolatier"),
    "chocolatier-gray-short": lambda: _short("chocolatier-gray"),
    "duel-short": lambda: _short("duel"),
    "strikes": _strikes,
    "protocol": _protocol,
    "frozen": _frozen,
    "frozen-gray": _frozen_gray,
    "double-fault": _double_fault,
    "entropy": _entropy,
    "absent": _absent,
    "late": _late,
    "nobody": _nobody,
    "restarts": _restarts,
    "no-clock": _no_clock,
    "void": _void,
    "secret-lost": _secret_lost,
    "aborted": _aborted,
    "open": _open,
}
