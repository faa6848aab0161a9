"""A kit for agents in Python: a bot is one function, everything else is here.

from azul_agent import run

run("localhost:50051", SEAT_TOKEN, lambda turn: 0)
"""

import os

# gRPC's core reads this when it is loaded, and else writes to standard error by itself what the
# kit says in a sentence; whoever wants to hear it sets it to something else.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

from azul_agent.agent import Agent
from azul_agent.connect import Pacing, Tls
from azul_agent.errors import (
    AgentError,
    NotWelcome,
    QueueRefused,
    SeatDetached,
    SeatError,
    SeatRefused,
    SecretFileError,
    Unreachable,
)
from azul_agent.result import Result
from azul_agent.sync import run
from azul_agent.turns import Bot, Rejection, Turn

__all__ = [
    "Agent",
    "AgentError",
    "Bot",
    "NotWelcome",
    "Pacing",
    "QueueRefused",
    "Rejection",
    "Result",
    "SeatDetached",
    "SeatError",
    "SeatRefused",
    "SecretFileError",
    "Tls",
    "Turn",
    "Unreachable",
    "run",
]
