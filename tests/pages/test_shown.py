"""What pages say: each file of `shown/` has addresses and the words found there, for some once a link was tapped or a
form was sent.

A match is described as in tests/scenarios.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.common.importing import brought_in
from tests.common.phone import Page, Phone
from tests.common.thursday import thursday
from tests.scenarios.scene import told_record


def cases() -> Iterator[Any]:
    for file in sorted(Path(__file__).with_name("shown").glob("*.toml")):
        shown = tomllib.loads(file.read_text(encoding="utf-8"))
        for page in shown.pop("page"):
            case = {**shown, **page}
            for address in case.get("opens", ["{match}?more=yes"]):
                yield pytest.param(case, address, id=f"{file.stem}: {case['name']}")


def opened(phone: Phone, case: dict[str, Any], address: str) -> Page:
    """Open an address, of a match that is imported if there is one, and go where it leads."""
    address = address.replace("{long}", "9" * 5000).replace(
        "{many}", "".join(f"&told-{n}-off_jack=s1" for n in range(500))
    )
    if "{match}" in address:
        record = told_record(**case) if "hands" in case else thursday()
        match = brought_in(phone, {**record, **case.get("also", {})})
        address = address.replace("{match}", match.path)
    return Page(phone.client.get(address, follow_redirects="status" not in case), phone)


@pytest.mark.parametrize(("case", "address"), [*cases()])
def test_page(phone: Phone, case: dict[str, Any], address: str) -> None:
    page = opened(phone, case, address)
    for name in case.get("taps", ()):
        page = page.tap(name)
    for fields in case.get("sends", ()):
        page = page.post(page.path, fields)
    for address in case.get("then", ()):
        page = page.open(address)

    text = " ".join(part.text for part in page.root.chosen(case.get("within", "html")))
    assert page.status == case.get("status", 200)
    assert [words for words in case.get("shows", ()) if words not in text] == []
    assert [words for words in case.get("hides", ()) if words in text] == []
    assert [selector for selector in case.get("has", ()) if not page.root.chosen(selector)] == []
    assert [selector for selector in case.get("lacks", ()) if page.root.chosen(selector)] == []
    kept = {name: word for form in page.forms for name, word in form.fields.items()}
    assert {name: kept.get(name) for name in case.get("fields", ())} == case.get("fields", {})
