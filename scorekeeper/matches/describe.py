"""One event of a match in words: in the change log, above the scores, and as what an undo takes back."""

from dataclasses import dataclass
from typing import cast

from scorekeeper.access.roles import holder_of
from scorekeeper.eventlog.fields import Verdict
from scorekeeper.eventlog.stream import Stamp
from scorekeeper.matches import events
from scorekeeper.matches.fold import Match, substitutes
from scorekeeper.matches.log import MatchLog, fold
from scorekeeper.pitch.rules.phrases import listed, money, sentence
from scorekeeper.pitch.text.phrases import PRONOUNS, marker_name, sits_in_words, verb

_NAMES = "names"


@dataclass(frozen=True, slots=True)
class Description:
    """The texts that describe an event, one for each place that shows it."""

    action: str
    """What somebody did: "corrected hand 4"."""
    noun: str = ""
    """What an undo of it takes back: "hand 7", "correction"; empty where that has no short name."""
    done: str = ""
    """The sentence for when it has just happened: "Hand 4 is corrected."; empty where there is none."""
    follows: str = ""
    """What follows from it, after that."""
    is_about_scores: bool = False
    """Whether the scores follow in its place."""


def describe(match: Match, event: events.StoredEvent, log: MatchLog) -> Description:
    """Return an event in words, with its hands by the numbers that they have in a log of the match, or would have.

    The sentence for when it has just happened holds for the last event of the log alone.
    """
    match cast(events.MatchEvent, event.data):  # so that mypy misses a kind that has no words
        case events.HandAdded(before=before):
            hand = _hand(log, event.seq)
            return Description(f"recorded {hand}" if before is None else f"recorded {hand}, inserted later", hand)
        case events.HandCorrected(uid=uid):
            hand = _hand(log, uid)
            done = f"{sentence(hand)} is corrected."
            return Description(f"corrected {hand}", "correction", done, is_about_scores=True)
        case events.HandRemoved(uid=uid):
            return Description(f"deleted {_hand(log, uid)}", "", "The hand is deleted.", is_about_scores=True)
        case events.HandReturned(uid=uid):
            hand = _hand(log, uid)
            return Description(f"restored {hand}", "", f"{sentence(hand)} is restored.", is_about_scores=True)
        case events.HandDisputed(uid=uid, says=says):
            return _dispute(says, _hand(log, uid), phone_of(match, event.stamp) or "a watching phone")
        case events.HandAccepted(uid=uid):
            return Description(f"accepted {_hand(log, uid)}")
        case events.AgreementSet(on=on):
            return Description("turned on acceptance" if on else "turned off acceptance")
        case events.Stopped():
            return Description("stopped the match", "", "The match is stopped.", "Resume it whenever you like.")
        case events.Resumed():
            return Description("resumed the match", "", "The match is resumed.")
        case events.WentOn():
            return Description("changed the players")
        case events.Deleted():
            return Description("deleted the match")
        case events.Undeleted():
            return Description("restored the match", "", "The match is restored.")
        case events.Renamed() as renamed:
            return _renamed(renamed)
        case events.Marked() as marked:
            return Description("changed colors and markers", "color change", _marked(match, marked))
        case events.RulesChanged(house=house):
            action = f"changed rules from hand {log.numbers[-1]} on"
            if not house:
                return Description(action, "rule change", "Written down.", "It is on paper only: it changes no score.")
            return Description(action, "rule change", "Rule changed.", "It starts with the next hand.")
        case events.DealerMoved(who=who):
            name = match.names_when(event.seq)[who]
            return Description(f"let {name} deal hand {log.numbers[-1]}", "", f"{name} deals next.")
        case events.PlayerSubstituted() as sat_in:
            return _sat_in(match, sat_in, log)
        case events.PaymentMade(cents=cents):
            action, done = f"wrote down a payment of {money(cents)}", "The payment is saved."
            return Description(action, "payment", done, "See it under “Money night”.")
        case events.Undone(target=target):
            done = f"{sentence(_undone(match, target, log))}."
            return Description(f"undid: {_earlier(match, target, log)}", "", done, is_about_scores=True)
        case events.Redone(target=target):
            return Description(f"redid: {_earlier(match, target, log)}", "", "Restored.", is_about_scores=True)


