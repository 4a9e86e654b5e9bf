"""`scorekeeper settle`: the words or JSON that it prints for a hand, and its errors for a file that is no record."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from scorekeeper.paths import PACKAGE
from scorekeeper.pitch.compare.ruling import make_record_ruling
from scorekeeper.pitch.records.record import RefusedRecord, read_record
from scorekeeper.pitch.records.result import Rulebook, score_record
from tests.common.commands import CommandOutput, Run
from tests.common.library import LIBRARY
from tests.common.tables import table
from tests.pitch.scoring.strategies import json_values
from tests.scenarios.scene import told_record

RECORD = told_record(
    "colorado-ten-point",
    ["Us bid 6 | in hearts | Us ace trey ten off-jack | Them jack high-joker low-joker deuce"],
    start={"Us": 37, "Them": 40},
)


Settle = Callable[..., CommandOutput]


@pytest.fixture
def settle(tmp_path: Path, run: Run) -> Settle:
    """Settle a record from a file."""

    def settle(record: object, *options: str, status: int = 0) -> CommandOutput:
        text, file = record if isinstance(record, str) else json.dumps(record), tmp_path / "record.json"
        file.write_text(text, encoding="utf-8", errors="surrogatepass")
        return run("settle", *options, str(file), status=status)

    return settle


def test_the_example_of_the_page_is_what_it_prints(settle: Settle) -> None:
    page = (PACKAGE.parent / "docs" / "records.md").read_text(encoding="utf-8").partition("## Who won?")[2]
    record, printed = re.findall(r"```(?:json)?\n(.*?)```", page, flags=re.DOTALL)[:2]

    assert settle(record).out == printed


def test_a_set_says_what_it_cost_and_why_nobody_has_won(settle: Settle) -> None:
    record = told_record("partnership-pitch", ["Us bid 4 | Us 3 points | Them 0 points"], start={"Us": 17, "Them": 5})

    assert (
        settle(record).out
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


def test_what_is_not_agreed_comes_first_and_no_answer_is_called_right(settle: Settle) -> None:
    record = told_record(
        "arizona-29", ["Us bid 3 | Us 3 points | Them 2 points"], house={"target": 21}, start={"Us": 3, "Them": 19}
    )

    heading, undecided, hand, ending, *_ = settle(record).out.split("\n\n")
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


def test_as_json_it_is_what_score_prints_with_every_reading(settle: Settle) -> None:
    settled = json.loads(settle(RECORD, "--json").out)

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


def test_whoever_sits_in_is_named(settle: Settle) -> None:
    hand = {"told": "Eva bid 2 | Eva 3 points | Ann 1 points | Bea 0 points", "sits_in": {"Cal": "Eva"}}
    record = told_record("cutthroat-pitch", [hand], ["Ann", "Bea", "Cal"])

    out = settle(record).out

    assert "Eva bid 2 and took 3: made." in out
    assert "Eva: 0 +3 = 3" in out
    assert "Cal" not in out


@pytest.mark.parametrize("row", table(__file__, "unsettled.toml")["record"], ids=lambda row: row["says"])
def test_a_record_that_cannot_be_settled_says_how_to_mend_it(settle: Settle, row: dict[str, Any]) -> None:
    shown = settle({**RECORD, **row["with"]}, status=2)

    assert shown.out == ""
    assert row["says"] in shown.err
    assert shown.err.startswith("scorekeeper settle: ")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        *((no_json, 1) for no_json in ("whist?", "", "[" * 100_000, "NaN", '{"a": 1e', "\x00")),
        *((json_of_another, 2) for json_of_another in ("[]", "3", "null", '"\ud800"')),
    ],
)
def test_what_is_no_record_is_refused(settle: Settle, text: str, status: int) -> None:
    words = settle(text, status=status)
    settled = json.loads(settle(text, "--json", status=status).out)

    assert (words.out, bool(words.err)) == ("", True)
    assert (settled["readings"], settled["result"]["status"]) == ([], "refused")


@given(json_values, json_values, json_values)
def test_anything_is_settled_or_refused(hand: object, start: object, house: object) -> None:
    rulebook = Rulebook(LIBRARY)
    for record in ({**RECORD, "hands": [hand]}, {**RECORD, "start": start}, {**RECORD, "house": house}, hand):
        try:
            make_record_ruling(read_record(record), rulebook)
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
