"""A match as a pure machine: what happens at the table, with time and chance passed in."""
