"""Write the rule sheets anew after a change of words that is meant: `python -m tests.golden.rewrite_sheets`.

The change of these files is what there is to review: every sentence of every sheet, and where it comes from.
"""

from collections.abc import Callable
from pathlib import Path

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.sheets.rule_sheet import rule_sheet
from scorekeeper.printing.rule_sheets import sheet_text
from tests.common.library import LIBRARY
from tests.pitch.scoring.strategies import RULESETS

FOLDER = Path(__file__).parent / "sheets"


def text_of(ruleset: Ruleset) -> str:
    """Return the text of a variant's sheet."""
    return sheet_text(rule_sheet(ruleset), ruleset, LIBRARY.interpretations)


def write_each(folder: Path, text: Callable[[Ruleset], str]) -> None:
    """Write one file for each ruleset, and none for what is gone."""
    for old in folder.glob("*.txt"):
        old.unlink()
    for ruleset in RULESETS:
        (folder / f"{ruleset.id}.txt").write_text(text(ruleset), encoding="utf-8")


if __name__ == "__main__":
    write_each(FOLDER, text_of)
