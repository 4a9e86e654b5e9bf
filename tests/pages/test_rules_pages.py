"""The rules as a page and as PDF: of every variant, with house options, and of a match."""

import pytest
from flask.testing import FlaskClient

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.sheets.rule_sheet import rule_sheet
from scorekeeper.web.library import library
from tests.common.each import each
from tests.common.reading import read


def test_the_list_leads_to_every_variant(client: FlaskClient) -> None:
    page = client.get("/rules")

    assert page.status_code == 200
    assert not [ruleset.id for ruleset in library() if f'href="/rules/{ruleset.id}"' not in page.text]


@each("ruleset", library(), lambda ruleset: ruleset.id)
def test_the_list_of_sections_leads_to_each_of_them_in_order(client: FlaskClient, ruleset: Ruleset) -> None:
    page = read(client.get(f"/rules/{ruleset.id}").text)
    links = [link.attrs["href"] for link in page.one("details", class_="contents").all("a")]
    ids = [part.attrs["id"] for part in page.all() if "id" in part.attrs]

    assert links[:7] == ["#players", "#deal", "#bid", "#trump", "#play", "#count", "#win"]
    assert [found for found in ids if f"#{found}" in links] == [link[1:] for link in links]
    assert len(ids) == len(set(ids))


def test_the_numbers_where_tables_argue_lead_to_their_rules(client: FlaskClient) -> None:
    page = read(client.get("/rules/partnership-pitch").text)
    sheet = rule_sheet(library()["partnership-pitch"])
    ids = {f"({rule.number})": f"#{rule.id}" for rule in sheet.rules}

    links = page.one("section", id="argue").all("a")

    assert [(link.text, link.attrs["href"]) for link in links] == [
        (f"({argued.number})", ids[f"({argued.number})"]) for argued in sheet.argued_questions if argued.number
    ]


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


def test_a_sheet_is_another_one_for_another_host_and_other_rules(client: FlaskClient) -> None:
    path = "/rules/partnership-pitch.pdf"
    sheets = [client.get(path, headers={"Host": host}) for host in ("pitch", "cards")] + [
        client.get(f"{path}?target=15")
    ]

    assert len({sheet.headers["ETag"] for sheet in sheets}) == 3
    assert "no-cache" in sheets[0].headers["Cache-Control"]
