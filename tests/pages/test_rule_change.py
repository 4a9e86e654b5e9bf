"""A rule is changed in mid-match: from the next hand on, dated, and undone like anything else."""

import re
from datetime import date

import pytest
from flask.testing import FlaskClient

from tests.common.calling import took
from tests.common.phone import Phone
from tests.common.reading import read
from tests.pages.conftest import Begin
from tests.pages.test_sharing_house_rules import TABLE
from tests.printing.pages import text_of


def today() -> str:
    """Return the date as pages write it; it is asked for anew, as a run of the tests may pass midnight."""
    return date.today().strftime("%b %-d, %Y")


@pytest.fixture
def match(client: FlaskClient) -> str:
    """Begin a match, and return its address."""
    return client.post("/new/partnership-pitch", data=TABLE).headers["Location"].partition("?")[0]


def version(client: FlaskClient, match: str) -> str:
    found = re.search(r'name="version" value="(\d+)"', client.get(f"{match}rules/change").text)
    assert found
    return found[1]


def hand(client: FlaskClient, match: str) -> None:
    now = version(client, match)
    form = {"version": now, "client_key": f"h{now}", "call": "p4:3", **took("s2", low="s1"), "do": "save"}
    assert client.post(f"{match}hands/new", data=form).status_code == 303


def change(client: FlaskClient, match: str, **answers: str) -> str:
    now = version(client, match)
    form = {"do": "save", "version": now, "client_key": f"c{now}", **answers}
    return client.post(f"{match}rules/change", data=form).headers["Location"]


def text(client: FlaskClient, path: str) -> str:
    return read(client.get(path).text).text


def test_a_change_holds_from_the_next_hand_on(client: FlaskClient, match: str) -> None:
    hand(client, match)
    said = text(client, change(client, match, **{"rule-target": "15"}))
    hand(client, match)

    assert "New from this hand on: Play to 15." in said
    assert "The Millers" not in said
    record = client.get(f"{match}record.json").get_json()
    assert "house" not in record
    assert [told.get("house") for told in record["hands"]] == [None, {"target": 15}]
    assert record["hands"][1]["house_on"] == date.today().isoformat()


def test_a_change_is_dated_in_the_history_on_the_sheet_and_with_the_result(client: FlaskClient, match: str) -> None:
    hand(client, match)
    change(client, match, **{"rule-target": "6"})
    told = f"From hand 2 on, {today()}: Play to 6."
    hand(client, match)

    assert told in text(client, f"{match}history")
    assert told in text(client, f"{match}rules")
    ended = text(client, match)
    assert "win" in ended
    assert told in ended


@pytest.mark.parametrize("address", ["{match}rules.pdf", "/print/sheet.pdf?match={code}&kind=rules"])
def test_a_change_is_dated_on_the_printed_sheet(client: FlaskClient, match: str, address: str) -> None:
    hand(client, match)
    change(client, match, **{"rule-target": "15"})

    answer = client.get(address.format(match=match, code=match.split("/")[2]))

    assert f"From hand 2 on, {today()}" in text_of(answer.data)


AGREED = "what if somebody reneges: the bid is lost"


def test_what_no_option_says_is_written_down_with_its_date_on_paper_only(client: FlaskClient, match: str) -> None:
    hand(client, match)
    scores = client.get(f"{match}record.json").get_json()["hands"]
    said = text(client, change(client, match, notes=AGREED))
    told = f"From hand 2 on, {today()}: {AGREED} (on paper only)"

    assert "Written down. It is on paper only: it changes no score." in said
    assert f"New from this hand on: {AGREED} (on paper only)" in said
    assert told in text(client, f"{match}rules")
    log = text(client, f"{match}history/journal")
    assert f"changed rules from hand 2 on {AGREED} (on paper only)" in log
    hand(client, match)
    assert told in text(client, f"{match}history")
    assert f"New rules: {AGREED} (on paper only)" in text(client, match)
    assert "By your own rules it is the same." in text(client, f"{match}what-if?target=21")
    record = client.get(f"{match}record.json").get_json()
    assert record["hands"][:1] == scores
    assert "house" not in record["hands"][1]
    assert record["note"] == f"From hand 2 on, {date.today().isoformat()}, on paper only: {AGREED}"


def test_it_is_printed_on_the_rule_sheet_and_the_score_sheet(client: FlaskClient, match: str) -> None:
    hand(client, match)
    change(client, match, notes=AGREED)

    for address in (f"{match}rules.pdf", f"{match}result.pdf"):
        assert "the bid is lost (on paper only)" in text_of(client.get(address).data), address


def test_a_hand_in_progress_goes_on_beside_what_is_only_written_down(begin: Begin) -> None:
    match = begin()
    match.open("hands/new").send("/hands/new", {"call": "p1:3"})

    match.open("rules/change").send("/rules/change", {"notes": AGREED}, press="Start with hand 1")

    assert "Ann bid 3" in match.open().text


def test_which_way_a_match_counts_is_not_asked_again(client: FlaskClient, match: str) -> None:
    assert "count_down_from" not in client.get(f"{match}rules/change").text


def test_saving_no_change_writes_nothing(client: FlaskClient, match: str) -> None:
    change(client, match)

    assert version(client, match) == "0"


def test_a_second_phone_changes_only_what_it_touched(other_phone: Phone, begin: Begin) -> None:
    match = begin()
    theirs = other_phone.open(f"{match.path}rules/change")
    mine = match.open("rules/change")
    theirs.send("/rules/change", {"rule-target": "11"}, press="Start with hand 1")

    looked = mine.send("/rules/change", {"rule-dealer_steal": "no"})
    refused = looked.send("/rules/change", press="Start with hand 1")
    refused.send("/rules/change", press="Start with hand 1")

    assert refused.status == 409
    assert "Another phone changed the match first" in refused.faults
    assert "Play to 11." in refused.faults
    assert refused.form("/rules/change").fields["rule-target"] == "11"
    assert "1 change from hand 1 on" in refused.part("diff").one("summary").text
    rules = match.open().text
    assert "to 11" in rules
    assert "The dealer cannot steal the bid." in rules


def test_where_two_phones_change_the_same_rule_the_second_sees_both(other_phone: Phone, begin: Begin) -> None:
    match = begin()
    mine = match.open("rules/change")
    other_phone.open(f"{match.path}rules/change").send(
        "/rules/change", {"rule-target": "11"}, press="Start with hand 1"
    )

    refused = mine.send("/rules/change", {"rule-target": "15"}, press="Start with hand 1")

    assert refused.form("/rules/change").fields["rule-target"] == "15"
    assert refused.part("at-rule-target").text == "Play to 15. Play to 11."
