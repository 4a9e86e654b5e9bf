"""A change of rules shows as changed numbers; meant ones are written by `python -m tests.golden.rewrite`."""

from difflib import unified_diff
from pathlib import Path
from tempfile import mkdtemp

import pytest

from scorekeeper.pitch.rules.schema import Ruleset
from tests.common.library import every_ruleset
from tests.golden.counting import count, every_row, short_table
from tests.golden.rewrite import FOLDER
from tests.pitch.scoring.strategies import RULESETS


@every_ruleset
def test_the_counts_are_as_they_were(ruleset: Ruleset) -> None:
    rows = count(ruleset)
    now, kept = short_table(ruleset, rows), (FOLDER / f"{ruleset.id}.txt").read_text(encoding="utf-8")
    if now != kept:
        whole = Path(mkdtemp(prefix="counts-")) / f"{ruleset.id}.txt"
        whole.write_text(every_row(ruleset, rows), encoding="utf-8")
        pytest.fail(f"every row as it is now: {whole}\n" + "\n".join(unified_diff(kept.split("\n"), now.split("\n"))))


def test_there_are_counts_of_nothing_else() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {ruleset.id for ruleset in RULESETS}
