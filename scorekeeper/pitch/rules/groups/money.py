"""House options about money: their texts, their contradictions, and which of them have no effect."""

from collections.abc import Iterator
from typing import Literal

from scorekeeper.pitch.rules.groups.declare import Cents, Contradiction, Ruleset, StrictModel, declare_option
from scorekeeper.pitch.rules.groups.winning import has_end, may_be_won


class Money(StrictModel):
    """The payments in a game for money, in whole cents."""

    settles: Literal["none", "average", "hand"] = "none"
    """When points are paid for, if they have a price: with `hand`, after each hand; with `average` or `none`, at the
    end, by the average of the scores."""
    cents_per_point: Cents = declare_option(
        None,
        "A point pays",
        "What is a point worth?",
        n=("{money}", "A point is worth {money}."),
        none=("nothing", "Points pay nothing."),
    )
    """The cents for each point above or below the average score. Where each hand is paid for, the cents for each point
    of the bid."""
    moon_cents: Cents = declare_option(
        None,
        "A moon pays",
        "What does a moon pay?",
        n=(
            "{money}",
            "A bidder who makes the moon gets {money} from each other {side}; one who fails pays {money} to each.",
        ),
        none=("nothing", "A moon pays nothing."),
    )
    """The cents that a bidder gets from each other player or side for a made moon, or pays to each for a failed one."""
    set_stake_cents: Cents = declare_option(
        None,
        "A set pays",
        "What does a {side} pay the winner for each set?",
        n=("{money}", "Each set pays {money} to the winner."),
        none=("nothing", "A set pays nothing."),
    )
    """The cents that each other player or side pays the winner of the match for each of its own sets."""
    game_stake_cents: Cents = declare_option(
        None,
        "The match pays",
        "What does each {side} pay the winner for the match?",
        n=("{money}", "Each {side} pays {money} to the winner."),
        none=("nothing", "The match pays nothing."),
    )
    """The cents that each other player or side pays the winner of the match."""


def moon_money_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield a contradiction if a moon has a price in cents in a game where moons pay no money."""
    if ruleset.money.moon_cents and ruleset.moon.moon != "money" and ruleset.has_bidding:
        yield Contradiction("moon_pays_nothing", "The moon pays no money here.", "moon_cents", "moon")


def moot_reasons(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield the name of each option about money that has no effect under these rules, with the reason."""
    if not ruleset.has_bidding:
        yield "set_stake_cents", "Nobody bids in this game, so nobody is set."
    if ruleset.moon.moon != "money":
        yield "moon_cents", "The moon pays no money here."
    if not may_be_won(ruleset):
        cause = "No points count in this match" if has_end(ruleset) else "No score ends this match"
        yield from ((name, f"{cause}, so nobody wins it.") for name in ("set_stake_cents", "game_stake_cents"))
