"""The change log: every event of a match in words, with what it changed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scorekeeper.access.roles import holder_of, is_same_phone
from scorekeeper.matches import events as kinds
from scorekeeper.matches.describe import describe
from scorekeeper.matches.events import StoredEvent
from scorekeeper.matches.fold import Match
from scorekeeper.matches.log import MatchLog, occasion_of
from scorekeeper.pitch.rules.awards import AwardId
from scorekeeper.pitch.rules.phrases import listed, times
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import BIDDERS, DEFENDERS, HAND_FIELDS, FieldKind, Hand, HandField
from scorekeeper.pitch.scoring.match import MatchState
from scorekeeper.pitch.text.hands import stored_hand_words
from scorekeeper.pitch.text.phrases import (
    Names,
    before_number,
    bid_word,
    joined,
    marker_name,
    named,
    score_text,
    sits_in_words,
)
from scorekeeper.pitch.text.rule_changes import changed_rules

_FIELDS = sorted(HAND_FIELDS, key=lambda item: item.kind.value)
_UNSAID = "not said"
_ROLES = {BIDDERS: "the bidders", DEFENDERS: "the others"}


def changed_words(before: Hand, after: Hand, names: Names, ruleset: Ruleset) -> str:
    """Return the fields that differ between two hands: "bid 3 → 4, Low Us → Them"."""
    known = {**_ROLES, **names}
    return ", ".join(words for item in _FIELDS for words in _changes(item, before, after, known, ruleset))


def _changes(item: HandField, before: Hand, after: Hand, names: Names, ruleset: Ruleset) -> Iterator[str]:
    old, new = _entered(item, before), _entered(item, after)
    match item.kind:
        case FieldKind.TAKEN | FieldKind.COUNTS | FieldKind.TIMES | FieldKind.FORFEITS:
            for key in _differing(old, new):
                match item.kind:
                    case FieldKind.TAKEN:
                        what = _award(ruleset, key)
                    case FieldKind.TIMES:
                        what = f"{item.label} of {_award(ruleset, key)}"
                    case _:
                        what = f"{item.label} of {names.get(key, key)}"
                was, now = ((entries or {}).get(key, _UNSAID) for entries in (old, new))
                yield f"{what} {_entry(was, names)} → {_entry(now, names)}"
        case FieldKind.CALLS | FieldKind.NOTE | FieldKind.RULES:
            # Too long to be quoted: only that they changed.
            if old != new:
                yield item.label
        case _:
            if old != new:
                yield f"{item.label} {_value(item, old, names)} → {_value(item, new, names)}"


def _differing(old: Mapping[str, object] | None, new: Mapping[str, object] | None) -> list[str]:
    """Return the keys with different values, in order."""
    old, new = old or {}, new or {}
    return [key for key in dict.fromkeys((*old, *new)) if old.get(key) != new.get(key)]


def _entered(item: HandField, hand: Hand) -> Any:
    """Return the value of a field; that of the partner is "alone" where the bidder played alone."""
    return "alone" if item.kind is FieldKind.PARTNER and hand.alone else getattr(hand, item.name)


def _value(item: HandField, value: str | int | None, names: Names) -> str:
    if value is None:
        return _UNSAID
    if item.kind in (FieldKind.PERSON, FieldKind.PARTNER):
        return names.get(str(value), str(value))
    if item.kind in (FieldKind.YES_OR_NO, FieldKind.CHECK):
        return "yes" if value else "no"
    return bid_word(value)


def _entry(value: str | int | None, names: Names) -> str:
    """Return the name of the taker of an award, or a number of points."""
    if isinstance(value, int):
        return score_text(value)
    return names.get(value, value) if value else "nobody"


def _award(ruleset: Ruleset, award_id: AwardId) -> str:
    """Return an award's name in the game; its id where the game has the award no longer."""
    award = ruleset.awards.get(award_id)
    return award.name if award else award_id.replace("_", " ")


def earlier_words(before: Hand, after: Hand, names: Names, ruleset: Ruleset) -> str:
    """Return what a correction changed, as it was before: "the bid was 3, Jack was Us’s"."""
    return ", ".join(_earlier(before, after, {**_ROLES, **names}, ruleset))


