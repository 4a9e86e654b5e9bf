"""House options about how a hand is scored: their texts, their contradictions, and which have no effect."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from pydantic import Field

from scorekeeper.pitch.rules.awards import AwardId
from scorekeeper.pitch.rules.groups.declare import (
    MAX_AWARDS,
    Contradiction,
    Ruleset,
    StrictModel,
    declare_flag,
    declare_later_field,
    declare_option,
)


def _equivalent_defenders_scores(ruleset: Ruleset) -> Mapping[str, str]:
    """Return the answer that each redundant answer to `defenders_score` amounts to: `{"pooled": "each"}`."""
    return {"pooled": "each"} if ruleset.table.has_two_scores else {}


class Scoring(StrictModel):
    """What bidders, a called partner and defenders score, and what a renege costs."""

    score_on_made: Literal["points", "bid", "nothing"] = declare_option(
        "points",
        "A made bid",
        "Does a made bid score what you took, or just the bid?",
        points=("what you took", "{bidder_who} makes the bid {scores} all the points {it_takes}."),
        bid=("just the bid", "{bidder_who} makes the bid {scores} the bid, not the points taken."),
        nothing=("nothing", "A made bid scores nothing."),
        comparison=("Made bid scores", {"points": "all taken", "bid": "the bid", "nothing": "nothing"}),
    )
    """What the bidding side scores for a made bid: the points that it took, only the bid, or nothing."""
    defenders_score: Literal["each", "pooled", "none"] = declare_option(
        "each",
        "Defenders",
        "What do the defenders score?",
        each=("what each takes", "{defender} {scores} what {it_takes}, whether the bid is made or set."),
        pooled=("all that they take", "The defenders count together: each scores all that they take."),
        none=("nothing", "The defenders score nothing."),
        equivalents=_equivalent_defenders_scores,
    )
    """What each defender scores: the points that it took itself, the points of all defenders, or nothing."""
    partner_set_too: bool = declare_flag(
        True,
        "Partner",
        "Is a called partner set, too?",
        "If the bid fails, the partner loses it, too.",
        "If the bid fails, only the bidder loses it; the partner scores 0.",
    )
    """Whether a called partner loses a bid that is set, as the bidder does. If not, the partner scores 0."""
    on_set: Literal["lose_bid", "bid_to_defenders"] = declare_option(
        "lose_bid",
        "A set bid",
        "What happens to a bid that is set?",
        lose_bid=("{subtract} the bid", "If a {side} is set, {subtract} the bid."),
        bid_to_defenders=(
            "the others score it",
            "{bidder_who} takes less than the bid is set and scores nothing: the others score what they take, "
            "and the bid as well.",
        ),
        is_later=True,
    )
    """What happens to a numbered bid that is set: the bidder loses it, or the others score it."""
    renege_costs: Annotated[list[AwardId], Field(max_length=MAX_AWARDS)] = declare_later_field([])
    """The awards, besides Game, that a side cannot score in a hand in which it reneged."""
    renege_stops_short: bool = declare_later_field(False)
    """Whether a side that reneged in a hand stops one point short of the target in that hand."""


def set_bid_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield the contradictions about defenders who are to score a set bid.

    They may be several sides, or their points may not count.
    """
    if ruleset.scoring.on_set == "lose_bid":
        return
    if not ruleset.table.has_two_scores:
        yield Contradiction("not_two_sides", "Only where two sides play can the other one score a bid.", "on_set")
    if ruleset.pays_by_hand or ruleset.scoring.defenders_score == "none":
        message = "The points of those who did not bid do not count here."
        yield Contradiction("only_bidder_counts", message, "on_set", "defenders_score")


def moot_reasons(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield the name of each option that has no effect because of how a hand is scored, with the reason."""
    scoring = ruleset.scoring
    if ruleset.pays_by_hand:
        yield "score_on_made", "Every bid is paid for at once: a made bid scores nothing."
    elif scoring.score_on_made == "nothing" and ruleset.moon.moon == "stake":
        reason = "A made bid scores nothing here."
        yield from ((name, reason) for name in ("moon_made", "double_moon_made"))
    if scoring.on_set == "bid_to_defenders":
        yield "defenders_score", "The one side that did not bid scores what it takes, and the bid that is set."
    if scoring.defenders_score == "none" and ruleset.bidding.all_pass != "unobliged":
        reason = "Those who did not bid score nothing."
        yield from ((name, reason) for name in ("defenders_stop_at_one", "defenders_stop_short"))
