"""The match page with forty hands, and a poll that finds nothing new, in process."""

from functools import partial
from itertools import cycle

from flask import Response, render_template

from scorekeeper.extensions import db
from scorekeeper.narration.dates import DateStyle
from scorekeeper.services.load import cached_match
from scorekeeper.web.match.page import Viewer, match_page
from scorekeeper.web.match.views import TEMPLATE
from scorekeeper.web.shared.respond import may_install
from scorekeeper.web.shared.templates import init_templates
from tests.bench.bare_view import bare_app
from tests.bench.bench import Bench
from tests.bench.client import HTMX, Phone, WrongAnswer
from tests.bench.figure import Figure
from tests.bench.timing import medians

MOST_TIMES = 0.85
"""Of the time that rendering alone takes: most pages are rendered for somebody else already."""
LONGEST_UNREAD = 12.0
LONGEST_POLL = 0.5
ROUNDS = 300


def match_page_figure(bench: Bench) -> Figure:
    """Time the match page against its template, rendered by a bare view from what it shows, kept in memory.

    Neither is packed for the wire, which would add the same to both.
    """
    path, phone = f"/matches/{bench.codes[0]}/", Phone(bench.app, packed=False)
    bare = _bare_phone(bench, phone.token(path))
    real, floor = medians(lambda: phone.get(path).seconds, lambda: bare.get("/").seconds, rounds=ROUNDS)
    return Figure(
        name="match_page",
        value=real * 1000,
        floor=floor * 1000,
        limit=MOST_TIMES * floor * 1000,
        label="match page, 40 hands, in process",
        floor_label="the same template and dataclass from memory, in a bare Flask view",
    )


def unread_page_figure(bench: Bench) -> Figure:
    """Time the same page where the match is not in memory: more matches than are kept there are asked for in turn."""
    phone = Phone(bench.app, packed=False)
    bare = _bare_phone(bench, phone.token(f"/matches/{bench.codes[0]}/"))
    codes = cycle(bench.codes)
    real, floor = medians(
        lambda: phone.get(f"/matches/{next(codes)}/").seconds,
        lambda: bare.get("/").seconds,
        rounds=len(bench.codes),
        warm_up=len(bench.codes),
    )
    with bench.app.app_context():
        if cached_match(db.session, next(codes)):
            raise WrongAnswer("all the matches are in memory, so none was read again")
    return Figure(
        name="match_page_unread",
        value=real * 1000,
        floor=floor * 1000,
        limit=LONGEST_UNREAD,
        label="the same, its match read from the database first",
        floor_label="as above",
    )


def _bare_phone(bench: Bench, token: str) -> Phone:
    match = bench.load(bench.codes[0])
    with bench.app.test_request_context():
        shown = match_page(match, Viewer(match.link.role, match.link.seat))
    addresses = bench.app.url_map.bind("localhost")
    bare = bare_app(
        lambda: render_template(TEMPLATE, **shown),
        asset_url="/static/{}?v=0123456789".format,
        may_install=may_install,
        url_for=lambda endpoint, **values: addresses.build(endpoint, values),
    )
    init_templates(bare)
    bare.jinja_env.globals.update(date_style=DateStyle, theme_attribute=str, csrf_token=partial(str, token))
    return Phone(bare, packed=False)


def poll_figure(bench: Bench) -> Figure:
    """Time a poll where nothing has changed."""
    code = bench.codes[0]
    phone, path = Phone(bench.app), f"/matches/{code}/board?v={bench.load(code).version}"
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
        floor=floor * 1000,
        limit=LONGEST_POLL,
        label="a poll that finds nothing new",
        floor_label="a bare Flask view that answers 204",
    )
