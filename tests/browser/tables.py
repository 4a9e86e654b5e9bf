"""Tables laid and hands played without a screen, for what is looked at in a browser."""

from tests.web.conftest import PEOPLE
from tests.web.phone import Page, Phone


def begun(phone: Phone, ruleset_id: str = "partnership-pitch", *, seats: str = "", **said: str) -> Page:
    """Begin a match: every chair named, every open question answered with the first answer."""
    page = phone.open(f"/new/{ruleset_id}")
    if seats:
        page = page.send(ruleset_id, press=seats)
    form = page.form(ruleset_id)
    chairs = [name for name in form.fields if name.startswith("seat-")]
    named = dict(zip(chairs, PEOPLE, strict=False))
    asked = {name: min(offers) for name, offers in form.offered.items() if name not in form.fields}
    told = {name.replace("_", "-", 1): value for name, value in said.items()}
    return phone.post(form.action, form.filled({**named, **asked, **told}, press="Start"))


def played(match: Page, **said: str) -> Page:
    """Play a hand, the rest to the bidding side."""
    told = {name.replace("took_", "took-", 1).replace("pile_", "pile-"): value for name, value in said.items()}
    form = match.phone.open(f"{match.path}hands/new").form("/hands/new")
    return match.phone.post(form.action, {**form.fields, **told, "do": "rest"})


def evening(match: Page) -> Page:
    """Play seven hands of Partnership Pitch: some made, some set, one thrown in."""
    played(match, call="p4:3", trump="spades", took_low="s1")
    played(match, call="p1:2", trump="hearts", took_low="s2", took_jack="nobody")
    played(match, call="p2:4", trump="clubs", took_low="s1")
    played(match, thrown_in="misdeal")
    played(match, call="p3:2", trump="diamonds", pile_s1="44", pile_s2="36")
    played(match, call="p4:2", took_low="s1", took_game="s1")
    return played(match, call="p1:3", trump="hearts", took_low="s2")
