"""Everything that was written in a match, in words: who, what, when, before and after."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from flask import url_for
from sqlalchemy.orm import Session

from scorekeeper.engine.words import bid_word, listed, plain
from scorekeeper.services.earlier import as_of
from scorekeeper.services.facts import (
    AgreementSet,
    DealerMoved,
    Deleted,
    Event,
    HandAccepted,
    HandAdded,
    HandCorrected,
    HandRemoved,
    HandReturned,
    Marked,
    Redone,
    Renamed,
    Resumed,
    RulesChanged,
    Stopped,
    Undeleted,
    Undone,
)
from scorekeeper.services.load import LoadedMatch
from scorekeeper.services.log import MatchLog, fold
from scorekeeper.web.contexts.journal import JournalLine, JournalPage
from scorekeeper.web.contexts.parts import Action, BarView
from scorekeeper.web.present.board import match_title
from scorekeeper.web.present.corrections import changed_words
from scorekeeper.web.present.differences import changes_told
from scorekeeper.web.present.hands import when, who
from scorekeeper.web.present.sides import mark_word

MOST_LINES = 40


def journal_page(session: Session, match: LoadedMatch, *, me: str, key: str, before: int | None) -> JournalPage:
    """Fill the page with what was written before an event, or with the latest."""
    events = match.log.events
    end = len(events) if before is None else min(max(before - 1, 0), len(events))
    start = max(end - MOST_LINES, 0)
    lines = [_line(session, match, place, me, key) for place in range(start, end)]
    lines.reverse()
    history = url_for("history.show", code=match.code)
    older = url_for("history.journal", code=match.code, before=events[start].seq) if start else ""
    return JournalPage(
        title="Everything written",
        bar=BarView(title="Everything written", sub=match_title(match), back_url=history, back_label="Every hand"),
        lines=tuple(lines),
        main=Action(label="Back to the score", url=url_for("matches.show", code=match.code)),
        older=Action(label="What came before", url=older) if older else None,
    )


def _line(session: Session, match: LoadedMatch, place: int, me: str, key: str) -> JournalLine:
    event = match.log.events[place]
    before, after = fold(match.log.events[:place]), fold(match.log.events[: place + 1])
    telling = _Telling(session, match, place, before, after)
    return JournalLine(
        line_id=str(event.seq),
        who=who(event.actor, me, match.names),
        what=telling.what(event),
        when=when(event.at, datetime.now(UTC)),
        details=tuple(detail for detail in telling.details(event) if detail),
        is_struck=event.seq in match.log.taken_back,
        action=_again(match, event, key),
    )


def _again(match: LoadedMatch, event: Event, key: str) -> Action | None:
    """Offer a correction that was taken back once more: after something new no redo brings it back."""
    fact = event.fact
    if event.seq not in match.log.taken_back or not isinstance(fact, HandCorrected) or not match.link.may_score:
        return None
    logged = match.log.hand(fact.uid)
    if logged is None or logged.hand == fact.hand:
        return None
    url = url_for("history.correct_again", code=match.code, seq=event.seq)
    fields = (("version", str(match.version)), ("client_key", key))
    return Action(label="Put it right so again", url=url, icon="redo", is_post=True, fields=fields)


class _Telling:
    """One event, between what the match came to before it and after."""

    def __init__(self, session: Session, match: LoadedMatch, place: int, before: MatchLog, after: MatchLog) -> None:
        self.session = session
        self.match = match
        self.place = place
        self.before = before
        self.after = after

    def what(self, event: Event) -> str:
        """Say what was done."""
        match event.fact:
            case HandAdded(before=before):
                number = self._number(event.seq)
                return f"wrote {number}" if before is None else f"wrote {number}, forgotten before"
            case HandCorrected(uid=uid):
                return f"put {self._number(uid)} right"
            case HandRemoved(uid=uid):
                return f"took {self._number(uid)} out"
            case HandReturned(uid=uid):
                return f"put {self._number(uid)} back"
            case HandAccepted(uid=uid):
                return f"accepted {self._number(uid)}"
            case AgreementSet(on=on):
                return "let the other side accept each hand" if on else "let hands count at once again"
            case Stopped():
                return "stopped the match"
            case Resumed():
                return "went on with the match"
            case Deleted():
                return "threw the match away"
            case Undeleted():
                return "fetched the match back"
            case Renamed():
                return "changed names"
            case Marked():
                return "changed colours and signs"
            case RulesChanged():
                return f"changed rules from hand {len(self.after.hands) + 1} on"
            case DealerMoved(who=dealer):
                return f"let {self.match.names.get(dealer, dealer)} deal hand {len(self.after.hands) + 1}"
            case Undone(target=target):
                return f"took back: {self._fact_of(target)}"
            case Redone(target=target):
                return f"brought back: {self._fact_of(target)}"

    def details(self, event: Event) -> Iterator[str]:
        """Say what stood there before, and what after."""
        match event.fact:
            case HandAdded(hand=hand):
                yield _hand_words(hand, self.match.names)
            case HandCorrected(uid=uid, hand=hand):
                yield changed_words(self._hand(uid), hand, self.match.names, self._awards())
            case HandRemoved(uid=uid) | HandReturned(uid=uid) | HandAccepted(uid=uid):
                yield _hand_words(self._hand(uid), self.match.names)
            case Renamed():
                yield from self._renamings()
            case Marked(marks=marks):
                old = self.match.match.marks(self.before.marks)
                for side, mark in marks.items():
                    yield f"{self.match.names[side]}: {mark_word(old[side])} → {mark_word(mark)}"
            case RulesChanged():
                yield self._rules()
            case _:
                pass
        if not _is_at_the_end(event) and (moved := self._moved()):
            yield moved

    def _number(self, uid: int) -> str:
        """Name a hand by its place when this was written."""
        for log in (self.after, self.before):
            for number, hand in enumerate(log.hands, 1):
                if hand.uid == uid:
                    return f"hand {number}"
        return "a hand"

    def _hand(self, uid: int) -> Mapping[str, Any]:
        found = self.before.hand(uid) or self.before.gone_hand(uid)
        return found.hand if found else {}

    def _fact_of(self, target: int) -> str:
        """Say what an undo took back, or what taking that back brought."""
        places = {event.seq: place for place, event in enumerate(self.match.log.events)}
        event = self.match.log.events[places[target]]
        if isinstance(event.fact, Undone):
            return self._fact_of(event.fact.target)
        events, place = self.match.log.events, places[target]
        before, after = fold(events[:place]), fold(events[: place + 1])
        return _Telling(self.session, self.match, place, before, after).what(event)

    def _renamings(self) -> Iterator[str]:
        old, new = (self.match.match.names(log.renamed) for log in (self.before, self.after))
        yield from (f"{name} → {new[key]}" for key, name in old.items() if new[key] != name)
        titles = [log.title if log.title is not None else self.match.match.title for log in (self.before, self.after)]
        if titles[0] != titles[1]:
            yield f"the match: {titles[0] or 'no title'} → {titles[1] or 'no title'}"

    def _rules(self) -> str:
        before, after = as_of(self.session, self.match, self.place), as_of(self.session, self.match, self.place + 1)
        return " ".join(changes_told(before.state.ruleset, after.state.ruleset)) if before and after else ""

    def _awards(self) -> Mapping[str, str]:
        return {award_id: award.name for award_id, award in self.match.state.ruleset.awards.items()}

    def _moved(self) -> str:
        """Say how the scores moved: "Us 20 → 19"."""
        before, after = as_of(self.session, self.match, self.place), as_of(self.session, self.match, self.place + 1)
        if before is None or after is None:
            return ""
        old, new = before.counted.scores.values(), after.counted.scores.values()
        moved = [
            f"{name} {plain(was)} → {plain(now)}"
            for name, was, now in zip(after.counted.scores, old, new, strict=True)
            if was != now
        ]
        dealt = before.state.dealer, after.state.dealer
        if not moved and isinstance(self.match.log.events[self.place].fact, DealerMoved) and all(dealt):
            return f"it was {dealt[0]}’s deal"
        return ", ".join(moved)


def _is_at_the_end(event: Event) -> bool:
    """Tell what moves no score, or only as its own hand says."""
    fact = event.fact
    return isinstance(fact, Stopped | Resumed | Renamed | Marked | RulesChanged | Deleted | Undeleted) or (
        isinstance(fact, HandAdded) and fact.before is None
    )


def _hand_words(hand: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Tell a stored hand in a few words: "Dan 3 spades: High, Low"."""
    if thrown := hand.get("thrown_in"):
        return "misdeal" if thrown == "misdeal" else "all passed"
    bidder = names.get(hand.get("bidder", ""), "")
    bid = bid_word(hand["bid"]) if hand.get("bid") is not None else ""
    head = " ".join(part for part in (bidder, bid, hand.get("trump") or "") if part)
    return head or (f"{len(hand['auction'])} calls" if hand.get("auction") else listed(sorted(hand)))
