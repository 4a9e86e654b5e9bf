"""House options about money: their texts, their contradictions, and when one of them has no effect."""

from collections.abc import Iterator
from typing import Literal

from scorekeeper.pitch.rules.groups.declare import Cents, Contradiction, Ruleset, Spec, option
from scorekeeper.pitch.rules.groups.winning import has_end, may_be_won


class Money(Spec):
    """The payments, in whole cents, in a game for money."""

    settles: Literal["none", "average", "hand"] = "none"
    """How points are paid, if they have a price: `hand` by hand, `average` or `none` by the average of the scores."""
    cents_per_point: Cents = option(
        None,
        "A point pays",
        "What is a point worth?",
        n=("{money}", "A point is worth {money}."),
        none=("nothing", "Points pay nothing."),
    )
    """The cents for each point above or below the average score, or for each point bid where each hand is paid."""
    moon_cents: Cents = option(
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
    set_stake_cents: Cents = option(
        None,
        "A set pays",
        "What does a {side} pay the winner for each set?",
        n=("{money}", "Each set pays {money} to the winner."),
        none=("nothing", "A set pays nothing."),
    )
    """The cents that each other player or side pays the winner of the match for each time being set."""
    game_stake_cents: Cents = option(
        None,
        "The match pays",
        "What does each {side} pay the winner for the match?",
        n=("{money}", "Each {side} pays {money} to the winner."),
        none=("nothing", "The match pays nothing."),
    )
    """The cents that each other player or side pays the winner of the match."""


def moon_money_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield a contradiction if a moon has a price in cents although moons pay no money."""
    if ruleset.money.moon_cents and ruleset.moon.moon != "money" and ruleset.has_bidding:
        yield Contradiction("moon_pays_nothing", "The moon pays no money here.", "moon_cents", "moon")


def moot_reasons(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield the name of each option about money that has no effect under these rules, with the reason."""
    if not ruleset.has_bidding:
        yield "set_stake_cents", "Nobody bids in this game, so nobody is set."
    if ruleset.moon.moon != "money":
        yield "moon_cents", "The moon pays no money here."
    if not may_be_won(ruleset):
        why = "No points count in this match" if has_end(ruleset) else "No score ends this match"
        yield from ((name, f"{why}, so nobody wins it.") for name in ("set_stake_cents", "game_stake_cents"))
