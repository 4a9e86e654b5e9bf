"""Ruleset files: those of the package are sound, and every bad one is refused with the reason."""

import shutil
from pathlib import Path

import pytest

from scorekeeper.cli import main
from scorekeeper.paths import RULESETS
from scorekeeper.pitch.rules.faults import BadRulesets
from scorekeeper.pitch.rules.house_rules import house_rules_as_toml, resolve_house_rules
from scorekeeper.pitch.rules.library import read_library, validate_folder
from tests.pitch.rules.readme import rulesets_readme

BAD = sorted((Path(__file__).parent / "bad").glob("*.toml"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(RULESETS, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_every_variant_of_the_catalogue_is_there() -> None:
    library = read_library(RULESETS)

    assert len(library.rulesets) == 69
    assert not [ruleset for ruleset in library if ruleset.abstract]


def test_each_bad_file_has_one_fault_that_says_where_and_why_and_all_come_at_once(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in BAD:
        shutil.copy(file, folder)

    with pytest.raises(BadRulesets) as caught:
        read_library(folder)

    messages = {fault.file: str(fault) for fault in caught.value.faults}
    assert sorted(fault.file for fault in caught.value.faults) == [file.name for file in BAD]
    for file in BAD:
        words = file.read_text().splitlines()[0].removeprefix("# says: ").split(" | ")
        assert [word for word in words if word not in messages[file.name]] == []
    assert main(["rulesets", "check", "--folder", str(folder)]) == 1
    checked = capsys.readouterr().out
    assert [file.name for file in BAD if file.name not in checked] == []


def test_a_file_too_large_to_be_rules_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "large.toml").write_text("# " + "x" * 70_000)

    (fault,) = validate_folder(tmp_path)[1]

    assert "65536 fit" in str(fault)


OURS = """\
format  = 1
name    = "Rose’s Pitch"
extends = "partnership-pitch"
notes   = [
  "The loser makes tea.",
]

[house]
target = 15
own_1 = "5 captured Q: Black Lady"
"""
"""As “Download” gives it on the page of a family's rules."""


def test_house_rules_in_the_folder_are_rules_of_everybody_there(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "Roses-Pitch.toml").write_text(OURS, encoding="utf-8")

    library = read_library(folder)

    (ours,) = library.house_rules
    assert house_rules_as_toml(ours) == OURS
    ruleset, faults = resolve_house_rules(ours, library)
    assert ruleset
    assert not faults
    assert (ruleset.name, ruleset.winning.target, ruleset.worth("own_1")) == ("Rose’s Pitch", 15, 5)
    assert len(library.rulesets) == 69  # it is no variant, which a record of a match could name
    assert main(["rulesets", "check", "--folder", str(folder)]) == 0
    assert main(["rulesets", "show", "--folder", str(folder)]) == 0
    assert "Rose’s Pitch: house rules" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (OURS.replace("target = 15", "target = -1"), "Enter"),
        (OURS.replace('"partnership-pitch"', '"nobodys-pitch"'), "There is no variant called 'nobodys-pitch'"),
        (OURS.replace("format  = 1", "format  = 1\nalso = []"), "There is no such key"),
        (OURS.replace("5 captured Q", "5 won Q"), "is not an answer here"),
    ],
)
def test_bad_house_rules_in_the_folder_are_faults_of_their_file(changed: str, message: str, folder: Path) -> None:
    (folder / "ours.toml").write_text(changed, encoding="utf-8")

    faults = validate_folder(folder)[1]

    assert {fault.file for fault in faults} == {"ours.toml"}
    assert message in str(faults[0])


def test_a_game_extends_games_alone(folder: Path) -> None:
    (folder / "ours.toml").write_text(OURS, encoding="utf-8")
    (folder / "theirs.toml").write_text('format = 1\nname = "Theirs"\nextends = "ours"\n', encoding="utf-8")

    (fault,) = validate_folder(folder)[1]

    assert fault.file == "theirs.toml"
    assert "no sound file 'ours' to extend" in str(fault)


@pytest.mark.parametrize(
    ("content", "message"), [("not toml", "cannot be read as TOML"), ('"bid.order" = "who bids"', "bid.order")]
)
def test_a_bad_file_of_questions_is_a_fault(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "asked").mkdir()
    (tmp_path / "asked" / "bid.toml").write_text(content)

    (fault,) = validate_folder(tmp_path)[1]

    assert fault.file == "asked/bid.toml"
    assert message in str(fault)
    with pytest.raises(BadRulesets):
        read_library(tmp_path)


@pytest.mark.parametrize(
    ("file", "line", "faulty"),
    [
        ("_pitch", '[bidding]\nmin_bid = "none"', []),
        ("_pitch", "[bidding]\nlowest = 2", ["_pitch.toml"]),
        ("_pitch", "lowest == 2", ["_pitch.toml"]),
        ("partnership-pitch", '"nowhere" = "002"', ["partnership-pitch.toml"]),
    ],
)
def test_a_fault_is_that_of_its_file_alone(file: str, line: str, faulty: list[str], folder: Path) -> None:
    with (folder / f"{file}.toml").open("a") as opened:
        opened.write(f"\n{line}\n")

    assert [fault.file for fault in validate_folder(folder)[1]] == faulty


def test_show_fills_in_every_answer(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["rulesets", "show", "colorado-thirteen-point"])

    assert status == 0
    assert '"moon_made": 26' in capsys.readouterr().out


def test_the_reference_beside_the_files_is_current() -> None:
    assert rulesets_readme() == (RULESETS / "README.md").read_text()
