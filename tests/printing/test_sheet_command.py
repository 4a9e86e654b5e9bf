"""`scorekeeper sheet` writes what the pages print."""

from pathlib import Path

import pytest

from scorekeeper.cli import main
from scorekeeper.commands import rules
from scorekeeper.paths import RULESETS
from scorekeeper.pitch.rules.library import read_library
from scorekeeper.printing import pdf
from scorekeeper.printing.fitting import print_draft
from scorekeeper.printing.kinds import SHEET_KINDS, current_kind_and_size, draft_sheet, printable_kinds
from scorekeeper.printing.print_options import PrintOptions
from scorekeeper.printing.rules_link import PrintableRules
from tests.printing.pages import colors, text_of

PARTNERS = read_library(RULESETS)["partnership-pitch"]
PUBLIC = "SCOREKEEPER_PUBLIC_URL"


def test_it_offers_every_kind_that_is_made_of_rules() -> None:
    assert [kind for kind in rules.SHEET_KIND_IDS if kind != "large"] == list(
        printable_kinds([PrintableRules(PARTNERS, PARTNERS)])
    )


@pytest.mark.parametrize("kind", rules.SHEET_KIND_IDS)
def test_it_writes_the_same_sheet_as_the_page(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PUBLIC, "https://pitch.example")
    file = tmp_path / "sheet.pdf"

    status = main(["sheet", "partnership-pitch", "--kind", kind, "--paper", "letter", "-o", str(file)])

    kind_id, size = current_kind_and_size(kind, "")
    options = PrintOptions("letter", "colour", size or next(iter(SHEET_KINDS[kind_id].sizes)))
    draft = draft_sheet(
        SHEET_KINDS[kind_id], PrintableRules(PARTNERS, PARTNERS, "https://pitch.example/rules"), options
    )
    assert status == 0
    assert file.read_bytes() == print_draft(draft).content


def test_without_a_public_address_the_code_alone_is_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PUBLIC, raising=False)
    file = tmp_path / "sheet.pdf"

    main(["sheet", "partnership-pitch", "-o", str(file)])

    draft = draft_sheet(SHEET_KINDS["rules"], PrintableRules(PARTNERS, PARTNERS), PrintOptions("letter"))
    assert "copy the code of" in draft.body
    assert file.read_bytes() == print_draft(draft).content


def test_size_and_ink_can_be_chosen(tmp_path: Path) -> None:
    file = tmp_path / "pads.pdf"

    status = main(["sheet", "racehorse", "--kind", "pad", "--size", "four", "--ink", "black", "-o", str(file)])

    assert status == 0
    assert not colors(file.read_bytes())


def test_a_house_in_a_file_is_printed_in_every_kind(tmp_path: Path) -> None:
    house = tmp_path / "ours.toml"
    house.write_text('format = 1\nname = "Our Pitch"\nextends = "partnership-pitch"\n[house]\ntarget = 17\n')

    for kind in rules.SHEET_KIND_IDS:
        file = tmp_path / f"{kind}.pdf"
        assert main(["sheet", str(house), "--kind", kind, "-o", str(file)]) == 0
        assert "Our Pitch" in text_of(file.read_bytes())
        assert "17 or more" in text_of(file.read_bytes())


def test_house_rules_are_printed(tmp_path: Path) -> None:
    file = tmp_path / "house.pdf"

    main(["sheet", "partnership-pitch", "--kind", "pocket", "--house", "target=11", "-o", str(file)])

    assert "11 or more" in text_of(file.read_bytes())


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["old-maid"], "There is no ruleset 'old-maid'"),
        (["partnership-pitch", "--house", "target=soon"], "target: 'soon' is not an answer here"),
        (["partnership-pitch", "--house", "min_bid=9"], "min_bid: The lowest bid is 9"),
        (
            ["partnership-pitch", "--kind", "pad", "--size", "nine"],
            "Score pads do not come in 'nine'. Give --size two or four.",
        ),
    ],
)
def test_what_cannot_be_printed_is_refused_with_the_reason(
    words: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["sheet", *words, "-o", str(tmp_path / "sheet.pdf")])

    assert status == 1
    assert why in capsys.readouterr().err
    assert not (tmp_path / "sheet.pdf").exists()


def test_without_pango_it_says_how_to_get_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(name: str) -> None:
        raise OSError(name)

    monkeypatch.setattr(pdf, "import_module", fail)

    status = main(["sheet", "partnership-pitch", "-o", str(tmp_path / "sheet.pdf")])

    assert status == 1
    assert "apt-get install libpangoft2-1.0-0" in capsys.readouterr().err
