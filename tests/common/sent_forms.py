"""Every form of the app, found on the pages of matches, nights, books and rules, filled in and sent.

The forms come from the pages themselves: a new one joins by itself.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from flask import Flask

from scorekeeper.access.roles import LinkEnded, UnknownCode
from scorekeeper.book.books import load_book, write_book
from scorekeeper.book.events import BookRenamed
from scorekeeper.club.nights.events import NightEnded, NightRenamed, NightResumed
from scorekeeper.club.nights.service import write_night
from scorekeeper.database.engine import db
from scorekeeper.database.tables import metadata
from scorekeeper.eventlog.store import Writer
from scorekeeper.eventlog.stream import MatchClosed, Refused
from scorekeeper.matches.events import Renamed
from scorekeeper.matches.service import write_match
from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.pitch.rules.share_codes import encode
from scorekeeper.random_codes import new_code
from scorekeeper.web.library import library
from tests.browser.playing import begin_match, play_hand
from tests.common import family
from tests.common.books import book_code
from tests.common.clock import clock_set
from tests.common.family import Evening
from tests.common.guests import invited
from tests.common.nights import EIGHT, begin_night, join_night, night_invitation, night_path, seat_by_hand, tap_winner
from tests.common.opened_forms import (
    AFTER_AN_ANSWER,
    MATCHES,
    Begun,
    delete,
    endpoint_of,
    filled,
    finish,
    for_money,
    found_forms,
    guest_of,
    match_of,
    paid,
    restore,
    stop,
)
from tests.common.phone import Page, Phone
from tests.common.reading import Button, Form, forms_of

Make = Callable[[Phone], Page]
Meanwhile = Callable[[Flask, Page], None]


# ---------- nights, books, rules, and what begins one


def pairs_of_night(owner: Phone) -> Page:
    """Begin a night that nobody has started."""
    page = begin_night(owner, *EIGHT[:4])
    join_night(page, Phone(owner.client.application.test_client()))
    return owner.open(f"{night_path(page)}/")


def playing_night(owner: Phone) -> Page:
    """Play the first round of a night at which phones confirm; one table is done, and something was undone."""
    page = seat_by_hand(begin_night(owner, *EIGHT, variant="partnership-pitch"))
    owner.open(f"{night_path(page)}/settings").send("/settings", {"confirms": "yes"})
    page = tap_winner(owner.open(f"{night_path(page)}/"), "Bea & Dan")
    tap_winner(page, "Kay & Lou").send("/undo")
    return owner.open(f"{night_path(page)}/")


def done_night(owner: Phone) -> Page:
    """Play the first round of a night to its end."""
    page = seat_by_hand(begin_night(owner, *EIGHT[:4]))
    tap_winner(tap_winner(page, "Eve & Finn"), "Bea & Dan")
    return owner.open(f"{night_path(page)}/")


def deleted_night(owner: Phone) -> Page:
    """Delete a night."""
    page = playing_night(owner)
    owner.open(f"{night_path(page)}/delete").send("/delete")
    return owner.open(f"{night_path(page)}/")


def seats_at_night(owner: Phone) -> Page:
    """Play a night at which pairs have phones."""
    return playing_night(owner)


def family_book(owner: Phone) -> Page:
    """Play a family's matches into a book, in which somebody was renamed and a change was undone."""
    begin_match(owner)
    app, code = owner.client.application, book_code(owner)
    with app.app_context():
        evenings = [Evening(("Ann", "Bea", "Cal", "Dan"), date(2026, 5, day)) for day in (3, 4)]
        family.play(
            db.session,
            library(),
            load_book(db.session, code),
            [*evenings, Evening(("Eve", "Bea", "Cal", "Dan"), date(2026, 5, 5))],
            seed=3,
        )
        for name in ("Fridays", "Sundays"):
            write_book(db.session, code, BookRenamed(name=name), Writer(new_code()))
    owner.open(f"/books/{code}/settings?done=saved").send("/undo")
    owner.open(f"/books/{code}/phones").send("/phones/invite", press="role=watcher")
    return owner.open(f"/books/{code}/")


