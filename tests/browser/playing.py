"""Matches started and hands played without a browser, for tests that look at them in one."""

from tests.common.calling import hand_fields, with_rest
from tests.common.phone import Page as Answer
from tests.common.phone import Phone

PEOPLE = ("Ann", "Bea", "Cal", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jo")


def begin_match(phone: Phone, ruleset_id: str = "partnership-pitch", *, seats: str = "", **answers: str) -> Answer:
    """Start a match: every seat named, every open question answered with its first answer."""
    page = phone.open(f"/new/{ruleset_id}")
    if seats:
        page = page.send(ruleset_id, press=seats)
    form = page.form(ruleset_id)
    chairs = [name for name in form.fields if name.startswith("seat-")]
    named = dict(zip(chairs, PEOPLE, strict=False))
    defaults = {name: min(offers) for name, offers in form.offered.items() if name not in form.fields}
    entered = {name.replace("_", "-", 1): value for name, value in answers.items()}
    return phone.post(form.action, form.filled({**named, **defaults, **entered}, press="Start"))


def play_hand(match: Answer, **answers: str) -> Answer:
    """Play a hand, the rest to the bidding side, and return the page of the match."""
    answer = save_hand(match, **answers)
    return match.phone.open(answer.response.headers["Location"]) if answer.status == 303 else answer


def save_hand(match: Answer, **answers: str) -> Answer:
    """Play a hand likewise, and return where it leads, which nobody opens."""
    entry = match.open("hands/new")
    if entry.offers("Start over"):  # another phone's hand is in progress
        entry = entry.send("/hands/new", press="Start over")
    form = entry.form("/hands/new")
    fields = {**form.fields, **hand_fields(answers)}
    if "thrown_in" not in answers:
        counted = match.phone.post(form.action, {**fields, "do": "look"})
        fields = with_rest(counted).form("/hands/new").fields
    return match.phone.post(form.action, {**fields, "do": "save"}, follow=False)
