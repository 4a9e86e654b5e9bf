"""Recording a hand: the whole POST, until it is durable and redirected."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import cycle
from time import perf_counter

from sqlmodel import Session

from scorekeeper.extensions import db
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.hand_json import write_hand
from scorekeeper.store.tables import EventRow
from scorekeeper.web.hand.form import AWARD_FIELD, NOBODY
from scorekeeper.web.shared.device import new_form_key
from tests.bench.bench import HANDS, Bench, hand_after
from tests.bench.client import Phone
from tests.bench.figure import Figure
from tests.bench.timing import medians

MOST_TIMES = 2.5
ROUNDS = 160


def recording_figure(bench: Bench) -> Figure:
    """Time a hand that is recorded against the same row, added and committed by itself in the same database."""
    phone = Phone(bench.app)
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

    real, floor = medians(record, commit, rounds=ROUNDS)
    return Figure(
        name="record_hand",
        value=real * 1000,
        floor=floor * 1000,
        limit=MOST_TIMES * floor * 1000,
        label="recording a hand, form to redirect",
        floor_label="the same row by itself: one durable SQLModel commit in the same file",
    )


def posts(phone: Phone, matches: dict[str, Match]) -> Iterator[tuple[str, dict[str, str]]]:
    """Record the next hand in one match after the other."""
    token = phone.token(f"/matches/{next(iter(matches))}/")
    for i, (code, match) in enumerate(cycle(matches.items())):
        number = HANDS + i // len(matches)
        yield f"/matches/{code}/hands/new", hand_form(match, number, token)


def hand_form(match: Match, number: int, token: str) -> dict[str, str]:
    """Return the form of the hand after this many, as a phone sends it."""
    hand, ids = hand_after(number), {name: who for who, name in match.setup.names({}).items()}
    taken = {f"{AWARD_FIELD}{award}": ids[who] if who else NOBODY for award, who in hand["taken"].items()}
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
        hand = write_hand(match.log.hands[seq % HANDS].hand)
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
