"""Every ruleset of the library: its table can be laid, a match begins, and hands are entered by the page's form."""

import pytest

from tests.browser.playing import begin_match
from tests.common.calling import finish, preview
from tests.common.library import LAW_RULESETS, LIBRARY
from tests.common.phone import Page, Phone
from tests.common.reading import Form

each_ruleset_id = pytest.mark.parametrize("ruleset_id", [ruleset.id for ruleset in LAW_RULESETS])


def bidding(form: Form) -> dict[str, str]:
    """Return the lowest bid of somebody, with the first partner where one is called."""
    said = {}
    numbers = sorted((bid for bid in form.offered.get("bid", ()) if bid.isdigit()), key=int)
    calls = sorted(call for call in form.offered.get("call", ()) if call.partition(":")[2].isdigit())
    if calls:
        said["call"] = calls[0]
    if "pair" in form.offered:
        said |= {"pair": min(form.offered["pair"]), "bid": numbers[0]}
    elif numbers:
        said |= {"bidder": min(form.offered["bidder"]), "bid": numbers[0]}
    return said


def with_partner(entry: Page) -> Page:
    """Answer who held the called card, where that is asked once there is a bid."""
    form = entry.form("/hands/new")
    if "partner" not in form.offered or form.fields.get("partner"):
        return entry
    return entry.send("/hands/new", {"partner": min(form.offered["partner"])}, press=form.buttons[-1].label)


def by_cards(match: Page) -> Page:
    """Enter a hand in which the bidder, or the first side, takes everything."""
    entry = match.tap("Record hand")
    form = entry.form("/hands/new")
    said = bidding(form)
    if said:
        entry = with_partner(entry.send("/hands/new", said, press=form.buttons[-1].label))
        return finish(entry)
    first = next(button for button in form.buttons if button.name == "rest")
    return entry.send("/hands/new", press=first.label).send("/hands/new", press="Save:")


@each_ruleset_id
def test_a_match_begins_and_a_hand_is_saved(phone: Phone, ruleset_id: str) -> None:
    match = begin_match(phone, ruleset_id)
    assert match.path.startswith("/matches/"), match.faults
    assert LIBRARY[ruleset_id].name in match.text

    after = by_cards(match)

    assert after.path == match.path, after.faults
    assert "Hand 1 is saved." in after.text or after.offers("Play again")
    assert after.part("board").text != match.part("board").text


@each_ruleset_id
def test_every_page_of_a_match_opens(phone: Phone, ruleset_id: str) -> None:
    match = by_cards(begin_match(phone, ruleset_id))
    is_over = match.offers("Play again")

    pages = [
        phone.open(match.path + rest)
        for rest in (
            "",
            "history",
            "menu",
            "hands/new",
            "hands/1",
            "history/1/remove",
            "rules",
            "stop",
            "delete",
            "record.json",
        )
    ]

    closed = {f"{match.path}hands/new", f"{match.path}stop"} if is_over else set()
    assert {page.path: page.status for page in pages} == {
        page.path: 409 if page.path in closed else 200 for page in pages
    }


@each_ruleset_id
def test_a_hand_by_counts_is_asked_for_in_full(phone: Phone, ruleset_id: str) -> None:
    match = begin_match(phone, ruleset_id)
    entry = phone.open(f"{match.path}hands/new?by=counts")
    said = bidding(entry.form("/hands/new"))
    entry = preview(entry, **said)
    form = entry.form("/hands/new")
    if "partner" in form.offered:
        entry = preview(entry, partner=min(form.offered["partner"]))
        form = entry.form("/hands/new")
    counts = [name for name in form.offered if name.startswith("count-")]
    worth = max(int(n) for n in form.offered[counts[0]])
    told = {counts[0]: str(worth)} | {name: "0" for name in counts[1:]}

    after = phone.post(form.action, {**form.filled(told), "do": "save"})

    assert after.path == match.path, after.faults
