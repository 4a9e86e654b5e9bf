"""What a page of a match has to say above its scores: what was written last, and which rules are new."""

from collections.abc import Mapping
from dataclasses import dataclass

from scorekeeper.ledger import facts
from scorekeeper.ledger.derive_match import Match, newcomers
from scorekeeper.ledger.log import MatchLog
from scorekeeper.narration.hands import bid_words, outcome_word
from scorekeeper.narration.outlook import held_back_words
from scorekeeper.narration.payments import hand_payments, standing_text
from scorekeeper.narration.phrases import changes_text, marker_name, sits_in_words, verb
from scorekeeper.rules.phrases import listed


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What a page has to say, in words; its icon and its buttons follow from its kind."""

    kind: str
    """The kind of its fact, or `thrown_in`, `held_back`, `accept`, `accept_removal`, `waits`, `waits_alone`."""
    lead: str
    """"Hand 6 is in."."""
    text: str = ""
    outcome: str = ""
    """`made` or `set`, which follows the text and is marked."""
    rest: str = ""
    """What follows the outcome."""
    uid: int = 0
    """The hand that its buttons are about."""
    version: int = 0
    """The event that made that hand what is to be accepted."""


def last_change(match: Match) -> Notice | None:
    """Return what the last event did; `None` where nothing was written, or nothing that a page tells."""
    log = match.log
    if not log.events:
        return None
    event = log.events[-1]
    kind, score = event.fact.kind, f"Score: {standing_text(match.counted, match.names)}."
    match event.fact:
        case facts.HandAdded():
            return _hand_added(match, event.seq)
        case facts.HandCorrected(uid=uid):
            return Notice(kind=kind, lead=f"Hand {log.hand_number(uid) or 0} is corrected.", text=score)
        case facts.HandRemoved(uid=uid):
            return Notice(kind=kind, lead="The hand is deleted.", text=score, uid=uid)
        case facts.HandReturned(uid=uid):
            return Notice(kind=kind, lead=f"Hand {log.hand_number(uid) or 0} is restored.", text=score)
        case facts.HandAccepted(uid=uid):
            return _hand_accepted(log, uid, score)
        case facts.Undone(target=target):
            undone = next((type(event.fact) for event in log.events if event.seq == target), None)
            return Notice(kind=kind, lead=f"{_UNDONE.get(undone, 'The last change')} is undone.", text=score)
        case facts.Redone():
            return Notice(kind=kind, lead="Restored.", text=score)
        case facts.AgreementSet(on=on):
            moment = "when another side accepts it" if on else "as soon as you save it"
            return Notice(kind=kind, lead="From now on", text=f"a hand counts {moment}.")
        case facts.Stopped():
            return Notice(kind=kind, lead="The match is stopped.", text="Resume it whenever you like.")
        case facts.Resumed():
            return Notice(kind=kind, lead="The match is resumed.")
        case facts.Renamed():
            return Notice(kind=kind, lead="The names are changed.")
        case facts.Marked(marks=marks):
            return Notice(kind=kind, lead=_marker_words(match, marks))
        case facts.Undeleted():
            return Notice(kind=kind, lead="The match is restored.")
        case facts.RulesChanged():
            return Notice(kind=kind, lead="Rule changed.", text="It starts with the next hand.")
        case facts.DealerMoved(who=who):
            return Notice(kind=kind, lead=f"{match.name(who)} deals next.")
        case facts.SatIn(names=names):
            now = len(log.sittings)
            who = sits_in_words(newcomers(match.setup, log, now - len(names), now))
            return Notice(kind=kind, lead=f"{who}.", text=f"It starts with hand {log.numbers[-1]}.")
        case _:
            return None


def held_back_notice(match: Match) -> Notice | None:
    """Return why a side that is at the target has not won."""
    if match.log.is_stopped or match.counted is not match.state:
        return None
    lead, rule = held_back_words(match.counted, match.names)
    return Notice(kind="held_back", lead=lead, text=rule) if lead else None


def _hand_added(match: Match, uid: int) -> Notice | None:
    result = match.result(uid)
    if result is None:
        return None
    names = match.names_in(result.place)
    if result.status == "thrown_in":
        dealer = match.name(result.dealer) if result.dealer else "The same dealer"
        changes = f"{changes_text(result.deltas, names)}. " if result.changes_scores else ""
        return Notice(kind="thrown_in", lead="Redeal.", text=f"{changes}{dealer} deals again.")
    outcome, bid, lead = outcome_word(result), bid_words(result, names), f"Hand {result.number} is saved."
    paid = "; ".join(hand_payments(result, names))
    changes = f". {paid if paid and not any(result.deltas.values()) else changes_text(result.deltas, names)}."
    if outcome in ("made", "set"):
        return Notice(kind="hand", lead=lead, text=f"{bid}:", outcome=outcome, rest=changes)
    return Notice(kind="hand", lead=lead, text=f"{bid}{': ' + outcome if outcome else ''}{changes}")


def _hand_accepted(log: MatchLog, uid: int, score: str) -> Notice:
    place = log.hand_place(uid)
    if place is None:
        return Notice(kind="acceptance", lead="Accepted: the hand is deleted.", text=score)
    text = score if place <= log.counted else "It counts when the hands before it do."
    return Notice(kind="acceptance", lead=f"Hand {log.numbers[place - 1]} is accepted.", text=text)


_UNDONE: Mapping[type[facts.Fact] | None, str] = {
    facts.HandAdded: "The last hand",
    facts.HandCorrected: "The correction",
    facts.HandAccepted: "The acceptance",
    facts.Renamed: "The name change",
    facts.Marked: "The color change",
    facts.RulesChanged: "The rule change",
    facts.SatIn: "The change of players",
}


def _marker_words(match: Match, marks: Mapping[str, int]) -> str:
    """Return what every side has whose marker changed."""
    seats = match.state.seats
    sides = [
        f"{match.name(side)} {verb(seats, [side], 'have', 'has')} the {marker_name(mark)}"
        for side, mark in marks.items()
    ]
    return f"{listed(sides)}."
