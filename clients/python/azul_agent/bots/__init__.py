"""Bots to begin with and to play against, by name."""

from azul_agent.bots.greedy_bot import greedy
from azul_agent.bots.random_bot import random_move
from azul_agent.turns import Bot

BOTS: dict[str, Bot] = {"greedy": greedy, "random": random_move}
