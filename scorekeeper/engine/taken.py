"""Who took what in a hand: each award to a group, and the hands that cannot have been."""

from collections.abc import Mapping
from dataclasses import dataclass

from scorekeeper.engine.camps import Camps, camp_named
from scorekeeper.engine.counts import count_problem
from scorekeeper.engine.hand import HandRecord
from scorekeeper.engine.seats import Seats
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.schema import AwardId, Ruleset

CARD_POINTS_IN_PACK = 80
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


def taken_of(ruleset: Ruleset, seats: Seats, camps: Camps, hand: HandRecord) -> tuple[Taken | None, list[Fault]]:
    """Read who took what, with everything in it that cannot be."""
    if hand.taken is not None and hand.points is not None:
        why = "Give the cards or the counts of points, not both."
        return None, [Fault(field, "both_ways", why) for field in ("taken", "points")]
    counts, faults = _card_points(ruleset, seats, camps, hand)
    if hand.taken is not None:
        taken, more = _by_awards(ruleset, seats, camps, hand.taken, counts)
    else:
        taken, more = _by_counts(ruleset, seats, camps, hand.points or {}, None if faults else counts)
    return (None if faults or more else taken), [*faults, *more]


def _card_points(
    ruleset: Ruleset, seats: Seats, camps: Camps, hand: HandRecord
) -> tuple[dict[int, int] | None, list[Fault]]:
    if hand.card_points is None:
        return None, []
    if "game" not in ruleset.in_play or ruleset.how_won("game") != "card_points":
        return None, [Fault("card_points", "not_counted", "Card points are not counted for Game here.")]
    sums, faults = _sums(seats, camps, hand.card_points, "card_points")
    if not faults and sum(sums.values()) > CARD_POINTS_IN_PACK:
        total = sum(sums.values())
        said = f"{total} card points are more than the {CARD_POINTS_IN_PACK} in the pack."
        faults.append(Fault("card_points", "too_many_card_points", said))
    return sums, faults


def _sums(seats: Seats, camps: Camps, piles: Mapping[str, int], field: str) -> tuple[dict[int, int], list[Fault]]:
    """Add up piles by group."""
    sums: dict[int, int] = {}
    faults = []
    for who, number in piles.items():
        camp, why_not = camp_named(seats, camps, who)
        if camp is None:
            faults.append(Fault(f"{field}.{who}", "unknown_side", why_not))
        elif number < 0:
            faults.append(Fault(f"{field}.{who}", "below_zero", "Nobody takes less than nothing."))
        else:
            sums[camp] = sums.get(camp, 0) + number
    return sums, faults


def _by_awards(
    ruleset: Ruleset, seats: Seats, camps: Camps, told: Mapping[str, str | None], counts: Mapping[int, int] | None
) -> tuple[Taken | None, list[Fault]]:
    faults = [
        Fault(f"taken.{award_id}", "not_in_play", _not_in_play(ruleset, award_id))
        for award_id in told
        if award_id not in ruleset.in_play
    ]
    by_award: dict[AwardId, tuple[int, ...]] = {}
    known: dict[str, int] = {}
    for award_id, award in ruleset.in_play.items():
        if award_id == "game" and ruleset.how_won("game") == "card_points":
            groups, more = _game(ruleset, seats, camps, told, counts)
            by_award[award_id] = groups
            faults += more
        elif award_id not in told:
            faults.append(Fault(f"taken.{award_id}", "not_named", f"Say who took {award.name}, or that nobody did."))
        elif (who := told[award_id]) is None:
            if not award.unclaimed:
                faults.append(Fault(f"taken.{award_id}", "must_be_somebodys", f"{award.name} has to be somebody’s."))
        elif who in known:
            by_award[award_id] = (known[who],)
        else:
            camp, why_not = camp_named(seats, camps, who)
            if camp is None:
                faults.append(Fault(f"taken.{award_id}", "unknown_side", why_not))
            else:
                known[who] = camp
                by_award[award_id] = (camp,)
    if faults:
        return None, faults
    rows, points, claimed = [], [0] * len(camps.groups), 0
    for award_id, groups in by_award.items():
        worth = ruleset.awards[award_id].points
        claimed += worth if groups else 0
        for camp in groups:
            rows.append((award_id, camp, worth))
            points[camp] += worth
    return Taken(tuple(points), tuple(rows), claimed), []


def _not_in_play(ruleset: Ruleset, award_id: str) -> str:
    if award_id in ruleset.awards:
        return f"{ruleset.awards[award_id].name} is not played for here."
    return f"There is no point called {award_id!r}."


