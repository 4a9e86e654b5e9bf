"""On a public server, pages show what is stored, and where to report abuse."""

import pytest
from flask import Flask

from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin


def pages(match: Page, phone: Phone) -> list[Page]:
    return [phone.open(path) for path in ("/", "/settings", f"{match.path}menu", "/nowhere")]


@pytest.mark.parametrize(
    ("contact", "href"),
    [
        ("host@club.example", "mailto:host@club.example"),
        ("https://club.example/contact", "https://club.example/contact"),
    ],
)
def test_pages_say_whom_to_write_to(app: Flask, begin: Begin, phone: Phone, contact: str, href: str) -> None:
    app.config["CONTACT"] = contact

    for page in pages(begin(), phone):
        [link] = [found for found in page.all("a") if found.text == contact]
        assert link.attrs["href"] == href
        assert "Kept here: what you type" in page.text
        assert "scrambled, of whoever starts a match, prints or imports" in page.text


def test_without_a_contact_pages_show_no_notice(begin: Begin, phone: Phone) -> None:
    assert not any("Kept here" in page.text for page in pages(begin(), phone))
