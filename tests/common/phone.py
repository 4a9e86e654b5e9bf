"""A phone without a screen: it opens pages, follows links, fills in forms, and sends their tokens along."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from threading import Barrier
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.common.reading import Element, Form, forms_of, read

PART = {"HX-Request": "true"}


@dataclass(frozen=True)
class Page:
    """What came back."""

    response: TestResponse
    phone: "Phone"

    @cached_property
    def root(self) -> Element:
        """The whole page."""
        return read(self.response.text)

    @cached_property
    def forms(self) -> list[Form]:
        """Every form on it."""
        return forms_of(self.root)

    @property
    def status(self) -> int:
        """The status it came with."""
        return self.response.status_code

    @property
    def path(self) -> str:
        """Where it lies, without what follows the question mark."""
        return self.response.request.path

    @property
    def code(self) -> str:
        """The code of the link that it was opened by, of a match, a book or a night."""
        return self.path.split("/")[2]

    @property
    def text(self) -> str:
        """All its words."""
        return self.root.text

    def all(self, tag: str = "", **wanted: str) -> list[Element]:
        """Return every element of that tag with those attributes."""
        return self.root.all(tag, **wanted)

    def one(self, tag: str = "", **wanted: str) -> Element:
        """Return the only such element."""
        return self.root.one(tag, **wanted)

    def open(self, rest: str = "", *, part: bool = False) -> "Page":
        """Open a page below it, or itself again, on the same phone."""
        return self.phone.open(self.path + rest, part=part)

    def post(self, ending: str, fields: Mapping[str, Any], *, part: bool = False, follow: bool = True) -> "Page":
        """Send a form with these fields, whatever it may offer."""
        form = self.form(ending)
        return self.phone.post(form.action, {**form.fields, **fields}, part=part, follow=follow)

    def part(self, element_id: str) -> Element:
        """Return the element of that id."""
        return self.one(id=element_id)

    def has(self, element_id: str) -> bool:
        """Return whether there is such an element."""
        return bool(self.all(id=element_id))

    @property
    def record(self) -> dict[str, Any]:
        """The match, as its file has it."""
        record: dict[str, Any] = self.open("record.json").response.get_json()
        return record

    @property
    def faults(self) -> str:
        """The text of the red notice."""
        return self.one(class_="bad").text

    def form(self, ending: str = "") -> Form:
        """Return the form whose address ends so, with or without what follows the question mark."""
        found = [form for form in self.forms if _goes_to(form, ending)]
        assert found, f"no form goes to {ending}"
        return found[0]

    def has_form(self, ending: str) -> bool:
        """Return whether a form goes there."""
        return any(_goes_to(form, ending) for form in self.forms)

    def send(self, ending: str, answers: dict[str, str] | None = None, press: str = "") -> "Page":
        """Fill in a form, send it, and go where that leads."""
        form = self.form(ending)
        return self.phone.post(form.action, form.filled(answers or {}, press))

    def tap(self, label: str) -> "Page":
        """Follow the first link of that label, or send the first form of that one button."""
        for link in self.all("a"):
            if label in (link.text, link.label, link.attrs.get("aria-label")):
                return self.phone.open(link.attrs["href"].partition("#")[0])
        single = (found for found in self.forms if len(found.buttons) == 1)
        form = next(found for found in single if label in (found.buttons[0].label, found.buttons[0].called))
        return self.phone.post(form.action, form.fields)

    def offers(self, label: str) -> bool:
        """Return whether there is a link or a button of that label."""
        return any(label in (element.text, element.label) for tag in ("a", "button") for element in self.all(tag))

    @property
    def scores(self) -> dict[str, str]:
        """The score of each side on the match page, by id."""
        return {
            element.attrs["data-score"]: element.text for element in self.root.walk() if "data-score" in element.attrs
        }

    @property
    def rows(self) -> list[str]:
        """The hands on the match page, newest first."""
        return [row.text for row in self.part("history").one("tbody").all("tr") if row.attrs.get("class") != "opened"]


def _goes_to(form: Form, ending: str) -> bool:
    return form.action.endswith(ending) or form.action.partition("?")[0].endswith(ending)


def tap_together(phone: "Phone", path: str, fields: Callable[[], dict[str, Any]]) -> list[tuple[str, str | None]]:
    """Send a form twice at the same moment, and return both answers."""
    cookie, together = phone.client.get_cookie("scorekeeper"), Barrier(2)
    clients = [phone.client.application.test_client() for _ in range(2)]
    for client in clients:
        client.set_cookie("scorekeeper", cookie.value if cookie else "")

    def tap(client: FlaskClient) -> tuple[str, str | None]:
        together.wait()
        answer = client.post(path, data=fields())
        return answer.status, answer.location

    with ThreadPoolExecutor(2) as pool:
        return [*pool.map(tap, clients)]


class Phone:
    """The phone of a scorekeeper: a client of the app with cookies of its own."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def open(self, path: str, *, part: bool = False) -> Page:
        """Open a page, or ask for a part of it as htmx does."""
        return Page(self.client.get(path, headers=PART if part else {}), self)

    def post(self, path: str, fields: dict[str, Any], *, part: bool = False, follow: bool = True) -> Page:
        """Send fields, whatever a page may offer, and go where that leads."""
        response = self.client.post(path, data=fields, headers=PART if part else {}, follow_redirects=follow)
        return Page(response, self)

    def upload(self, page: Page, ending: str, name: str, content: bytes) -> Page:
        """Send a file by a form."""
        form = page.form(ending)
        return self.post(form.action, {**form.fields, "record": (BytesIO(content), name)})
