"""What the rules tell the compiler: decorators and types of mypyc.

mypy and mypyc read them as those of `mypy_extensions`. When the rules run, plain or
compiled, nothing of that package is needed: the decorator does nothing, and a native
integer is an int. This module itself is never compiled, since compiled modules import
these names from it like everyone else.

An i64 has limits that an int has not. What comes from outside is compared as an int
before it becomes one, and a constant that is shifted by one has 32 bits when compiled:
``1 << cell`` needs an i64 on its left side too, or a table.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import i64, mypyc_attr
else:
    i64 = int

    def mypyc_attr(**_: object) -> object:
        """Return a decorator that leaves its class alone."""
        return lambda cls: cls


__all__ = ["i64", "mypyc_attr"]
