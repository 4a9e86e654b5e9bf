"""A match under other rules, in words: the questions about a hand, and where the two matches differ and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.pitch.rules import phrases
from scorekeeper.pitch.rules.awards import AwardId
from scorekeeper.pitch.rules.faults import FaultCode
from scorekeeper.pitch.rules.phrases import listed, sentence
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.match import HandResult
from scorekeeper.pitch.scoring.seats import NAMES_JOINED
from scorekeeper.pitch.text.hands import awards_of, made_or_set
from scorekeeper.pitch.text.phrases import Names, bid_word, named, signed


@dataclass(frozen=True, slots=True)
class OpenFact:
    """A question about one hand."""

    ruleset: Ruleset
    """The rules whose terms the question uses."""
    award: AwardId | None
    """`None`: whether the bidding side took every trick."""
    number: int
    has_points_only: bool
    groups: tuple[tuple[SideId, ...], ...]
    """Who counts together in the hand."""
    is_joker: bool
    """Whether the card points are tied, and the question is only about the joker."""


def question_words(fact: OpenFact) -> tuple[str, str]:
    """Return the reason for a question about a hand, and the question: "Who took the Off Jack?"."""
    lead = f"Hand {fact.number} has points only." if fact.has_points_only else f"Hand {fact.number} does not say."
    ruleset, award = fact.ruleset, fact.award
    if award is None:
        return lead, "Did the bidding side take every trick?"
    if fact.is_joker:
        return lead, "Game is tied: who won a joker?"
    if award == ruleset.counted_award:
        scores = "scores Game" if ruleset.points.game_tie == "joker_breaks" else "had the most card points"
        return lead, f"Who {scores}?"
    how = {"held": "held", "kept": "played"}.get(ruleset.how_won(award), "took")
    name = phrases.award_name(ruleset, award)
    if award == ruleset.game_award:
        name = "the ten of trumps"
    return lead, f"Who {how} {name}?"


def answer_words(fact: OpenFact, who: Sequence[SideId], names: Names) -> str:
    """Return an answer for a button: "Bea & Dan", "nobody", "tied"."""
    if fact.award is None:
        return "yes" if who else "no"
    if len(who) > 1 and len(who) == len(fact.groups) == 2:
        return "tied"
    together = [next((group for group in fact.groups if side in group), (side,)) for side in who]
    shown = listed([NAMES_JOINED.join(named(group, names)) for group in together])
    if len(who) > 1:
        return f"{shown} tied"
    if not who and fact.award == fact.ruleset.counted_award and fact.ruleset.points.game_tie != "joker_breaks":
        return "tied"
    return shown or "nobody"


def cannot_go_on(number: int, code: FaultCode, why: str) -> str:
    """Return why the match cannot be scored past a hand: "Can’t go on past hand 6: there is no moon."."""
    if code == "no_such_bid":
        bid = why.partition(" is not a bid")[0].lower()
        why = f"there is no {bid}."
    return f"Can’t go on past hand {number}: {why}"


def too_much_open(number: int) -> str:
    """Return that too much is open to try it all."""
    return cannot_go_on(number, "too_many", "too much was not written down.")


def difference_sentence(played: HandResult, other: HandResult, names: Names) -> str:
    """Return why a hand has another result: "Ann took 7, and one was the Off Jack: 6 of 7, set."."""
    if played.score is None or other.score is None or other.hand_sides is None:
        return _scores_sentence(played, other, names)
    for side, *_ in other.hand_sides.groups:
        before, after = played.score.points[side], other.score.points[side]
        if before != after:
            return _points_sentence(played, other, names, side, before, after)
    if other.made is not None and other.bidder is not None:
        who, bid, made = names[other.bidder], bid_word(other.bid), made_or_set(other)
        if played.made != other.made:
            return f"{who} bid {bid} and took {other.took}: {made} here."
        return f"{who} bid {bid}, took {other.took}, {made}: {_changes(played, other, names)}."
    return _scores_sentence(played, other, names)


def _points_sentence(played: HandResult, other: HandResult, names: Names, side: SideId, before: int, after: int) -> str:
    """Return which points of a side count otherwise, and what follows for its bid."""
    is_bidder = side in other.bidders
    who = names[other.bidder] if is_bidder and other.bidder is not None else names[side]
    said = f"{who} took {before}{_why(played, other, side, after - before)}"
    if is_bidder and isinstance(other.bid, int):
        return f"{said}: {after} of {other.bid}, {made_or_set(other)}."
    if is_bidder and other.bid is not None:
        return f"{said}: {after}, {made_or_set(other)}."
    return f"{said}: {after}."


def _why(played: HandResult, other: HandResult, side: SideId, change: int) -> str:
    """Return which points make the difference: ", and one was the Off Jack"; else only that some do not count."""
    own, others = awards_of(played, side) or {}, awards_of(other, side) or {}
    fewer = [award for award in own if others.get(award, 0) < own[award]]
    more = [side for side in others if own.get(side, 0) < others[side]]
    if fewer and not more:
        number = phrases.number(-change)
        return f", and {number} {'was' if change == -1 else 'were'} {_listed(played.ruleset, fewer, 'for ')}"
    if more and not fewer:
        return f", and {_listed(other.ruleset, more)} {'adds' if len(more) == 1 else 'add'} {change}"
    if more and fewer:
        return f", with {_listed(other.ruleset, more)} and without {_listed(played.ruleset, fewer)}"
    return ", but not all of it counts" if change < 0 else ", and more of it counts"


def _listed(ruleset: Ruleset, awards: Sequence[AwardId], several: str = "") -> str:
    words = listed(phrases.award_names(ruleset, awards))
    return f"{several}{words}" if several and len(awards) > 1 else words


def _changes(played: HandResult, other: HandResult, names: Names) -> str:
    return listed(
        [
            f"{names[side]} {signed(points)}, not {signed(played.deltas[side])}"
            for side, points in other.deltas.items()
            if points != played.deltas[side]
        ]
    )


def _scores_sentence(played: HandResult, other: HandResult, names: Names) -> str:
    return (
        sentence(f"{_changes(played, other, names)}.")
        if played.deltas != other.deltas
        else "The bid comes to something else."
    )
