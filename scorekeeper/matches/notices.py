"""The notices above the scores of a match, shown and read aloud: the last change, and the disputed hands."""

from collections.abc import Collection
from dataclasses import dataclass

from scorekeeper.matches.describe import describe, phone_of
from scorekeeper.matches.events import HandAdded, HandRemoved
from scorekeeper.matches.fold import Match
from scorekeeper.matches.log import LoggedHand
from scorekeeper.pitch.rules.phrases import digits, listed, sentence
from scorekeeper.pitch.scoring.match import HandResult
from scorekeeper.pitch.text.endings import (
    goal_words,
    held_back_words,
    outcome_heading,
    verdict_sentence,
)
from scorekeeper.pitch.text.hands import (
    bid_words,
    outcome_word,
    redeal_words,
    result_words,
)
from scorekeeper.pitch.text.payments import hand_payments, standing_text
from scorekeeper.pitch.text.phrases import (
    Names,
    bid_word,
    changes_text,
    joined,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A notice in words; its icon and its buttons follow from its kind."""

    kind: str
    """The kind of its event, or `thrown_in`, `disputed`, or `withdraw` on the phone that disputes the hand."""
    lead: str
    """"Hand 6 is in."."""
    text: str
    uid: int = 0
    """The hand that its buttons are about."""
    version: int = 0
    """The `seq` of the last event about that hand."""


def last_change(match: Match) -> Notice | None:
    """Return the notice of the last event; `None` where there is no event, or none that a page shows."""
    if not match.log.events:
        return None
    event = match.log.events[-1]
    data = event.data
    if isinstance(data, HandAdded):
        return _hand_added(match, event.seq)
    description = describe(match, event, match.log)
    follows = (
        f"Score: {standing_text(match.state, match.names)}." if description.is_about_scores else description.follows
    )
    uid = data.uid if isinstance(data, HandRemoved) else 0
    return Notice(kind=data.kind, lead=description.done, text=follows, uid=uid) if description.done else None


def all_passed_words(match: Match) -> str:
    """Return the words for a last deal that everyone passed where nobody has to bid; empty after any other."""
    last = match.state.results[-1] if match.state.results and match.state.goes_on else None
    if not last or last.status != "thrown_in" or last.changes_scores or last.hand.thrown_in in ("misdeal", "ran_out"):
        return ""
    return "Everyone passed. Nobody has to bid here, and nothing is scored."


def _hand_added(match: Match, uid: int) -> Notice | None:
    """Return the notice of a saved hand, with who pays whom: the hand's row shows only its points."""
    result = match.result(uid)
    if result is None:
        return None
    names = match.names_in(result.position)
    if result.ended_unplayed:
        return Notice(kind="thrown_in", lead=f"{bid_words(result, names)}.", text=f"{result_words(result, names)}.")
    if result.status == "thrown_in":
        return Notice(kind="thrown_in", lead="Redeal.", text=f"{sentence(redeal_words(result, names))}.")
    paid = "; ".join(hand_payments(result, names))
    return Notice(kind="hand", lead=f"Hand {result.number} is saved.", text=f"{paid}." if paid else "")


def dispute_notices(match: Match, own: Collection[int]) -> tuple[Notice, ...]:
    """Return a notice for each hand in `own`, which this phone disputes, or else for the first disputed one."""
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
    """Return the phones that dispute a hand: "Mia’s phone: That’s wrong."; empty where none does."""
    if not hand.disputes:
        return ""
    held = dict.fromkeys(phone for stamp in hand.disputes if (phone := phone_of(match, stamp)))
    others = sum(not phone_of(match, stamp) for stamp in hand.disputes)
    nameless = ["a watching phone" if others == 1 else f"{others} watching phones"] if others else []
    return f"{sentence(listed([*held, *nameless]))}: That’s wrong."


def _in_short(match: Match, hand: LoggedHand) -> str:
    result = match.result(hand.uid)
    assert result is not None
    names, outcome = match.names_of(hand), outcome_word(result)
    bid = f"{bid_words(result, names)}{': ' + outcome if outcome else ''}."
    return f"{bid} {changes_text(result.deltas, names)}." if result.changes_scores else bid


def announcement(match: Match) -> str:
    """Return the last change, the scores and the winner, to be read aloud; empty without events."""
    if not match.log.events:
        return ""
    state, names, event = match.state, match.names, match.log.events[-1]
    result = match.result(event.seq) if isinstance(event.data, HandAdded) else None
    if result:
        change = _hand(result, match.names_in(result.position))
    else:
        notice = last_change(match)
        change = notice.lead if notice else ""
    heading, why = outcome_heading(state, names, stopped=False), verdict_sentence(state, names)
    waiting = held_back_words(state, names) if result and not match.log.is_stopped else ()
    return joined(
        change,
        f"{standing_text(state, names)}.",
        *waiting,
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
