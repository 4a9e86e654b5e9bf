"""Matches that have every form between them, what another phone does meanwhile, and the forms, found and filled in.

The forms come from the pages themselves, and the routes from the app's own list: a new one joins by itself.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import sqlalchemy as sa
from flask import Flask
from sqlmodel import col
from werkzeug.exceptions import HTTPException

from scorekeeper.database.engine import db
from scorekeeper.database.tables import LinkRow
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import load_match
from scorekeeper.web.security import MATCH_LINK_KIND
from tests.browser.playing import begin_match, play_hand
from tests.common.apps import clear_caches, close
from tests.common.calling import took
from tests.common.phone import Page, Phone
from tests.common.reading import Button, Form, forms_of
from tests.common.room import let_in

CHOSEN = ("who", "role", "book", "winner", "seat")
"""Questions that are answered otherwise than their page suggests."""
TYPED = "Typed just now"
"""How the text begins that stands in every field which takes one."""
RETIRED = {"matches.accept", "matches.agree"}
"""Routes that a phone has kept a form for, of which no page has one any more; `tests/contract` sends them."""
AFTER_AN_ANSWER = ("room?let=watcher", "what-if?target=40", "book?moved=before&was=before")
"""Pages to which no link leads, but the answer to a form."""


def match_of(app: Flask, page: Page) -> Match:
    """Return the match as it stands."""
    with app.app_context():
        return load_match(db.session, page.code)


# ---------- matches that have every form between them


def plain(owner: Phone) -> Page:
    """Play to 7: one side has 4, and something was undone."""
    match = play_hand(begin_match(owner, other_target="7"), call="p1:4")
    owner.open(f"{match.path}hands/1").send("/1", {"took-low": "s2"}, press="Save").send("/undo")
    return play_hand(match, call="p2:2", took_low="s1").send("/undo")


def disputed(owner: Phone) -> Page:
    """Let a watching phone say that the last hand is wrong."""
    match = play_hand(begin_match(owner, other_target="7"), call="p1:4")
    app = owner.client.application
    Phone(app.test_client()).open(let_in(app, match.path, "p2", "watcher")).tap("That’s wrong")
    return owner.open(match.path)


STAKES = {"house_target": "7", "house_set_stake_cents": "25", "house_game_stake_cents": "50"}


def for_money(owner: Phone) -> Page:
    """Play for money, and let somebody join; Bea's phone comes along."""
    match = play_hand(begin_match(owner, "moon-over-four", house_all_pass="dealer_forced", **STAKES), call="p1:4")
    let_in(owner.client.application, match.path, "p2", "owner")
    form = owner.open(f"{match.path}money/players").form("/players")
    return owner.post(form.action, {**form.fields, "stays": ["p1", "p2", "p3"], "joins-1": "Eve"})


def paid(owner: Phone) -> Page:
    """Win for money, begin the next match, and write down that one of three has paid."""
    match = play_hand(begin_match(owner, "moon-over-four", house_all_pass="dealer_forced", **STAKES), call="p1:4")
    match = play_hand(match, call="p1:4")
    form = owner.open(f"{match.path}money/players").form("/players")
    after = owner.post(form.action, {**form.fields, "stays": ["p1", "p2", "p3"], "joins-1": "Eve"})
    owner.open(f"{after.path}money").send("/money/paid", press="Paid")
    return after


def stopped(owner: Phone) -> Page:
    """Stop a match."""
    match = owner.open(f"{plain(owner).path}stop").send("/stop")
    form = owner.open(f"{match.path}room").form("/room/invite")
    owner.post(form.action, {**form.fields, "role": "watcher"})
    return match


def deleted(owner: Phone) -> Page:
    """Delete a match."""
    match = plain(owner)
    owner.open(f"{match.path}delete").send("/delete")
    return owner.open(match.path)


def nameless(owner: Phone) -> Page:
    """Begin a match of two sides that nobody named."""
    return owner.open("/new/partnership-pitch").send("", {"house-target": "7"}, press="Start")


FOR_MONEY = (for_money, paid)
"""Those that the club alone can make."""
MATCHES = (plain, disputed, *FOR_MONEY, stopped, deleted, nameless)


# ---------- what another phone does meanwhile


def finish(app: Flask, match: Page) -> None:
    """Play until somebody has won."""
    restore(app, match)
    resume(match)
    for _ in range(12):
        if not match_of(app, match).state.outcome:
            play_hand(match, call="p1:4" if match_of(app, match).setup.seats else "s1:4")
    assert match_of(app, match).status == "over"


def resume(match: Page) -> None:
    """Resume a match that is stopped."""
    page = match.open()
    if page.has_form("/resume"):
        page.send("/resume")


def stop(app: Flask, match: Page) -> None:
    """Stop the match, where it goes on."""
    restore(app, match)
    page = match.open("stop")
    if page.has_form("/stop"):
        page.send("/stop")


def delete(_app: Flask, match: Page) -> None:
    """Delete the match."""
    match.open("delete").send("/delete")


def restore(_app: Flask, match: Page) -> None:
    """Restore the match, where it is deleted."""
    page = match.open()
    if page.has_form("/restore"):
        page.send("/restore")


