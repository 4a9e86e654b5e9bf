"""Every ruleset of the library: a match is set up and begun, and hands are entered by the page's form."""

import pytest

from tests.browser.playing import begin_match
from tests.common.calling import finish, preview
from tests.common.library import LAW_RULESETS, LIBRARY
from tests.common.phone import Page, Phone
from tests.common.reading import Form

each_ruleset_id = pytest.mark.parametrize("ruleset_id", [ruleset.id for ruleset in LAW_RULESETS])


def bidding(form: Form) -> dict[str, str]:
    """Return the lowest bid of somebody, with the first partner where one is called."""
    answers = {}
    numbers = sorted((bid for bid in form.offered.get("bid", ()) if bid.isdigit()), key=int)
    calls = sorted(call for call in form.offered.get("call", ()) if call.partition(":")[2].isdigit())
    if calls:
        answers["call"] = calls[0]
    if "pair" in form.offered:
        answers |= {"pair": min(form.offered["pair"]), "bid": numbers[0]}
    elif numbers:
        answers |= {"bidder": min(form.offered["bidder"]), "bid": numbers[0]}
    return answers


def with_partner(entry: Page) -> Page:
    """Enter who held the called card, where the form has that question."""
    form = entry.form("/hands/new")
    if "partner" not in form.offered or form.fields.get("partner"):
        return entry
    return entry.send("/hands/new", {"partner": min(form.offered["partner"])}, press=form.buttons[-1].label)


def entered(entry: Page) -> Page:
    """Enter a hand in which the bidder, or the first side, takes everything."""
    form = entry.form("/hands/new")
    if answers := bidding(form):
        return finish(with_partner(entry.send("/hands/new", answers, press=form.buttons[-1].label)))
    first = next(button for button in form.buttons if button.name == "rest")
    return entry.send("/hands/new", press=first.label).send("/hands/new", press="Save:")


@each_ruleset_id
def test_a_match_begins_and_a_hand_is_saved(phone: Phone, ruleset_id: str) -> None:
    match = begin_match(phone, ruleset_id)
    assert match.path.startswith("/matches/"), match.faults
    assert LIBRARY[ruleset_id].name in match.text

    after = entered(match.tap("Record hand"))

    assert after.path == match.path, after.faults
    assert "Hand 1 is saved." in after.text or after.offers("Play again")
    assert after.part("board").text != match.part("board").text


@each_ruleset_id
def test_every_page_of_a_match_opens(phone: Phone, ruleset_id: str) -> None:
    match = entered(begin_match(phone, ruleset_id).tap("Record hand"))
    closed = ("hands/new", "stop") if match.offers("Play again") else ()
    pages = "history menu hands/new hands/1 history/1/remove rules stop delete record.json".split()

    statuses = {page: match.open(page).status for page in pages}

    assert statuses == {page: 409 if page in closed else 200 for page in pages}


@each_ruleset_id
def test_a_hand_is_saved_by_its_points_alone(phone: Phone, ruleset_id: str) -> None:
    match = begin_match(phone, ruleset_id)
    entry = match.open("hands/new?by=counts")
    entry = preview(entry, **bidding(entry.form("/hands/new")))
    form = entry.form("/hands/new")
    if "partner" in form.offered:
        form = preview(entry, partner=min(form.offered["partner"])).form("/hands/new")
    first, *others = (name for name in form.offered if name.startswith("count-"))
    points = {first: str(max(map(int, form.offered[first]))), **dict.fromkeys(others, "0")}

    after = phone.post(form.action, {**form.filled(points), "do": "save"})

    assert after.path == match.path, after.faults
