"""`scorekeeper settle`: what it prints of a hand, in words and as JSON, and what it says of a file that is none."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from scorekeeper.cli import main
from scorekeeper.paths import PACKAGE
from scorekeeper.pitch.compare.ruling import settle_record
from scorekeeper.pitch.records.record import RefusedRecord, read_record
from scorekeeper.pitch.records.result import Rulebook, score_record
from tests.common.library import LIBRARY
from tests.pitch.scoring.strategies import json_values

TAKEN = dict.fromkeys(("ace", "trey", "ten", "off_jack"), "Us") | dict.fromkeys(
    ("jack", "high_joker", "low_joker", "deuce"), "Them"
)
HAND = {"bidder": "Us", "bid": 6, "trump": "hearts", "taken": TAKEN}
RECORD = {
    "format": "pitch-record/1",
    "variant": "colorado-ten-point",
    "sides": [{"name": "Us"}, {"name": "Them"}],
    "start": {"scores": {"Us": 37, "Them": 40}},
    "hands": [HAND],
}


def settle(monkeypatch: pytest.MonkeyPatch, record: object, *options: str) -> int:
    """Settle what is put on standard input."""
    text = record if isinstance(record, str) else json.dumps(record)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogatepass"))))
    return main(["settle", *options, "-"])


def test_the_example_of_the_page_is_what_it_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (PACKAGE.parent / "docs" / "records.md").read_text(encoding="utf-8").partition("## Who won?")[2]
    told, printed = re.findall(r"```(?:json)?\n(.*?)```", page, flags=re.DOTALL)[:2]
    (tmp_path / "hand.json").write_text(told, encoding="utf-8")

    assert main(["settle", str(tmp_path / "hand.json")]) == 0

    assert capsys.readouterr().out == printed


def test_a_set_says_what_it_cost_and_why_nobody_has_won(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record = {
        "format": "pitch-record/1",
        "variant": "partnership-pitch",
        "sides": [{"name": "Us"}, {"name": "Them"}],
        "start": {"scores": {"Us": 17, "Them": 5}},
        "hands": [{"bidder": "Us", "bid": 4, "points": {"Us": 3, "Them": 0}}],
    }

    assert settle(monkeypatch, record) == 0

    assert (
        capsys.readouterr().out
        == """\
Partnership Pitch, to 21

We bid 4 and took 3: set.
  Us: 17 −4 = 13
    −4  bid 4, took 3: set
  Them: 5

Nobody yet, 13 to 5.
Nobody has reached 21 yet. Nobody can win on the next hand.
The rule: Play to 21. A side wins only at the end of a hand in which its own bid was made.
"""
    )


def test_what_is_not_agreed_comes_first_and_no_answer_is_called_right(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record = {
        "format": "pitch-record/1",
        "variant": "arizona-29",
        "house": {"target": 21},
        "sides": [{"name": "Us"}, {"name": "Them"}],
        "start": {"scores": {"Us": 3, "Them": 19}},
        "hands": [{"bidder": "Us", "bid": 3, "points": {"Us": 3, "Them": 2}}],
    }

    assert settle(monkeypatch, record) == 0

    heading, undecided, hand, ending, *_ = capsys.readouterr().out.split("\n\n")
    assert heading == "Arizona 29-Card Pitch, to 21"
    assert (
        undecided
        == """\
