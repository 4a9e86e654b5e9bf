"""Two phones entered the same hand: both are shown, and a person chooses."""

from dataclasses import dataclass, replace

from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.facts import Event
from scorekeeper.ledger.refusals import Refused
from scorekeeper.ledger.signatures import holder_of
from scorekeeper.narration.hands import bid_words, outcome_word
from scorekeeper.narration.phrases import bid_word, joined, score_text
from scorekeeper.web.hand.entry import Entry
from scorekeeper.web.hand.form import AWARD_FIELD, SHOWN_FIELD
from scorekeeper.web.hand.save_bar import sent_along
from scorekeeper.web.match.hands import line_views
from scorekeeper.web.shared.errors import closed_view
from scorekeeper.web.shared.widgets import ClosedView, HiddenFields, LineView


@dataclass(frozen=True, slots=True, kw_only=True)
class EnteredHand:
    """One of the two hands."""

    bid: str
    """"Dan 3 ♠ set"."""
    lines: tuple[LineView, ...]
    earlier_rules: int | None
    """A hand on whose page its rules are, where the match has others by now."""
    result: str
    """"Us 19 → 21, Them 17 → 14", or why it cannot be so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictPage:
    """Template hand/conflict.html, status 409."""

    code: str
    number: int
    uid: int | None
    """The hand that this phone's would replace."""
    added_number: int | None
    """The number of this phone's hand if it is one more; `None` where it is a correction, or the other one is gone."""
    closed: ClosedView | None
    """The match, where that takes no more hands."""
    other_phone: str
    """Which phone saved first: "Ann’s phone", "Another phone"."""
    place: str
    """Where its hand was entered: "On Ann’s phone", "On the other phone"."""
    theirs: EnteredHand | None
    mine: EnteredHand
    fields: HiddenFields
    """Everything that was entered on this phone."""
    insert_before: int | None
    version: int
    settled_key: str
    """The key of the form that could not be saved: it waits on its phone until somebody has chosen."""


def conflict_page(
    mine: Entry, theirs: int | None, after: Match | Refused, *, first: Event, is_new: bool, settled_key: str
) -> ConflictPage:
    """Return what the other phone wrote `first` beside what this one has, with everything that was entered.

    `mine` is where it would go: in the place of `theirs`, where there is such a hand. The match would stand so `after`
    it, or it is refused.
    """
    match = mine.match
    holder = match.names.get(holder_of(first.actor) or "")
    shown = ((SHOWN_FIELD, sent_along(after.state.results[mine.place - 1])),) if isinstance(after, Match) else ()
    more = replace(mine, uid=None).closed if is_new else ""
    added_number = match.state_before(mine.place + 1).next_number if mine.insert_before else match.state.next_number
    return ConflictPage(
        code=match.code,
        number=mine.number,
        uid=mine.uid,
        closed=closed_view(match, more) if more else None,
        added_number=added_number if not more and is_new and theirs is not None else None,
        other_phone=f"{holder}’s phone" if holder else "Another phone",
        place=f"On {holder}’s phone" if holder else "On the other phone",
        theirs=None if theirs is None else _scored(match, mine),
        mine=_scored(after, mine) if isinstance(after, Match) else _unscored(mine, after),
        fields=(*mine.form.fields(), *shown),
        insert_before=mine.insert_before,
        version=match.version,
        settled_key=settled_key,
    )


def _scored(match: Match, entry: Entry) -> EnteredHand:
    result, names = match.state.results[entry.place - 1], match.names_in(entry.place)
    return EnteredHand(
        bid=joined(bid_words(result, names), outcome_word(result)),
        lines=line_views(match, result),
        earlier_rules=entry.earlier_rules,
        result=", ".join(
            f"{names[side]} {score_text(score - result.deltas[side])} → {score_text(score)}"
            for side, score in result.scores.items()
        ),
    )


def _unscored(entry: Entry, refused: Refused) -> EnteredHand:
    """Return what was entered where it cannot be scored."""
    sides = {side.side_id: side for side in entry.columns}
    bidder, bid = entry.contract.bidder, entry.contract.bid
    return EnteredHand(
        bid=f"{entry.name(bidder) if bidder else ''} {entry.form['bid'] if bid is None else bid_word(bid)}".strip(),
        lines=tuple(
            LineView(
                side=sides.get(who),
                text=entry.ruleset.awards[award].name,
                points=sides[who].name if who in sides else "nobody",
            )
            for award, who in entry.form.parts(AWARD_FIELD).items()
            if award in entry.ruleset.awards
        ),
        earlier_rules=entry.earlier_rules,
        result=str(refused),
    )
