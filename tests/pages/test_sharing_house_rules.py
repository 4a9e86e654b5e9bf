"""House rules are shared by link, QR code, text and file; what is received is validated."""

import io
import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from scorekeeper.pitch.rules.house_rules import HouseRules, former_answers, house_rules_as_toml, simplify_house_rules
from scorekeeper.pitch.rules.share_codes import decode, encode
from scorekeeper.printing.rules_link import rules_link
from tests.common.library import LIBRARY, MILLERS
from tests.common.phone import Phone
from tests.common.reading import read

CODE = encode(MILLERS)
HOSTILE = HouseRules(
    "<script>alert(1)</script>",
    "partnership-pitch",
    {"target": 15},
    ("</p><img src=x onerror=alert(1)>", "{{7*7}} & ____"),
)


def keep(client: FlaskClient, rules: HouseRules = MILLERS) -> str:
    location = client.post("/house/take", data={"r": encode(rules), "client_key": "a"}).headers["Location"]
    found = re.search(r"/house/([^/]+)/share", location)
    assert found
    return f"/house/{found[1]}"


def test_a_link_shows_exactly_those_rules(phone: Phone) -> None:
    article = phone.open(f"/rules?r={CODE}").one("article").text

    for words in ("The Millers’ Pitch", "From Partnership Pitch", "House rules: 2 changes", "Loser does the dishes."):
        assert words in article


def test_rules_of_which_a_phone_only_opened_the_address_are_not_on_its_list(
    client: FlaskClient, other_phone: Phone
) -> None:
    page = other_phone.open(keep(client))
    before = other_phone.open("/house").text

    page.send(page.path, press="Save")

    assert "The Millers’ Pitch" in page.response.text
    assert "The Millers’ Pitch" not in before
    assert "The Millers’ Pitch" in other_phone.open("/house").text


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("1.nonsense", "missing or mistyped"),
        ("x" * 9000, "too long"),
        (encode(HouseRules("Ours", "whist")), "no variant called 'whist'"),
        (encode(HouseRules("Ours", "partnership-pitch", {"<b>": 9})), "There is no house option '<b>'."),
    ],
)
def test_a_bad_code_is_refused_with_the_reason(client: FlaskClient, code: str, reason: str) -> None:
    for answer in (
        client.get("/rules", query_string={"r": code}),
        client.post("/house/take", data={"r": code, "client_key": "a"}),
    ):
        assert answer.status_code == 422
        assert reason in unescape(answer.text)
    assert client.get("/rules.pdf", query_string={"r": code}).status_code == 422
    assert client.get("/new/partnership-pitch", query_string={"r": code}).status_code == 404


def test_the_share_page_has_link_qr_code_text_and_file(client: FlaskClient) -> None:
    address = keep(client)

    page = read(client.get(f"{address}/share", base_url="http://192.168.1.7:8000").text)

    code = page.one("p", id="code").text
    assert decode(code) == MILLERS
    assert page.one("a", class_="address").attrs["href"] == f"http://192.168.1.7:8000/rules?r={code}"
    assert page.one("div", class_="qr").all("svg")
    assert page.all("a", href=f"{address}/rules.toml")


def test_rules_are_exported_and_imported(client: FlaskClient) -> None:
    file = client.get(f"{keep(client)}/rules.toml")
    taken = client.post("/house/file", data={"file": (io.BytesIO(file.data), "ours.toml"), "client_key": "b"})

    assert "The-Millers" in file.headers["Content-Disposition"]
    assert file.text == house_rules_as_toml(MILLERS)
    assert taken.status_code == 303
    assert client.get("/house").text.count("from Partnership Pitch, to 15") == 2


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "Choose a rules file first"),
        (b"\xff", "cannot be read as TOML: it is not text."),
        (b"format = 1" + 5000 * b"0", "cannot be read as TOML: a number in it is too long."),
        (b"format = 0x1" + 5000 * b"0", "cannot be read as TOML: a number in it is too long."),
        (b'format = 1\nname = "<b>"\nextends = "fish-pitch"\n[house]\n"<i>" = 1', "There is no house option '<i>'."),
    ],
)
def test_a_bad_file_is_refused_whole_with_its_faults(client: FlaskClient, content: bytes, reason: str) -> None:
    answer = client.post("/house/file", data={"file": (io.BytesIO(content), "ours.toml"), "client_key": "b"})

    assert answer.status_code == 422
    assert reason in unescape(answer.text)
    assert "<i>&#39;" not in answer.text
    assert not read(client.get("/house").text).all("ul", class_="list")


def test_hostile_rules_stay_text_on_every_page(client: FlaskClient) -> None:
    code = encode(HOSTILE)
    address = keep(client, HOSTILE)
    paths = (f"/rules?r={code}", address, f"{address}/share", "/house", "/new", f"/new/partnership-pitch?r={code}")

    pages = [client.get(path).text for path in paths]

    assert not [text for text in pages if "<script>alert" in text or "<img" in text or ">49" in text]
    assert "&lt;img src=x onerror=alert(1)&gt;" in pages[0]


def test_house_rules_of_another_game_are_not_played_here(client: FlaskClient) -> None:
    assert client.get("/new/fish-pitch", query_string={"r": CODE}).status_code == 404


SCHMIER = HouseRules("Ours", "st-paul-schmier", {"target": 15})
"""House rules from before the rule for both sides at the target changed; they have no option for it."""


def test_a_code_from_before_a_rule_changed_says_so_and_has_the_old_answer_at_a_tap(phone: Phone) -> None:
    page, table = (phone.open(f"{path}?r={encode(SCHMIER)}") for path in ("/rules", "/new/st-paul-schmier"))
    assert "These rules have changed. Both reach it on the same hand: who wins? Now: the bidder" in page.text
    assert "before: the higher score." in page.text
    assert "These rules have changed." in table.text

    older = page.tap("Use the old answer")

    assert "the better score wins" in older.text
    for shown in (older, older.tap("Play by these rules"), table.tap("Use the old answer")):
        assert "These rules have changed." not in shown.text


def test_a_code_that_is_made_now_says_which_answer_it_means() -> None:
    made = simplify_house_rules(SCHMIER, LIBRARY)

    assert made.options == {"tie_rule": "bidder_first", "first_lead": "any", "target": 15}
    assert former_answers(LIBRARY["st-paul-schmier"], decode(encode(made)).options) == {}
    assert rules_link(LIBRARY["st-paul-schmier"], LIBRARY["st-paul-schmier"]).code
