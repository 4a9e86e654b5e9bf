"""The rules as a page and as PDF: of every variant, with house options, and of a match."""

import pytest
from flask.testing import FlaskClient

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.sheets.rule_sheet import rule_sheet
from scorekeeper.printing import layout, print_service
from scorekeeper.web.library import library
from tests.common.each import each
from tests.common.reading import read


@pytest.fixture
def _without_pango(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise OSError(f"cannot load library 'libpangoft2-1.0-0', wanted by {name}")

    monkeypatch.setattr(layout, "import_module", fail)
    monkeypatch.setattr("scorekeeper.printing.layout.is_available", lambda: False)
    print_service.clear_cache()


def test_the_list_leads_to_every_variant(client: FlaskClient) -> None:
    page = client.get("/rules")

    assert page.status_code == 200
    assert not [ruleset.id for ruleset in library() if f'href="/rules/{ruleset.id}"' not in page.text]


@pytest.mark.parametrize("ruleset_id", ["partnership-pitch", "colorado-ten-point", "arizona-29", "racehorse"])
def test_the_rules_of_a_variant_have_a_page(client: FlaskClient, ruleset_id: str) -> None:
    page = client.get(f"/rules/{ruleset_id}")

    assert page.status_code == 200
    assert library()[ruleset_id].name in page.text
    assert '<section class="part" id="win">' in page.text


@each("ruleset", library(), lambda ruleset: ruleset.id)
def test_the_list_of_sections_leads_to_each_of_them_in_order(client: FlaskClient, ruleset: Ruleset) -> None:
    page = read(client.get(f"/rules/{ruleset.id}").text)
    links = [link.attrs["href"] for link in page.one("details", class_="contents").all("a")]
    ids = [part.attrs["id"] for part in page.all() if "id" in part.attrs]

    assert links[:7] == ["#players", "#deal", "#bid", "#trump", "#play", "#count", "#win"]
    assert [it for it in ids if f"#{it}" in links] == [link[1:] for link in links]
    assert len(ids) == len(set(ids))


def test_the_numbers_where_tables_argue_lead_to_their_rules(client: FlaskClient) -> None:
    page = read(client.get("/rules/partnership-pitch").text)
    sheet = rule_sheet(library()["partnership-pitch"])
    ids = {f"({rule.number})": f"#{rule.id}" for rule in sheet.rules}

    links = page.one("section", id="argue").all("a")

    assert [(link.text, link.attrs["href"]) for link in links] == [
        (f"({it.number})", ids[f"({it.number})"]) for it in sheet.arguments if it.number
    ]


def test_a_table_reads_first_what_it_plays_differently(client: FlaskClient) -> None:
    page = client.get("/rules/colorado-ten-point?target=52&dealer_steal=yes").text
    part = read(page).one("section", class_="differs")

    assert [item.text.split(".")[0] for item in part.all("li")] == [
        "The dealer may steal the bid by matching it",
        "Play to 52",
    ]
    assert {"#bid.dealer_steal", "#win.target"} <= {link.attrs["href"] for link in part.all("a")}
    assert page.index("What your table plays differently") < page.index('class="contents"') < page.index("<article")


def test_the_book_s_own_rules_have_no_differences(client: FlaskClient) -> None:
    assert "What your table plays differently" not in client.get("/rules/colorado-ten-point").text


@pytest.mark.parametrize("address", ["/rules/nine-card-pitch", "/rules/nine-card-pitch?target=52"])
def test_the_page_cites_the_document_that_the_rules_come_from(client: FlaskClient, address: str) -> None:
    page = client.get(address).text

    link = '<a href="https://www.pagat.com/allfours/pitch.html">www.pagat.com/allfours/pitch.html</a>'
    assert f"Source: “Pitch” ({link}), Nine Card Pitch</p>" in page


def test_house_options_in_the_address_are_shown_and_marked(client: FlaskClient) -> None:
    page = client.get("/rules/colorado-ten-point?target=52&dealer_steal=yes")

    assert "House rules: 2 changes" in page.text
    assert 'href="/rules/colorado-ten-point.pdf?paper=a4&amp;target=52&amp;dealer_steal=yes"' in page.text


def test_house_options_that_cannot_be_are_refused_with_the_reason(client: FlaskClient) -> None:
    page = client.get("/rules/partnership-pitch?min_bid=9")

    assert page.status_code == 422
    assert "The lowest bid is 9, but a hand is worth only 4." in page.text


def test_other_parts_of_an_address_are_passed_over(client: FlaskClient) -> None:
    page = client.get("/rules/partnership-pitch?utm_source=fridge")

    assert page.status_code == 200


def test_markup_in_an_address_is_only_text(client: FlaskClient) -> None:
    page = client.get("/rules/partnership-pitch?win_rule=<script>alert(1)</script>")

    assert page.status_code == 422
    assert "<script>alert" not in page.text


@pytest.mark.parametrize(
    "path",
    [
        "/rules/old-maid",
        "/rules/old-maid.pdf",
        "/rules/partnership-pitch.pdf?paper=a7",
        "/rules/partnership-pitch.pdf?kind=result",
    ],
)
def test_what_there_is_not_is_not_found(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_rules_that_cannot_be_are_not_printed(client: FlaskClient) -> None:
    assert client.get("/rules/partnership-pitch.pdf?min_bid=9").status_code == 422


def test_a_variant_is_printed_under_a_name_that_says_what_it_is(client: FlaskClient) -> None:
    sheet = client.get("/rules/partnership-pitch.pdf?paper=letter")

    assert sheet.data.startswith(b"%PDF-")
    assert sheet.mimetype == "application/pdf"
    assert sheet.headers["Content-Disposition"] == "inline; filename=Partnership-Pitch-rule-sheet-Letter.pdf"


def test_a_sheet_that_the_phone_has_is_not_sent_again(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    first = client.get("/rules/partnership-pitch.pdf")
    monkeypatch.setattr("scorekeeper.printing.print_service.print_sheet", None)

    again = client.get("/rules/partnership-pitch.pdf", headers={"If-None-Match": first.headers["ETag"]})

    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("kind=large", "Partnership-Pitch-rule-sheet-Letter-Large-print.pdf"),
        ("kind=pocket&paper=letter", "Partnership-Pitch-pocket-cards-Letter.pdf"),
        ("kind=pad&ink=black", "Partnership-Pitch-score-pads-Letter-black-and-white.pdf"),
        ("kind=pad&size=four", "Partnership-Pitch-score-pads-Letter-Four-to-a-page.pdf"),
    ],
)
def test_every_kind_is_had_by_its_name(client: FlaskClient, query: str, name: str) -> None:
    sheet = client.get(f"/rules/partnership-pitch.pdf?{query}")

    assert sheet.data.startswith(b"%PDF-")
    assert sheet.headers["Content-Disposition"] == f"inline; filename={name}"


@pytest.mark.parametrize("kind", ["rules", "large", "pocket", "pad"])
def test_every_kind_has_a_tag_of_its_own_and_is_sent_once(client: FlaskClient, kind: str) -> None:
    first = client.get(f"/rules/solo-without-bidding.pdf?kind={kind}")

    again = client.get(f"/rules/solo-without-bidding.pdf?kind={kind}", headers={"If-None-Match": first.headers["ETag"]})

    assert first.status_code == 200
    assert (again.status_code, again.data) == (304, b"")


def test_a_sheet_leads_back_to_the_host_that_it_was_asked_from(client: FlaskClient) -> None:
    here = client.get("/rules/partnership-pitch.pdf", headers={"Host": "pitch"})
    there = client.get("/rules/partnership-pitch.pdf", headers={"Host": "cards"})

    assert here.headers["ETag"] != there.headers["ETag"]


def test_other_rules_are_another_sheet(client: FlaskClient) -> None:
    book, house = client.get("/rules/partnership-pitch.pdf"), client.get("/rules/partnership-pitch.pdf?target=15")

    assert book.headers["ETag"] != house.headers["ETag"]
    assert "no-cache" in book.headers["Cache-Control"]


@pytest.mark.usefixtures("_without_pango")
def test_without_pango_the_sheet_is_a_page_that_the_browser_prints(client: FlaskClient) -> None:
    page, sheet = client.get("/rules/partnership-pitch"), client.get("/rules/partnership-pitch.pdf")

    assert (page.status_code, ".pdf" in page.text) == (200, True)
    assert (sheet.status_code, sheet.mimetype) == (200, "text/html")
    assert "Rank of trumps" in sheet.text


def test_the_page_brings_nothing_inline(client: FlaskClient) -> None:
    page = client.get("/rules/colorado-fourteen-point").text

    assert "style=" not in page
    assert "<style" not in page
    assert "<script>" not in page
