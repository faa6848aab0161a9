"""Disputes about a recorded match: what is claimed, and what the record says to it.

claims    what somebody may claim, as text and as JSON
verdict   the words of a ruling
replay    one pass through the records, by the rules
case      a record that is in dispute: can it be trusted, what does it come to
answers, results, tiles, seats, whole   how each kind of claim is judged
judge     the rulings on all claims
copies    two copies of one match; `difference`: where they part
clauses   which clause or ruling is cited
objects   rulings and comparisons as JSON can hold them

docs/disputes.md says how an organiser uses it. Nothing here believes what a record states
of moves, scores and reasons: all of it is re-played, by the same fold that verifies.
"""
