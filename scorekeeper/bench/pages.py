"""The match page with forty hands, and a poll that finds nothing new, in process."""

from functools import partial
from itertools import cycle

from flask import Response, render_template

from scorekeeper.bench.bare import bare_app
from scorekeeper.bench.figure import Figure
from scorekeeper.bench.house import House
from scorekeeper.bench.phone import HTMX, Phone, WrongAnswer
from scorekeeper.bench.timing import medians
from scorekeeper.extensions import db
from scorekeeper.services.load import latest
from scorekeeper.web.contexts.match import MatchPage
from scorekeeper.web.keys import new_key
from scorekeeper.web.matches import TEMPLATE
from scorekeeper.web.present.board import match_page
from scorekeeper.web.pwa import may_install

MOST_TIMES = 2
LONGEST_UNREAD = 12.0
LONGEST_POLL = 0.5
ROUNDS = 300


def match_page_figure(house: House) -> Figure:
    """Time the match page against its template, rendered by a bare view from what it shows, kept in memory.

    Neither is packed for the wire, which would add the same to both.
    """
    path, phone = f"/matches/{house.codes[0]}/", Phone(house.app, packed=False)
    bare = _bare_phone(house, phone.token(path))
    real, floor = medians(lambda: phone.get(path).seconds, lambda: bare.get("/").seconds, rounds=ROUNDS)
    return Figure(
        name="match_page",
        value=real * 1000,
        unit="ms",
        floor=floor * 1000,
        limit=MOST_TIMES * floor * 1000,
        told="match page, 40 hands, in process",
        floor_told="the same template and dataclass from memory, in a bare Flask view",
    )


def unread_page_figure(house: House) -> Figure:
    """Time the same page where the match is not in memory: more matches than are kept there are asked for in turn."""
    phone = Phone(house.app, packed=False)
    bare = _bare_phone(house, phone.token(f"/matches/{house.codes[0]}/"))
    codes = cycle(house.codes)
    real, floor = medians(
        lambda: phone.get(f"/matches/{next(codes)}/").seconds,
        lambda: bare.get("/").seconds,
        rounds=len(house.codes),
        warm_up=len(house.codes),
    )
    with house.app.app_context():
        if latest(db.session, next(codes)):
            raise WrongAnswer("all the matches are in memory, so none was read again")
    return Figure(
        name="match_page_unread",
        value=real * 1000,
        unit="ms",
        floor=floor * 1000,
        limit=LONGEST_UNREAD,
        told="the same, its match read from the database first",
        floor_told="as above",
    )


def _bare_phone(house: House, token: str) -> Phone:
    shown = shown_page(house, house.codes[0])
    bare = bare_app(
        lambda: render_template(TEMPLATE, page=shown),
        theme=lambda: "system",
        asset_url="/static/{}?v=0123456789".format,
        csrf_token=partial(str, token),
        may_install=may_install,
        url_for=lambda _endpoint: "/manifest.webmanifest",
    )
    return Phone(bare, packed=False)


def shown_page(house: House, code: str) -> MatchPage:
    """Make what the match page shows, as its view does."""
    match, key = house.load(code), new_key()
    with house.app.test_request_context():
        return match_page(match, key=key)


def poll_figure(house: House) -> Figure:
    """Time a poll where nothing has changed."""
    code = house.codes[0]
    phone, path = Phone(house.app), f"/matches/{code}/board?v={house.load(code).version}"
    phone.get(f"/matches/{code}/")  # whoever polls has the page, and its cookie
    bare = Phone(bare_app(lambda: Response(status=204)))
    real, floor = medians(
        lambda: phone.get(path, status=204, headers=HTMX).seconds,
        lambda: bare.get("/", status=204).seconds,
        rounds=ROUNDS,
    )
    return Figure(
        name="unchanged_poll",
        value=real * 1000,
        unit="ms",
        floor=floor * 1000,
        limit=LONGEST_POLL,
        told="a poll that finds nothing new",
        floor_told="a bare Flask view that answers 204",
    )
