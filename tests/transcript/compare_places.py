"""Checks games whose damage is known: each must be reported where it was done.

A game names its damage in ``first_wrong_place``; ``game`` and ``final`` there stand for any
place outside the rounds. Games of rulesets that are not known yet are counted and left out.
"""

import json
import sys

from referee.rules import RULESETS
from referee.transcript.elsewhere import check_line, read_lines

# The one damage that names a ruleset which never was one.
NO_RULESETS = ("duell",)


def main() -> None:
    """Compare every line of the files named on the command line."""
    right = wrong = unknown = 0
    for file in sys.argv[1:]:
        for line in read_lines(file):
            game = json.loads(line.content)
            if game["ruleset"] not in RULESETS and game["ruleset"] not in NO_RULESETS:
                unknown += 1
                continue
            finding = check_line(line).finding
            place = finding.place if finding is not None else None
            expected = game["first_wrong_place"]
            outside = expected in ("game", "final") and place is not None
            if place == expected or (outside and not str(place).startswith("rounds")):
                right += 1
            else:
                wrong += 1
                print(f"{game['id']}: damaged at {expected}, reported at {place}")
    print(
        f"damaged games: {right} reported at their place, {wrong} not, {unknown} of other rulesets"
    )
    sys.exit(1 if wrong or not right else 0)


if __name__ == "__main__":
    main()
