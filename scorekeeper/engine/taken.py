"""Who took what in a hand: each award to a group, and the hands that cannot have been."""

from collections.abc import Mapping
from dataclasses import dataclass

from scorekeeper.engine.hand import Hand
from scorekeeper.engine.hand_sides import HandSides, find_group
from scorekeeper.engine.point_counts import count_problem
from scorekeeper.engine.seats import NAMES_JOINED, Seats
from scorekeeper.rules.awards import AwardId
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.schema import Ruleset

CARD_POINTS_IN_DECK = 80
"""Four aces at 4, kings 3, queens 2, jacks 1, tens 10 (`002`, "Bidding")."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What each group of a hand took."""

    points: tuple[int, ...]
    """Points by group."""
    awards: tuple[tuple[AwardId, int, int], ...] = ()
    """Award, group, points; in the ruleset's order, a shared Game once for each."""
    claimed: int = 0
    """The worth of what somebody took; a shared Game counted once."""


def taken_of(ruleset: Ruleset, seats: Seats, hand_sides: HandSides, hand: Hand) -> tuple[Taken | None, list[Fault]]:
    """Return who took what, with everything in it that cannot be."""
    if hand.taken is not None and hand.points is not None:
        why = "Give the cards or the counts of points, not both."
        return None, [Fault(field, "both_ways", why) for field in ("taken", "points")]
    counts, faults = _card_points(ruleset, seats, hand_sides, hand)
    if hand.taken is not None:
        taken, more = _by_awards(ruleset, seats, hand_sides, hand.taken, counts)
    else:
        taken, more = _by_counts(ruleset, seats, hand_sides, hand.points or {}, None if faults else counts)
    return (None if faults or more else taken), [*faults, *more]


def _card_points(
    ruleset: Ruleset, seats: Seats, hand_sides: HandSides, hand: Hand
) -> tuple[dict[int, int] | None, list[Fault]]:
    if hand.card_points is None:
        return None, []
    if "game" not in ruleset.in_play or ruleset.how_won("game") != "card_points":
        return None, [Fault("card_points", "not_counted", "Card points are not counted for Game here.")]
    sums, faults = _sums(seats, hand_sides, hand.card_points, "card_points")
    if not faults and sum(sums.values()) > CARD_POINTS_IN_DECK:
        total = sum(sums.values())
        why = f"{total} card points are more than the {CARD_POINTS_IN_DECK} in the pack."
        faults.append(Fault("card_points", "too_many_card_points", why))
    return sums, faults


def _sums(
    seats: Seats, hand_sides: HandSides, piles: Mapping[str, int], field: str
) -> tuple[dict[int, int], list[Fault]]:
    """Add up piles by group."""
    sums: dict[int, int] = {}
    faults = []
    for who, number in piles.items():
        group = find_group(seats, hand_sides, who, f"{field}.{who}")
        if isinstance(group, Fault):
            faults.append(group)
        elif number < 0:
            faults.append(Fault(f"{field}.{who}", "below_zero", "Nobody takes less than nothing."))
        else:
            sums[group] = sums.get(group, 0) + number
    return sums, faults


def _by_awards(
    ruleset: Ruleset,
    seats: Seats,
    hand_sides: HandSides,
    takers: Mapping[str, str | None],
    counts: Mapping[int, int] | None,
) -> tuple[Taken | None, list[Fault]]:
    faults = [
        Fault(f"taken.{award_id}", "not_in_play", _not_in_play(ruleset, award_id))
        for award_id in takers
        if award_id not in ruleset.in_play
    ]
    by_award: dict[AwardId, tuple[int, ...]] = {}
    known: dict[str, int] = {}
    for award_id, award in ruleset.in_play.items():
        if award_id == "game" and ruleset.how_won("game") == "card_points":
            groups, more = _game(ruleset, seats, hand_sides, takers, counts)
            by_award[award_id] = groups
            faults += more
        elif award_id not in takers:
            faults.append(Fault(f"taken.{award_id}", "not_named", f"Say who took {award.name}, or that nobody did."))
        elif (who := takers[award_id]) is None:
            if not award.unclaimed:
                faults.append(Fault(f"taken.{award_id}", "must_be_somebodys", f"{award.name} has to be somebody’s."))
        elif who in known:
            by_award[award_id] = (known[who],)
        else:
            group = find_group(seats, hand_sides, who, f"taken.{award_id}")
            if isinstance(group, Fault):
                faults.append(group)
            else:
                known[who] = group
                by_award[award_id] = (group,)
    if faults:
        return None, faults
    rows, points, claimed = [], [0] * len(hand_sides.groups), 0
    for award_id, groups in by_award.items():
        worth = ruleset.awards[award_id].points
        claimed += worth if groups else 0
        for group in groups:
            rows.append((award_id, group, worth))
            points[group] += worth
    return Taken(tuple(points), tuple(rows), claimed), []


def _not_in_play(ruleset: Ruleset, award_id: str) -> str:
    if award_id in ruleset.awards:
        return f"{ruleset.awards[award_id].name} is not played for here."
    return f"There is no point called {award_id!r}."


