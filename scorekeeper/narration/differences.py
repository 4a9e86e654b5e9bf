"""What a change changes, in words: in a hand, in the scores, in who wins and deals, and in what counts."""

from collections.abc import Iterator, Mapping
from typing import Any

from scorekeeper.engine.hand import BIDDERS, DEFENDERS, HAND_FIELDS, FieldKind, Hand, HandField
from scorekeeper.engine.match import MatchState
from scorekeeper.ledger.derive_match import Match
from scorekeeper.narration.phrases import Names, bid_word, joined, named, score_text
from scorekeeper.narration.waiting import would_wait_words
from scorekeeper.rules.awards import AwardId
from scorekeeper.rules.phrases import listed

_FIELDS = sorted(HAND_FIELDS, key=lambda item: item.kind.value)
_UNSAID = "not said"
_ROLES = {BIDDERS: "the bidders", DEFENDERS: "the others"}


def changed_words(before: Hand, after: Hand, names: Names, awards: Mapping[str, str]) -> str:
    """Return what is different: "bid 3 → 4, Low Us → Them"; `awards` are their names by id."""
    known = {**_ROLES, **names}
    return ", ".join(words for item in _FIELDS for words in _changes(item, before, after, known, awards))


def _changes(item: HandField, before: Hand, after: Hand, names: Names, awards: Mapping[str, str]) -> Iterator[str]:
    old, new = _entered(item, before), _entered(item, after)
    match item.kind:
        case FieldKind.TAKEN | FieldKind.COUNTS:
            old, new = old or {}, new or {}
            for key in dict.fromkeys((*old, *new)):
                if old.get(key) != new.get(key):
                    is_award = item.kind is FieldKind.TAKEN
                    what = awards.get(key, key) if is_award else f"{item.label} of {names.get(key, key)}"
                    yield f"{what} {_entry(old, key, names)} → {_entry(new, key, names)}"
        case FieldKind.CALLS | FieldKind.NOTE | FieldKind.RULES:
            # Too long to be quoted: only that they changed.
            if old != new:
                yield item.label
        case _:
            if old != new:
                yield f"{item.label} {_value(item, old, names)} → {_value(item, new, names)}"


def _entered(item: HandField, hand: Hand) -> Any:
    """Return what was entered in a field; in that of the partner also that the bidder played alone."""
    return "alone" if item.kind is FieldKind.PARTNER and hand.alone else getattr(hand, item.name)


def _value(item: HandField, value: Any, names: Names) -> str:
    if value is None:
        return _UNSAID
    if item.kind in (FieldKind.PERSON, FieldKind.PARTNER):
        return names.get(value, value)
    if item.kind in (FieldKind.YES_OR_NO, FieldKind.CHECK):
        return "yes" if value else "no"
    return bid_word(value)


def _entry(entries: Mapping[str, Any], key: str, names: Names) -> str:
    """Return who took an award, or how much somebody took."""
    value = entries.get(key, _UNSAID)
    if isinstance(value, int):
        return score_text(value)
    return names.get(value, value) if value else "nobody"


def earlier_words(before: Hand, after: Hand, names: Names) -> str:
    """Return what a correction changed, as it was before: "the bid was 3, jack was Us’s"."""
    return ", ".join(_earlier(before, after, names))


def _earlier(before: Hand, after: Hand, names: Names) -> Iterator[str]:
    if before.bidder != after.bidder and before.bidder:
        yield f"the bidder was {names[before.bidder]}"
    if before.bid != after.bid and before.bid is not None:
        yield f"the bid was {bid_word(before.bid)}"
    if before.trump != after.trump and before.trump:
        yield f"trump was {before.trump}"
    for side in dict.fromkeys((*(before.penalties or {}), *(after.penalties or {}))):
        old, new = ((hand.penalties or {}).get(side) for hand in (before, after))
        if old != new:
            yield f"the penalty of {names[side]} was {old or 'none'}"
    for award, who in corrected_awards(before, after).items():
        yield f"{award.replace('_', ' ')} was {names.get(who, who) if who else 'nobody'}’s"


def corrected_awards(before: Hand, after: Hand) -> dict[AwardId, str | None]:
    """Return who had taken the awards that a correction gave to somebody else."""
    old, new = before.taken or {}, after.taken or {}
    return {award: who for award, who in old.items() if award in new and new[award] != who}


def score_changes(before: MatchState, after: MatchState, names: Names) -> str:
    """Return the scores that changed: "Us 20 → 19"."""
    moved = ((side, before.scores[side], score) for side, score in after.scores.items())
    return ", ".join(f"{names[side]} {score_text(old)} → {score_text(new)}" for side, old, new in moved if old != new)


def new_winner_words(before: MatchState, after: MatchState, names: Names) -> str:
    """Return who would win, or would win no longer, by a change; empty where that is the same."""
    old, new = (named(state.outcome.winners, names) if state.outcome else [] for state in (before, after))
    if old == new:
        return ""
    if not new:
        return f"Nobody would have won: {listed(old)} would no longer be out."
    return f"{listed(new)} would win{', not ' + listed(old) if old else ''}."


def consequences(match: Match, after: Match, place: int) -> str:
    """Return how scores, winner, later dealers and what counts would change where the hand at a place does."""
    scores = score_changes(match.state, after.state, match.names)
    return joined(
        f"Score: {scores}." if scores else "",
        new_winner_words(match.state, after.state, match.names),
        _changed_dealer(match, after, place),
        would_wait_words(match.log, after.log),
    )


def _changed_dealer(match: Match, after: Match, start: int) -> str:
    """Return from which hand on others deal, where no hand is inserted."""
    old, new = ([*(hand.dealer for hand in state.results), state.dealer] for state in (match.state, after.state))
    if len(old) != len(new):
        return ""
    place = next((place for place in range(start, len(old)) if old[place] != new[place]), 0)
    dealer = new[place]
    return f"The deal moves: {match.name(dealer)} deals hand {after.log.numbers[place]}." if place and dealer else ""
