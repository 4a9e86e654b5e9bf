"""Recording a hand: the whole post, until it is durable and the phone is sent on."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import cycle
from time import perf_counter
from typing import Any

from sqlmodel import Session

from scorekeeper.bench.figure import Figure
from scorekeeper.bench.house import HANDS, House, hand_after
from scorekeeper.bench.phone import Phone
from scorekeeper.bench.timing import medians
from scorekeeper.extensions import db
from scorekeeper.services.load import LoadedMatch
from scorekeeper.store.tables import EventRow
from scorekeeper.web.forms.hand import AWARD_FIELD, NOBODY
from scorekeeper.web.keys import new_key

MOST_TIMES = 4
ROUNDS = 160


def recording_figure(house: House) -> Figure:
    """Time a hand that is recorded against the same row, added and committed by itself in the same database."""
    phone = Phone(house.app)
    codes = house.codes[1:7]  # the first stays as it is, and the last is for the rows of the floor
    posts = _posts(phone, {code: house.load(code) for code in codes})
    rows = _rows(house.load(house.codes[-1]))
    with house.app.app_context():
        engine = db.engine

    def record() -> float:
        path, form = next(posts)
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
        unit="ms",
        floor=floor * 1000,
        limit=MOST_TIMES * floor * 1000,
        told="recording a hand, form to redirect",
        floor_told="the same row by itself: one durable SQLModel commit in the same file",
    )


def _posts(phone: Phone, matches: dict[str, LoadedMatch]) -> Iterator[tuple[str, dict[str, str]]]:
    """Fill in the next hand of one match after the other."""
    token = phone.token(f"/matches/{next(iter(matches))}/")
    for i, (code, match) in enumerate(cycle(matches.items())):
        number = HANDS + i // len(matches)
        yield f"/matches/{code}/hands/new", hand_form(match, number, token)


def hand_form(match: LoadedMatch, number: int, token: str) -> dict[str, str]:
    """Fill in the hand that follows so many, as a phone sends it; nothing else was written before them."""
    hand, ids = hand_after(number), match.ids
    taken = {f"{AWARD_FIELD}{award}": ids[who] if who else NOBODY for award, who in hand["taken"].items()}
    return {
        "csrf_token": token,
        "client_key": new_key(),
        "version": str(number),
        "call": f"{ids[hand['bidder']]}:{hand['bid']}",
        "trump": hand["trump"],
        "do": "save",
        **taken,
    }


def _rows(match: LoadedMatch) -> Iterator[EventRow]:
    """Give the rows that such hands come to, one after the other."""
    seq = match.version
    while True:
        hand: dict[str, Any] = dict(match.log.hands[seq % HANDS].hand)
        seq += 1
        yield EventRow(
            match_id=match.match.id,
            seq=seq,
            client_key=new_key(),
            kind="hand",
            at=datetime.now(UTC),
            actor="bench",
            payload={"v": 1, "hand": hand},
        )
