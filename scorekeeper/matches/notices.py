"""What a page of a match has to say above its scores, and aloud: what was written last, which hand may be wrong."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from scorekeeper.access.signatures import holder_of
from scorekeeper.eventlog.stream import Stamp
from scorekeeper.matches import events
from scorekeeper.matches.events import HandAdded
from scorekeeper.matches.fold import Match, newcomers
from scorekeeper.matches.log import LoggedHand, MatchLog
from scorekeeper.pitch.rules.phrases import digits, listed, sentence
from scorekeeper.pitch.scoring.match import HandResult
from scorekeeper.pitch.text.endings import (
    goal_words,
    held_back_words,
    outcome_heading,
    short_of_target,
    verdict_sentence,
)
from scorekeeper.pitch.text.hands import (
    bid_words,
    came_of_bid,
    hand_sentence,
    outcome_word,
    redeal_words,
    result_words,
)
from scorekeeper.pitch.text.payments import hand_payments, standing_text
from scorekeeper.pitch.text.phrases import (
    PRONOUNS,
    Names,
    bid_word,
    changes_text,
    joined,
    marker_name,
    sits_in_words,
    verb,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What a page has to say, in words; its icon and its buttons follow from its kind."""

    kind: str
    """The kind of its fact, or `thrown_in`, `held_back`, `disputed`, or `withdraw` on the phone that said so."""
    lead: str
    """"Hand 6 is in."."""
    text: str
    outcome: str = ""
    """`made` or `set`, which follows the text and is marked."""
    rest: str = ""
    """What follows the outcome."""
    uid: int = 0
    """The hand that its buttons are about."""
    version: int = 0
    """The event that made that hand what it is."""


def last_change(match: Match) -> Notice | None:
    """Return what the last event did; `None` where nothing was written, or nothing that a page tells."""
    if not match.log.events:
        return None
    event = match.log.events[-1]
    fact = event.fact
    if isinstance(fact, events.HandAdded):
        return _hand_added(match, event.seq)
    lead, text = _change_words(match, fact)
    uid = fact.uid if isinstance(fact, events.HandRemoved) else 0
    return Notice(kind=fact.kind, lead=lead, text=text, uid=uid) if lead else None


def _change_words(match: Match, fact: events.Fact) -> tuple[str, str]:
    """Return what a fact did that is no new hand, and what follows from it; two empty texts where no page tells it."""
    log, score = match.log, f"Score: {standing_text(match.state, match.names)}."
    match fact:
        case events.HandCorrected(uid=uid):
            return f"Hand {log.hand_number(uid) or 0} is corrected.", score
        case events.HandRemoved():
            return "The hand is deleted.", score
        case events.HandReturned(uid=uid):
            return f"Hand {log.hand_number(uid) or 0} is restored.", score
        case events.HandDisputed() as dispute:
            return _verdict_words(match, dispute), ""
        case events.Undone():
            return f"{sentence(undone_words(match)) or 'The last change is undone'}.", score
        case events.Redone():
            return "Restored.", score
        case events.Stopped():
            return "The match is stopped.", "Resume it whenever you like."
        case events.Resumed():
            return "The match is resumed.", ""
        case events.Renamed() as renamed:
            what = renamed_words(renamed)
            return f"The {what} {'are' if ' and ' in what or what == NAMES else 'is'} changed.", ""
        case events.Marked(marks=marks):
            return _marker_words(match, marks), ""
        case events.Undeleted():
            return "The match is restored.", ""
        case events.RulesChanged(house=house):
            if not house:
                return "Written down.", "It is on paper only: it changes no score."
            return "Rule changed.", "It starts with the next hand."
        case events.DealerMoved(who=who):
            return f"{match.name(who)} deals next.", ""
        case events.PaymentMade():
            return "The payment is saved.", "See it under “Money night”."
        case events.SatIn(names=names):
            now = len(log.sittings)
            who = sits_in_words(newcomers(match.setup, log, now - len(names), now))
            return f"{who}.", f"It starts with hand {log.numbers[-1]}."
        case _:
            return "", ""


def held_back_notice(match: Match) -> Notice | None:
    """Return why a side that is at the target has not won."""
    if match.log.is_stopped:
        return None
    lead, rule = held_back_words(match.state, match.names)
    return Notice(kind="held_back", lead=lead, text=rule) if lead else None


