"""A rule is changed in mid-match: from the next hand on, dated, and undone like anything else."""

from datetime import date

import pytest

from tests.common.phone import Page, Phone
from tests.pages.conftest import record
from tests.printing.pages import text_of

AGREED = "what if somebody reneges: the bid is lost"


def today() -> str:
    """Return today's date as pages write it; computed at each call, as a test run may pass midnight."""
    return date.today().strftime("%b %-d, %Y")


@pytest.fixture
def played(match: Page) -> Page:
    """Play a hand."""
    return hand(match)


def hand(match: Page) -> Page:
    return record(match, call="p4:3", took_low="s1")


def change(match: Page, **answers: str) -> Page:
    """Change rules from the next hand on."""
    return match.open("rules/change").post("/rules/change", {**answers, "do": "save"})


def test_a_change_holds_from_the_next_hand_on(played: Page) -> None:
    text = change(played, **{"rule-target": "15"}).text

    assert "To 15" in played.open("board?v=1", part=True).part("bar-title").text
    kept = hand(played).record

    assert "New from this hand on: Play to 15." in text
    assert "house" not in kept
    assert [row.get("house") for row in kept["hands"]] == [None, {"target": 15}]
    assert kept["hands"][1]["house_on"] == date.today().isoformat()


def test_a_change_is_dated_in_the_history_on_every_sheet_and_with_the_result(played: Page) -> None:
    change(played, **{"rule-target": "6"})
    dated = f"From hand 2 on, {today()}: Play to 6."
    ended = hand(played).text

    assert "win" in ended
    assert dated in ended
    assert dated in played.open("history").text
    assert dated in played.open("rules").text
    for address in (f"{played.path}rules.pdf", f"/print/sheet.pdf?match={played.code}&kind=rules"):
        assert f"From hand 2 on, {today()}" in text_of(played.phone.open(address).response.data)


def test_what_no_option_says_is_written_down_with_its_date_on_paper_only(played: Page) -> None:
    scored = played.record["hands"]
    text = change(played, notes=AGREED).text
    dated = f"From hand 2 on, {today()}: {AGREED} (on paper only)"

    assert "Written down. It is on paper only: it changes no score." in text
    assert f"New from this hand on: {AGREED} (on paper only)" in text
    assert dated in played.open("rules").text
    assert f"changed rules from hand 2 on {AGREED} (on paper only)" in played.open("history/journal").text
    for sheet in ("rules.pdf", "result.pdf"):
        assert "the bid is lost (on paper only)" in text_of(played.open(sheet).response.data), sheet
    assert f"New rules: {AGREED} (on paper only)" in hand(played).open().text
    assert dated in played.open("history").text
    assert "By your own rules it is the same." in played.open("what-if?target=21").text
    kept = played.record
    assert kept["hands"][:1] == scored
    assert "house" not in kept["hands"][1]
    assert kept["note"] == f"From hand 2 on, {date.today().isoformat()}, on paper only: {AGREED}"


def test_a_hand_in_progress_goes_on_beside_what_is_only_written_down(match: Page) -> None:
    match.open("hands/new").send("/hands/new", {"call": "p1:3"})

    change(match, notes=AGREED)

    assert "Ann bid 3" in match.open().text


def test_a_second_phone_changes_only_what_it_touched(match: Page, other_phone: Phone) -> None:
    mine = match.open("rules/change")
    change(other_phone.open(match.path), **{"rule-target": "11"})

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


def test_where_two_phones_change_the_same_rule_the_second_sees_both(match: Page, other_phone: Phone) -> None:
    mine = match.open("rules/change")
    change(other_phone.open(match.path), **{"rule-target": "11"})

    refused = mine.send("/rules/change", {"rule-target": "15"}, press="Start with hand 1")

    assert refused.form("/rules/change").fields["rule-target"] == "15"
    assert refused.part("at-rule-target").text == "Play to 15. instead of: Play to 11."
