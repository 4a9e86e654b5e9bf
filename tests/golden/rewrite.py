"""Write the counts anew after a change of rules that is meant: `python -m tests.golden.rewrite`."""

from pathlib import Path

from tests.engine.strategies import RULESETS
from tests.golden.counting import counts

FOLDER = Path(__file__).parent


def main() -> None:
    """Write one file for each ruleset, and none for what is gone."""
    for old in FOLDER.glob("*.counts"):
        old.unlink()
    for ruleset in RULESETS:
        (FOLDER / f"{ruleset.id}.counts").write_text(counts(ruleset), encoding="utf-8")


if __name__ == "__main__":
    main()
