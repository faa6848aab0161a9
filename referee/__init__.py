"""A referee for bot competitions of the Azul family of games."""

__version__ = "0.1.0"
