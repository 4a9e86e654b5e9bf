"""A match under other rules in words: questions about a hand, and why a hand has another result."""

from collections.abc import Sequence

from scorekeeper.pitch.rules import phrases
from scorekeeper.pitch.rules.awards import AwardId
from scorekeeper.pitch.rules.faults import FaultCode
from scorekeeper.pitch.rules.phrases import capitalize, join_words
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import SideId, SideIds
from scorekeeper.pitch.scoring.match import HandResult
from scorekeeper.pitch.scoring.seats import NAME_SEPARATOR
from scorekeeper.pitch.text.hands import bid_result_word, group_points_by_award
from scorekeeper.pitch.text.phrases import Names, bid_word, names_of, signed_text


def hand_question_text(ruleset: Ruleset, award: AwardId | None, *, is_joker: bool) -> str:
    """Return the question who took an award: "Who took the Off Jack?".

    If `award` is `None`, the question is whether the bidders took every trick. With `is_joker`, it is who won a joker,
    which breaks a tie for Game.
    """
    if award is None:
        return "Did the bidding side take every trick?"
    if is_joker:
        return f"{ruleset.game_name} is tied: who won a joker?"
    if award == ruleset.card_points_award:
        scores_phrase = (
            f"scores {ruleset.game_name}" if ruleset.points.game_tie == "joker_breaks" else "had the most card points"
        )
        return f"Who {scores_phrase}?"
    verb = {"held": "held", "kept": "played"}.get(ruleset.how_won(award), "took")
    name = phrases.award_name(ruleset, award)
    if award == ruleset.game_award:
        name = "the ten of trumps"
    return f"Who {verb} {name}?"


def hand_answer_label(
    ruleset: Ruleset, award: AwardId | None, groups: Sequence[SideIds], takers: SideIds, names: Names
) -> str:
    """Return the label of an answer to `hand_question_text`: "Bea & Dan", "nobody", "tied".

    `takers` are the sides that the answer names; empty for nobody, or for a tie in card points. The sides in each of
    `groups` count together. If `award` is `None`, the label is "yes" with takers, and "no" without.
    """
    if award is None:
        return "yes" if takers else "no"
    if len(takers) > 1 and len(takers) == len(groups) == 2:
        return "tied"
    taker_groups = [next((group for group in groups if side in group), (side,)) for side in takers]
    takers_text = join_words(NAME_SEPARATOR.join(names_of(group, names)) for group in taker_groups)
    if len(takers) > 1:
        return f"{takers_text} tied"
    if not takers and award == ruleset.card_points_award and ruleset.points.game_tie != "joker_breaks":
        return "tied"
    return takers_text or "nobody"


def cannot_go_on_sentence(number: int, code: FaultCode, why: str) -> str:
    """Return where and why the scoring of a match stops: "Can’t go on past hand 6: there is no moon.".

    `why` is the reason as a sentence or a clause.
    """
    if code == "no_such_bid":
        bid = why.partition(" is not a bid")[0].lower()
        why = f"there is no {bid}."
    return f"Can’t go on past hand {number}: {why}"


def too_many_possibilities_sentence(number: int) -> str:
    """Return that the scoring of a match stops at hand `number`, because the entries leave too many possibilities."""
    return cannot_go_on_sentence(number, "too_many", "too much was not written down.")


def difference_sentence(played: HandResult, other: HandResult, names: Names) -> str:
    """Return why a hand has another result under other rules: "Ann took 7, and one was the Off Jack: 6 of 7, set.".

    `played` is the result under the match's own rules, and `other` the one under other rules. Where no reason is clear,
    the sentence only says what differs.
    """
    changes = join_words(
        f"{names[side]} {signed_text(points)}, not {signed_text(played.deltas[side])}"
        for side, points in other.deltas.items()
        if points != played.deltas[side]
    )
    bidder_name = names[other.bidder] if other.bidder is not None else ""
    if played.score and other.score:
        for side, *_ in other.hand_sides.groups:
            before, after = played.points[side], other.points[side]
            if before != after:
                is_bidder = side in other.bidders
                of_bid = f" of {other.bid}" if isinstance(other.bid, int) else ""
                result = f"{of_bid}, {bid_result_word(other)}" if is_bidder and other.bid is not None else ""
                why = _awards_difference_clause(played, other, side, after - before)
                return (
                    f"{bidder_name if is_bidder and bidder_name else names[side]} took {before}{why}: {after}{result}."
                )
        if other.made is not None and bidder_name:
            bid, result = bid_word(other.bid), bid_result_word(other)
            if played.made != other.made:
                return f"{bidder_name} bid {bid} and took {other.bidders_points}: {result} here."
            return f"{bidder_name} bid {bid}, took {other.bidders_points}, {result}: {changes}."
    return f"{capitalize(changes)}." if changes else "The bid comes to something else."


def _awards_difference_clause(played: HandResult, other: HandResult, side: SideId, change: int) -> str:
    """Return which awards changed a side's points by `change`: ", and one was the Off Jack".

    If no award did, it is ", and more of it counts" or ", but not all of it counts".
    """
    points_before, points_after = (
        group_points_by_award(played, side) or {},
        group_points_by_award(other, side) or {},
    )
    lost_awards = [award for award, points in points_before.items() if points_after.get(award, 0) < points]
    gained_awards = [award for award, points in points_after.items() if points_before.get(award, 0) < points]
    lost_names = join_words(phrases.award_names(played.ruleset, lost_awards))
    gained_names = join_words(phrases.award_names(other.ruleset, gained_awards))
    if lost_names and gained_names:
        return f", with {gained_names} and without {lost_names}"
    if lost_names:
        were = "was" if change == -1 else "were"
        return f", and {phrases.number_word(-change)} {were} {'for ' if len(lost_awards) > 1 else ''}{lost_names}"
    if gained_names:
        return f", and {gained_names} {'adds' if len(gained_awards) == 1 else 'add'} {change}"
    return ", but not all of it counts" if change < 0 else ", and more of it counts"
