"""What a page of a match has to say above its scores, and aloud: what was written last, what waits for another side."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from scorekeeper.matches import events
from scorekeeper.matches.events import HandAdded
from scorekeeper.matches.fold import Match, newcomers
from scorekeeper.matches.log import LoggedHand, MatchLog
from scorekeeper.matches.match_stream import acceptance_fault, accepting_sides, may_accept
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
    stored_bid_words,
)
from scorekeeper.pitch.text.payments import hand_payments, standing_text
from scorekeeper.pitch.text.phrases import (
    Names,
    bid_word,
    changes_text,
    joined,
    marker_name,
    named,
    sits_in_words,
    verb,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What a page has to say, in words; its icon and its buttons follow from its kind."""

    kind: str
    """The kind of its fact, or `thrown_in`, `held_back`, `accept`, `accept_removal`, `waits`, `waits_alone`."""
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
    """The event that made that hand what is to be accepted."""


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
    log, score = match.log, f"Score: {standing_text(match.counted, match.names)}."
    match fact:
        case events.HandCorrected(uid=uid):
            return f"Hand {log.hand_number(uid) or 0} is corrected.", score
        case events.HandRemoved():
            return "The hand is deleted.", score
        case events.HandReturned(uid=uid):
            return f"Hand {log.hand_number(uid) or 0} is restored.", score
        case events.HandAccepted(uid=uid):
            return _acceptance_words(log, uid, score)
        case events.Undone():
            return f"{sentence(undone_words(match)) or 'The last change is undone'}.", score
        case events.Redone():
            return "Restored.", score
        case events.AgreementSet(on=on):
            return "From now on", f"a hand counts {'when another side accepts it' if on else 'as soon as you save it'}."
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
    if match.log.is_stopped or match.counted is not match.state:
        return None
    lead, rule = held_back_words(match.counted, match.names)
    return Notice(kind="held_back", lead=lead, text=rule) if lead else None


def last_hand_words(match: Match) -> str:
    """Return what the last hand that counts did, and why nobody has won: "Hand 6: Dan bid 4, took 3: set, −4. …".

    It is empty where that is said already of who is at the target, and after a misdeal.
    """
    state = match.counted
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
    why = joined(changes, short_of_target(match.counted) if match.counted.results[-1:] == (result,) else "")
    if outcome in ("made", "set"):
        return Notice(kind="hand", lead=lead, text=f"{bid}:", outcome=outcome, rest=why)
    return Notice(kind="hand", lead=lead, text=f"{bid}{': ' + outcome if outcome else ''}{why}")


def _acceptance_words(log: MatchLog, uid: int, score: str) -> tuple[str, str]:
    place = log.hand_place(uid)
    if place is None:
        return "Accepted: the hand is deleted.", score
    text = score if place <= log.counted else "It counts when the hands before it do."
    return f"Hand {log.numbers[place - 1]} is accepted.", text


