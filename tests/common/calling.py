"""A hand entered by its buttons: call by call, what nobody has yet to one side, and saved."""

from collections.abc import Mapping

from tests.common.phone import Page
from tests.common.reading import Button, Form

PEOPLE = (*(f"p{number}" for number in range(1, 7)), "s1", "s2")
"""Of a table of six, as its form names them."""


def buttons(page: Page, name: str = "say") -> list[Button]:
    """Return the buttons of a hand's form that post this field."""
    return [button for button in entry_form(page).buttons if button.name == name]


def entry_form(page: Page) -> Form:
    """Return the form that a hand is entered in."""
    return page.form(page.part("hand_form").attrs["action"])


def hand_fields(entered: Mapping[str, str]) -> dict[str, str]:
    """Return what is entered of a hand by the names of its form's fields, which have a dash after their kind."""
    return {_field(name): value for name, value in entered.items()}


def _field(name: str) -> str:
    kind = name.partition("_")[0]
    if kind in ("took", "count", "pile", "sum", "penalty", "times", "bid"):
        return name.replace("_", "-", 1)
    return name.replace("_", "-") if kind == "cards" else name


def preview(entry: Page, **entered: str) -> Page:
    """Change answers, which are counted and not saved, and return the page as it then is."""
    return entry.phone.post(*_previewed(entry, entered))


def preview_part(entry: Page, **entered: str) -> Page:
    """Change answers likewise, and return the part of the page that htmx gets."""
    return entry.phone.post(*_previewed(entry, entered), part=True)


def _previewed(entry: Page, entered: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    form = entry_form(entry)
    return f"{form.action.rpartition('/')[0]}/preview", {**form.fields, **hand_fields(entered)}


def took(side: str, **others: str) -> dict[str, str]:
    """Return the fields of a hand of Partnership Pitch of which a side took everything but what others did."""
    return {f"took-{award}": others.get(award, side) for award in ("high", "low", "jack", "game")}


def finish(entry: Page) -> Page:
    """Give what is open to the bidding side by its button, and save."""
    return save(with_rest(entry))


def with_rest(entry: Page) -> Page:
    """Give what is open to the bidding side, with whose marker the count begins, and return the page as it then is."""
    form, marker = entry_form(entry), entry.part("bottom_bar").chosen(".took-by .mk")[0]
    mark = next(word for word in marker.attrs["class"].split() if word[1:].isdigit())
    takers = entry.part("hand_form").all("button", name="rest", class_=mark)
    # Of more than six sides two have one shape.
    taker = next(found for found in takers if len(takers) == 1 or found.text.startswith(marker.text))
    return entry.phone.post(form.action, {**form.fields, "rest": taker.attrs["value"]})


def save(entry: Page) -> Page:
    """Tap the big button."""
    form = entry_form(entry)
    return entry.phone.post(form.action, {**form.fields, "do": "save"})


def way(page: Page, name: str) -> Page:
    """Tap another way to enter the hand."""
    form = entry_form(page)
    assert name in {button.value for button in buttons(page, "way")}
    return page.phone.post(form.action, {**form.fields, "way": name})


def say(page: Page, *calls: str) -> Page:
    """Tap calls of an auction in turn, each for the seat that is next."""
    for call in calls:
        form = entry_form(page)
        value = next(button.value for button in buttons(page) if button.value.split(":")[2:] == [call])
        page = page.phone.post(form.action, {**form.fields, "say": value})
    return page


def back(page: Page, index: int) -> Page:
    """Tap a call that was made, to go back to it."""
    form = entry_form(page)
    assert str(index) in {button.value for button in buttons(page)}
    return page.phone.post(form.action, {**form.fields, "say": str(index)})


def quiet(page: Page) -> list[str]:
    """Name the calls that may not be made now."""
    cells = page.one(class_="call").all("span", class_="quiet")
    return [cell.one("button").attrs["value"].split(":")[2] for cell in cells]
