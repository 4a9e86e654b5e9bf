"""Keep what a phone may have and post later: `python -m tests.contract [RECORDING]`.

A recording that is not there yet begins with a world of its own. To one that is there, only what is new is added: forms
with other fields or buttons, addresses, links, keys. What is kept stays, but for the answers to forms with `--answers`,
after a change of them that is meant.
"""

import sqlite3
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from scorekeeper.database.migrating import migrate
from scorekeeper.printing import print_service
from tests.common.apps import close, make_app
from tests.common.gallery import won
from tests.common.nights import night_path
from tests.common.opened_forms import endpoint_of, filled, found_pages, plain
from tests.common.phone import Page, Phone
from tests.common.reading import Button, Form, forms_of, read
from tests.common.sent_forms import (
    START_PAGES,
    beside,
    buttons_of,
    done_night,
    kind_of,
    phone_of,
    playing_night,
    renamed_people,
)
from tests.contract.addresses import (
    PRINTED,
    address_of,
    addresses,
    cookies,
    keys_of,
    parameters,
    queries,
    shown,
    without,
)
from tests.contract.world import (
    KEPT,
    SECRET_KEY,
    KeptForm,
    KeptPhone,
    World,
    alike,
    holds,
    opened,
    read_lines,
    write_lines,
)

RECORDS = Path(__file__).with_name("records.jsonl")
"""Matches whose hands have every field between them."""
ANOTHER = "another phone of plain"
OTHERWISE = "with other answers"
TIMES = 12
"""How often a form is posted to tell what is drawn by lot."""
TAPS = ("way", "say", "step", "rest", "more", "passed", "undo")
"""How the names of buttons begin that only show the form anew: one of each is enough."""
OTHERS = ("/settings", "/transfer", "/join", "/new/racehorse", "/new/cutthroat-pitch", "/new/moon-over-four", "/settle")
HANDS = ("1", "new", "new?by=auction", "new?by=counts", "2", "1/settle")
FILES = {"/house/file": ("file", "contract/rules.toml"), "/transfer": ("record", "contract/upload.json")}
OF_A_BOOK = ("record", "golden/book.jsonl")


# ---------- the world


def record(folder: Path) -> None:
    """Begin a recording: matches, nights, books and rules in one database, each on a phone of its own."""
    folder.mkdir(parents=True)
    for name in ("forms", "links", "downloads", "addresses", "cookies"):
        write_lines(folder / f"{name}.jsonl", ())
    with tempfile.TemporaryDirectory() as folder_name, pytest.MonkeyPatch.context() as patch:
        patch.setattr("scorekeeper.pages.match.views.UNDO_PAUSE", timedelta())
        file = Path(folder_name) / "world.sqlite3"
        app = make_app(Path(folder_name) / "instance", f"sqlite:///{file}", SCOREKEEPER_SECRET_KEY=SECRET_KEY)
        migrate(app)
        write_lines(folder / "phones.jsonl", map(vars, phones(app)))
        close(app)
        connection = sqlite3.connect(file)
        text = "\n".join(connection.iterdump())
        connection.close()
    at = datetime.now(UTC).isoformat()
    (folder / "world.sql").write_text(f"-- recorded at {at}\n{text}\n", encoding="utf-8")


def phones(app: Flask) -> Iterator[KeptPhone]:
    """Make the start pages, and yield a phone at each."""
    for make in (*START_PAGES, *MORE_START_PAGES):
        owner = make(Phone(app.test_client()))
        mine = phone_of(app, make, owner)
        yield _kept(mine.phone, make.__name__, mine.path, beside(make, mine))
        if make is plain:
            yield _kept(owner.phone, ANOTHER, f"{owner.path}hands/new")
    phone = Phone(app.test_client())
    phone.upload(phone.open("/transfer"), "/transfer", "records.jsonl", RECORDS.read_bytes())
    links = (link.attrs.get("href", "") for link in phone.open("/").root.all("a"))
    for number, path in enumerate(sorted({link for link in links if link.startswith("/matches/")})):
        yield _kept(phone, f"hands {number}", f"{path}hands/", HANDS)
    for path in OTHERS:
        yield _kept(phone, path, path)


def _kept(phone: Phone, name: str, path: str, others: tuple[str, ...] = ()) -> KeptPhone:
    cookie = phone.client.get_cookie("scorekeeper")
    return KeptPhone(name=name, cookie=cookie.value if cookie else "", path=path, beside=others)


def ended_night(owner: Phone) -> Page:
    """End a night."""
    path = night_path(done_night(owner))
    form = next(form for form in owner.open(f"{path}/settings").forms if form.fields.get("do") == "end")
    owner.post(form.action, form.fields)
    return owner.open(f"{path}/")