This turns on a rule that you have not agreed: Who may win?
  Who wins: whoever reaches it: They win, 21 to 6.
  Who wins: only on a made bid: nobody yet, 6 to 21."""
    )
    assert hand.startswith("We bid 3 and took 3: made.")
    assert ending.startswith("Nobody picked a win rule, so no score ends the match.")


def test_as_json_it_is_what_score_prints_with_every_reading(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert settle(monkeypatch, RECORD, "--json") == 0

    settled = json.loads(capsys.readouterr().out)
    rulebook = Rulebook(LIBRARY)
    assert list(settled) == ["result", "readings"]
    assert settled["result"] == score_record(RECORD, rulebook)
    assert {tuple(reading) for reading in settled["readings"]} == {("house", "result")}
    assert settled["readings"][0] == {
        "house": {"tie_rule": "higher_score"},
        "result": score_record({**RECORD, "house": {"tie_rule": "higher_score"}}, rulebook),
    }
    winners = {str(reading["house"]): reading["result"]["winners"] for reading in settled["readings"]}
    assert winners["{'off_jack': False}"] == ["Them"]


def test_whoever_sits_in_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    record = {
        "format": "pitch-record/2",
        "variant": "cutthroat-pitch",
        "players": ["Ann", "Bea", "Cal"],
        "hands": [{"sits_in": {"Cal": "Eva"}, "bidder": "Eva", "bid": 2, "points": {"Eva": 3, "Ann": 1, "Bea": 0}}],
    }

    assert settle(monkeypatch, record) == 0

    said = capsys.readouterr().out
    assert "Eva bid 2 and took 3: made." in said
    assert "Eva: 0 +3 = 3" in said
    assert "Cal" not in said


@pytest.mark.parametrize(
    ("changes", "status", "said"),
    [
        ({"hands": []}, 2, "hands: There is no hand to settle. Write the one hand into “hands”"),
        ({"hands": [HAND, HAND]}, 2, "hands: There are 2 hands. Keep the one to settle, and write the scores before"),
        ({"hands": [{"bidder": "Us", "bid": 6}]}, 2, "hand 1, taken: This hand is not finished: say who took what"),
        ({"hands": [{**HAND, "bid": 12}]}, 2, "hand 1, bid: 12 is too high: the highest number is 10."),
        ({"hands": [{**HAND, "taken": {**TAKEN, "ten": 3}}]}, 2, "hand 1, taken.ten: This must be a name, or null."),
        ({"hands": [{**HAND, "house": {"target": 0}}]}, 2, "hand 1, house.target: 0 is not an answer here."),
        (
            {"start": {"scores": {"We": 3}}},
            2,
            "start.scores.We: There is no side called We. The sides are Us and Them.",
        ),
        ({"start": {"scores": {"Us": 10**9}}}, 2, "start.scores.Us: This must be a whole number"),
        ({"variant": "whist"}, 2, "variant: There is no variant called 'whist'."),
        ({"format": None}, 2, "format: The format must be"),
    ],
)
def test_a_record_that_cannot_be_settled_says_how_to_mend_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], changes: dict[str, Any], status: int, said: str
) -> None:
    assert settle(monkeypatch, {**RECORD, **changes}) == status

    shown = capsys.readouterr()
    assert shown.out == ""
    assert said in shown.err
    assert shown.err.startswith("scorekeeper settle: ")


@pytest.mark.parametrize(
    "text", ["whist?", "", "[" * 100_000, "NaN", '{"a": 1e', "\x00", "[]", "3", "null", '"\ud800"']
)
def test_what_is_no_record_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    status = settle(monkeypatch, text)
    words = capsys.readouterr()
    again = settle(monkeypatch, text, "--json")
    settled = json.loads(capsys.readouterr().out)

    assert status == again
    assert status in (1, 2)
    assert (words.out, bool(words.err)) == ("", True)
    assert settled["readings"] == []
    assert settled["result"]["status"] == "refused"


@given(json_values, json_values, json_values)
def test_anything_is_settled_or_refused(hand: object, start: object, house: object) -> None:
    rulebook = Rulebook(LIBRARY)
    for record in ({**RECORD, "hands": [hand]}, {**RECORD, "start": start}, {**RECORD, "house": house}, hand):
        try:
            settle_record(read_record(record), rulebook)
        except RefusedRecord:
            continue
        assert score_record(record, rulebook)["status"] != "refused"


def test_it_needs_no_server_no_database_and_no_letters_beyond_ascii() -> None:
    code = """
import sys
from scorekeeper.cli import main
status = main(["settle", "-"])
heavy = {"flask", "sqlalchemy", "sqlmodel", "weasyprint", "waitress", "alembic"} & set(sys.modules)
sys.exit(f"loaded {sorted(heavy)}" if heavy else status)
"""
    record = json.dumps(RECORD).replace("Them", "Zo\u00eb")

    done = subprocess.run(
        [sys.executable, "-c", code],
        input=record,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONIOENCODING": "ascii", "PYTHONPATH": ":".join(filter(None, sys.path))},
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert "We win, 43 to 44." in done.stdout
    assert "Zo?: 40 +4 = 44" in done.stdout
