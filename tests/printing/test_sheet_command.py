"""`scorekeeper sheet` writes what the pages print."""

from pathlib import Path

import pytest

from scorekeeper.cli import main
from scorekeeper.paths import RULESETS
from scorekeeper.printing import press
from scorekeeper.printing.memory import forget
from scorekeeper.printing.sheets import print_sheet, tell
from scorekeeper.rules.library import read_library


def test_it_writes_the_same_sheet_as_the_page(tmp_path: Path) -> None:
    file = tmp_path / "sheet.pdf"

    status = main(["sheet", "partnership-pitch", "--kind", "rules", "--paper", "letter", "-o", str(file)])

    assert status == 0
    assert file.read_bytes() == print_sheet(tell(read_library(RULESETS)["partnership-pitch"]), "letter")


def test_house_rules_make_another_sheet(tmp_path: Path) -> None:
    house, book = tmp_path / "house.pdf", tmp_path / "book.pdf"

    main(["sheet", "partnership-pitch", "--house", "target=11", "--house", "dealer_steal=no", "-o", str(house)])
    main(["sheet", "partnership-pitch", "-o", str(book)])

    assert house.read_bytes() != book.read_bytes()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["old-maid"], "There is no ruleset 'old-maid'"),
        (["partnership-pitch", "--house", "target=soon"], "target: 'soon' is no answer here"),
        (["partnership-pitch", "--house", "min_bid=9"], "min_bid: The lowest bid is 9"),
    ],
)
def test_what_cannot_be_printed_is_refused_with_the_reason(
    words: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["sheet", *words, "-o", str(tmp_path / "sheet.pdf")])

    assert status == 1
    assert why in capsys.readouterr().err
    assert not (tmp_path / "sheet.pdf").exists()


def test_a_house_rule_without_an_answer_is_no_command(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        main(["sheet", "partnership-pitch", "--house", "target", "-o", str(tmp_path / "sheet.pdf")])


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["sheet", "partnership-pitch", "-o", str(tmp_path / "nowhere" / "sheet.pdf")])

    assert status == 1
    assert "cannot be written" in capsys.readouterr().err


def test_without_pango_it_says_how_to_get_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(name: str) -> None:
        raise OSError(name)

    monkeypatch.setattr(press, "import_module", fail)
    forget()

    status = main(["sheet", "partnership-pitch", "-o", str(tmp_path / "sheet.pdf")])

    assert status == 1
    assert "apt-get install libpangoft2-1.0-0" in capsys.readouterr().err
