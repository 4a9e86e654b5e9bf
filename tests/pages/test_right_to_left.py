"""Names that are written from right to left: on no page and no sheet does one change the order of what is around it."""

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from selectolax.lexbor import LexborHTMLParser, LexborNode

from scorekeeper.pages.prints.views import requested_source
from scorekeeper.printing.kinds import draft_sheet, printable_kinds
from scorekeeper.printing.pdf import Layout
from scorekeeper.printing.print_options import PrintOptions
from tests.common.books import book_code
from tests.common.nights import begin_night, night_path, play_round, seat_by_hand
from tests.common.phone import Phone
from tests.pages.conftest import Begin, record
from tests.printing.pages import words
from tests.web.test_rights_matrix import AT_NIGHT, BOOK_LEAST, LEAST, filled, routes
from tests.web.test_rights_matrix import _nothing_is_printed as _nothing_is_printed

PEOPLE = ("שרה לוי", "ليلى", "בן־דוד", "عمر بن سعيد")
SUBSTITUTE = "ג'ק"
PAIRS = ("נועה & יעל", "سارة & علي", "רותי & דינה", "هند & منى")
NAMES = {*PEOPLE, SUBSTITUTE, *(name for pair in PAIRS for name in pair.split(" & "))}
SEATS = {f"seat_{i}": name for i, name in enumerate(PEOPLE)}
PLAIN = ("title", "desc", "script", "style", "option", "textarea", "text")
"""Elements that hold plain text: nothing in them can be isolated by markup."""
LETTER = 1
"""The length of a side's letter, or of the initial that heads a list of names; both stand alone."""

Scene = tuple[str, str]
"""The queries of what is printed of a match, and the code of its pages."""


def is_right_to_left(text: str) -> bool:
    return any("\u0590" <= letter <= "\u08ff" for letter in text)


def strays(node: LexborNode | None, around: str = "") -> Iterator[str]:
    """Yield every text with a name that is not alone in an element which isolates it, and markup in plain text."""
    while node:
        if node.is_text_node:
            text = node.text_content or ""
            if is_right_to_left(text) and around not in NAMES and len(around) != LETTER:
                yield text
        elif node.is_element_node:
            yield from (value for value in map(str, node.attributes.values()) if "<bdi" in value)
            if node.tag in PLAIN:
                yield from (child.html or "" for child in node.css("bdi"))
            else:
                isolated = " ".join(node.text(deep=True).split()) if node.tag == "bdi" else around
                yield from strays(node.child, isolated)
        node = node.next


def found_in(markup: str) -> list[str]:
    return list(strays(LexborHTMLParser(markup).root))


def play_on(begin: Begin, phone: Phone) -> Scene:
    """Play a match with a correction, a deleted hand and a substitute."""
    match = begin(**SEATS)
    for call in ("p4:3", "p1:2", "p2:4"):
        match = record(match, call=call, trump="hearts", took_low="s1")
    phone.open(f"{match.path}hands/1").send("/1", {"took-game": "s1"}, press="Save")
    phone.open(f"{match.path}history/2/remove").send("/remove")
    phone.open(f"{match.path}sits-in").send("/sits-in", {"who": "p3", "name": SUBSTITUTE})
    code = record(match, call="p3:3", trump="hearts", took_low="s1").code
    return f"match={code}", code


def play_to_the_end(begin: Begin, phone: Phone) -> Scene:
    match = begin(house_target="7", **SEATS)
    code = record(record(match, call="p2:4"), call="p4:3").code
    phone.open(f"/matches/{code}/share").send("/share")
    return f"match={code}", code


def play_for_money(begin: Begin, phone: Phone) -> Scene:
    match = begin("racehorse", **SEATS)
    record(record(match, call="p2:2"), call="p3:3")
    after = (
        phone.open(match.path)
        .tap("Somebody joins or leaves")
        .post("/money/players", {"stays": ["p1", "p2", "p3"], "joins-1": SUBSTITUTE})
    )
    code = record(after, call="p1:2").code
    return f"money={code}", code


def fill_a_book(begin: Begin, phone: Phone) -> Scene:
    play_to_the_end(begin, phone)
    play_on(begin, phone)
    return f"book={book_code(phone)}&year=2026", book_code(phone)


def play_a_night(_begin: Begin, phone: Phone) -> Scene:
    host = seat_by_hand(begin_night(phone, *PAIRS, variant="partnership-pitch"))
    code = night_path(play_round(host, PAIRS[0], PAIRS[2])).split("/")[2]
    return f"night={code}", code


SCENES: dict[Callable[[Begin, Phone], Scene], dict[str, str]] = {
    play_on: LEAST,
    play_to_the_end: LEAST,
    play_for_money: LEAST,
    fill_a_book: BOOK_LEAST,
    play_a_night: AT_NIGHT,
}
OF_CLUB = (play_for_money, fill_a_book, play_a_night)
every_scene = pytest.mark.parametrize(
    "play",
    [pytest.param(play, marks=[pytest.mark.club] if play in OF_CLUB else [], id=play.__name__) for play in SCENES],
)


@pytest.mark.usefixtures("_nothing_is_printed")
@every_scene
def test_on_no_page_a_name_changes_the_order_of_what_is_around_it(
    app: Flask, begin: Begin, phone: Phone, play: Callable[[Begin, Phone], Scene]
) -> None:
    _, code = play(begin, phone)
    seen, found = set(), []

    for endpoint, method, _rule in routes(app):
        if endpoint in SCENES[play] and method == "GET":
            page = phone.open(filled(app, endpoint, code))
            if page.response.mimetype == "text/html":
                found += [(endpoint, text) for text in found_in(page.response.text)]
                seen |= {name for name in NAMES if f"<bdi>{name.replace(chr(39), '&#39;')}</bdi>" in page.response.text}
            else:
                assert b"<bdi" not in page.response.data

    assert found == []
    assert len(seen) >= len(PEOPLE)


@every_scene
def test_on_no_sheet_a_name_changes_the_order_of_what_is_around_it(
    app: Flask, begin: Begin, phone: Phone, play: Callable[[Begin, Phone], Scene]
) -> None:
    query, _ = play(begin, phone)
    with app.test_request_context(f"/print?{query}"):
        subjects = (requested_source() or pytest.fail("nothing is printed")).subjects
    drafts = [draft_sheet(kind, what, PrintOptions("letter")) for kind, what in printable_kinds(subjects).values()]

    assert [text for draft in drafts for text in found_in(draft.markup)] == []
    draft = drafts[0]
    document = Layout(draft.markup, draft.stylesheets).render(draft.style_rows[-1].styles[-1])
    boxes = [box.text for page in document.pages for box, _cell in words(page._page_box, None)]
    printed = [text.strip() for text in boxes if is_right_to_left(text)]
    assert printed
    assert [text for text in printed if not any(text in name for name in NAMES)] == []


def test_the_title_of_a_page_and_what_is_shared_stay_plain_text(begin: Begin, phone: Phone) -> None:
    _, code = play_to_the_end(begin, phone)

    title = phone.open(f"/matches/{code}/").root.chosen("head > title")[0].inside
    shared = phone.open(f"/matches/{code}/").tap("Share").one("textarea").inside

    assert "שרה לוי & בן־דוד v. ليلى & عمر بن سعيد" in str(title)
    assert "ليلى & عمر بن سعيد" in str(shared)
