"""The big screen: what the match page shows, as far as it can be read from the sofa."""

from urllib.parse import urlsplit

from flask import url_for

from scorekeeper.engine.words import bid_word
from scorekeeper.engine.words.ends import ends_at
from scorekeeper.services.invitations import Invitation
from scorekeeper.services.load import LoadedMatch
from scorekeeper.web.contexts.tv import JoinView, TvPage
from scorekeeper.web.links import shown_url
from scorekeeper.web.present.board import MOST_CARDS, SUIT_SIGNS, latest_rows, match_title, verdict_view
from scorekeeper.web.present.felt import race_view, score_views, turn_view
from scorekeeper.web.present.hands import history_view
from scorekeeper.web.present.scanned import picture_of
from scorekeeper.web.present.sides import side_views
from scorekeeper.web.present.told import told

MOST_ROWS = 5
ROWS_WHEN_WON = 3
"""Fewer hands beside the verdict, which comes first."""


def tv_page(match: LoadedMatch, *, door: Invitation | None, since: int | None = None) -> TvPage:
    """Fill the big screen; `door` lets phones in to look on, what was written after `since` is new to the room."""
    state, sides = match.counted, side_views(match)
    is_over = bool(state.outcome) or match.log.is_stopped
    rows = latest_rows(match, ROWS_WHEN_WON if is_over else MOST_ROWS, since=since)
    return TvPage(
        title=match_title(match),
        rules=f"{state.ruleset.name}, {ends_at(state.ruleset)}",
        match_url=url_for("matches.show", code=match.code),
        board_url=url_for("tv.board", code=match.code, v=match.version, let=door_of(door)),
        scores=score_views(match),
        history=history_view(sides, rows),
        last=_being_played(match),
        race=None if is_over or len(sides) > MOST_CARDS else race_view(state, sides),
        turn=None if is_over else turn_view(match),
        verdict=verdict_view(match, sides) if is_over else None,
        join=_join(door) if door else None,
        told=told(match),
    )


def _being_played(match: LoadedMatch) -> str:
    """Say who has the bid, where a hand is written down before it is played out."""
    hand = match.state.hands[-1] if match.state.hands else None
    if hand is None or hand.status != "bid" or hand.bidder is None:
        return ""
    suit = SUIT_SIGNS.get(hand.hand.trump or "", "")
    return f"{hand.bidder} has it for {bid_word(hand.bid)} {suit}".strip()


def door_of(door: Invitation | None) -> int:
    """Give a mark that changes with the code on the screen."""
    return door.id if door else 0


def _join(door: Invitation) -> JoinView:
    # Never the screen's own link, which may be the owner's: what everybody sees lets everybody look on.
    typed_at = urlsplit(shown_url("join.ask"))
    return JoinView(
        says="Follow on your phone",
        pin=door.pin or "",
        typed_at=f"{typed_at.netloc}{typed_at.path}",
        qr=picture_of(shown_url("join.whose", code=door.code), "To follow this match", border=2),
    )
