"""The `rules` command: codes and files of house rules without a server, and the list of those that are kept."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from flask import Flask

from scorekeeper import paths
from scorekeeper.cli import main
from scorekeeper.database.engine import db
from scorekeeper.eventlog.append import Writer
from scorekeeper.matches.house_rules.service import retire_house, save_house
from scorekeeper.pitch.rules.codes import encode
from scorekeeper.pitch.rules.house_rules import HouseRules, write_house_rules
from scorekeeper.pitch.rules.library import read_library
from tests.pitch.rules.test_share_code import crafted

MILLERS = HouseRules("The Millers’ Pitch", "partnership-pitch", {"target": 15}, ("Loser does the dishes.",))


def test_a_code_is_written_as_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "decode", encode(MILLERS)]) == 0

    assert capsys.readouterr().out == write_house_rules(MILLERS)


def test_a_code_is_written_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "decode", "--json", encode(MILLERS)]) == 0

    assert json.loads(capsys.readouterr().out) == {
        "format": 1,
        "name": "The Millers’ Pitch",
        "extends": "partnership-pitch",
        "notes": ["Loser does the dishes."],
        "house": {"target": 15},
    }


def test_a_file_is_written_as_a_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(write_house_rules(MILLERS))

    assert main(["rules", "encode", str(file)]) == 0

    assert capsys.readouterr().out == f"{encode(MILLERS)}\n"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("1.abc", "mistyped"),
        (encode(HouseRules("Ours", "whist")), "no variant called 'whist'"),
        (encode(HouseRules("Ours", "partnership-pitch", {"min_bid": 9})), "The lowest bid is 9"),
        (
            crafted(b'{"name":"\\u001b[2J","extends":"fish-pitch","house":{"\\u001b[2J":1}}'),
            "\N{REPLACEMENT CHARACTER}[",
        ),
    ],
)
def test_a_bad_code_is_refused(code: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "decode", code]) == 1

    out, err = capsys.readouterr()
    assert (out, said in err, "\x1b" in err) == ("", True, False)


@pytest.mark.parametrize("content", [b"name = [", b"\xff", b"x" * 100_000])
def test_a_bad_file_is_refused(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ours.toml"
    file.write_bytes(content)

    assert main(["rules", "encode", str(file)]) == 1

    assert "ours.toml" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "encode", str(tmp_path / "gone.toml")]) == 1

    assert "No such file" in capsys.readouterr().err


def test_reading_a_code_loads_no_server_and_no_database() -> None:
    code = f"""
import sys
from scorekeeper.cli import main
main(["rules", "decode", {encode(MILLERS)!r}])
heavy = {{"flask", "sqlalchemy", "sqlmodel", "weasyprint", "waitress", "alembic"}} & set(sys.modules)
sys.exit(f"loaded {{sorted(heavy)}}" if heavy else 0)
"""

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


def test_a_sheet_is_made_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(write_house_rules(MILLERS))

    assert main(["sheet", str(file), "-o", str(tmp_path / "ours.pdf")]) == 0

    from pypdf import PdfReader

    text = "".join(page.extract_text() for page in PdfReader(tmp_path / "ours.pdf").pages)
    assert "The Millers’ Pitch" in text
    assert "Loser does the dishes." in text


@pytest.mark.every_database
def test_the_list_has_every_house_ruleset_with_its_link(
    app: Flask,
    database_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path / "instance"))
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", database_url)
    monkeypatch.setenv("SCOREKEEPER_PUBLIC_URL", "https://pitch.example")
    assert main(["rules", "list"]) == 0
    assert capsys.readouterr().out == "There are no house rules here.\n"
    with app.app_context():
        house = save_house(db.session, read_library(paths.RULESETS), MILLERS, Writer("a"))
        retire_house(db.session, house.code, Writer("b"))

    assert main(["rules", "list"]) == 0

    first, second = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d  The Millers’ Pitch, from partnership-pitch \(archived\)", first)
    assert second == f"  https://pitch.example/house/{house.code}"


@pytest.mark.parametrize("words", [["check"], ["show"], ["trace", "racehorse"]])
def test_a_folder_that_cannot_be_read_is_told(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rulesets", *words, "--folder", "x" * 300]) == 1

    assert "cannot be read: File name too long." in capsys.readouterr().err
