"""What the bidding side took and what it missed: points by name where cards were recorded, else the number."""

from collections.abc import Sequence

from scorekeeper.engine.match import HandResult
from scorekeeper.engine.seats import Seats
from scorekeeper.engine.taken import accepted_taken
from scorekeeper.narration.phrases import Names, bid_word
from scorekeeper.rules import phrases
from scorekeeper.rules.awards import AwardId
from scorekeeper.rules.phrases import digits, listed

_MOST_NAMED = 3
"""So many points are named; of more it is shorter to say which were missed, or taken."""


def made_words(seats: Seats, result: HandResult) -> str:
    """Return how a bid was made: "made it with High and Low", "took 3, made it"."""
    took, missed = _named(seats, result)
    if not took:
        return f"took {_took(result)}, made it" if isinstance(result.bid, int) else "made it"
    if not missed:
        return "made it with every point"
    if len(took) > _MOST_NAMED and len(missed) < len(took):
        return f"made it with all but {listed(missed)}"
    return f"made it with {listed(took)}"


def set_sentence(seats: Seats, result: HandResult, names: Names) -> str:
    """Return what a bid that was set lacked: "Us bid 6, took 5: without the Jack."; empty where none was set."""
    if result.score is None or result.score.made is not False or result.hand_sides is None:
        return ""
    bidder, *partners = result.hand_sides.bidders
    who = f"{names[bidder]} bid {bid_word(result.bid)}"
    if partners:
        who = f"{who} with {listed(names[side] for side in partners)}"
    took, missed = _named(seats, result)
    said = f"{who}, took {_took(result)}"
    if missed and (len(missed) <= _MOST_NAMED or len(missed) <= len(took)):
        return f"{said}: without {listed(missed)}."
    if took and missed:
        return f"{said}: only {listed(took)}."
    if took and result.hand.all_tricks is False:
        return f"{said}, but not every trick."
    return f"{said}."


def not_counted_words(seats: Seats, result: HandResult) -> str:
    """Return what a side that was set took in vain: "Jack, Trey 3", "2 points"; empty for nothing, or where it paid."""
    if result.score is None or result.score.made is not False or not _took(result):
        return ""
    if any((result.score.payments or {}).values()):
        return ""
    took = _awards(seats, result)
    if took is None:
        return digits(_took(result), "point")
    awards = [award for award_id, award in result.ruleset.in_play.items() if award_id in took]
    return ", ".join(award.name if award.points == 1 else f"{award.name} {award.points}" for award in awards)


def _took(result: HandResult) -> int:
    bidders = result.hand_sides.bidders if result.hand_sides else ()
    return result.score.points[bidders[0]] if result.score and bidders else 0


def _named(seats: Seats, result: HandResult) -> tuple[Sequence[str], Sequence[str]]:
    """Return the points that the bidding side took, and those that it did not; nothing where only counts are known."""
    mine = _awards(seats, result)
    if mine is None:
        return (), ()
    in_play = list(result.ruleset.in_play)
    took = [phrases.award_name(result.ruleset, award) for award in in_play if award in mine]
    missed = [phrases.award_name(result.ruleset, award) for award in in_play if award not in mine]
    return took, missed


def _awards(seats: Seats, result: HandResult) -> set[AwardId] | None:
    """Return the awards that the bidding side took; `None` where only counts are known."""
    if result.hand.taken is None or result.hand_sides is None:
        return None
    taken = accepted_taken(result.ruleset, seats, result.hand_sides, result.dealer, result.hand)
    return {award for award, group, _ in taken.awards if group == 0} if taken else set()