def left_night(owner: Phone) -> Page:
    """Let a pair leave a night."""
    path = night_path(playing_night(owner))
    owner.open(f"{path}/pairs").send("/pairs/1", press="Leave for tonight")
    return owner.open(f"{path}/")


def nameless_person(owner: Phone) -> Page:
    """Delete a name from a book."""
    path = f"{renamed_people(owner).path}"
    links = (link.attrs.get("href", "") for link in owner.open(path).root.all("a"))
    link = next(link for link in links if "/names/" in link)
    form = next(form for form in owner.open(link).forms if form.fields.get("do") == "delete")
    owner.post(form.action, form.fields)
    return owner.open(path)


MORE_START_PAGES = (ended_night, left_night, won, nameless_person)


# ---------- the forms


def pages_of(world: World, phone: KeptPhone) -> Iterator[tuple[str, Page]]:
    """Yield the pages of a phone in the world as it was recorded, each with the rest of its address."""
    world.restore()
    yield from found_pages(Phone(world.client(phone.name)).open(phone.path), phone.beside)


def found(world: World, phone: KeptPhone) -> Iterator[KeptForm]:
    """Yield every form that a phone finds, with every button."""
    hands = dict[str, str]()
    for path, page in pages_of(world, phone):
        for form in page.forms:
            endpoint, address = endpoint_of(world.app, form.action), address_of(world.app, form.action, "POST")
            if "/hands/" in phone.path and path == "1" and endpoint == "hands.edit_submit":
                hands = form.fields
            for button in buttons_of(form):
                if endpoint and "csrf_token" in form.fields:
                    kept = KeptForm(
                        name=_name(address, *kind_of(endpoint, form, button)),
                        phone=phone.name,
                        action=form.action,
                        fields=_pairs(_filled(form, button, hands, address)),
                        file=OF_A_BOOK if address.endswith("/import") else FILES.get(form.action.partition("?")[0]),
                    )
                    yield kept
                    yield from _otherwise(form, kept)


def _name(address: str, _endpoint: str, do: str, name: str, value: str) -> str:
    value = "" if name.partition("-")[0] in TAPS else value
    return " ".join(part for part in (address, do, f"{name}={value}" if name else "") if part)


def _filled(form: Form, button: Button | None, hands: dict[str, str], address: str) -> dict[str, Any]:
    if "/hands/" in address and hands:
        pressed = {button.name: button.value} if button and button.name else {}
        return {**form.fields, **_hand(form, hands), **pressed}
    return filled(form, button)


def _pairs(fields: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, value) for name, values in fields.items() for value in (values if isinstance(values, list) else [values])
    )


def _otherwise(form: Form, kept: KeptForm) -> Iterator[KeptForm]:
    """Yield a form with another answer to each of its questions, and one for each answer to a single question."""
    fields = dict(kept.fields)
    others = {name: sorted(offers - {fields.get(name, "")}) for name, offers in form.offered.items() if name != "stays"}
    if "/hands/" in kept.name or not any(others.values()):
        return
    name = f"{kept.name} {OTHERWISE}"
    yield replace(
        kept, name=name, fields=_pairs({**fields, **{name: offers[-1] for name, offers in others.items() if offers}})
    )
    if len(others) == 1:
        [(question, offers)] = others.items()
        yield from (replace(kept, name=name, fields=_pairs({**fields, question: answer})) for answer in offers)


def _hand(form: Form, hands: dict[str, str]) -> dict[str, str]:
    """Return what was entered of another hand, and a penalty, so that a correction changes something."""
    known = form.fields.keys() | form.offered
    own = ("csrf_token", "client_key", "version", "end", "index", "uid", "asks", "shown", "by")
    entered = {name: value for name, value in hands.items() if name in known and name not in own}
    penalty = min((name for name in known if name.startswith("penalty-")), default="")
    return {**entered, **({penalty: "1"} if penalty and not entered.get(penalty) else {})}


def by_hand(world: World) -> Iterator[KeptForm]:
    """Yield what is typed: a PIN."""
    world.restore()
    pin = open_pin(world)
    form = Phone(world.client("/join")).open("/join").form("/join")
    yield KeptForm(name="POST /join", phone="/join", action="/join", fields=_pairs({**form.fields, "pin": pin}))


