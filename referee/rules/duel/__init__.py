"""Azul Duel.

components    every printed number and table     moves      what a seat can choose
plates        the stack of dome plates           chips      sets of bonus chips
dome          plates on the dome, its scoring    board      one seat's board
offer         the legal moves of a turn          taking     what an action does
tiling        the domes at the end of a round    goals      the eight goals
deal          what chance brings                 dealing    drawing and checking a round
position      the table and its turn order       ending     who won
refusals      why a move is illegal              notation, position_text   the text forms
ruleset       the ruleset and its options
"""
