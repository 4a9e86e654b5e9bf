"""Write the counts anew after a change of rules that is meant: `python -m tests.golden.rewrite`.

Kept are a short table of each ruleset and a digest of its whole one. `--every-row FOLDER` writes the whole ones there
and leaves what is kept: before a change and after it, in two folders, they show line by line what it does.
"""

from argparse import ArgumentParser
from pathlib import Path

from tests.golden.counting import count, every_row, short_table
from tests.golden.rewrite_sheets import write_each
from tests.pitch.scoring.strategies import RULESETS

FOLDER = Path(__file__).parent / "counts"


def main() -> None:
    """Write one file for each ruleset, and none for what is gone."""
    parser = ArgumentParser(prog="python -m tests.golden.rewrite")
    parser.add_argument("--every-row", type=Path, metavar="FOLDER", help="write whole tables there, and change nothing")
    folder = parser.parse_args().every_row
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        for ruleset in RULESETS:
            (folder / f"{ruleset.id}.txt").write_text(every_row(ruleset, count(ruleset)), encoding="utf-8")
        return
    write_each(FOLDER, lambda ruleset: short_table(ruleset, count(ruleset)))


if __name__ == "__main__":
    main()
