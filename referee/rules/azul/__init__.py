"""Azul (colored and gray wall) and Azul Master Chocolatier.

components    every printed number           board     one seat's board, its scoring
moves         takes and places               deal      drawing and checking a round
special       the gold discs                 position  the table and its turn order
floor         the floor line                 tiling    the walls at the end of a round
ending        the end, bonuses, ranks        notation, position_text   the text forms
refusals      why a move is illegal
variant, ruleset   what tells the rulesets apart
"""
