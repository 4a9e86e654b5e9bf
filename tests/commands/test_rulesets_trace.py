"""`rulesets trace`: the text of a sheet, with where every rule comes from."""

from pathlib import Path

import pytest

from scorekeeper.paths import RULESETS
from tests.common.commands import Run


def test_a_house_rule_is_traced_to_the_house(run: Run) -> None:
    out = run("rulesets", "trace", "partnership-pitch", "--house", "low=held", "--house", "target=15").out

    assert "✎ " in out
    assert "house rule: low = held" in out
    assert "house rule: target = 15" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("old-maid", "no ruleset 'old-maid'"),
        ("fish-pitch --house weather=rain", "no house option 'weather'"),
        ("fish-pitch --house low=x", "low: 'x' is not an answer here"),
    ],
)
def test_what_there_is_not_is_refused(words: str, message: str, run: Run) -> None:
    out, err = run("rulesets", "trace", *words.split(), status=1)

    assert out == ""
    assert message in err


def test_a_rule_from_nowhere_fails(tmp_path: Path, run: Run) -> None:
    for file in RULESETS.glob("*.*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "ours.toml").write_text(
        'format = 1\nname = "Ours"\nsource = "house"\nsummary = "a rule more"\nextends = "fish-pitch"\n'
        '[sheet.sentences."deal.dance"]\ntext = "The dealer dances."\n'
    )

    out, err = run("rulesets", "trace", "ours", "--folder", str(tmp_path), status=1)

    assert "deal.dance: no origin" in out
    assert "deal.dance" in err
