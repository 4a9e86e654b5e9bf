"""Everything that was written in a match, in words: what was done, and what it changed."""

from collections.abc import Iterator
from dataclasses import dataclass

from scorekeeper.engine.hand import Hand
from scorekeeper.ledger import facts
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.facts import Event
from scorekeeper.ledger.fold import fold
from scorekeeper.ledger.log import MatchLog
from scorekeeper.ledger.signatures import holder_of, is_same_phone
from scorekeeper.narration.differences import changed_words, score_changes
from scorekeeper.narration.hands import stored_hand_words
from scorekeeper.narration.phrases import Names, marker_name, sits_in_words
from scorekeeper.narration.rule_changes import changed_rules


def writer_words(actor: str, reader: str, names: Names) -> str:
    """Return who wrote something: by name where a phone is somebody's, else which phone, seen from the reader's."""
    if name := names.get(holder_of(actor) or ""):
        return name
    return "This phone" if is_same_phone(actor, reader) else "Another phone"


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event, with what the events of a match came to before it and after."""

    match: Match
    event: Event
    before: MatchLog
    after: MatchLog

    def action(self) -> str:
        """Return what was done: "corrected hand 4"."""
        match self.event.fact:
            case facts.HandAdded(before=before):
                number = self._number(self.event.seq)
                return f"recorded {number}" if before is None else f"recorded {number}, inserted later"
            case facts.HandCorrected(uid=uid):
                return f"corrected {self._number(uid)}"
            case facts.HandRemoved(uid=uid):
                return f"deleted {self._number(uid)}"
            case facts.HandReturned(uid=uid):
                return f"restored {self._number(uid)}"
            case facts.HandAccepted(uid=uid):
                return f"accepted {self._number(uid)}"
            case facts.AgreementSet(on=on):
                return "turned on acceptance" if on else "turned off acceptance"
            case facts.Stopped():
                return "stopped the match"
            case facts.Resumed():
                return "resumed the match"
            case facts.Deleted():
                return "deleted the match"
            case facts.Undeleted():
                return "restored the match"
            case facts.Renamed(by_book=True):
                return "changed names of people everywhere"
            case facts.Renamed():
                return "changed names"
            case facts.Marked():
                return "changed colors and markers"
            case facts.RulesChanged():
                return f"changed rules from hand {self.after.numbers[-1]} on"
            case facts.DealerMoved(who=who):
                return f"let {self.match.names_when(self.event.seq)[who]} deal hand {self.after.numbers[-1]}"
            case facts.SatIn():
                return f"changed players from hand {self.after.numbers[-1]} on"
            case facts.Undone(target=target):
                return f"undid: {self._earlier(target).action()}"
            case facts.Redone(target=target):
                return f"redid: {self._earlier(target).action()}"

    def details(self) -> Iterator[str]:
        """Yield what there was before, and what after, then what followed for the rules and the scores."""
        yield from self._changes()
        match self.event.fact:
            case facts.Stopped() | facts.Resumed() | facts.Renamed() | facts.Marked() | facts.SatIn():
                return
            case facts.Deleted() | facts.Undeleted() | facts.HandAdded(before=None):
                return
        before, after = self.match.as_of(len(self.before.events)), self.match.as_of(len(self.after.events))
        if before is None or after is None:
            return
        if isinstance(self.event.fact, facts.RulesChanged):
            yield " ".join(changed_rules(before.state.ruleset, after.state.ruleset))
            return
        scores = score_changes(before.counted, after.counted, after.names)
        if not scores and isinstance(self.event.fact, facts.DealerMoved) and before.state.dealer:
            scores = f"it was {before.name(before.state.dealer)}’s deal"
        if scores:
            yield scores

    def _changes(self) -> Iterator[str]:
        match self.event.fact:
            case facts.HandAdded(hand=hand):
                yield stored_hand_words(hand, self._names(self.event.seq))
            case facts.HandCorrected(uid=uid, hand=hand):
                awards = {award_id: award.name for award_id, award in self.match.state.ruleset.awards.items()}
                yield changed_words(self._hand(uid), hand, self._names(uid), awards)
            case facts.HandRemoved(uid=uid) | facts.HandReturned(uid=uid) | facts.HandAccepted(uid=uid):
                yield stored_hand_words(self._hand(uid), self._names(uid))
            case facts.SatIn(names=names):
                left = self.match.setup.names(self.before.renamed)
                yield sits_in_words({left[seat]: name for seat, name in names.items()})
            case facts.Renamed(names=names, by_book=by_book):
                # A name that was deleted everywhere is not told here.
                if not by_book:
                    yield from self._renamings(names)
            case facts.Marked(marks=marks):
                old = self.match.setup.marks(self.before.marks)
                for side, mark in marks.items():
                    yield f"{self.match.name(side)}: {marker_name(old[side])} → {marker_name(mark)}"
            case _:
                pass

    def _earlier(self, seq: int) -> "LoggedEvent":
        """Return the event that was undone, or the one that a redo brought back."""
        events = self.after.events
        place = next(place for place, event in enumerate(events) if event.seq == seq)
        if isinstance(undo := events[place].fact, facts.Undone):
            return self._earlier(undo.target)
        return LoggedEvent(self.match, events[place], fold(events[:place]), fold(events[: place + 1]))

    def _number(self, uid: int) -> str:
        """Return a hand by its number when this was written."""
        number = self.after.hand_number(uid) or self.before.hand_number(uid)
        return f"hand {number}" if number else "a hand"

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
        titles = [self.match.setup.title if log.title is None else log.title for log in (self.before, self.after)]
        if titles[0] != titles[1]:
            yield f"the match: {titles[0] or 'no title'} → {titles[1] or 'no title'}"