def delete_and_restore(app: Flask, match: Page) -> None:
    """Delete the match and restore it."""
    delete(app, match)
    restore(app, match)


def change_rules(app: Flask, match: Page) -> None:
    """Change the target."""
    restore(app, match)
    match.open("rules/change").send("/rules/change", {"rule-target": "9"}, press="Start with")


def take_role(app: Flask, match: Page) -> None:
    """Let the phone that has the page open only watch."""
    with app.app_context():
        [link] = db.session.execute(held_by_bea(app, match)).scalars()
    room = match.open("room").form("/room/invite")
    match.phone.post(f"{match.path}room/{link}", {**room.fields, "do": "watcher"})


MEANWHILE: dict[str, Callable[[Flask, Page], None]] = {
    "finished": finish,
    "stopped": stop,
    "deleted": delete,
    "restored": delete_and_restore,
    "rules changed": change_rules,
    "role lost": take_role,
}


# ---------- the forms


def routes_that_write(app: Flask) -> set[str]:
    """Name every route of a match that can write."""
    return {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith(MATCH_LINK_KIND.route_prefix) and "POST" in (rule.methods or ())
    }


def endpoint_of(app: Flask, address: str, method: str = "POST") -> str:
    """Return where a form or a link goes; empty for one of another place."""
    try:
        return str(app.url_map.bind("localhost").match(urlsplit(address).path, method=method)[0])
    except HTTPException:
        return ""


def found_pages(match: Page, beside: Sequence[str] = AFTER_AN_ANSWER) -> Iterator[tuple[str, Page]]:
    """Follow every link of a match, and yield each page with the rest of its address."""
    to_open, opened = [match.path, *(match.path + rest for rest in beside)], set[str]()
    while to_open:
        path = to_open.pop(0)
        if path in opened:
            continue
        opened.add(path)
        page = match.phone.open(path)
        if page.response.mimetype != "text/html":
            continue
        yield path.removeprefix(match.path), page
        links = (link.attrs.get("href", "").partition("#")[0] for link in page.all("a"))
        to_open += [link for link in links if link.startswith(match.path) and link not in opened and "?" not in link]
        to_open += [link for link in links if link.startswith(match.path) and "before=" in link]


def found_forms(app: Flask, match: Page, beside: Sequence[str] = AFTER_AN_ANSWER) -> Iterator[tuple[str, str, Form]]:
    """Yield each form on the pages of a match with where it goes and the page that it stands on."""
    for path, page in found_pages(match, beside):
        for form in forms_of(page.root):
            if endpoint := endpoint_of(app, form.action):
                yield endpoint, path, form


def held_by_bea(app: Flask, match: Page) -> sa.Select[Any]:
    """Select the link of Bea's phone."""
    return sa.select(col(LinkRow.id)).where(
        col(LinkRow.match_id) == match_of(app, match).id,
        col(LinkRow.seat) == beas_seat(app, match),
        col(LinkRow.role) == "owner",
    )


def beas_seat(app: Flask, match: Page) -> str:
    """Return where Bea sits, or her side where nobody has a name."""
    return "p2" if match_of(app, match).setup.seats else "s2"


def guest_of(app: Flask, match: Page) -> Page:
    """Open a match on a second phone, an owner's as well, which is Bea's."""
    with app.app_context():
        code = db.session.execute(held_by_bea(app, match).with_only_columns(col(LinkRow.code))).scalar()
    return Phone(app.test_client()).open(
        f"/matches/{code}/" if code else let_in(app, match.path, beas_seat(app, match), "owner")
    )


def filled(form: Form, button: Button | None = None) -> dict[str, Any]:
    """Fill in a form: every text with something new, every question with another answer; by a button, or by Save."""
    texts = [name for name in form.fields if name == "title" or name.startswith(("name", "joins-", "players-"))]
    typed = {name: f"{TYPED} {index}" for index, name in enumerate(texts) if name not in form.offered}
    others = {name: sorted(offers - {form.fields.get(name)}) for name, offers in form.offered.items()}
    chosen = {name: values[-1] for name, values in others.items() if name in CHOSEN and values}
    hand = {"call": "p2:3", **took("s2")} if "call" in form.offered else {}
    target = {"rule-target": "12"} if "rule-target" in form.fields else {}
    buttons = [button for button in form.buttons if button.value == "save"] or [*form.buttons]
    press = {found.name: found.value for found in (*buttons, *([button] if button else [])) if found.name}
    stays = {"stays": sorted(form.offered["stays"])[:3]} if "stays" in form.offered else {}
    return {**form.fields, **typed, **hand, **target, **chosen, **press, **stays}


class Begun:
    """The database as it is when all matches have begun, for each form anew."""

    def __init__(self, app: Flask, file: Path) -> None:
        close(app)
        self.app, self.file, self.content = app, file, file.read_bytes()

    def restore(self) -> None:
        """Forget what has been written since."""
        close(self.app)
        for file in self.file.parent.glob(f"{self.file.name}*"):
            file.unlink()
        self.file.write_bytes(self.content)
        clear_caches()
