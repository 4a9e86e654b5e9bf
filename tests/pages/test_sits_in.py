"""A substitute plays from the next hand on; the hands before keep the name of the player who left."""

import pytest

from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record
from tests.printing.pages import text_of


def sit_in(match: Page, who: str = "p3", name: str = "Eva") -> Page:
    """Substitute a player, from the menu."""
    page = match.open().tap("Menu").tap("Someone sits in")
    return page.send("/sits-in", {"who": who, "name": name}, press="Save")


@pytest.fixture
def played(match: Page) -> Page:
    """Play a hand that Cal bids."""
    return record(match, call="p3:3", took_low="s2")


def test_each_hand_has_the_name_of_whoever_played_it_on_every_page_and_on_paper(played: Page) -> None:
    saved = sit_in(played)
    entry = saved.tap("Record hand").part("q-bid").text

    after = record(saved, call="p3:2", took_low="s2")

    assert "Eva sits in for Cal from hand 2 on." in saved.text
    assert saved.scores == {"s1": "3", "s2": "1"}
    assert ("Eva" in entry, "Cal" in entry) == (True, False)
    assert ["Eva 2 made" in after.rows[0], "Cal 3 made" in after.rows[1]] == [True, True]
    assert "Eva sits in for Cal" in played.open("history").text
    printed = text_of(played.open("result.pdf").response.data)
    for words in ("Eva sits in for Cal.", "Cal 3", "Eva 2"):
        assert words in printed


def test_where_each_plays_alone_the_newcomer_takes_the_score(begin: Begin) -> None:
    match = begin("cutthroat-pitch")
    record(match, call="p3:3", took_low="p2")

    after = record(sit_in(match), call="p2:2", took_low="p3")

    assert after.scores == {"p1": "0", "p2": "4", "p3": "4", "p4": "0"}
    history = match.open("history").text
    assert "Cal +3" in history
    assert "Eva +1" in history


def test_the_change_log_says_who_left_and_who_wrote_then(played: Page) -> None:
    sit_in(played)
    sit_in(played, name="Gus")

    log = played.open("history/journal").text

    assert "changed players from hand 2 on Eva sits in for Cal" in log
    assert "changed players from hand 2 on Gus sits in for Eva" in log
    assert "Cal 3" in log


def test_a_form_from_before_another_hand_is_asked_again(match: Page, other_phone: Phone) -> None:
    page = match.open("sits-in")
    record(other_phone.open(match.path), call="p4:3", took_low="s1")

    question = page.send("/sits-in", {"who": "p3", "name": "Eva"}, press="Save")

    assert question.offers("Save: from hand 2 on")


@pytest.mark.club
def test_for_money_the_table_settles_up_and_begins_anew(begin: Begin) -> None:
    match = begin("money-pitch")
    page = match.open("sits-in")

    assert "Settle up first." in page.text
    assert page.offers("Somebody joins or leaves")
    assert not match.tap("Menu").offers("Someone sits in")
    form = match.open("names").form("/names").fields
    refused = match.phone.post(f"{match.path}sits-in", {**form, "who": "p3", "name": "Eva", "version": "0"})
    assert refused.status == 422
    assert "Settle up" in refused.faults


def test_whoever_sits_down_after_the_end_has_not_won_and_plays_again(begin: Begin) -> None:
    """A correction ends the match before the substitute's first hand."""
    match = begin("cutthroat-pitch", house_target="7")
    second = record(record(match, call="p3:3", took_low="p2"), call="p3:3", took_low="p2")
    assert second.offers("Record hand")
    record(sit_in(match.open()), call="p2:2", took_low="p4", took_jack="p4", took_game="p4")

    over = match.open("hands/1").send("/1", {"took-low": "p3"}, press="Save")

    assert "Cal wins" in over.text
    assert "Eva" not in over.part("board").text
    again = over.tap("Play again").form("/cutthroat-pitch").fields
    assert [again[f"seat-{i}"] for i in range(4)] == ["Ann", "Bea", "Eva", "Dan"]
