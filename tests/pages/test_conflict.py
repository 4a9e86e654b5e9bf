"""Two phones that write the same hand: the second sees both, and chooses."""

from collections.abc import Callable

import pytest

from tests.common.calling import entry_form, finish, with_rest
from tests.common.guests import SCORER, let_in
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record

pytestmark = pytest.mark.every_database
Send = Callable[..., Page]


@pytest.fixture
def conflict(match: Page, other_phone: Phone) -> Page:
    """Open the entry on two phones; the other one saves first."""
    entry = match.tap("Record hand").send("/hands/new", {"call": "p1:2", "trump": "hearts", "took-low": "s2"})
    record(other_phone.open(match.path), call="p4:3")
    return finish(entry)


def test_both_are_shown_with_where_the_match_would_stand_and_nothing_is_overwritten(
    conflict: Page, match: Page
) -> None:
    assert conflict.status == 409
    assert "Another phone saved hand 1 first" in conflict.faults
    assert [heading.text for heading in conflict.all("h2")][1:] == ["On the other phone", "On this phone"]
    assert "Dan 3 made" in conflict.text
    assert [line.text for line in conflict.all("p", class_="result")] == [
        "Ann & Cal 0 → 0, Bea & Dan 0 → 4",
        "Ann & Cal 0 → 3, Bea & Dan 0 → 1",
    ]
    assert match.open().rows == ["1 Dan 3 made 0 0 +4 4"]


def test_the_phone_that_saved_first_is_named_where_its_holder_is_known(match: Page, other_phone: Phone) -> None:
    entry = match.tap("Record hand").send("/hands/new", {"call": "p1:2"})
    guest = let_in(match, other_phone, SCORER, "p4")
    record(guest, call="p4:3")

    again, conflict = entry.send("/hands/new"), finish(entry)

    assert again.one("h1").text == entry.one("h1").text
    assert "Dan’s phone saved hand 1 first" in conflict.faults
    assert [heading.text for heading in conflict.all("h2")][1:] == ["On Dan’s phone", "On this phone"]


def test_a_win_that_hangs_on_it_is_said(begin: Begin, other_phone: Phone) -> None:
    match = record(begin(house_target="7"), call="p4:4")
    entry = match.open("hands/new").send("/hands/new", {"call": "p1:2"})
    record(other_phone.open(match.path), call="p4:4")

    conflict = finish(entry)

    assert "Winner: nobody yet, not Bea & Dan." in conflict.text


def test_both_are_shown_even_where_this_one_cannot_be_read(match: Page, send: Send, other_phone: Phone) -> None:
    late = ready(match, "p1:2", **{"by": "counts", "count-s1": "ten", "count-s2": "2"})
    record(other_phone.open(match.path), call="p4:3")

    shown = send(late)

    assert shown.status == 409
    assert "A Ann & Cal ten" in shown.text
    assert "This must be a whole number." in shown.text


def test_two_corrections_of_one_hand(match: Page, other_phone: Phone) -> None:
    record(match, call="p4:3")
    mine = match.open("hands/1")
    other_phone.open(f"{match.path}hands/1").send("/1", {"call": "p4:2"}, press="Save")

    conflict = mine.send("/1", {"call": "p4:4"}, press="Save")

    assert conflict.status == 409
    assert conflict.tap("Use this one").rows == ["1 Dan 4 made corrected: bid 3 → 4 0 0 +4 4"]


def test_a_hand_entered_while_the_last_was_undone(match: Page, other_phone: Phone) -> None:
    match = record(match, call="p4:3")
    entry = match.tap("Record hand").send("/hands/new", {"call": "p1:2"})
    other_phone.open(match.path).tap("Undo")

    conflict = finish(entry)

    assert "Another phone undid hand 1" in conflict.faults
    assert conflict.tap("Add it as hand 1").rows == ["1 Ann 2 made +4 4 0 0"]


def test_a_third_phone_in_between_is_shown_again(conflict: Page, match: Page, other_phone: Phone) -> None:
    other_phone.open(f"{match.path}hands/1").send("/1", {"call": "p4:2"}, press="Save")

    again = conflict.tap("Use this one")

    assert again.status == 409
    assert "Dan 2 made" in again.text


@pytest.fixture
def three(match: Page) -> Page:
    """Play three hands in each of which one side takes all four points."""
    return record(record(record(match, call="p1:2"), call="p2:2"), call="p3:2")


# ---------- entered on an older page, and sent late ----------


def ready(match: Page, call: str, address: str = "hands/new", **fields: str) -> dict[str, str]:
    """Return a hand as a phone keeps it that was entered and not sent, or not answered."""
    entry = match.open(address)
    if entry.offers("Start over"):
        entry = entry.send("/hands/new", press="Start over")
    form = entry_form(entry)
    entry = match.phone.post(form.action, {**form.fields, "call": call, "do": "look"})
    return {**entry_form(with_rest(entry)).fields, "do": "save", **fields}


