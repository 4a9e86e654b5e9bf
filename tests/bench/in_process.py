"""What is measured in this process: the match page, a poll, a hand, its replay, and a sheet as PDF."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from itertools import cycle
from statistics import median
from time import perf_counter

from flask import Response, render_template
from sqlmodel import Session

from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.database.engine import db
from scorekeeper.database.tables import EventRow
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import cached_match
from scorekeeper.pages.hand.input import AWARD_PREFIX, NOBODY
from scorekeeper.pages.match.page import Viewer, match_page
from scorekeeper.pages.match.views import MATCH_TEMPLATE
from scorekeeper.pitch.records.json_parser import hand_as_json
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.auction import contract_of
from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.hand_score import score_hand
from scorekeeper.pitch.scoring.match import HandResult, MatchState, replay
from scorekeeper.pitch.scoring.search_budget import Budget
from scorekeeper.pitch.scoring.seats import divide_sides
from scorekeeper.pitch.scoring.taken import TakenReader
from scorekeeper.pitch.sheets.rule_sheet import rule_sheet
from scorekeeper.pitch.text.phrases import DateStyle
from scorekeeper.printing.pdf import Layout
from scorekeeper.printing.rule_sheets import rule_sheet_markup
from scorekeeper.web.context import new_form_key
from scorekeeper.web.library import library
from scorekeeper.web.respond import template_values
from scorekeeper.web.templates import init_templates
from tests.bench.bare_view import bare_app
from tests.bench.bench import HANDS, HTMX, MATCHES, Bench, InProcessPhone, WrongAnswer, hand_after
from tests.bench.figure import Figure, medians, timed

MAX_TIMES_A_PAGE = 0.85
"""Of the time that rendering alone takes: most pages are rendered for somebody else already."""
MAX_UNREAD_MS = 12.0
UNREAD_ROUNDS = MATCHES
MAX_POLL_MS = 0.5
PAGE_ROUNDS = 300


def match_page_figure(bench: Bench) -> Figure:
    """Time the match page against its template, rendered by a bare view from what it shows, kept in memory.

    Neither is packed for the wire, which would add the same to both.
    """
    path, phone = f"/matches/{bench.codes[0]}/", InProcessPhone(bench.app, packed=False)
    bare = _bare_phone(bench, phone.token(path))
    real, floor = medians(lambda: phone.get(path).seconds, lambda: bare.get("/").seconds, rounds=PAGE_ROUNDS)
    return Figure(
        name="match_page",
        value=real * 1000,
        floor=floor * 1000,
        limit=MAX_TIMES_A_PAGE * floor * 1000,
        label="match page, 40 hands, in process",
        floor_label="the same template and dataclass from memory, in a bare Flask view",
    )


def unread_page_figure(bench: Bench) -> Figure:
    """Time the same page where the match is not in memory: more matches than are kept there are requested in turn."""
    phone = InProcessPhone(bench.app, packed=False)
    bare = _bare_phone(bench, phone.token(f"/matches/{bench.codes[0]}/"))
    codes = cycle(bench.codes)
    real, floor = medians(
        lambda: phone.get(f"/matches/{next(codes)}/").seconds,
        lambda: bare.get("/").seconds,
        rounds=UNREAD_ROUNDS,
        warm_up=UNREAD_ROUNDS,
    )
    with bench.app.app_context():
        head = MATCH_LINKS.head_in_force(db.session, next(codes))
        if cached_match(db.session, head.link, (head.version, head.last_key)):
            raise WrongAnswer("all the matches are in memory, so none was read again")
    return Figure(
        name="match_page_unread",
        value=real * 1000,
        floor=floor * 1000,
        limit=MAX_UNREAD_MS,
        label="the same, its match read from the database first",
        floor_label="as above",
    )


def _bare_phone(bench: Bench, token: str) -> InProcessPhone:
    match = bench.load(bench.codes[0])
    with bench.app.test_request_context():
        shown = template_values(match_page(match, Viewer(match.link.role, match.link.holder)))
    addresses = bench.app.url_map.bind("localhost")
    bare = bare_app(
        lambda: render_template(MATCH_TEMPLATE, **shown),
        url_for=lambda endpoint, **values: addresses.build(endpoint, values),
    )
    init_templates(bare)
    bare.jinja_env.globals.update(
        asset_url="/static/{}?v=0123456789".format,
        date_style=DateStyle,
        theme=partial(str, "system"),
        public_url_note=str,
        csrf_token=partial(str, token),
    )
    return InProcessPhone(bare, packed=False)


def poll_figure(bench: Bench) -> Figure:
    """Time a poll where nothing has changed."""
    code = bench.codes[0]
    phone, path = InProcessPhone(bench.app), f"/matches/{code}/board?v={bench.load(code).version}"
    phone.get(f"/matches/{code}/")  # a phone that polls has the page, and its cookie
    bare = InProcessPhone(bare_app(lambda: Response(status=204)))
    real, floor = medians(
        lambda: phone.get(path, status=204, headers=HTMX).seconds,
        lambda: bare.get("/", status=204).seconds,
        rounds=PAGE_ROUNDS,
    )
    return Figure(
        name="unchanged_poll",
        value=real * 1000,
        floor=floor * 1000,
        limit=MAX_POLL_MS,
        label="a poll that finds nothing new",
        floor_label="a bare Flask view that answers 204",
    )


MAX_TIMES_A_HAND = 2.5
HAND_ROUNDS = 160


def recording_figure(bench: Bench) -> Figure:
    """Time a hand that is recorded against the same row, added and committed by itself in the same database."""
    phone = InProcessPhone(bench.app)
    codes = bench.codes[1:7]  # the first stays as it is, and the last is for the rows of the floor
    forms = posts(phone, {code: bench.load(code) for code in codes})
    rows = _rows(bench.load(bench.codes[-1]))
    with bench.app.app_context():
        engine = db.engine

    def record() -> float:
        path, form = next(forms)
        return phone.post(path, form).seconds

    def commit() -> float:
        row = next(rows)
        begin = perf_counter()
        with Session(engine) as session:
            session.add(row)
            session.commit()
        return perf_counter() - begin

    real, floor = medians(record, commit, rounds=HAND_ROUNDS)
    return Figure(
        name="record_hand",
        value=real * 1000,
        floor=floor * 1000,
        limit=MAX_TIMES_A_HAND * floor * 1000,
        label="recording a hand, form to redirect",
        floor_label="the same row by itself: one durable SQLModel commit in the same file",
    )


def posts(phone: InProcessPhone, matches: dict[str, Match]) -> Iterator[tuple[str, dict[str, str]]]:
    """Record the next hand in one match after the other."""
    token = phone.token(f"/matches/{next(iter(matches))}/")
    for i, (code, match) in enumerate(cycle(matches.items())):
        number = HANDS + i // len(matches)
        yield f"/matches/{code}/hands/new", hand_form(match, number, token)


def hand_form(match: Match, number: int, token: str) -> dict[str, str]:
    """Return the form of the hand after this many, as a phone sends it."""
    hand, ids = hand_after(number), {name: who for who, name in match.setup.record_names({}).items()}
    taken = {f"{AWARD_PREFIX}{award}": ids[who] if who else NOBODY for award, who in hand["taken"].items()}
    return {
        "csrf_token": token,
        "client_key": new_form_key(),
        "version": str(number),
        "call": f"{ids[hand['bidder']]}:{hand['bid']}",
        "trump": hand["trump"],
        "do": "save",
        **taken,
    }


def _rows(match: Match) -> Iterator[EventRow]:
    """Yield the rows that such hands become, one after the other."""
    seq = match.version
    while True:
        hand = hand_as_json(match.log.hands[seq % HANDS].hand)
        seq += 1
        yield EventRow(
            match_id=match.id,
            seq=seq,
            client_key=new_form_key(),
            kind="hand",
            at=datetime.now(UTC),
            actor="bench",
            payload={"v": 1, "hand": hand},
        )


MAX_REPLAY_MS = 1.0
REPLAY_ROUNDS = 300


def replaying_figure(bench: Bench) -> Figure:
    """Time the replay against the scoring alone, of hands with known bids and awards."""
    match = bench.load(bench.codes[0])
    state, hands = match.state, [result.hand for result in match.state.results]
    opened = match.state_before(1)
    before = [opened.scores, *(result.scores for result in state.results)]
    scorings = [_scoring(state, result, scores) for result, scores in zip(state.results, before, strict=False)]

    def score() -> None:
        for scoring in scorings:
            scoring()

    real, floor = medians(timed(lambda: replay(opened, hands)), timed(score), rounds=REPLAY_ROUNDS)
    return Figure(
        name="replay_40_hands",
        value=real * 1000,
        floor=floor * 1000,
        limit=MAX_REPLAY_MS,
        label="replay of 40 hands",
        floor_label="scoring them, with bids and awards worked out beforehand",
    )


def _scoring(state: MatchState, result: HandResult, before: Mapping[SideId, int]) -> Callable[[], object]:
    """Return the scoring of a hand, with its bid and its awards worked out."""
    contract, _ = contract_of(state.ruleset, state.seats, result.dealer, result.hand)
    hand_sides = divide_sides(state.ruleset, state.seats, contract.bidder, result.hand.partner)
    taken = TakenReader(state.ruleset, state.seats, hand_sides, result.hand, Budget()).read()
    if taken is None:
        raise ValueError(f"hand {result.number} cannot be scored")
    return partial(score_hand, state.ruleset, state.seats, hand_sides, contract, taken, before)


MAX_FIRST_PRINT = 1500.0
MAX_KEPT = 5.0
SHEETS = 6
PRINT_ROUNDS = 60


def first_print_figure(bench: Bench) -> Figure:
    """Time the first request for a sheet; what printing needs is loaded before."""
    phone = InProcessPhone(bench.app)
    warm, *rest = _chosen()
    phone.get(f"/rules/{warm.id}.pdf")
    first = [phone.get(f"/rules/{ruleset.id}.pdf?paper=letter").seconds for ruleset in rest]
    laid_out = [timed(partial(_lay_out, rule_sheet_markup(rule_sheet(ruleset))))() for ruleset in rest]
    return Figure(
        name="pdf_first",
        value=median(first) * 1000,
        floor=median(laid_out) * 1000,
        limit=MAX_FIRST_PRINT,
        label="a rule sheet as PDF, the first time",
        floor_label="the same page laid out once by WeasyPrint, in whatever size",
    )


def kept_print_figure(bench: Bench) -> Figure:
    """Time a sheet that was printed before."""
    phone, path = InProcessPhone(bench.app), f"/rules/{_chosen()[0].id}.pdf"
    content = phone.get(path).body
    bare = InProcessPhone(bare_app(lambda: Response(content, mimetype="application/pdf")))
    kept, floor = medians(
        lambda: phone.get(path).seconds, lambda: bare.get("/").seconds, rounds=PRINT_ROUNDS, warm_up=5
    )
    return Figure(
        name="pdf_cached",
        value=kept * 1000,
        floor=floor * 1000,
        limit=MAX_KEPT,
        label="the same sheet again",
        floor_label="the same bytes from a bare Flask view",
    )


def _chosen() -> list[Ruleset]:
    variants = sorted(library(), key=lambda ruleset: ruleset.points_per_hand)
    return variants[:: max(len(variants) // SHEETS, 1)][:SHEETS]


def _lay_out(markup: str) -> bytes:
    layout = Layout(markup, ("faces.css", "print.css"))
    pdf: bytes = layout.render("@page{size:A4}").write_pdf()
    return pdf
