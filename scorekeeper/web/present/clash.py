"""Two phones wrote the same hand: both are shown, and a person chooses."""

from collections.abc import Sequence
from dataclasses import replace

from flask import url_for

from scorekeeper.engine.words import bid_word, plain
from scorekeeper.services.facts import Event, HandAdded, HandCorrected, HandRemoved, HandReturned, Redone, Undone
from scorekeeper.services.load import LoadedMatch
from scorekeeper.services.refusals import Refused, StaleMatch
from scorekeeper.web.contexts.clash import ClashHand, ClashPage
from scorekeeper.web.contexts.parts import Action, BarView, Hidden, LineView
from scorekeeper.web.keys import new_key
from scorekeeper.web.present.entry import Entry
from scorekeeper.web.present.foot import Rehearsal
from scorekeeper.web.present.hands import bid_words, hand_lines, outcome_of
from scorekeeper.web.present.sides import side_views


def clashes(stale: StaleMatch, entry: Entry) -> bool:
    """Say whether what others wrote meanwhile is about the hand that was being entered."""
    return any(_concerns(event, entry, stale.match.log.events) for event in stale.since)


def _concerns(event: Event, entry: Entry, events: Sequence[Event]) -> bool:
    is_new = entry.uid is None
    match event.fact:
        case HandAdded(before=before):
            return is_new and before == entry.insert_before
        case HandCorrected(uid=uid):
            return uid == entry.uid
        case HandRemoved(uid=uid):
            return uid in (entry.uid, entry.insert_before)
        case HandReturned(uid=uid):
            return is_new or uid == entry.uid
        case Undone(target=target) | Redone(target=target):
            meant = next(other for other in events if other.seq == target)
            return meant.seq in (entry.uid, entry.insert_before) or _concerns(meant, entry, events)
        case _:
            return False


def written_first(stale: StaleMatch, entry: Entry) -> int | None:
    """Find the hand that another phone wrote in the place of this one, if it still stands."""
    for event in reversed(stale.since):
        if isinstance(event.fact, HandAdded | HandCorrected) and _concerns(event, entry, ()):
            uid = event.seq if isinstance(event.fact, HandAdded) else event.fact.uid
            return uid if stale.match.log.hand(uid) else None
    return None


def clash_page(mine: Entry, theirs: int | None, rehearse: Rehearsal, *, is_new: bool, settles: str = "") -> ClashPage:
    """Show what the other phone wrote beside what this one has, with everything that was typed.

    `mine` stands where it would go if it counts: in the place of `theirs`, where there is such a hand. `settles` is
    the mark of the form that could not be written.
    """
    match = mine.match
    back = url_for("matches.show", code=match.code)
    counts = "This one counts" if mine.uid is not None else f"Add it as hand {mine.number}"
    hands = [_mine(mine, counts, rehearse)]
    ways: tuple[Action, ...]
    if theirs is not None:
        hands.insert(0, _shown(match, mine.number, "The other phone wrote", Action(label="That one counts", url=back)))
    if theirs is None:
        ways = (Action(label="Leave it out", url=back),)
    else:
        ways = (_added(mine),) if is_new else ()
    return ClashPage(
        title="Two phones",
        bar=BarView(title="Two phones", sub=f"Hand {mine.number}", back_url=back, back_label="The score"),
        heading="Another phone changed the match first"
        if theirs is None
        else f"Another phone wrote hand {mine.number} first",
        text="Your hand is below. Does it still belong there?"
        if theirs is None
        else "Both are below. Which one counts?",
        hands=tuple(hands),
        settles=settles,
        kept_as=f"Hand {mine.number}",
        ways=ways,
    )


def _shown(match: LoadedMatch, number: int, heading: str, action: Action) -> ClashHand:
    result = match.state.hands[number - 1]
    word, _ = outcome_of(result)
    scores = ", ".join(
        f"{name} {plain(score - result.deltas[name])} → {plain(score)}" for name, score in result.scores.items()
    )
    return ClashHand(
        heading=heading,
        bid=" ".join(part for part in (bid_words(result), word) if part),
        lines=hand_lines(side_views(match), result),
        result=scores,
        action=action,
    )


def _mine(mine: Entry, label: str, rehearse: Rehearsal) -> ClashHand:
    """Show what was typed here, and what it comes to."""
    code, heading = mine.match.code, "This phone has"
    if mine.uid is not None:
        url = url_for("hands.edit_submit", code=code, uid=mine.uid)
    else:
        url = url_for("hands.new_submit", code=code)
    action = Action(label=label, url=url, is_post=True, fields=_fields(mine))
    try:
        return _shown(rehearse(mine.draft), mine.number, heading, action)
    except Refused as refused:
        return replace(_typed(mine, heading, action), result=str(refused))


def _typed(entry: Entry, heading: str, action: Action) -> ClashHand:
    """Put what was typed into words where it cannot be counted."""
    draft = entry.draft
    names = dict(entry.columns)
    lines = tuple(
        LineView(
            side=names.get(who),
            text=entry.ruleset.awards[award].name,
            points=names[who].name if who in names else "nobody",
        )
        for award, who in draft.took.items()
        if award in entry.ruleset.awards
    )
    bidder, bid_said = entry.contract.bidder, entry.contract.bid
    bid = f"{bidder or ''} {bid_word(bid_said) if bid_said is not None else draft.bid}".strip()
    return ClashHand(heading=heading, bid=bid, lines=lines, result="", action=action)


def _added(mine: Entry) -> Action:
    """Offer to write the hand down after the other one: at the end, or before the hand that it was to go before."""
    number = mine.number + 1 if mine.insert_before is not None else len(mine.match.log.hands) + 1
    url = url_for("hands.new_submit", code=mine.match.code)
    fields = _fields(replace(mine, uid=None))
    return Action(label=f"Add mine as hand {number}", url=url, is_post=True, fields=fields)


def _fields(mine: Entry) -> Hidden:
    """Carry everything that was typed, to be posted again on top of what the other phone wrote."""
    place = (("before", str(mine.insert_before)),) if mine.uid is None and mine.insert_before is not None else ()
    fixed = (("version", str(mine.match.version)), ("client_key", new_key()), ("do", "save"))
    return (*fixed, *place, *mine.draft.fields())