@pytest.fixture
def send(match: Page) -> Send:
    """Send a kept hand, or one of the same page after it, from the phone that scores."""

    def send(fields: dict[str, str], address: str = "hands/new") -> Page:
        return match.phone.post(f"{match.path}{address}", fields)

    return send


def after(kept: dict[str, str], call: str, key: str = "the-next-of-that-page") -> dict[str, str]:
    """Return the next hand, entered on the same page out of the phone's memory."""
    return {**kept, "call": call, "client_key": key, "index": str(int(kept["index"]) + 1), "shown": ""}


def test_a_hand_whose_answer_was_lost_lifts_none_over_what_another_phone_wrote(
    match: Page, send: Send, other_phone: Phone
) -> None:
    first = ready(match, "p4:3")
    send(first)
    record(other_phone.open(match.path), call="p1:2")

    again = send(first)
    conflict = send(after(first, "p1:4"))

    assert again.response.request.args["said"] == "1"
    assert "Another phone saved hand 2 first" in conflict.faults
    assert len(match.open().rows) == 2


def test_hands_of_one_page_are_saved_one_after_the_other(match: Page, send: Send) -> None:
    first = ready(match, "p4:3")
    send(first)

    assert [row[:7] for row in send(after(first, "p1:2")).rows] == ["2 Ann 2", "1 Dan 3"]


def test_a_hand_in_question_holds_no_later_one_back(match: Page, send: Send, other_phone: Phone) -> None:
    first = ready(match, "p4:3")
    record(other_phone.open(match.path), call="p1:2")
    conflict = send(first)

    assert [row[:7] for row in send(after(first, "p2:4")).rows] == ["2 Bea 4", "1 Ann 2"]
    assert [row[:7] for row in conflict.tap("Use this one").rows] == ["2 Bea 4", "1 Dan 3"]


def test_the_same_hand_on_two_phones_is_one(match: Page, send: Send, other_phone: Phone) -> None:
    first = ready(match, "p4:3")
    record(other_phone.open(match.path), call="p4:3")

    assert send(first).rows == ["1 Dan 3 made 0 0 +4 4"]


def test_a_hand_that_was_changed_after_it_was_sent_is_not_one_more(match: Page, send: Send) -> None:
    first = ready(match, "p4:3")
    send(first)

    changed = send({**first, "call": "p4:4", "client_key": "changed", "replaces": first["client_key"]})

    assert "saved hand 1 first" in changed.faults
    assert changed.tap("Use this one").rows == ["1 Dan 4 made corrected: bid 3 → 4 0 0 +4 4"]


def test_what_this_phone_entered_after_its_own_late_hand_is_seen_by_others(
    match: Page, send: Send, other_phone: Phone
) -> None:
    first = ready(match, "p4:3")
    send(first)

    match.phone.post(f"{match.path}hands/preview", after(first, "p2:2"), part=True)

    assert other_phone.open(f"{match.path}hands/new").offers("Start over")


@pytest.mark.parametrize(
    ("address", "call", "who"), [("hands/2", "p2:4", "Bea"), ("hands/new?before=2", "p4:4", "Dan")]
)
def test_a_correction_and_a_forgotten_hand_keep_their_place_though_another_phone_deleted_that_hand(
    three: Page, send: Send, other_phone: Phone, address: str, call: str, who: str
) -> None:
    late = ready(three, call, address)
    other_phone.open(f"{three.path}history/2/remove").send("/remove")

    conflict = send(late, address.partition("?")[0])

    assert conflict.status == 409
    assert "Another phone deleted hand 2" in conflict.faults
    assert conflict.offers("Discard it")
    assert [row[:7] for row in conflict.tap("Add it as hand 2").rows] == ["3 Cal 2", f"2 {who} 4", "1 Ann 2"]


def test_a_phone_that_knows_more_than_the_server_says_so(three: Page, send: Send) -> None:
    """The server has fewer hands than the phone after a restore from a backup."""
    late = ready(three, "p4:4", version="9", index="7")

    conflict = send(late)

    assert "This phone has seen hands 4 to 6, which the server no longer has" in conflict.faults
    assert conflict.tap("Add it as hand 4").rows[0].startswith("4 Dan 4")


def test_a_correction_of_a_hand_that_the_server_no_longer_has_says_so(three: Page, send: Send) -> None:
    lost = ready(three, "p4:4", version="9")

    conflict = send(lost, "hands/8")

    assert conflict.status == 409
    assert "which the server no longer has" in conflict.faults
    assert conflict.offers("Add it as hand 4")
