"""House options about shooting the moon: their texts and their contradictions."""

from collections.abc import Iterator, Mapping
from typing import Literal

from scorekeeper.pitch.rules.groups.declare import (
    Contradiction,
    PointOrHandCount,
    Ruleset,
    StrictModel,
    declaration_of,
    declare_flag,
    declare_option,
)


def _answers_implied_by_moon(ruleset: Ruleset, moon_answer: str) -> Mapping[str, object]:
    """Return the defaults of the options that a new answer to `moon_answer` leaves without use, keyed by option.

    Each of them is reset to its default.
    """
    stake_options = ("moon_made", "moon_set", "double_moon", "double_moon_made", "double_moon_set")
    options_to_reset = [
        *(stake_options if moon_answer != "stake" else ()),
        *(("moon_cents",) if moon_answer != "money" else ()),
    ]
    return {name: ruleset.default_answer(name) for name in options_to_reset} if moon_answer != ruleset.moon.moon else {}


class Moon(StrictModel):
    """Moons and double moons: when they may be bid, what they need, and what they win or cost."""

    moon: Literal["off", "stake", "win_or_lose", "win_or_minus_target", "to_minus_four", "money"] = declare_option(
        "off",
        "Moon",
        "What does shooting the moon do?",
        off=("none", "Nobody shoots the moon."),
        stake=("wins or costs points", "A moon wins or costs a fixed number of points."),
        win_or_lose=("wins or loses the match", "A made moon wins the match; a failed one loses it."),
        win_or_minus_target=(
            "wins the match or costs the target",
            "A made moon wins the match; a failed one costs {target_points}.",
        ),
        to_minus_four=("points, or back to −4", "A made moon scores points; a failed one sets the score to −4."),
        money=("pays money", "A moon pays money and scores nothing."),
        comparison=(
            "Moon",
            {
                "off": "none",
                "win_or_lose": "win or lose",
                "win_or_minus_target": "win or lose",
                "to_minus_four": "or −4",
                "money": "money",
            },
        ),
        needs={"stake": {"moon_made": 10, "moon_set": 10}, "money": {"moon_cents": 100}},
        implies=_answers_implied_by_moon,
    )
    """What a made moon wins and a failed moon costs. With `off`, there are no moons."""
    moon_made: PointOrHandCount = declare_option(
        None,
        "Made moon",
        "What does a made moon score?",
        n=("{n}", "A made moon scores {n}."),
        none=("nothing", "A made moon has no points of its own."),
        meaningless_beside=("moon", "off"),
    )
    """The points of a made moon, if it scores any. With none, they are `max_bid`, or without that all points in a
    hand."""
    moon_set: PointOrHandCount = declare_option(
        None,
        "Failed moon",
        "What does a failed moon cost?",
        n=("{n}", "A failed moon costs {n}."),
        none=("nothing", "A failed moon has no points of its own."),
        meaningless_beside=("moon", "off"),
    )
    """The points that a failed moon costs. With none, it costs no fixed number of points."""
    double_moon: bool = declare_flag(
        False,
        "Double moon",
        "Is there a double moon?",
        "A double moon outbids a moon.",
        "There is no double moon.",
        meaningless_beside=("moon", "off"),
        needs={True: {"double_moon_made": 20, "double_moon_set": 20}},
    )
    """Whether there is a double moon, which outbids a moon."""
    double_moon_made: PointOrHandCount = declare_option(
        None,
        "Made double",
        "What does a made double moon score?",
        n=("{n}", "A made double moon scores {n}."),
        none=("nothing", "A made double moon has no points of its own."),
        meaningless_beside=("double_moon", False),
    )
    """The points that a made double moon scores. With none, there is no double moon."""
    double_moon_set: PointOrHandCount = declare_option(
        None,
        "Failed double",
        "What does a failed double moon cost?",
        n=("{n}", "A failed double moon costs {n}."),
        none=("nothing", "A failed double moon has no points of its own."),
        meaningless_beside=("double_moon", False),
    )
    """The points that a failed double moon costs. With none, there is no double moon."""
    moon_after: Literal["any", "top_bid_by_another"] = declare_option(
        "any",
        "Before a moon",
        "When may the moon be bid?",
        any=("at any time", "A moon may be bid at any time."),
        top_bid_by_another=(
            "only over {top_bid} from another player",
            "A moon can only outbid {top_bid} from another player.",
        ),
        meaningless_beside=("moon", "off"),
    )
    """When a moon may be bid: at any time, or only after another player has bid the highest number."""
    moon_needs: Literal["points", "points_and_tricks"] = declare_option(
        "points",
        "A moon needs",
        "What must a moon take?",
        points=("every point", "A moon must take every point."),
        points_and_tricks=("points and tricks", "A moon must take every point and every trick."),
        meaningless_beside=("moon", "off"),
    )
    """What the bidding side must take to make a moon or a double moon."""
    moon_counts_burned: Literal["all", "in_play"] = declare_option(
        "all",
        "A moon needs missing points",
        "Does a moon fail if a point card is out of play?",
        all=("yes", "A moon needs all the points: it fails if one is not in play."),
        in_play=("no", "A moon needs only the points that are in play."),
        meaningless_beside=("moon", "off"),
    )
    """Which points a moon or a double moon needs: all of them, or only those whose cards were dealt and not
    discarded."""
    moon_is_top_bid: bool = False
    """Whether a bid of all the points in a hand is a moon, if moons may be bid."""


def moon_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield the contradictions between answers about moons, such as a moon for points that scores none."""
    moon = ruleset.moon
    if moon.moon == "off":
        for name in ruleset.non_default_options(
            name for name, field in Moon.model_fields.items() if declaration_of(field)
        ):
            yield Contradiction("moon_off", "Nobody shoots the moon here. Switch the moon on first.", name, "moon")
        return
    if moon.moon == "stake" and not (moon.moon_made and moon.moon_set):
        yield Contradiction("moon_worth", "Say what a moon wins and what it costs.", "moon", "moon_made", "moon_set")
    if moon.moon not in ("stake", "to_minus_four") and moon.moon_made:
        yield Contradiction("moon_no_stake", "This moon is not played for points.", "moon_made", "moon")
    if moon.moon != "stake" and moon.moon_set:
        yield Contradiction("moon_no_stake", "This moon does not cost a fixed number of points.", "moon_set", "moon")
    if moon.moon == "win_or_minus_target" and not ruleset.winning.target:
        yield Contradiction(
            "moon_no_target", "A failed moon costs the target here, but there is no target.", "moon", "target"
        )
    if moon.moon in ("win_or_lose", "win_or_minus_target", "to_minus_four") and ruleset.counts_down:
        yield Contradiction(
            "moon_counting_down", "This moon does not fit counting down to 0.", "moon", "count_down_from"
        )
    if moon.moon == "money" and ruleset.money.moon_cents is None:
        yield Contradiction("moon_cents", "Say how many cents a moon pays.", "moon", "moon_cents")
    if moon.double_moon and moon.moon != "stake":
        yield Contradiction(
            "double_needs_stake", "A double moon outbids a moon played for points.", "double_moon", "moon"
        )
    if moon.double_moon and not (moon.double_moon_made and moon.double_moon_set):
        yield Contradiction(
            "double_worth",
            "Say what a double moon wins and what it costs.",
            "double_moon",
            "double_moon_made",
            "double_moon_set",
        )
    if not moon.double_moon and (moon.double_moon_made or moon.double_moon_set):
        yield Contradiction(
            "double_off", "There is no double moon here.", "double_moon_made", "double_moon_set", "double_moon"
        )
