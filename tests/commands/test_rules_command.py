"""The `rules` command: codes and files of house rules without a server, and the list of those that are kept."""

import re
from pathlib import Path

import pytest
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.eventlog.store import Writer
from scorekeeper.matches.house_rules import retire_house_rules, save_house_rules
from scorekeeper.pitch.rules.house_rules import HouseRules, house_rules_as_toml
from scorekeeper.pitch.rules.library import Library
from scorekeeper.pitch.rules.share_codes import encode
from tests.common.commands import Run
from tests.pitch.rules.test_share_code import crafted

MILLERS = HouseRules("The Millers’ Pitch", "partnership-pitch", {"target": 15}, ("Loser does the dishes.",))


def test_a_code_is_written_as_a_file(run: Run) -> None:
    assert run("rules", "decode", encode(MILLERS)).out == house_rules_as_toml(MILLERS)


def test_a_file_is_written_as_a_code(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(house_rules_as_toml(MILLERS))

    assert run("rules", "encode", str(file)).out == f"{encode(MILLERS)}\n"


@pytest.mark.parametrize(
    ("code", "message"),
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
def test_a_bad_code_is_refused(code: str, message: str, run: Run) -> None:
    out, err = run("rules", "decode", code, status=1)

    assert (out, message in err, "\x1b" in err) == ("", True, False)


@pytest.mark.every_database
@pytest.mark.usefixtures("installed")
def test_the_list_has_every_house_ruleset_with_its_link(app: Flask, library: Library, run: Run) -> None:
    assert run("rules", "list").out == "There are no house rules here.\n"
    with app.app_context():
        stored = save_house_rules(db.session, library, MILLERS, Writer("a"))
        retire_house_rules(db.session, stored.code, Writer("b"))

    first, second = run("rules", "list").lines

    assert re.fullmatch(r"\d{4}-\d\d-\d\d  The Millers’ Pitch, from partnership-pitch \(archived\)", first)
    assert second == f"  https://pitch.example/house/{stored.code}"
