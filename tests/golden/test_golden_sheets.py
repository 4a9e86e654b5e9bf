"""Every sheet is as it was reviewed; `python -m tests.golden.rewrite_sheets` writes a change that is meant."""

from scorekeeper.pitch.rules.schema import Ruleset
from tests.common.library import every_ruleset
from tests.golden.rewrite_sheets import FOLDER, text_of
from tests.pitch.scoring.strategies import RULESETS


@every_ruleset
def test_the_sheet_says_what_was_reviewed(ruleset: Ruleset) -> None:
    assert text_of(ruleset) == (FOLDER / f"{ruleset.id}.txt").read_text(encoding="utf-8")


def test_there_are_sheets_of_nothing_else() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {ruleset.id for ruleset in RULESETS}
