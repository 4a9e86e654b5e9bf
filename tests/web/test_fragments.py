"""A part that htmx requests is the same as in the whole page."""

import re

import pytest

from tests.common.phone import Page, Phone

CHANGING = re.compile(r'(name="(?:csrf_token|client_key)" value=")[^"]*')
"""The values of forms that differ at each rendering."""

TAPPED = {
    "nothing": {},
    "a bid": {"call": "p4:3"},
    "a bid and a card": {"call": "p4:3", "trump": "hearts", "took-low": "s1"},
    "everything": {f"took-{award}": "s2" for award in ("high", "low", "jack", "game")} | {"call": "p4:4"},
    "what cannot be": {f"took-{award}": "nobody" for award in ("high", "low", "jack", "game")} | {"call": "p4:4"},
    "every trick": {"call": "p2:smudge", "all_tricks": "yes"},
}


def bare(page: Page) -> str:
    """Return what was sent, without what is new each time."""
    return CHANGING.sub(r"\1", page.response.text).strip()


@pytest.mark.parametrize("name", TAPPED)
def test_the_preview_has_the_save_bar_of_the_page(match: Page, phone: Phone, name: str) -> None:
    form = match.tap("Record hand").form("/hands/new")
    address = form.action.replace("/new", "/preview")
    shown = phone.post(address, {**form.fields, **TAPPED[name]})
    fields = {**form.fields, **TAPPED[name], "asks": shown.form("/hands/new").fields["asks"]}

    part, whole = phone.post(address, fields, part=True), phone.post(address, fields)

    assert [piece for piece in bare(part).split("<summary") if piece.strip() not in bare(whole)] == []
    assert [child.attrs["id"] for child in part.root.inside if not isinstance(child, str)] == [
        "bottom_bar",
        "told-line",
    ]