_NOUNS: Mapping[type[events.Fact], str] = {
    events.HandCorrected: "correction",
    events.HandAccepted: "acceptance",
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


_MOST_NAMED = 2
_AFTER = "after a hand that waits"


def waits_words(match: Match, logged: LoggedHand) -> str:
    """Return for whom a hand waits: "waits for Them"."""
    return f"waits for {_whom(match, logged)}"


def _whom(match: Match, logged: LoggedHand) -> str:
    sides = accepting_sides(match.setup, logged)
    if len(sides) == len(match.setup.sides):
        return "another phone"
    return "another player" if len(sides) > _MOST_NAMED else " or ".join(named(sides, match.names))


def uncounted_words(match: Match, place: int) -> str:
    """Return why the hand at a place, from 1, does not count yet; empty where it does."""
    if place <= match.log.counted:
        return ""
    logged = match.log.hands[place - 1]
    return waits_words(match, logged) if logged.waits else _AFTER


def would_wait_words(log: MatchLog, would_be: MatchLog) -> str:
    """Return that a changed hand would have to be accepted again; empty where it would not."""
    if would_be.counted >= log.counted or len(would_be.waiting) <= len(log.waiting):
        return ""
    return f"Until another side accepts this, no hand counts from hand {would_be.numbers[would_be.counted]} on."


def waiting_notice(match: Match, actor: str, phones: Collection[str]) -> Notice | None:
    """Return the first hand that waits for the phone that signs as `actor`, else what waits for others.

    `phones` are the sides that have one.
    """
    if not match.log.waiting:
        return None
    mine = [hand for hand in match.log.waiting if may_accept(match.setup, match.link, actor, hand)]
    if not mine:
        return _for_others(match, actor, phones)
    more = len(mine) - 1
    after = f" Then {'one' if more == 1 else more} more." if more else ""
    return Notice(
        kind="accept_removal" if mine[0].gone else "accept",
        lead=_question(match.log, mine[0]),
        text=f"{_accepting_words(match, mine[0])}{after}",
        uid=mine[0].uid,
        version=mine[0].latest.seq,
    )


def _question(log: MatchLog, hand: LoggedHand) -> str:
    if hand.gone:
        return "Was it right to delete a hand?"
    is_correction = hand.corrections and hand.corrections[-1].stamp.seq == hand.latest.seq
    return f"Is hand {log.hand_number(hand.uid)} right{' as corrected' if is_correction else ''}?"


def _accepting_words(match: Match, hand: LoggedHand) -> str:
    """Return what a phone is asked to accept."""
    result = match.result(hand.uid)
    names = match.names_of(hand)
    if result is None:
        return f"{stored_bid_words(hand.hand, names)} no longer counts."
    outcome = outcome_word(result)
    bid = f"{bid_words(result, names)}{': ' + outcome if outcome else ''}."
    return f"{bid} {changes_text(result.deltas, names)}." if result.changes_scores else bid


def _for_others(match: Match, actor: str, phones: Collection[str]) -> Notice:
    waiting = match.log.waiting
    faults = [acceptance_fault(match.setup, match.link, actor, hand) for hand in waiting]
    later = next((fault.message for fault in faults if fault and fault.code == "joined_later"), "")
    whom = {_whom(match, hand) for hand in waiting}
    has_phones = all(set(phones).intersection(accepting_sides(match.setup, hand)) for hand in waiting)
    counts = "It counts once it is accepted." if len(waiting) == 1 else "They count once they are accepted."
    return Notice(
        kind="waits" if has_phones else "waits_alone",
        lead=f"{_waiting_hands(match.log)} for {whom.pop() if len(whom) == 1 else 'other phones'}.",
        text=later or counts if has_phones else f"{counts} No such phone has joined under a name yet.",
    )


def _waiting_hands(log: MatchLog) -> str:
    """Return what waits: "Hands 8 and 9 wait"."""
    numbers = [str(number) for number, hand in zip(log.numbers, log.hands, strict=False) if hand.waits]
    gone = len(log.waiting) - len(numbers)
    waits = "waits" if len(log.waiting) == 1 else "wait"
    removed = "a deleted hand" if gone == 1 else f"{gone} deleted hands"
    if not numbers:
        return sentence(f"{removed} {waits}")
    hands = f"Hand {numbers[0]}" if len(numbers) == 1 else f"Hands {listed(numbers)}"
    return f"{hands}{f' and {removed}' if gone else ''} {waits}"


def announcement(match: Match) -> str:
    """Return what was written last, the scores, and who won; empty where nothing was written yet."""
    if not match.log.events:
        return ""
    state, names, event = match.counted, match.names, match.log.events[-1]
    result = match.result(event.seq) if isinstance(event.fact, HandAdded) else None
    if result:
        waits = uncounted_words(match, result.place)
        change = joined(_hand(result, match.names_in(result.place)), f"{sentence(waits)}." if waits else "")
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
    state, names = match.counted, match.names
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
