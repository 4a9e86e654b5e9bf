"""Sheets for the server: every kind that there is, cached or from the print process; and pages as images."""

import io
from collections.abc import Iterator

import pytest
from PIL import Image

from scorekeeper.printing import print_service
from scorekeeper.printing.kinds import KINDS, Kind, Rules, Subject, kinds_of, title_of
from scorekeeper.printing.page_images import WIDTH, page_count, page_picture
from scorekeeper.printing.papers import PAPERS, Paper
from scorekeeper.printing.print_options import Ink, Wish
from scorekeeper.printing.print_service import Order, Sheet
from tests.printing.pages import colours, text_of
from tests.printing.results import LIBRARY, partners, told

HOUSE = LIBRARY["colorado-ten-point"]
RULES = Rules(HOUSE, HOUSE, "https://pitch.example/rules")
MATCH = told(partners(6))
SUBJECTS: dict[type, Subject] = {Rules: RULES, type(MATCH): MATCH}
each_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


@pytest.fixture(autouse=True)
def _nothing_at_hand() -> Iterator[None]:
    print_service.forget()
    yield
    print_service.forget()


def made(kind: Kind, paper: Paper = "a4", ink: Ink = "colour", size: str = "") -> Sheet:
    wish = Wish(paper, ink, size or next(iter(kind.sizes)))
    return print_service.make_sheet(print_service.order(kind, SUBJECTS[kind.of], wish))


@pytest.mark.parametrize("paper", list(PAPERS))
@each_kind
def test_every_kind_loses_its_colour_and_nothing_else(kind: Kind, paper: Paper) -> None:
    coloured, black = made(kind, paper), made(kind, paper, "black")

    assert colours(coloured.content)
    assert colours(black.content) == set()
    assert text_of(black.content) == text_of(coloured.content)
    assert black.pages == coloured.pages


@each_kind
def test_black_and_white_is_so_on_the_picture_too(kind: Kind) -> None:
    picture = Image.open(io.BytesIO(page_picture(made(kind, ink="black").content, 1, 400))).convert("RGB")

    found = {shade for _, shade in picture.getcolors(1 << 24) or []}
    assert len(found) > 1
    assert not [shade for shade in found if len(set(shade)) > 1]  # type: ignore[arg-type]


def test_the_only_ring_on_a_page_is_red_on_its_picture_too() -> None:
    picture = Image.open(io.BytesIO(page_picture(made(KINDS["rules"]).content, 1))).convert("RGB")

    assert [shade for _, shade in picture.getcolors(1 << 24) or [] if shade[0] > 150 and max(shade[1:]) < 90]  # type: ignore[index]


@each_kind
def test_every_wish_is_another_sheet(kind: Kind) -> None:
    wishes = [Wish(paper, ink, size) for paper in PAPERS for ink in ("colour", "black") for size in kind.sizes]

    keys = {print_service.order(kind, SUBJECTS[kind.of], wish).key for wish in wishes}

    assert len(keys) == len(wishes)


def test_the_print_process_prints_what_would_be_printed_here() -> None:
    wanted = print_service.order(KINDS["result"], MATCH, Wish())

    assert print_service.sheet_of(wanted) == print_service.make_sheet(wanted)


def test_letters_that_no_font_has_are_told_and_all_others_are_not() -> None:
    nowhere = "\U000f1234"  # nobody draws a letter there, for it means whatever two people agree on
    told_of = told(partners(2, title=f"Ann {nowhere} Müller")), told(partners(2, title="Ann Müller"))

    sheets = [print_service.make_sheet(print_service.order(KINDS["result"], match, Wish())) for match in told_of]

    assert [sheet.unknown for sheet in sheets] == [nowhere, ""]


def test_what_was_printed_is_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = print_service.order(KINDS["result"], MATCH, Wish())
    sheet, picture = print_service.sheet_of(wanted), print_service.picture_of(wanted, 1)
    monkeypatch.setattr(print_service, "PROCESS", None)

    assert print_service.sheet_of(wanted) is sheet
    assert print_service.picture_of(wanted, 1) is picture


def test_there_is_a_picture_of_every_page_and_no_more() -> None:
    wanted = print_service.order(KINDS["result"], told(partners(40)), Wish())
    pages = print_service.sheet_of(wanted).pages

    pictures = [print_service.picture_of(wanted, number) for number in range(1, pages + 1)]

    assert pages > 1
    assert len(set(pictures)) == pages
    assert {Image.open(io.BytesIO(picture)).width for picture in pictures} == {WIDTH}
    with pytest.raises(IndexError):
        print_service.picture_of(wanted, pages + 1)
    with pytest.raises(IndexError):
        print_service.picture_of(wanted, 0)


def test_a_shelf_keeps_to_its_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(print_service._sheets, "_room", 10)
    for letter in "abc":
        print_service._sheets.put(letter, Sheet(b"12345", 1))

    assert [bool(print_service._sheets.find(letter)) for letter in "abc"] == [False, True, True]


def test_kinds_are_offered_for_what_they_are_made_from() -> None:
    assert set(kinds_of(RULES)) | set(kinds_of(MATCH)) == set(KINDS)
    assert not set(kinds_of(RULES)) & set(kinds_of(MATCH))


def test_a_title_says_what_is_inside() -> None:
    assert title_of(KINDS["rules"], RULES) == "Colorado Ten Point rule sheet"
    assert title_of(KINDS["result"], MATCH) == "Thursday at Oma’s score sheet"


def test_pages_are_counted() -> None:
    assert page_count(made(KINDS["rules"]).content) == 1


def test_an_order_is_known_by_what_is_on_it() -> None:
    one, other = (print_service.order(KINDS["result"], told(partners(n)), Wish()) for n in (3, 4))

    assert one.key == Order(one.draft, is_black=False).key
    assert one.key != other.key