def _earlier(before: Hand, after: Hand, names: Names, ruleset: Ruleset) -> Iterator[str]:
    if before.dealer != after.dealer:
        yield f"the dealer was {names[before.dealer] if before.dealer else _UNSAID}"
    if before.bidder != after.bidder and before.bidder:
        yield f"the bidder was {names[before.bidder]}"
    if before.bid != after.bid and before.bid is not None:
        yield f"the bid was {bid_word(before.bid)}"
    if (before.partner, before.alone) != (after.partner, after.alone):
        partner = f"the partner was {names[before.partner] if before.partner else _UNSAID}"
        yield "the bidder played alone" if before.alone else partner
    if before.trump != after.trump and before.trump:
        yield f"trump was {before.trump}"
    for label, old, new, none in (
        ("the penalty", before.penalties, after.penalties, "none"),
        ("points for the others’ mistake", before.penalties_to, after.penalties_to, "nothing"),
        ("what was given up", before.forfeits, after.forfeits, "nothing"),
    ):
        yield from (f"{label} of {names[side]} was {(old or {}).get(side) or none}" for side in _differing(old, new))
    old_times, new_times = before.times or {}, after.times or {}
    for award in dict.fromkeys((*old_times, *new_times)):
        if (was := old_times.get(award, 1)) != new_times.get(award, 1):
            yield f"{_award(ruleset, award)} counted {times(was)}"
    if before.first_there != after.first_there:
        yield f"first there was {names[before.first_there] if before.first_there else _UNSAID}"
    for what, counted, recounted in (
        ("points", before.points or {}, after.points),
        ("card points", before.card_points or {}, after.card_points),
    ):
        changed = (who for who in _differing(counted, recounted) if who in counted)
        yield from (f"the {what} of {names[who]} were {counted[who]}" for who in changed)
    if before.all_tricks != after.all_tricks:
        yield _EARLIER_TRICKS[before.all_tricks]
    new_takers = after.taken or {}
    for award_id, who in (before.taken or {}).items():
        if award_id not in new_takers or new_takers[award_id] != who:
            yield f"{_award(ruleset, award_id)} was {names[who] if who else 'nobody'}’s"


_EARLIER_TRICKS = {True: "every trick was taken", False: "not every trick was taken", None: "the tricks were not said"}


def corrected_awards(before: Hand, after: Hand) -> dict[AwardId, str | None]:
    """Return the former takers of the awards that a correction gave to somebody else."""
    old, new = before.taken or {}, after.taken or {}
    return {award: who for award, who in old.items() if award in new and new[award] != who}


def score_changes(before: MatchState, after: MatchState, names: Names) -> str:
    """Return the scores that changed: "Us 20 → 19"."""
    moved = ((side, before.scores[side], score) for side, score in after.scores.items())
    changes = ((before_number(names[side]), old, new) for side, old, new in moved if old != new)
    return ", ".join(f"{name} {score_text(old)} → {score_text(new)}" for name, old, new in changes)


def new_winner_words(before: MatchState, after: MatchState, names: Names) -> str:
    """Return in a sentence who a change makes win, or win no longer; empty where the winners stay the same."""
    old, new = (named(state.winners, names) for state in (before, after))
    if old == new:
        return ""
    if not new:
        return f"Nobody would have won: {listed(old)} would no longer win."
    return f"{listed(new)} would win{', not ' + listed(old) if old else ''}."


def consequences(match: Match, after: Match, position: int) -> str:
    """Return how scores, winner and later dealers would change where the hand at a position does."""
    scores = score_changes(match.state, after.state, match.names)
    return joined(
        f"Score: {scores}." if scores else "",
        new_winner_words(match.state, after.state, match.names),
        _changed_dealer(match, after, position),
    )


def _changed_dealer(match: Match, after: Match, start: int) -> str:
    """Return in a sentence from which hand on the dealer differs; empty where a hand is inserted."""
    old, new = ([*(hand.dealer for hand in state.results), state.dealer] for state in (match.state, after.state))
    if len(old) != len(new):
        return ""
    index = next((index for index in range(start, len(old)) if old[index] != new[index]), 0)
    dealer = new[index]
    return f"The deal moves: {match.name(dealer)} deals hand {after.log.numbers[index]}." if index and dealer else ""


def writer_name(actor: str, names: Names) -> str:
    """Return the name of the player whose phone wrote something; empty for a phone that is nobody's."""
    return names.get(holder_of(actor) or "", "")


