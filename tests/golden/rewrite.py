"""Write the counts anew after a change of rules that is meant: `python -m tests.golden.rewrite`.

Kept are a short table of each ruleset and a digest of its whole one, which a test that fails writes out.
"""

from pathlib import Path

from tests.golden.counting import count, short_table
from tests.golden.rewrite_sheets import write_each

FOLDER = Path(__file__).parent / "counts"


if __name__ == "__main__":
    write_each(FOLDER, lambda ruleset: short_table(ruleset, count(ruleset)))
