"""What cannot be is refused at its field, by every form: nothing is folded over it, and what was typed stays."""

from typing import Any

import pytest

from tests.common.phone import Page
from tests.common.tables import table

FORMS = table(__file__, "refusals.toml")["form"]
CASES = [(form, refused) for form in FORMS for refused in form["refused"]]


@pytest.mark.parametrize(("form", "refused"), CASES, ids=[str(refused["typed"]) for _, refused in CASES])
def test_what_cannot_be_is_refused_at_its_field_and_kept_as_typed(
    match: Page, form: dict[str, Any], refused: dict[str, Any]
) -> None:
    entered = {**form.get("rest", {}), **refused["typed"]}
    at, before = refused.get("at", next(iter(refused["typed"]))), match.record
    empty = match.phone.open(form["page"].format(match=match.path))

    page = empty.post(empty.path, entered)

    assert page.status == 422
    links = {link.attrs["href"]: link.text for link in page.one(class_="bad").all("a")}
    assert {href: why for href, why in links.items() if href[0] == "#"} == {f"#{at}": refused["why"]}
    field = page.part(at)
    assert field.attrs.get("aria-invalid") == ("true" if field.tag in ("input", "select", "textarea") else None)
    assert "aria-invalid" not in field.attrs or refused["why"] in page.part(field.attrs["aria-describedby"] or "").text
    assert ["open" in part.attrs for part in page.all("details") if part.all(id=at)] in ([], [True])
    shown = next(found for found in page.forms if entered.keys() & found.fields.keys())
    possible = {name: word for name, word in entered.items() if word in shown.offered.get(name, {word})}
    assert {name: shown.fields[name] for name in possible.keys() & shown.fields.keys()}.items() <= possible.items()
    assert match.record == before
