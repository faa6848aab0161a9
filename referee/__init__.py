"""A referee for bot competitions of the Azul family of games."""

# First of all: it decides which build of the rules everything after it imports.
from referee.native.choice import build_kind

__all__ = ["__version__", "build_kind"]

__version__ = "0.1.0"
