"""`rulesets trace`: the text of a sheet, with where every rule comes from."""

from pathlib import Path

import pytest

from scorekeeper.cli import main
from scorekeeper.paths import RULESETS


def trace(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run the command; return its exit status, and what it writes."""
    status = main(["rulesets", "trace", *words])
    written = capsys.readouterr()
    return status, written.out, written.err


def test_a_house_rule_is_traced_to_the_house(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = trace(capsys, "partnership-pitch", "--house", "low=held", "--house", "target=15")

    assert status == 0
    assert "✎ " in out
    assert "house rule: low = held" in out
    assert "house rule: target = 15" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["old-maid"], "no ruleset 'old-maid'"),
        (["fish-pitch", "--house", "weather=rain"], "no house option 'weather'"),
        (["fish-pitch", "--house", "low=x"], "low: 'x' is not an answer here"),
    ],
)
def test_what_there_is_not_is_refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = trace(capsys, *words)

    assert (status, out) == (1, "")
    assert said in err


def test_a_rule_from_nowhere_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file in RULESETS.glob("*.*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "ours.toml").write_text(
        'format = 1\nname = "Ours"\nsource = "house"\nsummary = "a rule more"\nextends = "fish-pitch"\n'
        '[sheet.sentences."deal.dance"]\ntext = "The dealer dances."\n'
    )

    status, out, err = trace(capsys, "ours", "--folder", str(tmp_path))

    assert status == 1
    assert "deal.dance: no origin" in out
    assert "deal.dance" in err
