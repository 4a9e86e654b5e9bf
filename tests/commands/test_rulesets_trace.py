"""`rulesets trace`: the text of a sheet, with where every rule comes from."""

from dataclasses import replace
from pathlib import Path

import pytest

from scorekeeper.cli import main
from scorekeeper.paths import RULESETS
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.sources import Reading, ReadingNumber, SourceLines
from scorekeeper.pitch.sheets.parts import BLANK, HouseFrame, Offer, OpenQuestion, Rule, RuleOrigin, Section
from scorekeeper.pitch.sheets.rule_sheet import RuleSheet, rule_sheet
from scorekeeper.printing.sheet_text import sheet_text, untraced
from tests.common.library import LIBRARY, each_ruleset


def trace(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run the command; return its exit status, and what it writes."""
    status = main(["rulesets", "trace", *words])
    written = capsys.readouterr()
    return status, written.out, written.err


def with_rule(origin: RuleOrigin, text: str = "The dealer dances.") -> RuleSheet:
    """Return a sheet with one rule of this origin."""
    rule = Rule(id="deal.dance", text=text, origin=origin, number="1.1")
    section = Section("deal", "Deal", (rule,), number=1)
    return replace(rule_sheet(LIBRARY["auction-pitch"]), sections=(section,))


def lines_of(origin: RuleOrigin, ruleset: Ruleset = LIBRARY["auction-pitch"]) -> list[str]:
    """Return the two lines of a rule of this origin."""
    lines = sheet_text(with_rule(origin), ruleset, {6: Reading(6, "A tie", "because")}).splitlines()
    at = next(i for i, line in enumerate(lines) if line.endswith("The dealer dances."))
    return lines[at : at + 2]


@each_ruleset
def test_every_variant_is_traced(ruleset: Ruleset, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = trace(capsys, ruleset.id)

    assert (status, err) == (0, "")
    assert out.startswith(f"{ruleset.name}\n")
    assert "1 Players and cards\n1.1 " in out
    assert "\n7 Win\n7.1 " in out


def test_a_house_rule_is_traced_to_the_house(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = trace(capsys, "partnership-pitch", "--house", "low=held", "--house", "target=15")

    assert status == 0
    assert "✎ " in out
    assert "house rule: low = held" in out
    assert "house rule: target = 15" in out


def test_what_was_agreed_and_what_is_not_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert "to agree: target" in trace(capsys, "auction-pitch")[1]
    assert "agreed: target = 15" in trace(capsys, "auction-pitch", "--house", "target=15")[1]


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


def test_bad_files_are_not_traced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.toml").write_text("format = 2")

    status, out, err = trace(capsys, "bad", "--folder", str(tmp_path))

    assert (status, out, "bad.toml" in err) == (1, "", True)


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


@pytest.mark.parametrize(
    ("origin", "mark", "said"),
    [
        (RuleOrigin((SourceLines("002", 44, 45),)), " ", "002 L44-45"),
        (RuleOrigin((SourceLines("001", 3, 3), ReadingNumber(6))), "†", "001 L3; R6: A tie"),
        (RuleOrigin((ReadingNumber(7),)), "†", "R7"),
        (RuleOrigin((ReadingNumber(6),), house=("win_by",)), "✎", "R6: A tie; house rule: win_by = none"),
        (RuleOrigin(agreed=("dealer_steal",)), " ", "agreed: dealer_steal = "),
        (RuleOrigin(open=("target",)), " ", "to agree: target"),
        (RuleOrigin(), " ", "no origin"),
    ],
)
def test_a_rule_is_marked_and_says_where_it_comes_from(origin: RuleOrigin, mark: str, said: str) -> None:
    sentence, where = lines_of(origin)

    assert sentence == f"1.1  {mark} The dealer dances."
    assert where.startswith(f"       [deal.dance: {said}")
    assert untraced(with_rule(origin)) == (() if origin.is_known else ("deal.dance",))


def test_the_house_frame_has_its_boxes_and_blanks() -> None:
    frame = HouseFrame(
        "House rules",
        changes=("Play to 15.",),
        agreed=("Low is held.",),
        notes=("Loser does the dishes.",),
        questions=(OpenQuestion("Who deals?", ("Ann", "Bob")), OpenQuestion("How many?")),
        offers=(Offer("The joker is wild.", (SourceLines("001", 7, 7),)),),
    )
    sheet = replace(rule_sheet(LIBRARY["auction-pitch"]), house=frame)

    lines = sheet_text(sheet, LIBRARY["auction-pitch"], {}).splitlines()

    at = lines.index("9 House rules")
    assert lines[at + 1 : at + 8] == [
        "✎ Play to 15.",
        "  Agreed: Low is held.",
        "  Loser does the dishes.",
        "  Who deals?  ☐ Ann  ☐ Bob",
        f"  How many?  {BLANK}",
        "☐ The joker is wild.",
        "       [001 L7]",
    ]


def test_a_changed_number_is_marked_at_the_head() -> None:
    base = LIBRARY["partnership-pitch"]
    changed, _ = with_house(base, {"target": 15})

    assert "✎ 15 " in sheet_text(rule_sheet(changed, base), changed, LIBRARY.readings)
