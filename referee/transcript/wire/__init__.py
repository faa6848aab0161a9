"""Between the messages of `proto/` and the rules' own values: the one place that knows both.

azul, duel   moves, deals and positions of each game
game         the same for any game, and the answers of agents
setup        the set-up of a match
"""