def renamed_people(owner: Phone) -> Page:
    """Join two names of a family's book, rename somebody and undo that."""
    book = family_book(owner)
    path = f"{book.path}names"
    names = {
        link.text: link.attrs["href"] for link in owner.open(path).all("a") if "/names/" in link.attrs.get("href", "")
    }
    [eve] = (href for text, href in names.items() if "Eve" in text)
    [ann] = (href for text, href in names.items() if "Ann" in text)
    form = next(found for found in owner.open(eve).forms if found.fields.get("do") == "join")
    owner.post(form.action, {**form.fields, "into": ann.rpartition("/")[2]})
    owner.open(ann).send(ann, {"name": "Anne"})
    owner.open(f"{path}?done=rename").send("/undo")
    return owner.open(path)


def undone_match(owner: Phone) -> Page:
    """Undo a hand on the phone that is to undo the one before."""
    return play_hand(play_hand(begin_match(owner), call="p1:2"), call="p2:2").send("/undo")


def moved_match(owner: Phone) -> Page:
    """Take a match out of its book, and return the page that offers to undo that."""
    return owner.open(f"{begin_match(owner).path}book").send("/book", {"book": "none"})


def invited_phone(owner: Phone) -> Page:
    """Open the code of a match on another phone."""
    return Phone(owner.client.application.test_client()).open(invited(begin_match(owner)))


def invited_to_night(owner: Phone) -> Page:
    """Open the code of a night on another phone."""
    return Phone(owner.client.application.test_client()).open(night_invitation(begin_night(owner, *EIGHT[:4])))


def house_rules(owner: Phone) -> Page:
    """Save rules of a house, change them, and archive others."""
    for name in ("Ours", "Theirs"):
        page = owner.open("/house/new?base=partnership-pitch")
        form = page.form("/house/new")
        page = owner.post(form.action, {**form.fields, "name": name, "rule-target": "11", "do": "save"})
    owner.open(page.path.removesuffix("/share")).send("/retire")
    return owner.open("/house")


def new_match(owner: Phone) -> Page:
    """Open the table of a new match."""
    return owner.open("/new/partnership-pitch")


def new_night(owner: Phone) -> Page:
    """Open the form of a new night."""
    return owner.open("/nights/new")


def shared_rules(owner: Phone) -> Page:
    """Open rules that came as a code."""
    return owner.open("/rules")


# ---------- what happens meanwhile


def rename_match(app: Flask, match: Page) -> None:
    """Write something on another phone, and a hand where the match takes one."""
    with app.app_context(), suppress(MatchClosed):
        write_match(db.session, match.code, Renamed(title=new_code()), Writer(new_code()), expected_version=None)
    if not match_of(app, match).closed_reason():
        play_hand(match, call="p3:2" if match_of(app, match).setup.seats else "s2:2")


def go_on_with_others(app: Flask, match: Page) -> None:
    """Let the money night go on in another match."""
    restore(app, match)
    page = match.open("money/players")
    if page.has_form("/players"):
        form = page.form("/players")
        page = match.phone.post(form.action, {**form.fields, "stays": ["p1", "p2", "p3"], "joins-1": new_code()[:8]})
        assert page.path != match.path, page.text


def write_at_night(app: Flask, night: Page) -> None:
    """Write something at a night on another phone."""
    with app.app_context(), suppress(Refused):
        write_night(db.session, night.code, NightRenamed(title=new_code()[:8]), Writer(new_code()))
        write_night(db.session, night.code, NightResumed(), Writer(new_code()))


def play_next_round(_app: Flask, night: Page) -> None:
    """Seat everybody where nobody sits, or play the round to its end and start the next."""
    path = night_path(night)
    page = night.phone.open(f"{path}/pairs")
    if page.has_form("/start"):
        page.send("/start")
    page = night.phone.open(f"{path}/")
    while waits := page.all("li", class_="wait-row"):
        page = tap_winner(page, waits[0].all("button")[0].text)
    if page.has_form("/rounds"):
        page.send("/rounds")