def _game(
    ruleset: Ruleset, seats: Seats, camps: Camps, told: Mapping[str, str | None], counts: Mapping[int, int] | None
) -> tuple[tuple[int, ...], list[Fault]]:
    """Decide Game by card points: the count where there is one, else what was told (`002`, "Bidding")."""
    tie = ruleset.points.game_tie
    said = "game" in told
    who = told.get("game")
    camp = None
    if who is not None:
        camp, why_not = camp_named(seats, camps, who)
        if camp is None:
            return (), [Fault("taken.game", "unknown_side", why_not)]
    if counts is None or len(counts) < len(camps.groups):
        return _game_told(camps, tie, said, camp, counts)
    best, leaders = max(counts.values()), _leaders(counts)
    if len(leaders) == 1:
        if said and camp is None:
            return (), _against_the_count("not_level", f"Game has to be somebody’s: the count is {_shown(counts)}.")
        if said and camp != leaders[0]:
            return (), _against_the_count(
                "lower_count", f"Game can’t be {who} with {_shown(counts, camp)}: the most has it."
            )
        return leaders, []
    if tie == "joker_breaks":
        return _joker_breaks(ruleset, seats, camps, told, leaders)
    if camp is not None:
        return (), _against_the_count("level", f"The count is level at {best}: Game is not one side’s alone.")
    return (leaders if tie == "all_tied_score" else ()), []


def _leaders(counts: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(sorted(group for group, number in counts.items() if number == max(counts.values())))


def _decided(ruleset: Ruleset, camps: Camps, counts: Mapping[int, int] | None) -> tuple[int, ...] | None:
    """Give the groups that score Game by a whole count; nothing where the count leaves it open."""
    if counts is None or len(counts) < len(camps.groups):
        return None
    leaders, tie = _leaders(counts), ruleset.points.game_tie
    if len(leaders) == 1 or tie == "all_tied_score":
        return leaders
    return None if tie == "joker_breaks" else ()


def _shown(counts: Mapping[int, int], first: int | None = 0) -> str:
    return " to ".join(str(counts[group]) for group in sorted(counts, key=lambda group: (group != first, group)))


def _against_the_count(code: str, why: str) -> list[Fault]:
    return [Fault(field, code, why) for field in ("taken.game", "card_points")]


def _joker_breaks(
    ruleset: Ruleset, seats: Seats, camps: Camps, told: Mapping[str, str | None], leaders: tuple[int, ...]
) -> tuple[tuple[int, ...], list[Fault]]:
    """Give a level Game to who has the joker: as it was told, or as the jokers fell where they are scored."""
    if "game" in told:
        holder = told["game"]
    else:
        jokers = [award_id for award_id in ruleset.in_play if award_id in _JOKERS]
        holders = {told.get(award_id) for award_id in jokers}
        if len(jokers) < ruleset.points.jokers or len(holders) > 1:
            return (), [Fault("taken.game", "not_named", "The count is level: say who has the joker, or nobody.")]
        holder = holders.pop()
    camp = camp_named(seats, camps, holder)[0] if holder is not None else None
    if camp in leaders and camp is not None:
        return (camp,), []
    if camp is not None and "game" in told:
        return (), _against_the_count("lower_count", f"Game can’t be {holder}: others have more card points.")
    return (), []


_JOKERS = ("joker", "high_joker", "low_joker")


def _game_told(
    camps: Camps, tie: str, said: bool, camp: int | None, counts: Mapping[int, int] | None
) -> tuple[tuple[int, ...], list[Fault]]:
    """Take Game as told, where the count is missing or lacks a pile."""
    if not said:
        field = "taken.game" if counts is None else "card_points"
        return (), [Fault(field, "not_named", "Say who took Game, or the card points of every side.")]
    if camp is not None:
        others = [number for group, number in (counts or {}).items() if group != camp]
        mine = (counts or {}).get(camp, CARD_POINTS_IN_PACK)
        if any(number > mine or (number == mine and tie != "joker_breaks") for number in others):
            return (), _against_the_count("lower_count", f"Game goes to the most card points, and {mine} is not that.")
        return (camp,), []
    if tie == "all_tied_score":
        if len(camps.groups) > 2:
            return (), [Fault("card_points", "who_tied", "Game is shared by those who tied: give the card points.")]
        return tuple(range(len(camps.groups))), []
    return (), []


def _by_counts(
    ruleset: Ruleset, seats: Seats, camps: Camps, told: Mapping[str, int], counts: Mapping[int, int] | None
) -> tuple[Taken | None, list[Fault]]:
    sums, faults = _sums(seats, camps, told, "points")
    missing = [i for i in range(len(camps.groups)) if i not in sums]
    if missing and not (ruleset.only_bidder_counts and 0 in sums):
        names = " and ".join(" & ".join(camps.groups[i]) for i in missing)
        faults.append(Fault("points", "side_missing", f"Say how many points {names} took."))
    if faults:
        return None, faults
    points = tuple(sums.get(i, 0) for i in range(len(camps.groups)))
    game = _decided(ruleset, camps, counts)
    if game is not None:
        game = tuple(group for group in game if group in sums)
    why_not = count_problem(ruleset, points, complete=not missing, game=game)
    if why_not:
        return None, [Fault("points", *why_not)]
    return Taken(points, (), sum(points)), []
