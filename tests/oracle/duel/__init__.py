"""A naive implementation of Azul Duel, to test the fast engine against."""