def open_pin(world: World) -> str:
    """Return the PIN of an invitation to a match."""
    connection = sqlite3.connect(":memory:")
    connection.executescript((world.folder / "world.sql").read_text(encoding="utf-8"))
    chosen = connection.execute("SELECT pin FROM invitation WHERE ended_at IS NULL AND pin IS NOT NULL ORDER BY id")
    pin = str(chosen.fetchone()[0])
    connection.close()
    return pin


def of_watchers(world: World) -> Iterator[KeptForm]:
    """Yield the forms by which a phone disputes a hand, withdraws the dispute, and confirms the hand."""
    world.restore()
    phone = world.phones["plain"]
    token = Phone(world.client(phone.name)).open(phone.path).form("/undo").fields["csrf_token"]
    first = ""
    for says in ("wrong", "withdrawn", "confirmed"):
        name, action = f"POST /matches/<>/history/<int>/dispute says={says}", f"{phone.path}history/1/dispute"
        fields = {"csrf_token": token, "made": "1", "says": says, "client_key": f"says-{says}"}
        form = KeptForm(name=name, phone=phone.name, action=action, fields=_pairs(fields))
        yield replace(form, first=(first,) if first else ())
        first = first or name


def by_outbox(world: World) -> Iterator[KeptForm]:
    """Yield what scripts post of a hand: one that waited, was changed, met another phone's or was discarded."""
    new = "POST /matches/<>/hands/new do=save"
    first = next(form for form in world.forms if form.name == new)
    script = replace(first, name=f"{new} by the outbox", by_script=True)
    yield script
    yield _with(script, "behind one that waited", new, client_key="second", index="3", call="p3:2")
    yield _with(script, "changed while it waited", new, client_key="changed", replaces=_field(first), trump="clubs")
    world.restore()
    form = Phone(world.client(ANOTHER)).open(world.phones[ANOTHER].path).form("/hands/new")
    hand = {name: value for name, value in first.fields if name.startswith(("took-", "do"))}
    fields = tuple({**form.fields, **hand, "call": "p3:2"}.items())
    other = KeptForm(name=f"{new} by another phone", phone=ANOTHER, action=form.action, fields=fields)
    yield other
    met = _with(script, "where another phone was first", other.name)
    yield met
    yield _with(script, "behind another phone's", other.name, client_key="behind", index="3")
    yield _with(script, "from before a backup was restored", "", client_key="restored", end="00000000")
    world.restore()
    world.send(other)
    for form in forms_of(read(world.send(met).text)):
        if "version" in form.fields and "/hands/" in form.action:
            name = f"{address_of(world.app, form.action, 'POST')} chosen of two hands"
            chosen = replace(script, name=name, action=form.action, fields=tuple(form.fields.items()))
            yield replace(chosen, first=(other.name,))
    stop = "POST /matches/<>/stop"
    yield _with(script, "after the match was stopped", stop, client_key="stopped")
    yield _with(script, "after the match was stopped, which it resumes", stop, client_key="resumes", do="resume")
    token = ("csrf_token", _field(first, "csrf_token"))
    yield replace(script, name=f"{new} discarded in the outbox", fields=(token, ("do", "discard")))
    preview = first.action.replace("/new", "/preview")
    yield replace(script, name="POST /matches/<>/hands/preview by a script", action=preview)


def _field(form: KeptForm, name: str = "client_key") -> str:
    return dict(form.fields)[name]


def _with(form: KeptForm, what: str, first: str, **others: str) -> KeptForm:
    fields = {**dict(form.fields), **others}
    return replace(form, name=f"{form.name} {what}", fields=tuple(fields.items()), first=(first,) if first else ())


def add_forms(world: World) -> None:
    """Keep the forms that nobody has kept; of several of a kind one that is accepted."""
    kept = {_kind(form) for form in world.forms}
    kinds = dict[Any, list[KeptForm]]()
    for form in (*(form for phone in world.phones.values() for form in found(world, phone)), *by_hand(world)):
        if _kind(form) not in kept:
            kinds.setdefault(_kind(form), []).append(form)
    for forms in kinds.values():
        accepted = next((form for form in forms if _is_accepted(world, form)), None)
        name = forms[0].name.removesuffix(f" {OTHERWISE}")
        same = sum(form.name.partition(" #")[0].removesuffix(f" {OTHERWISE}") == name for form in world.forms)
        if accepted or not same:
            chosen = accepted or forms[0]
            world.forms.append(replace(chosen, name=f"{chosen.name} #{same + 1}") if same else chosen)
    names = {form.name for form in world.forms}
    world.forms += [form for form in (*by_outbox(world), *of_watchers(world)) if form.name not in names]


