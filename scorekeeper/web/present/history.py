"""Every hand, each with its lines, its history, and what can be done to it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from flask import url_for
from sqlalchemy.orm import Session

from scorekeeper.services.earlier import before_last_change
from scorekeeper.services.load import LoadedMatch, ruleset_of
from scorekeeper.services.log import LoggedHand, Stamp
from scorekeeper.web.contexts.history import HistoryPage
from scorekeeper.web.contexts.match import HandRow
from scorekeeper.web.contexts.parts import Action, BarView, Hidden, SideView
from scorekeeper.web.present.agreement import accept_action, row_words, waits_words
from scorekeeper.web.present.board import match_title
from scorekeeper.web.present.corrections import changed_words
from scorekeeper.web.present.hands import hand_lines, hand_row, history_view, when, who
from scorekeeper.web.present.notices import last_change, redo_action, undo_action
from scorekeeper.web.present.rule_changes import RuleChange, change_notice, rule_changes
from scorekeeper.web.present.sides import side_views


def history_page(session: Session, match: LoadedMatch, *, me: str, key: str, opened: int | None) -> HistoryPage:
    """Fill the page; `me` is what this phone signs with, `opened` the hand that is shown open."""
    earlier, sides = _earlier(session, match), side_views(match)
    rows = [
        _row(match, sides, place, logged, earlier.get(logged.uid, {}), me, opened, key)
        for place, logged in enumerate(match.log.hands)
    ]
    first = ruleset_of(session, match.match)
    rows = _with_changes(rows, rule_changes(match, first))
    for gone in match.log.gone:
        place = sum(1 for logged in match.log.hands if logged.uid < gone.uid)
        at = next((i for i, row in enumerate(rows) if row.number and int(row.number) > place), len(rows))
        rows.insert(at, _gone_row(match, gone, me, key))
    rows.reverse()
    notice, waiting = last_change(match, key), change_notice(match, first)
    undo, redo = undo_action(match, key), redo_action(match, key)
    return HistoryPage(
        title="Every hand",
        bar=BarView(
            title="Every hand",
            sub=match_title(match),
            back_url=url_for("matches.show", code=match.code),
            back_label="The score",
            tools=tuple(tool for tool in (undo, redo) if tool),
        ),
        history=history_view(
            sides,
            rows,
            more=Action(label="Everything written", url=url_for("history.journal", code=match.code), icon="pencil"),
        ),
        main=Action(label="Back to the score", url=url_for("matches.show", code=match.code)),
        notices=(
            *((notice,) if notice and match.log.events and match.log.events[-1].fact.kind != "hand" else ()),
            *((waiting,) if waiting else ()),
        ),
    )


def _with_changes(rows: list[HandRow], changes: Sequence[RuleChange]) -> list[HandRow]:
    """Say at a hand that other rules hold from there."""
    told = {str(change.number): change.told for change in changes}
    return [
        replace(row, small=row.small or "new rules", remarks=(told[row.number], *row.remarks))
        if row.number in told
        else row
        for row in rows
    ]


def _earlier(session: Session, match: LoadedMatch) -> dict[int, Mapping[str, int]]:
    """Give the totals that stood before the last change, where that was no new hand at the end."""
    before = before_last_change(session, match)
    if before is None:
        return {}
    return {logged.uid: result.scores for logged, result in zip(before.log.hands, before.state.hands, strict=True)}


def _row(
    match: LoadedMatch,
    sides: Mapping[str, SideView],
    place: int,
    logged: LoggedHand,
    earlier: Mapping[str, int],
    me: str,
    opened: int | None,
    key: str,
) -> HandRow:
    result = match.state.hands[place]
    code, uid = match.code, logged.uid
    accept = accept_action(match, logged, me, key)
    ways = (
        Action(label="Correct", url=url_for("hands.edit", code=code, uid=uid), icon="pencil"),
        Action(label="Take out", url=url_for("history.remove", code=code, uid=uid)),
        Action(label="Insert before", url=url_for("hands.new", code=code, before=uid)),
    )
    return hand_row(
        sides,
        result,
        logged,
        waits=row_words(match, place),
        earlier=earlier,
        lines=hand_lines(sides, result, _was(match, logged)),
        remarks=_remarks(match, logged, me),
        actions=(*((accept,) if accept else ()), *(ways if match.link.may_score else ())),
        is_open=opened == uid,
    )


def _was(match: LoadedMatch, logged: LoggedHand) -> dict[str, str | None]:
    """Name who had an award before the last correction."""
    if not logged.corrections:
        return {}
    before, after = _takers(logged.corrections[-1].before), _takers(logged.corrections[-1].after)
    return {
        award: match.names.get(who, who) if who else None
        for award, who in before.items()
        if award in after and after[award] != who
    }


def _takers(hand: Mapping[str, Any]) -> Mapping[str, str | None]:
    return hand.get("taken") or {}


def _remarks(match: LoadedMatch, logged: LoggedHand, me: str) -> tuple[str, ...]:
    """Say who did what to a hand, in the order of it."""
    awards = {award_id: award.name for award_id, award in match.state.ruleset.awards.items()}
    done = [(logged.added, "wrote this", "")]
    for item in logged.corrections:
        done.append((item.stamp, "put this right", changed_words(item.before, item.after, match.names, awards)))
    done += [(item.stamp, "accepted this", "") for item in logged.acceptances]
    return tuple(
        f"{who(stamp.actor, me, match.names)} {what}, {_when(stamp)}{f': {change}' if change else ''}"
        for stamp, what, change in sorted(done, key=lambda it: it[0].seq)
    )


def _when(stamp: Stamp) -> str:
    return when(stamp.at, datetime.now(UTC))


def _gone_row(match: LoadedMatch, gone: LoggedHand, me: str, key: str) -> HandRow:
    stamp = gone.gone or gone.added
    what = "taken back" if gone.was_undone else "taken out"
    waits = f", {waits_words(match, gone)}" if gone.waits else ""
    accept = accept_action(match, gone, me, key)
    fields: Hidden = (("version", str(match.version)), ("client_key", key))
    put_back = url_for("history.put_back", code=match.code, uid=gone.uid)
    back = Action(label="Put back", url=put_back, is_post=True, fields=fields)
    who_bid = match.names.get(str(gone.hand.get("bidder", "")), "")
    bid = f"{who_bid} {gone.hand.get('bid', '')}".strip().replace("_", " ") or "A hand"
    return HandRow(
        hand_id=str(gone.uid),
        number="",
        bid=bid,
        suit=str(gone.hand.get("trump", "")),
        small=f"{who(stamp.actor, me, match.names)}: {what} {_when(stamp)}{waits}",
        actions=(
            *((accept,) if accept else ()),
            *((back,) if match.link.may_score else ()),
        ),
        is_struck=True,
    )