def last_hand_words(match: Match) -> str:
    """Return what the last hand did, and why nobody has won: "Hand 6: Dan bid 4, took 3: set, −4. …".

    It is empty where that is said already of who is at the target, and after a misdeal.
    """
    state = match.state
    last = state.results[-1] if state.results and state.goes_on else None
    did = hand_sentence(last, match.names_in(last.place)) if last else ""
    if (
        last
        and last.status == "thrown_in"
        and last.hand.thrown_in not in ("misdeal", "ran_out")
        and not last.changes_scores
    ):
        return "Everyone passed. Nobody has to bid here, and nothing is scored."
    if last is None or not did or (last.bid and came_of_bid(last) in held_back_words(state, match.names)[0]):
        return ""
    return joined(f"Hand {last.number}:" if last.status == "scored" else "", did, short_of_target(state))


def _hand_added(match: Match, uid: int) -> Notice | None:
    result = match.result(uid)
    if result is None:
        return None
    names = match.names_in(result.place)
    if result.ended_unplayed:
        return Notice(kind="thrown_in", lead=f"{bid_words(result, names)}.", text=f"{result_words(result, names)}.")
    if result.status == "thrown_in":
        changes = f"{changes_text(result.deltas, names)}. " if result.changes_scores else ""
        return Notice(kind="thrown_in", lead="Redeal.", text=f"{changes}{sentence(redeal_words(result, names))}.")
    outcome, bid, lead = outcome_word(result), bid_words(result, names), f"Hand {result.number} is saved."
    paid = "; ".join(hand_payments(result, names))
    changes = f". {paid if paid and not any(result.deltas.values()) else changes_text(result.deltas, names)}."
    why = joined(changes, short_of_target(match.state) if match.state.results[-1:] == (result,) else "")
    if outcome in ("made", "set"):
        return Notice(kind="hand", lead=lead, text=f"{bid}:", outcome=outcome, rest=why)
    return Notice(kind="hand", lead=lead, text=f"{bid}{': ' + outcome if outcome else ''}{why}")


def _verdict_words(match: Match, fact: events.HandDisputed) -> str:
    number, phone = match.log.hand_number(fact.uid), _phone(match, match.log.events[-1].stamp) or "a watching phone"
    hand = f"hand {number}" if number else "a hand"
    match fact.says:
        case "wrong":
            return f"{sentence(phone)} says that {hand} is wrong."
        case "withdrawn":
            return f"{sentence(phone)} no longer says that {hand} is wrong."
        case "right":
            return f"{sentence(hand)} is confirmed."


_NOUNS: Mapping[type[events.Fact], str] = {
    events.HandCorrected: "correction",
    events.HandDisputed: "confirmation",
    events.Marked: "color change",
    events.RulesChanged: "rule change",
    events.SatIn: "change of players",
    events.PaymentMade: "payment",
}


NAMES = "names"


def renamed_words(fact: events.Renamed) -> str:
    """Return what was said otherwise: "names", "date and place"."""
    told = (("date", fact.played_on), ("place", fact.place), ("note", fact.note))
    has_names = fact.names or fact.title is not None
    return listed([*([NAMES] if has_names else ()), *(what for what, text in told if text is not None)]) or NAMES


def undo_words(match: Match) -> str:
    """Return what an undo would undo: "hand 7", "correction"; empty for whatever has no short name."""
    event = match.log.undo_next
    return _noun(match.log, event) if event else ""


def undone_words(match: Match) -> str:
    """Return what the last event undid: "hand 9 undone"; empty where it was no undo."""
    log = match.log
    if not log.events or not isinstance(undo := log.events[-1].fact, events.Undone):
        return ""
    event = next((event for event in log.events if event.seq == undo.target), None)
    return f"{(event and _noun(log, event)) or 'last change'} undone"


def _noun(log: MatchLog, event: events.Event) -> str:
    """Return what an event wrote in a word or two; a hand by the number that it has, or would have."""
    if isinstance(event.fact, events.Renamed):
        what = renamed_words(event.fact)
        return "name change" if what == NAMES else f"change of {what}"
    if not isinstance(event.fact, events.HandAdded):
        return _NOUNS.get(type(event.fact), "")
    place = next((place for place, hand in enumerate(log.hands) if hand.uid == event.seq), None)
    if place is None:  # undone: it was before whatever follows it in the order of the hands
        after = log.entries[log.entries.index(event.seq) :]
        place = len(log.hands) - sum(hand.uid in after for hand in log.hands)
    return f"hand {log.numbers[place]}"


