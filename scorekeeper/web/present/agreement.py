"""Hands that another side has still to accept: what waits, for whom, and what this phone can do about it."""

from collections.abc import Iterable, Sequence

from flask import url_for
from sqlalchemy.orm import Session

from scorekeeper.engine.words import listed, signed
from scorekeeper.services.agreement import may_accept, others_of, sides_with_phones
from scorekeeper.services.load import LoadedMatch
from scorekeeper.services.log import LoggedHand
from scorekeeper.web.contexts.parts import Action, Notice
from scorekeeper.web.present.hands import bid_words, outcome_of

MOST_NAMED = 2
AFTER = "after one that waits"


def waits_words(match: LoadedMatch, logged: LoggedHand) -> str:
    """Say for whom a hand waits: "waits for Them"."""
    return f"waits for {_whom(match, logged)}"


def _whom(match: LoadedMatch, logged: LoggedHand) -> str:
    others = others_of(match.match, logged)
    if len(others) == len(match.match.sides):
        return "another phone"
    if len(others) > MOST_NAMED:
        return "another player"
    return " or ".join(match.names[side] for side in others)


def row_words(match: LoadedMatch, place: int) -> str:
    """Say of a hand, by its place from 0, why it does not count yet; empty where it does."""
    if place < match.log.counted:
        return ""
    logged = match.log.hands[place]
    return waits_words(match, logged) if logged.waits else AFTER


def would_wait(match: LoadedMatch, would_be: LoadedMatch) -> str:
    """Say before a change of a hand that counts that it has to be accepted anew; empty where it need not be."""
    counted = would_be.log.counted
    if counted >= match.log.counted or len(would_be.log.waiting) <= len(match.log.waiting):
        return ""
    return f"Until another side accepts this, nothing counts from hand {counted + 1} on."


def accept_action(match: LoadedMatch, logged: LoggedHand, me: str, key: str, *, label: str = "Accept") -> Action | None:
    """Offer to accept a hand, where it waits for this phone."""
    if not may_accept(match.match, match.link, me, logged):
        return None
    fields = (("made", str(logged.latest.seq)), ("client_key", key))
    url = url_for("agreement.accept", code=match.code, uid=logged.uid)
    return Action(label=label, url=url, icon="scale", is_post=True, fields=fields)


def waiting_notice(session: Session, match: LoadedMatch, me: str, key: str) -> Notice | None:
    """Ask this phone for the first hand that waits for it, or say what waits for others, and if they are in at all."""
    waiting = match.log.waiting
    if not waiting:
        return None
    mine = next((hand for hand in waiting if may_accept(match.match, match.link, me, hand)), None)
    if mine is None:
        return _for_others(match, waiting, sides_with_phones(session, match.match))
    more = sum(may_accept(match.match, match.link, me, hand) for hand in waiting) - 1
    after = f" Then {'one' if more == 1 else more} more." if more else ""
    accept = accept_action(match, mine, me, key)
    ways = (*((accept,) if accept else ()), *_otherwise(match, mine, key))
    return Notice(lead=_asked(match, mine), text=f"{_told(match, mine)}{after}", icon="scale", actions=ways)


def _asked(match: LoadedMatch, logged: LoggedHand) -> str:
    if logged.gone:
        return "Was a hand rightly taken out?"
    number = _numbers(match, [logged])[0]
    return f"Is hand {number} right as corrected?" if _is_correction(logged) else f"Is hand {number} right?"


def _is_correction(logged: LoggedHand) -> bool:
    return bool(logged.corrections) and logged.corrections[-1].stamp.seq == logged.latest.seq


def _told(match: LoadedMatch, logged: LoggedHand) -> str:
    """Tell what this phone is asked to accept."""
    if logged.gone:
        bidder = match.names.get(str(logged.hand.get("bidder", "")), "A hand")
        return f"{bidder} {logged.hand.get('bid', '')}".replace("_", " ").strip() + " counts no longer."
    result = match.state.hands[_numbers(match, [logged])[0] - 1]
    word, _ = outcome_of(result)
    moved = ", ".join(f"{name} {signed(points)}" for name, points in result.deltas.items())
    said = f"{bid_words(result)}{': ' + word if word else ''}. "
    return f"{said}{moved}." if result.status == "scored" else said.strip()


def _otherwise(match: LoadedMatch, logged: LoggedHand, key: str) -> tuple[Action, ...]:
    """Offer to put it right instead, on a phone that writes."""
    if not match.link.may_score:
        return ()
    if logged.gone:
        fields = (("version", str(match.version)), ("client_key", key))
        back = url_for("history.put_back", code=match.code, uid=logged.uid)
        return (Action(label="Put back", url=back, is_post=True, fields=fields),)
    return (Action(label="It was otherwise", url=url_for("hands.edit", code=match.code, uid=logged.uid)),)


def _for_others(match: LoadedMatch, waiting: Sequence[LoggedHand], sides_in: frozenset[str]) -> Notice:
    whom = {_whom(match, hand) for hand in waiting}
    is_reached = all(sides_in.intersection(others_of(match.match, hand)) for hand in waiting)
    counts = f"{'It counts' if len(waiting) == 1 else 'They count'} when accepted there."
    let_in = Action(label="Let them in", url=url_for("room.show", code=match.code), icon="share")
    return Notice(
        lead=f"{_named(match, waiting)} for {whom.pop() if len(whom) == 1 else 'other phones'}.",
        text=counts if is_reached else f"{counts} No such phone is in under a name yet.",
        icon="clock",
        actions=() if is_reached or not match.link.is_owner else (let_in,),
    )


def _named(match: LoadedMatch, waiting: Sequence[LoggedHand]) -> str:
    """Name what waits: "Hands 8 and 9 wait"."""
    numbers = _numbers(match, [hand for hand in waiting if not hand.gone])
    out = len(waiting) - len(numbers)
    waits = "waits" if len(waiting) == 1 else "wait"
    removed = "a hand taken out" if out == 1 else f"{out} hands taken out"
    if not numbers:
        return f"{removed[0].upper()}{removed[1:]} {waits}"
    hands = f"Hand {numbers[0]}" if len(numbers) == 1 else f"Hands {listed([str(number) for number in numbers])}"
    return f"{hands}{f' and {removed}' if out else ''} {waits}"


def _numbers(match: LoadedMatch, hands: Iterable[LoggedHand]) -> list[int]:
    uids = {hand.uid for hand in hands}
    return [number for number, hand in enumerate(match.log.hands, 1) if hand.uid in uids]
