"""A player leaves, and another sits in: from the next hand on, and what was played before keeps its names."""

import pytest

from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record
from tests.printing.pages import text_of


def sit_in(match: Page, who: str = "p3", name: str = "Eva") -> Page:
    """Let somebody sit in, from the menu."""
    return match.tap("Menu").tap("Someone sits in").send("/sits-in", {"who": who, "name": name}, press="Save")


def test_the_menu_leads_there_and_back_comes_a_match_that_says_so(match: Page) -> None:
    record(match, call="p3:3", took_low="s2")

    saved = sit_in(match.open())

    assert "Eva sits in for Cal. It starts with hand 2." in saved.text
    assert saved.scores == {"s1": "3", "s2": "1"}


def test_each_hand_has_the_name_of_whoever_played_it(match: Page) -> None:
    record(match, call="p3:3", took_low="s2")
    saved = sit_in(match.open())
    entry = saved.tap("Record hand")

    after = record(saved, call="p3:2", took_low="s2")

    assert "Eva" in entry.part("q-bid").text
    assert "Cal" not in entry.part("q-bid").text
    assert ["Eva 2 made" in after.rows[0], "Cal 3 made" in after.rows[1]] == [True, True]
    history = match.open("history")
    assert "Eva sits in for Cal" in history.text


def test_where_each_plays_alone_the_newcomer_takes_the_score(begin: Begin) -> None:
    match = begin("cutthroat-pitch")
    record(match, call="p3:3", took_low="p2")

    after = record(sit_in(match.open()), call="p2:2", took_low="p3")

    assert after.scores == {"p1": "0", "p2": "4", "p3": "4", "p4": "0"}
    history = match.open("history").text
    assert "Cal +3" in history
    assert "Eva +1" in history


def test_an_old_hand_is_corrected_and_a_forgotten_one_inserted_with_the_old_name(match: Page) -> None:
    record(match, call="p3:3", took_low="s2")
    record(sit_in(match.open()), call="p3:2", took_low="s2")

    first = match.open("hands/1")
    inserted = match.open("hands/new?before=3")

    for page in (first, inserted):
        assert "Cal" in page.part("q-bid").text
        assert "Eva" not in page.part("q-bid").text
    corrected = first.send("/hands/1", {"call": "p3:2"}, press="Save")
    assert "bid 3 → 2" in match.open("history").text
    assert "Cal 2 made" in corrected.rows[1]


def test_the_change_log_says_who_left_and_who_wrote_then(match: Page) -> None:
    record(match, call="p3:3", took_low="s2")
    sit_in(match.open())
    sit_in(match.open(), name="Gus")

    log = match.open("history/journal").text

    assert "changed players from hand 2 on Eva sits in for Cal" in log
    assert "changed players from hand 2 on Gus sits in for Eva" in log
    assert "Cal 3" in log


def test_nobody_takes_a_name_that_somebody_had_at_the_same_table(match: Page) -> None:
    record(match, call="p3:3", took_low="s2")
    sat = sit_in(match.open())

    refused = sat.tap("Menu").tap("Names, date and place").send("/names", {"name-p2": "Cal"})

    assert refused.status == 422
    assert "Cal is there twice" in refused.faults


@pytest.mark.parametrize(
    ("who", "name", "why"),
    [
        ("", "Eva", "Choose who leaves."),
        ("p9", "Eva", "Choose who leaves."),
        ("p3", "", "A name has 1 to 24 letters"),
        ("p3", "x" * 25, "is longer than 24 letters"),
        ("p3", "Ann", "Ann is at this table already. Choose another name."),
        ("p3", "ann", "Ann is at this table already. Choose another name."),
        ("p3", "cal", "Cal is at this table already. Choose another name."),
        ("p3", "BEA & DAN", "Bea & Dan is at this table already. Choose another name."),
        ("p3", "Bea & Dan", "Bea & Dan is at this table already. Choose another name."),
        ("p3", "bidders", "already means something here"),
    ],
)
def test_what_cannot_be_is_refused_and_what_was_typed_is_kept(match: Page, who: str, name: str, why: str) -> None:
    page = match.tap("Menu").tap("Someone sits in")
    form = page.form("/sits-in")

    refused = match.phone.post(form.action, {**form.fields, "who": who, "name": name})

    assert refused.status == 422
    assert why in refused.faults
    assert refused.form("/sits-in").fields["name"] == name
    assert not match.open().offers("Undo")


def test_a_form_from_before_another_hand_is_asked_again(match: Page, other_phone: Phone) -> None:
    page = match.tap("Menu").tap("Someone sits in")
    record(other_phone.open(match.path), call="p4:3", took_low="s1")

    asked = page.send("/sits-in", {"who": "p3", "name": "Eva"}, press="Save")

    assert asked.offers("Save: from hand 2 on")


def test_for_money_the_table_settles_up_and_begins_anew(begin: Begin) -> None:
    match = begin("money-pitch")
    page = match.open("sits-in")

    assert "Settle up first." in page.text
    assert page.offers("Somebody joins or leaves")
    assert not match.tap("Menu").offers("Someone sits in")
    form = match.tap("Menu").tap("Names, date and place").form("/names").fields
    refused = match.phone.post(f"{match.path}sits-in", {**form, "who": "p3", "name": "Eva", "version": "0"})
    assert refused.status == 422
    assert "Settle up" in refused.faults


@pytest.mark.parametrize("way", ["over", "stopped", "unnamed"])
def test_nobody_sits_in_where_it_is_over_stopped_or_nobody_is_named(begin: Begin, phone: Phone, way: str) -> None:
    if way == "unnamed":
        match = phone.open("/new/partnership-pitch").send("partnership-pitch", press="Start")
    else:
        match = begin(house_target="7")
    if way == "over":
        for _ in range(2):
            record(match.open(), call="p1:4")
    if way == "stopped":
        match.open("stop").send("/stop")

    assert not match.open("menu").offers("Someone sits in")
    assert match.open("sits-in").status == (404 if way == "unnamed" else 409)


def test_the_score_sheet_says_who_sat_in_and_keeps_each_name(match: Page) -> None:
    record(match, call="p3:3", took_low="s2")
    record(sit_in(match.open()), call="p3:2", took_low="s2")

    printed = match.phone.open(f"/print/sheet.pdf?match={match.path.split('/')[2]}&kind=result").response.data

    text = text_of(printed)
    assert "Eva sits in for Cal." in text
    assert ["Cal 3" in text, "Eva 2" in text] == [True, True]


def test_whoever_sits_down_after_the_end_has_not_won_and_plays_again(begin: Begin) -> None:
    """A correction ends the match before the hand from which somebody else plays."""
    match = begin("cutthroat-pitch", house_target="7")
    second = record(record(match, call="p3:3", took_low="p2"), call="p3:3", took_low="p2")
    assert second.offers("Record hand")
    record(sit_in(match.open()), call="p2:2", took_low="p4", took_jack="p4", took_game="p4")

    over = match.open("hands/1").send("/1", {"took-low": "p3"}, press="Save")

    assert "Cal wins" in over.text
    assert "Eva" not in over.part("board").text
    again = over.tap("Play again").form("/cutthroat-pitch").fields
    assert [again[f"seat-{i}"] for i in range(4)] == ["Ann", "Bea", "Eva", "Dan"]
