"""The change log lists every event: who wrote it, when, and the values before and after."""

from tests.common.calling import took
from tests.common.phone import Page, Phone
from tests.pages.conftest import record


def changes(match: Page) -> list[str]:
    """Return the entries of the change log, newest first, without their times."""
    page = match.open("history/journal")
    return [" | ".join(p.text for p in line.all("p")[:-1]) for line in page.all("li")]


def test_every_kind_of_change_is_logged_with_before_and_after(match: Page, phone: Phone) -> None:
    record(match, call="p1:3", trump="hearts", took_low="s2")
    record(match.open(), call="p4:2", took_low="s1")
    edit = match.open("hands/1").form("/hands/1")
    answers = {"call": "p1:4", "trump": "spades", "took-game": "s2", "do": "save"}
    phone.post(edit.action, {**edit.fields, **answers})
    match.open("deal").tap("Dan Ann bids first, and deals next")
    match.open("history/2/remove").send("/remove")
    match.open("history").tap("Restore")
    match.open("names").send("/names", {"name-p1": "Anna", "title": "Friday"})
    change = match.open("rules/change")
    change.send("/rules/change", {"rule-target": "15"}, press="Start with")
    match.open("stop").send("/stop")
    match.open().tap("Resume")
    match.open().send("/undo").send("/redo")

    assert changes(match) == [
        "This phone redid: resumed the match",
        "This phone undid: resumed the match",
        "This phone resumed the match",
        "This phone stopped the match",
        "This phone changed rules from hand 3 on | Play to 15.",
        "This phone changed names and title | Ann → Anna | the match: no title → Friday",
        "This phone restored hand 2 | Dan 2 | Ann & Cal −4 → −3, Bea & Dan 2 → 5",
        "This phone deleted hand 2 | Dan 2 | Ann & Cal −3 → −4, Bea & Dan 5 → 2",
        "This phone let Dan deal hand 3 | it was Cal’s deal",
        "This phone corrected hand 1 | bid 3 → 4, trump hearts → spades, Game Anna & Cal → Bea & Dan"
        " | Ann & Cal 4 → −3, Bea & Dan 4 → 5",
        "This phone recorded hand 2 | Dan 2",
        "This phone recorded hand 1 | Anna 3 hearts",
    ]


def test_a_title_alone_is_no_change_of_names(match: Page) -> None:
    renamed = match.open("names").send("/names", {"title": "Friday"})

    assert "The title is changed." in renamed.text
    assert changes(renamed) == ["This phone changed title | the match: no title → Friday"]


def test_what_was_undone_is_struck(match: Page) -> None:
    record(match, call="p1:3", took_low="s2").send("/undo")
    record(match.open(), call="p4:2", took_low="s1")

    page = match.open("history/journal")

    assert ["back" in line.attrs.get("class", "") for line in page.all("li")] == [False, False, True]
    assert "undid: recorded hand 1" in page.text


def test_a_forgotten_hand_and_another_phone_are_named(match: Page, other_phone: Phone) -> None:
    record(match, call="p1:3", took_low="s2")
    entry = other_phone.open(f"{match.path}hands/new?before=1").form("/hands/new")
    other_phone.post(entry.action, {**entry.fields, "call": "p2:2", **took("s2", low="s1"), "do": "save"})

    inserted = "Another phone recorded hand 1, inserted later | Bea 2 | Ann & Cal 3 → 4, Bea & Dan 1 → 4"
    assert changes(match)[0] == inserted


def test_the_log_of_a_long_match_has_several_pages(match: Page) -> None:
    record(match, call="p1:3", took_low="s2")
    page = match.open()
    for _ in range(22):
        page = page.send("/undo").send("/redo")

    first = match.open("history/journal")
    older = first.tap("Earlier changes")

    assert (len(first.all("li")), len(older.all("li"))) == (40, 5)
    assert "recorded hand 1" in older.text


def test_an_undone_correction_can_be_made_again_after_something_new(match: Page) -> None:
    record(match, call="p1:3", took_low="s2")
    corrected = match.open("hands/1").post("/hands/1", {"took-game": "s2", "do": "save"})
    corrected.send("/undo")
    record(match.open(), call="p4:2", took_low="s1")
    page = match.open("history/journal")

    again = page.tap("Redo this correction")

    assert corrected.scores == {"s1": "−3", "s2": "2"}
    assert again.scores == {"s1": "−2", "s2": "5"}
    assert "Hand 1 is corrected." in again.text
    assert not match.open("history/journal").offers("Redo this correction")
    refused = match.phone.post(f"{match.path}history/5/again", again.form("/undo").fields)
    assert refused.path.endswith("/history/journal")


def test_only_a_correction_can_be_made_again(match: Page, phone: Phone) -> None:
    wrote = record(match, call="p1:3", took_low="s2")

    assert phone.post(f"{match.path}history/1/again", wrote.form("/undo").fields).status == 404
