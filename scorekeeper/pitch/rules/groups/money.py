"""What is paid: the options, their words, what contradicts them and beside what they are moot."""

from collections.abc import Iterator
from typing import Literal

from scorekeeper.pitch.rules.groups.declare import Cents, Contradiction, Ruleset, Spec, option
from scorekeeper.pitch.rules.groups.winning import has_end, may_be_won


class Money(Spec):
    """What is paid, in whole cents, where the table plays for money."""

    settles: Literal["none", "average", "hand"] = "none"
    """How money is settled: not at all, against the average of the scores, or hand by hand."""
    cents_per_point: Cents = option(
        None,
        "A point",
        "What is a point worth?",
        n=("{money}", "A point is worth {money}."),
        none=("nothing", "Points pay nothing."),
    )
    """The cents for a point."""
    moon_cents: Cents = option(
        None,
        "A moon",
        "What does a moon pay?",
        n=(
            "{money}",
            "A bidder who makes the moon gets {money} from each other player; one who fails pays {money} to each.",
        ),
        none=("nothing", "A moon pays nothing."),
    )
    """The cents that each other player pays for a made moon, or gets for a failed one."""
    set_stake_cents: Cents = option(
        None,
        "A set",
        "What does a player pay the winner for each set?",
        n=("{money}", "Each set pays {money} to the winner."),
        none=("nothing", "A set pays nothing."),
    )
    """The cents that each set pays to the winner."""
    game_stake_cents: Cents = option(
        None,
        "The match",
        "What does each player pay the winner for the match?",
        n=("{money}", "Each player pays {money} to the winner."),
        none=("nothing", "The match pays nothing."),
    )
    """The cents that each other player pays to the winner."""


def moon_money_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield a contradiction where a moon has a price and pays no money."""
    if ruleset.money.moon_cents and ruleset.moon.moon != "money" and ruleset.has_bidding:
        yield Contradiction("moon_pays_nothing", "The moon pays no money here.", "moon_cents", "moon")


def moot_reasons(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield each option about money that decides nothing, with the reason."""
    if not ruleset.has_bidding:
        yield "set_stake_cents", "Nobody bids in this game, so nobody is set."
    if ruleset.moon.moon != "money":
        yield "moon_cents", "The moon pays no money here."
    if not may_be_won(ruleset):
        why = "No points count in this match" if has_end(ruleset) else "No score ends this match"
        yield from ((name, f"{why}, so nobody wins it.") for name in ("set_stake_cents", "game_stake_cents"))
