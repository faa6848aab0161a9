"""The compiled build: the same sources, run through mypyc where a C compiler is at hand.

hints     what the rules tell the compiler; nothing at all when they run plain
stamp     what was compiled, by the hashes of the sources
choice    which build runs, decided when `referee` is imported
compile   compiles: ``python -m referee.native.compile``, or ``make build``
hook      lets pip do the same when it installs or builds a wheel

Whatever lies under `referee/rules` and `referee/draws` is compiled, except an
``__init__.py``, which only names things, and a module that says why it is not.
"""