def _marker_words(match: Match, marks: Mapping[str, int]) -> str:
    """Return what every side has whose marker changed."""
    seats = match.state.seats
    sides = [
        f"{match.name(side)} {verb(seats, [side], 'have', 'has')} the {marker_name(mark)}"
        for side, mark in marks.items()
    ]
    return f"{listed(sides)}."


def dispute_notices(match: Match, own: Collection[int]) -> tuple[Notice, ...]:
    """Return the hands that this phone says are wrong, by their uids, or else the first that another one does."""
    disputed = match.log.disputed
    mine = [hand for hand in disputed if hand.uid in own]
    return tuple(_dispute_notice(match, hand, is_own=bool(mine)) for hand in mine or disputed[:1])


def _dispute_notice(match: Match, hand: LoggedHand, *, is_own: bool) -> Notice:
    number = match.log.hand_number(hand.uid)
    return Notice(
        kind="withdraw" if is_own else "disputed",
        lead="You said: That’s wrong." if is_own else dispute_words(match, hand),
        text=f"Hand {number}: {_in_short(match, hand)}",
        uid=hand.uid,
        version=hand.latest.seq,
    )


def dispute_words(match: Match, hand: LoggedHand) -> str:
    """Return who says that a hand is wrong: "Mia’s phone: That’s wrong."; empty where nobody does."""
    if not hand.disputes:
        return ""
    held = dict.fromkeys(phone for stamp in hand.disputes if (phone := _phone(match, stamp)))
    others = sum(not _phone(match, stamp) for stamp in hand.disputes)
    nameless = ["a watching phone" if others == 1 else f"{others} watching phones"] if others else []
    return f"{sentence(listed([*held, *nameless]))}: That’s wrong."


def _phone(match: Match, stamp: Stamp) -> str:
    """Return whose phone said something: "Mia’s phone"; empty where it is nobody's."""
    name = match.names_when(stamp.seq).get(holder_of(stamp.actor) or "", "")
    return name and (f"the phone of {name}" if name in PRONOUNS else f"{name}’s phone")


def _in_short(match: Match, hand: LoggedHand) -> str:
    result = match.result(hand.uid)
    assert result is not None
    names, outcome = match.names_of(hand), outcome_word(result)
    bid = f"{bid_words(result, names)}{': ' + outcome if outcome else ''}."
    return f"{bid} {changes_text(result.deltas, names)}." if result.changes_scores else bid


def announcement(match: Match) -> str:
    """Return what was written last, the scores, and who won; empty where nothing was written yet."""
    if not match.log.events:
        return ""
    state, names, event = match.state, match.names, match.log.events[-1]
    result = match.result(event.seq) if isinstance(event.fact, HandAdded) else None
    if result:
        change = _hand(result, match.names_in(result.place))
    else:
        notice = last_change(match)
        change = notice.lead if notice else ""
    heading, why = outcome_heading(state, names, stopped=False), verdict_sentence(state, names)
    held_back = held_back_notice(match) if result else None
    return joined(
        change,
        f"{standing_text(state, names)}.",
        f"{held_back.lead} {held_back.text}" if held_back else "",
        f"{heading}. {why}" if state.outcome else "",
    )


def share_text(match: Match, title: str) -> str:
    """Return how a match stands, or how it ended and why, for somebody who was not there."""
    state, names = match.state, match.names
    scores = f"{standing_text(state, names)}."
    if not state.outcome:
        hands = f"{digits(state.scored, 'hand')} played" if state.scored else "no hands yet"
        return f"{title}\n{state.ruleset.name}, {goal_words(state.ruleset)}: {hands}.\n{scores}"
    heading, why = outcome_heading(state, names, stopped=False), verdict_sentence(state, names)
    return f"{title}\n{heading}: {scores}\n{why}\n{state.ruleset.name}, {goal_words(state.ruleset)}."


def _hand(result: HandResult, names: Names) -> str:
    """Return a hand as it is read aloud: "Hand 8: Dan bid 3, made."."""
    if result.bidder is None or result.bid is None or result.set_taken_by or result.status == "thrown_in":
        bid = bid_words(result, names)
    else:
        bid = f"{names[result.bidder]} bid {bid_word(result.bid)}"
    outcome = outcome_word(result)
    return f"Hand {result.number}: {bid}{', ' + outcome if outcome else ''}."