def undo_words(match: Match) -> str:
    """Return what an undo would undo: "hand 7", "correction"; empty for an event that has no short name."""
    event = match.log.undo_next
    return describe(match, event, match.log).noun if event else ""


def undone_words(match: Match) -> str:
    """Return what the last event has undone: "hand 9 undone"; empty where it was no undo."""
    last = match.log.events[-1].data if match.log.events else None
    return _undone(match, last.target, match.log) if isinstance(last, events.Undone) else ""


def phone_of(match: Match, stamp: Stamp) -> str:
    """Return whose phone wrote something: "Mia’s phone"; empty where it is nobody's."""
    name = match.names_when(stamp.seq).get(holder_of(stamp.actor) or "", "")
    return name and (f"the phone of {name}" if name in PRONOUNS else f"{name}’s phone")


def _hand(log: MatchLog, uid: int) -> str:
    """Return a hand's number in words, or the number that it would have where it is not in force any more."""
    number = log.hand_number(uid)
    if number is None and uid in log.entries:
        # It was before the hands that follow it in the order of the entries.
        after = log.entries[log.entries.index(uid) :]
        number = log.numbers[len(log.hands) - sum(hand.uid in after for hand in log.hands)]
    return f"hand {number}" if number else "a hand"


def _dispute(says: Verdict, hand: str, phone: str) -> Description:
    match says:
        case "wrong":
            action, done = f"said that {hand} is wrong", f"{phone} says that {hand} is wrong."
        case "withdrawn":
            action, done = f"no longer said that {hand} is wrong", f"{phone} no longer says that {hand} is wrong."
        case "confirmed":
            action, done = f"confirmed {hand}", f"{hand} is confirmed."
    return Description(action, "confirmation", sentence(done))


def _renamed(event: events.Renamed) -> Description:
    remarks = (("date", event.played_on), ("place", event.place), ("note", event.note))
    has_names = event.names or event.title is not None
    what = listed([*([_NAMES] if has_names else ()), *(what for what, text in remarks if text is not None)]) or _NAMES
    return Description(
        "changed names of people everywhere" if event.by_book else f"changed {what}",
        "name change" if what == _NAMES else f"change of {what}",
        f"The {what} {'are' if ' and ' in what or what == _NAMES else 'is'} changed.",
    )


def _marked(match: Match, event: events.Marked) -> str:
    """Return a sentence with the new marker of every side whose marker changed."""
    seats = match.state.seats
    sides = [
        f"{match.name(side)} {verb(seats, [side], 'have')} the {marker_name(mark)}"
        for side, mark in event.marks.items()
    ]
    return f"{listed(sides)}."


def _sat_in(match: Match, event: events.PlayerSubstituted, log: MatchLog) -> Description:
    now, number = len(log.substitutions), log.numbers[-1]
    who = sits_in_words(substitutes(match.setup, log, max(now - len(event.names), 0), now))
    action = f"changed players from hand {number} on"
    return Description(action, "change of players", f"{who}.", f"It starts with hand {number}.")


def _undone(match: Match, target: int, log: MatchLog) -> str:
    event = next((event for event in log.events if event.seq == target), None)
    return f"{(event and describe(match, event, log).noun) or 'last change'} undone"


def _earlier(match: Match, target: int, log: MatchLog) -> str:
    """Return the action of an event that was undone or redone, in the words of when it was written."""
    index = next(index for index, event in enumerate(log.events) if event.seq == target)
    if isinstance(undo := log.events[index].data, events.Undone):
        return _earlier(match, undo.target, log)
    return describe(match, log.events[index], fold(log.events[: index + 1])).action
