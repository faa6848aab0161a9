"""The record of a game: what was dealt, played and scored, so that anyone can re-play it."""