def _kind(form: KeptForm) -> tuple[Any, ...]:
    name = form.name.partition(" #")[0]
    is_saved = "/hands/" not in name or name.endswith("do=save")
    is_tap = name.rpartition(" ")[2].partition("=")[0].partition("-")[0] in TAPS
    return (name, form.names) if is_saved and not is_tap else (name,)


def _is_accepted(world: World, form: KeptForm) -> bool:
    world.restore()
    return bool(world.send(form).location)


def answer(world: World, form: KeptForm) -> KeptForm:
    """Return a form with the answer to it, as far as that is the same each time."""
    return replace(form, answer=reduce(alike, (world.post(form) for _ in range(TIMES))))


def _is_kept(world: World, form: KeptForm, looks_again: bool) -> bool:
    return bool(form.answer) and not (looks_again and not holds(form.answer, world.post(form)))


# ---------- what else there is


def add_links(world: World) -> None:
    """Keep links with query parameters, and which of these a page depends on."""
    file = world.folder / "links.jsonl"
    links = read_lines(file)
    kept = {(link["to"], name) for link in links for name in link["parameters"]}
    for phone in world.phones.values():
        for _, page in pages_of(world, phone):
            for link in sorted(set(queries(page))):
                address = address_of(world.app, link, "GET")
                names = {name for name in parameters(link) if address and (address, name) not in kept}
                if names and not address.endswith(PRINTED) and not link.startswith("/static/"):
                    needed = _needed(world, phone.name, link, sorted(names))
                    kept |= {(address, name) for name in needed}
                    if needed:
                        links.append({"phone": phone.name, "link": link, "to": address, "parameters": needed})
    write_lines(file, links)


def drop_passing_links(world: World, known: int) -> None:
    """Drop of the links after the first `known` what a page depended on only while the process remembered something."""
    file = world.folder / "links.jsonl"
    links = read_lines(file)
    for link in links[known:]:
        link["parameters"] = _needed(world, link["phone"], link["link"], link["parameters"])
    write_lines(file, [*links[:known], *(link for link in links[known:] if link["parameters"])])


def _needed(world: World, phone: str, link: str, names: Iterable[str]) -> list[str]:
    world.restore()
    whole = shown(world, phone, link)
    return [name for name in names if shown(world, phone, without(link, name)) != whole]


def add_downloads(world: World) -> None:
    """Keep the keys of what a phone may download: of the records of all hands, and of one file of each other kind."""
    file = world.folder / "downloads.jsonl"
    kept, pages = {line["link"]: line for line in read_lines(file)}, set[str]()
    for phone in world.phones.values():
        links = {"/manifest.webmanifest", "/healthz"}
        if phone.name.startswith("hands"):
            links |= {"/transfer/matches.json", f"{phone.path.removesuffix('hands/')}record.json"}
        for _, page in pages_of(world, phone):
            links |= {link.attrs["href"] for link in page.root.chosen("a[href^='/']")}
        for link in sorted(link for link in links if not link.partition("?")[0].endswith(PRINTED)):
            address = address_of(world.app, link, "GET")
            if address in pages and not link.endswith("/record.json"):
                continue
            pages.add(address)
            world.restore()
            response = world.client(phone.name).get(link)
            if response.mimetype != "text/html" and (keys := keys_of(response)):
                keys = sorted({*kept.get(link, {}).get("keys", ()), *keys})
                kept[link] = {"phone": phone.name, "link": link, "to": address, "keys": keys}
    write_lines(file, kept.values())


def add_lines(file: Path, now: Iterable[str]) -> None:
    """Keep what is there now, beside what was kept."""
    write_lines(file, sorted({*read_lines(file), *now}))


def main() -> None:
    """Begin a recording, or add to one."""
    parser = ArgumentParser(prog="python -m tests.contract", description=__doc__)
    parser.add_argument(
        "recording", nargs="?", default=max((folder.name for folder in KEPT.glob("*")), default="first")
    )
    parser.add_argument("--answers", action="store_true", help="where an answer is another one now, keep that")
    args = parser.parse_args()
    folder = KEPT / args.recording
    print_service.start = lambda: None
    if not folder.exists():
        record(folder)
    with opened(folder) as world:
        add_forms(world)
        world.save()
        world.forms = [form if _is_kept(world, form, args.answers) else answer(world, form) for form in world.forms]
        world.save()
        known = len(read_lines(folder / "links.jsonl"))
        add_links(world)
        add_downloads(world)
        add_lines(folder / "addresses.jsonl", addresses(world.app))
        add_lines(folder / "cookies.jsonl", cookies(world))
        print(f"{len(world.forms)} forms")
    with opened(folder) as world:
        drop_passing_links(world, known)


if __name__ == "__main__":
    main()
