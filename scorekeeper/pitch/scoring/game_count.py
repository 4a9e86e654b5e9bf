"""Who scores Game by the card points of a hand, as far as those that were counted decide it."""

from collections.abc import Mapping

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.seats import HandSides, Seats


def plays_every_card(ruleset: Ruleset, seats: Seats) -> bool:
    """Return whether every card of the deck is played at a table.

    Where the players are not given, it has to hold for every number of players that these sides can have.
    """
    table, sides = ruleset.table, len(seats.ids)
    players = {len(seats.players)} if seats.players else {n for n, number in table.partners.items() if number == sides}
    if not seats.players and table.fewest <= sides <= table.most:
        players.add(sides)
    return bool(players) and all(map(ruleset.plays_every_card, players))


def with_last_pile(
    ruleset: Ruleset, seats: Seats, hand_sides: HandSides, counts: Mapping[int, int]
) -> Mapping[int, int]:
    """Return card points by group with the last pile, where every card is played and the others were counted."""
    missing = [group for group in range(len(hand_sides.groups)) if group not in counts]
    if len(missing) != 1 or not counts or ruleset.play.follow == "trump_only" or not plays_every_card(ruleset, seats):
        return counts
    return {**counts, missing[0]: ruleset.card_points_in_deck - sum(counts.values())}


def leaders_by_count(
    ruleset: Ruleset, hand_sides: HandSides, counts: Mapping[int, int] | None
) -> tuple[int, ...] | None:
    """Return the groups with the most card points; `None` where those that were counted leave it open.

    A part of the count decides where one pile is more than all that is left in the deck.
    """
    if not counts:
        return None
    leaders = leading_groups(counts)
    if len(counts) == len(hand_sides.groups):
        return leaders
    left = ruleset.card_points_in_deck - sum(counts.values())
    return leaders if counts[leaders[0]] > left else None


def groups_by_count(
    ruleset: Ruleset, seats: Seats, hand_sides: HandSides, counts: Mapping[int, int] | None, dealer: str | None
) -> tuple[int, ...] | None:
    """Return the groups that score the award by the card points; `None` where these leave it open."""
    leaders = leaders_by_count(ruleset, hand_sides, counts)
    return None if leaders is None else groups_of_leaders(ruleset, seats, hand_sides, leaders, dealer)


def groups_of_leaders(
    ruleset: Ruleset, seats: Seats, hand_sides: HandSides, leaders: tuple[int, ...], dealer: str | None
) -> tuple[int, ...] | None:
    """Return the groups that score the award where some have the most card points; `None` where that is left open."""
    tie = ruleset.points.game_tie
    if len(leaders) == 1 or tie == "all_tied_score":
        return leaders
    if tie == "non_dealer":
        return without_dealer(leaders, seats, hand_sides, dealer)
    return None if tie == "joker_breaks" else ()


def without_dealer(
    leaders: tuple[int, ...], seats: Seats, hand_sides: HandSides, dealer: str | None
) -> tuple[int, ...] | None:
    """Return the one of two tied groups that did not deal, where the other did; `None` where the dealer is unknown."""
    if len(leaders) > 2:
        return ()  # at least two of them did not deal, whichever side dealt
    dealing = seats.side_of(dealer)
    if dealing is None:
        return None
    group = hand_sides.group_of(dealing)
    return tuple(leader for leader in leaders if leader != group) if group in leaders else ()


def leading_groups(counts: Mapping[int, int]) -> tuple[int, ...]:
    """Return the groups with the most card points."""
    most = max(counts.values())
    return tuple(sorted(group for group, number in counts.items() if number == most))
