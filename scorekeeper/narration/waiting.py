"""Hands that another side has still to accept, in words: what waits, for whom, and what is asked of a phone."""

from collections.abc import Collection

from scorekeeper.ledger.agreement import JOINED_LATER, acceptance_fault, accepting_sides, may_accept
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.log import LoggedHand, MatchLog
from scorekeeper.narration.hands import bid_words, outcome_word, stored_bid_words
from scorekeeper.narration.notices import Notice
from scorekeeper.narration.phrases import changes_text, named
from scorekeeper.rules.phrases import listed, sentence

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
    later = next((fault.message for fault in faults if fault and fault.code == JOINED_LATER), "")
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