def end_night(app: Flask, night: Page) -> None:
    """End a night."""
    with app.app_context(), suppress(Refused):
        write_night(db.session, night.code, NightEnded(), Writer(new_code()))


def delete_night(_app: Flask, night: Page) -> None:
    """Delete a night."""
    page = night.phone.open(f"{night_path(night)}/delete")
    if page.has_form("/delete"):
        page.send("/delete")


def write_in_book(app: Flask, book: Page) -> None:
    """Rename a book on another phone."""
    with app.app_context(), suppress(UnknownCode, LinkEnded):  # its own phone may have got another link
        write_book(db.session, book.code, BookRenamed(name=new_code()[:8]), Writer(new_code()))


def rename_people(app: Flask, book: Page) -> None:
    """Rename everybody on another phone."""
    path = f"/books/{book.code}/names"
    for link in book.phone.open(path).all("a"):
        if "/names/" in link.attrs.get("href", ""):
            book.phone.open(link.attrs["href"]).send(link.attrs["href"], {"name": new_code()[:8]})


def change_house(_app: Flask, page: Page) -> None:
    """Change every set of rules on another phone, and archive it."""
    for link in page.phone.open("/house").all("a"):
        href = link.attrs.get("href", "")
        if href.count("/") == 2 and not href.startswith("/house/new"):
            page.phone.open(href).post(href, {"name": new_code()[:8], "do": "save"})
            page.phone.open(href).send("/retire")


def play_and_begin_another(app: Flask, page: Page) -> None:
    """Play a hand of every match of the phone, and begin another one."""
    links = {found.attrs.get("href", "") for found in page.phone.open("/").all("a")}
    for path in sorted(link for link in links if link.startswith("/matches/")):
        rename_match(app, page.phone.open(path))
    begin_match(page.phone)


IN_MATCH: tuple[Meanwhile, ...] = (rename_match, stop, delete, finish)
IN_MONEY_NIGHT: tuple[Meanwhile, ...] = (rename_match, go_on_with_others, delete)
AT_NIGHT: tuple[Meanwhile, ...] = (write_at_night, play_next_round, end_night, delete_night)
START_PAGES: dict[Make, tuple[Meanwhile, ...]] = {
    **{make: IN_MONEY_NIGHT if make in (for_money, paid) else IN_MATCH for make in MATCHES},
    **dict.fromkeys((pairs_of_night, playing_night, done_night, deleted_night, seats_at_night), AT_NIGHT),
    **dict.fromkeys((family_book, renamed_people), (write_in_book, rename_people)),
    house_rules: (change_house,),
    undone_match: (rename_match, stop, delete),
    **dict.fromkeys((moved_match, invited_phone, invited_to_night), ()),
    **dict.fromkeys((new_match, new_night, shared_rules), (play_and_begin_another,)),
}


def beside(make: Make, page: Page) -> tuple[str, ...]:
    """Return the rest of the addresses to which no link of a start page leads, but the response to a form."""
    if make is house_rules:
        own = [link.attrs["href"] for link in page.all("a") if "/house/" in link.attrs.get("href", "")]
        return ("/new?base=racehorse", *(f"{found.removeprefix('/house')}/share?said=saved" for found in own))
    code = encode(HouseRules("Ours", "partnership-pitch", {"target": 11}))
    pages: dict[Make, tuple[str, ...]] = {
        shared_rules: (f"?r={code}",),
        family_book: ("settings?done=saved", "settings?done=undone", "phones?let=watcher"),
        renamed_people: ("?done=undo", "?done=rename"),
        pairs_of_night: ("phones?let=watcher",),
        moved_match: (f"?{page.response.request.query_string.decode()}",),
    }
    return pages.get(make, AFTER_AN_ANSWER if make in MATCHES else ())


# ---------- the forms


