"""Azul Duel.

components    every printed number and table     moves      what a seat can choose
plates        the plates that lie face down      chips      sets of bonus chips
dome          where cells lie, what runs score   board      one seat's board
phases        what a table waits for             offer      the legal moves
position      the table and its turn order       taking     takes of tiles and chips
plate_turns   plates of display and stack        refusals   why a move is illegal
tiling        the domes at the end of a round    goals      the eight goals
deal          what chance brings, as values      dealing    the deal of a round
uncovering    what comes to light within one     ending     who won
notation, reading               the text forms
position_text, position_check   reading a table, and whether it can exist
ruleset       the ruleset and its options
"""