def _game(
    ruleset: Ruleset,
    seats: Seats,
    hand_sides: HandSides,
    takers: Mapping[str, str | None],
    counts: Mapping[int, int] | None,
) -> tuple[tuple[int, ...], list[Fault]]:
    """Decide Game by card points: the count where there is one, else what was entered (`002`, "Bidding")."""
    tie = ruleset.points.game_tie
    is_entered = "game" in takers
    who = takers.get("game")
    taker = None
    if who is not None:
        found = find_group(seats, hand_sides, who, "taken.game")
        if isinstance(found, Fault):
            return (), [found]
        taker = found
    if counts is None or len(counts) < len(hand_sides.groups):
        return _game_entered(hand_sides, tie, is_entered, taker, counts)
    best, leaders = max(counts.values()), _leaders(counts)
    if len(leaders) == 1:
        if is_entered and taker is None:
            return (), _against_the_count("not_level", f"Game has to be somebody’s: the count is {_shown(counts)}.")
        if is_entered and taker != leaders[0]:
            why = f"Game can’t be {{0}} with {_shown(counts, taker)}: the most has it."
            return (), _against_the_count("lower_count", why, who)
        return leaders, []
    if tie == "joker_breaks":
        return _joker_breaks(ruleset, seats, hand_sides, takers, leaders)
    if taker is not None:
        return (), _against_the_count("level", f"The count is level at {best}: Game is not one side’s alone.")
    return (leaders if tie == "all_tied_score" else ()), []


def _leaders(counts: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(sorted(group for group, number in counts.items() if number == max(counts.values())))


def _decided(ruleset: Ruleset, hand_sides: HandSides, counts: Mapping[int, int] | None) -> tuple[int, ...] | None:
    """Return the groups that score Game by a whole count; `None` where the count leaves it open."""
    if counts is None or len(counts) < len(hand_sides.groups):
        return None
    leaders, tie = _leaders(counts), ruleset.points.game_tie
    if len(leaders) == 1 or tie == "all_tied_score":
        return leaders
    return None if tie == "joker_breaks" else ()


def _shown(counts: Mapping[int, int], first: int | None = 0) -> str:
    return " to ".join(str(counts[group]) for group in sorted(counts, key=lambda group: (group != first, group)))


def _against_the_count(code: str, why: str, who: str | None = None) -> list[Fault]:
    people = () if who is None else (who,)
    return [Fault(field, code, why, people) for field in ("taken.game", "card_points")]


def _joker_breaks(
    ruleset: Ruleset,
    seats: Seats,
    hand_sides: HandSides,
    takers: Mapping[str, str | None],
    leaders: tuple[int, ...],
) -> tuple[tuple[int, ...], list[Fault]]:
    """Give a tied Game to who has the joker: as it was entered, or as the jokers fell where they are scored."""
    if "game" in takers:
        holder = takers["game"]
    else:
        jokers = [award_id for award_id in ruleset.in_play if award_id in _JOKERS]
        holders = {takers.get(award_id) for award_id in jokers}
        if len(jokers) < ruleset.points.jokers or len(holders) > 1:
            return (), [Fault("taken.game", "not_named", "The count is level: say who has the joker, or nobody.")]
        holder = holders.pop()
    group = find_group(seats, hand_sides, holder, "taken.game") if holder is not None else None
    if group in leaders and isinstance(group, int):
        return (group,), []
    if isinstance(group, int) and "game" in takers:
        why = "Game can’t be {0}: others have more card points."
        return (), _against_the_count("lower_count", why, holder)
    return (), []


_JOKERS = ("joker", "high_joker", "low_joker")


def _game_entered(
    hand_sides: HandSides, tie: str, is_entered: bool, taker: int | None, counts: Mapping[int, int] | None
) -> tuple[tuple[int, ...], list[Fault]]:
    """Take Game as it was entered, where the count is missing or lacks a pile."""
    if not is_entered:
        field = "taken.game" if counts is None else "card_points"
        return (), [Fault(field, "not_named", "Say who took Game, or the card points of every side.")]
    if taker is not None:
        others = [number for group, number in (counts or {}).items() if group != taker]
        mine = (counts or {}).get(taker, CARD_POINTS_IN_DECK)
        if any(number > mine or (number == mine and tie != "joker_breaks") for number in others):
            return (), _against_the_count("lower_count", f"Game goes to the most card points, and {mine} is not that.")
        return (taker,), []
    if tie == "all_tied_score":
        if len(hand_sides.groups) > 2:
            return (), [Fault("card_points", "who_tied", "Game is shared by those who tied: give the card points.")]
        return tuple(range(len(hand_sides.groups))), []
    return (), []


def _by_counts(
    ruleset: Ruleset,
    seats: Seats,
    hand_sides: HandSides,
    entered: Mapping[str, int],
    counts: Mapping[int, int] | None,
) -> tuple[Taken | None, list[Fault]]:
    sums, faults = _sums(seats, hand_sides, entered, "points")
    missing = [i for i in range(len(hand_sides.groups)) if i not in sums]
    if missing and not (ruleset.only_bidder_counts and 0 in sums):
        faults.append(_missing_sides([hand_sides.groups[i] for i in missing]))
    if faults:
        return None, faults
    points = tuple(sums.get(i, 0) for i in range(len(hand_sides.groups)))
    game = _decided(ruleset, hand_sides, counts)
    if game is not None:
        game = tuple(group for group in game if group in sums)
    why_not = count_problem(ruleset, points, complete=not missing, game=game)
    if why_not:
        return None, [Fault("points", *why_not)]
    return Taken(points, (), sum(points)), []


def _missing_sides(groups: list[tuple[str, ...]]) -> Fault:
    slots = iter(range(sum(map(len, groups))))
    names = " and ".join(NAMES_JOINED.join(f"{{{next(slots)}}}" for _ in group) for group in groups)
    people = tuple(side for group in groups for side in group)
    return Fault("points", "side_missing", f"Say how many points {names} took.", people)