def phone_of(app: Flask, make: Make, start_page: Page) -> Page:
    """Open a start page on the phone that sends forms: of a match another owner's, of a night perhaps a pair's."""
    if make is seats_at_night:
        seat = join_night(start_page, Phone(app.test_client()), name="Ann & Cal")
        return seat.phone.open(f"{night_path(seat)}/")
    return guest_of(app, start_page) if make in MATCHES else start_page


Kind = tuple[str, str, str, str]


def kind_of(endpoint: str, form: Form, button: Button | None) -> Kind:
    """Return what is alike in forms, sent by a button, of which one is enough."""
    name, value = (button.name, button.value) if button else ("", "")
    return endpoint, form.fields.get("do", ""), name, "" if name in ("winner", "pair") else value


LOOKS = ("way", "say", "step", "rest", "more")
"""How the names of buttons begin that write nothing."""


def buttons_of(form: Form) -> list[Button | None]:
    """Return the buttons of a form, those that do the same once; `None` where there is none."""
    return [*{(button.name, button.value): button for button in form.buttons}.values()] or [None]


def sendable_forms(app: Flask, page: Page, more: Sequence[str]) -> dict[Kind, tuple[str, int, Button | None]]:
    """Return of each kind a form that a start page leads to: the page, the index of the form on it, and the button."""
    seen, sendable = Counter[str](), dict[Kind, tuple[str, int, Button | None]]()
    for endpoint, path, form in found_forms(app, page, more):
        for button in buttons_of(form):
            if button is None or button.name.partition("-")[0] not in LOOKS:
                sendable[kind_of(endpoint, form, button)] = path, seen[path], button
        seen[path] += 1
    return sendable


def rows(app: Flask) -> dict[str, list[Any]]:
    """Return all that is stored, but for when a phone was here last and until when a code is good."""
    with app.app_context():
        return {table.name: [tuple(row) for row in db.session.execute(STORED[table])] for table in STORED}


STORED = {
    table: sa.select(*(column for column in table.c if column.name not in ("last_seen", "expires_at", "alive_at")))
    for table in metadata.sorted_tables
}


@dataclass(frozen=True)
class Opened:
    """A form that was opened and filled in, on a database that is as it was when its start page was made."""

    make: Make
    start_page: Page
    kind: Kind
    phone: Phone
    action: str
    fields: dict[str, Any]

    def send(self) -> tuple[str, str | None]:
        """Send it, and return the answer."""
        answer = self.phone.client.post(self.action, data=self.fields)
        return answer.status, answer.location

    @property
    def description(self) -> str:
        """Say which form it is."""
        return f"{' '.join(self.kind)} of {self.make.__name__}"


def opened(
    app: Flask, database_url: str, tried: set[tuple[str, ...]], wrong: timedelta = timedelta()
) -> Iterator[Opened]:
    """Open each form of each place, of what is alike until one has been tried, on a clock that may be wrong."""
    empty = Begun(app, Path(database_url.removeprefix("sqlite:///")))
    for make in START_PAGES:
        empty.restore()
        start_page = make(Phone(app.test_client()))
        mine = phone_of(app, make, start_page)
        with clock_set(wrong):
            sendable = sendable_forms(app, mine, beside(make, mine))
        begun, cookie = Begun(app, empty.file), mine.phone.client.get_cookie("scorekeeper")
        assert cookie
        for kind, (path, number, button) in sendable.items():
            if (key := (*kind, str(START_PAGES[make]))) in tried:
                continue
            begun.restore()
            mine.phone.client.set_cookie("scorekeeper", cookie.value)
            with clock_set(wrong):
                page = mine.phone.open(mine.path + path)
            form = [value for value in forms_of(page.root) if endpoint_of(app, value.action)][number]
            before = rows(app)
            yield Opened(make, start_page, kind, mine.phone, form.action, filled(form, button))
            if rows(app) != before:
                tried.add(key)


def sizes(app: Flask) -> Counter[str]:
    """Return how many rows every table has."""
    return Counter({name: len(found) for name, found in rows(app).items()})