def writer_words(actor: str, reader: str, names: Names) -> str:
    """Return the name of the holder of the phone that wrote something, or else whether it is the reader's phone."""
    if name := writer_name(actor, names):
        return name
    return "This phone" if is_same_phone(actor, reader) else "Another phone"


def _brings_rules(event: object) -> bool:
    return not isinstance(event, kinds.HandAdded) or bool(event.hand.house)


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event with the match's log before it and after it."""

    match: Match
    event: StoredEvent
    before: MatchLog
    after: MatchLog

    def action(self) -> str:
        """Return what was done: "corrected hand 4"."""
        return describe(self.match, self.event, self.after).action

    def details(self) -> Iterator[str]:
        """Yield the values before and after the event, then what followed for the rules and the scores."""
        yield from self._changes()
        match self.event.data:
            case kinds.Stopped() | kinds.Resumed() | kinds.Renamed() | kinds.Marked() | kinds.PlayerSubstituted():
                return
            case kinds.PaymentMade() | kinds.Deleted() | kinds.Undeleted():
                return
            case kinds.HandDisputed() | kinds.HandAccepted() | kinds.AgreementSet():
                return
            case kinds.RulesChanged() | kinds.HandAdded(before=None):
                yield self.rule_change()
                return
        before, after = self._matches()
        if before is None or after is None:
            return
        scores = score_changes(before.state, after.state, after.names)
        if not scores and isinstance(self.event.data, kinds.DealerMoved) and before.state.dealer:
            scores = f"it was {before.name(before.state.dealer)}’s deal"
        if scores:
            yield scores

    def rule_change(self) -> str:
        """Return the rules that are new with it: "Play to 20."; a hand that is added may bring some."""
        if not _brings_rules(self.event.data):
            return ""
        before, after = self._matches()
        return " ".join(changed_rules(before.state.ruleset, after.state.ruleset)) if before and after else ""

    def _matches(self) -> tuple[Match | None, Match | None]:
        return self.match.as_of(len(self.before.events)), self.match.as_of(len(self.after.events))

    def _changes(self) -> Iterator[str]:
        match self.event.data:
            case kinds.HandAdded(hand=hand):
                yield stored_hand_words(hand, self._names(self.event.seq))
            case kinds.HandCorrected(uid=uid, hand=hand):
                yield changed_words(self._hand(uid), hand, self._names(uid), self.match.state.ruleset)
            case kinds.HandRemoved(uid=uid) | kinds.HandReturned(uid=uid) | kinds.HandDisputed(uid=uid):
                yield stored_hand_words(self._hand(uid), self._names(uid))
            case kinds.RulesChanged(notes=notes):
                yield from (f"{note} (on paper only)" for note in notes or ())
            case kinds.PlayerSubstituted(names=names):
                left = self.match.setup.names(self.before.renamed)
                yield sits_in_words({left[seat]: name for seat, name in names.items()})
            case kinds.Renamed(names=names, by_book=by_book):
                # A name that the book deleted is not shown here.
                if not by_book:
                    yield from self._renamings(names)
            case kinds.Marked(marks=marks):
                old = self.match.setup.marks(self.before.marks)
                for side, mark in marks.items():
                    yield f"{self.match.name(side)}: {marker_name(old[side])} → {marker_name(mark)}"
            case _:
                pass

    def _hand(self, uid: int) -> Hand:
        logged = self.before.hand(uid) or self.before.gone_hand(uid)
        return logged.hand if logged else Hand()

    def _names(self, uid: int) -> Names:
        """Return everybody's name as it was when a hand was played."""
        logged = self.match.log.hand(uid) or self.match.log.gone_hand(uid)
        return self.match.names_of(logged) if logged else self.match.names

    def _renamings(self, renamed: Names) -> Iterator[str]:
        old, new = (self.match.setup.shown_names(log.renamed) for log in (self.before, self.after))
        yield from (f"{old[who]} → {new[who]}" for who in renamed if new[who] != old[who])
        was, now = (occasion_of(self.match.setup, log) for log in (self.before, self.after))
        texts = (
            ("the match", was.title or "no title", now.title or "no title"),
            ("the date", was.day, now.day),
            ("the place", was.venue or _UNSAID, now.venue or _UNSAID),
        )
        yield from (f"{what}: {before} → {after}" for what, before, after in texts if before != after)
        if was.note != now.note:
            yield "the note changed"
