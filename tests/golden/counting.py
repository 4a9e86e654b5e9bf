"""How many of all possible hands give each result.

A hand is a bid and a way that the awards fall. Listing them all would not end (14 points among four make millions for
each bid), so the awards are added one after another to a table of what each camp has by then, and how often.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import Contract
from scorekeeper.pitch.scoring.hand_score import HandScore, needs_every_trick, score_hand
from scorekeeper.pitch.scoring.match import MatchState, open_match
from scorekeeper.pitch.scoring.seats import HandSides, Seats, divide_sides, seat_table
from scorekeeper.pitch.scoring.taken import Taken
from scorekeeper.pitch.text.phrases import signed_text

NAMES = ("Ann", "Bob", "Cal", "Dot", "Eve", "Fay")


@dataclass(frozen=True, slots=True)
class Fall:
    """An assignment of the awards, as far as it makes a difference to the score."""

    points: tuple[int, ...]
    others_captured: bool = False
    """Whether somebody else than the bidding side captured an award, and with it a trick."""


def smallest_table(ruleset: Ruleset) -> Seats:
    """Seat as few as the variant allows."""
    numbers = {*ruleset.table.partners, *([ruleset.table.fewest] if ruleset.table.most else [])}
    seats, faults = seat_table(ruleset, NAMES[: min(numbers)], None)
    assert seats is not None, faults
    return seats


def falls(ruleset: Ruleset, hand_sides: HandSides) -> Counter[Fall]:
    """Count the assignments of the awards."""
    counts = Counter({Fall((0,) * len(hand_sides.groups)): 1})
    for award_id, award in ruleset.in_play.items():
        captured = ruleset.how_won(award_id) in ("captured", "card_points")
        after: Counter[Fall] = Counter()
        for fall, number in counts.items():
            if award.unclaimed:
                after[fall] += number
            for camp in range(len(hand_sides.groups)):
                points = tuple(had + award.points * (i == camp) for i, had in enumerate(fall.points))
                after[Fall(points, fall.others_captured or (captured and camp > 0))] += number
        counts = after
    return counts


def results(ruleset: Ruleset) -> Iterator[tuple[tuple[str, ...], HandScore, bool, int]]:
    """Return every bid with every fall: what it is called, its score, whether it took all, and how many hands."""
    seats = smallest_table(ruleset)
    opening = open_match(ruleset, seats)
    bidder = seats.ids[0]
    partners = [None, seats.ids[1]] if ruleset.table.called else [None]
    for partner in partners:
        hand_sides = divide_sides(ruleset, seats, bidder if ruleset.bidding.auction else None, partner)
        counts = falls(ruleset, hand_sides)
        for bid in ruleset.bids or (None,):
            contract = Contract(bidder, bid) if bid is not None else Contract()
            tricks = (True, False) if needs_every_trick(ruleset, contract) else (False,)
            label = (
                str(bid or "no bid"),
                *(["with a partner" if partner else "alone"] if ruleset.table.called else []),
            )
            for fall, number in counts.items():
                for all_tricks in tricks:
                    if not (all_tricks and fall.others_captured):
                        taken = Taken(fall.points, (), sum(fall.points))
                        has_all = ruleset.winning.four_points_win_game and taken.taker_of_all(ruleset) is not None
                        yield label, _score(opening, hand_sides, contract, taken, all_tricks), has_all, number


def _score(opening: MatchState, hand_sides: HandSides, contract: Contract, taken: Taken, all_tricks: bool) -> HandScore:
    return score_hand(
        opening.ruleset, opening.seats, hand_sides, contract, taken, opening.scores, all_tricks=all_tricks
    )


Row = tuple[tuple[str, ...], int, tuple[str, ...]]
"""The bid and whether it was made, by how much the score changes, and its other outcomes."""
OTHERS = "the others together"


def count(ruleset: Ruleset) -> Counter[Row]:
    """Return how many hands give each result to the bidder, and then to the others together."""
    bidder, *others = smallest_table(ruleset).ids
    rows: Counter[Row] = Counter()
    against: Counter[Row] = Counter()
    for label, score, has_all, number in results(ruleset):
        made = {True: "made", False: "set", None: "played"}[score.made]
        ends = [score.instant_ending.reason] if score.instant_ending else ["all_points"] if has_all else []
        pays = [f"{signed_text(score.payments[bidder])} cents"] if score.payments and score.payments[bidder] else []
        rows[(*label, made), _change(score, bidder), (*ends, *pays)] += number
        against[(OTHERS, made), sum(_change(score, other) for other in others), ()] += number
    in_order = sorted(against.items(), key=lambda item: (item[0][0], signed_text(item[0][1])))
    return Counter({**rows, **dict(in_order)})


def every_row(ruleset: Ruleset, rows: Counter[Row]) -> str:
    """Write every row: bid, made or set, the change of the score, its other outcomes, and how many hands."""
    lines = [
        " · ".join([*label, signed_text(change), *more, f"{number:,}"])
        for (label, change, more), number in rows.items()
    ]
    return "\n".join([_heading(ruleset, rows), *lines, ""])


def short_table(ruleset: Ruleset, rows: Counter[Row]) -> str:
    """Write the rows of each bid together, with the least and the greatest change, and a digest of every row."""
    together: dict[tuple[tuple[str, ...], tuple[str, ...]], Counter[int]] = {}
    for (label, change, more), number in rows.items():
        together.setdefault((label, more), Counter())[change] += number
    lines = []
    for (label, more), changes in together.items():
        extent = " to ".join(map(signed_text, dict.fromkeys((min(changes), max(changes)))))
        lines.append(" · ".join([*label, extent, *more, f"{changes.total():,}"]))
    digest = sha256(every_row(ruleset, rows).encode()).hexdigest()
    return "\n".join([_heading(ruleset, rows), *lines, f"{len(rows)} rows, sha256 {digest}", ""])


def _heading(ruleset: Ruleset, rows: Counter[Row]) -> str:
    hands = sum(number for (label, *_), number in rows.items() if OTHERS not in label)
    return f"# {ruleset.name}: {', '.join(smallest_table(ruleset).ids)}; {hands:,} hands"


def _change(score: HandScore, side: str) -> int:
    return sum(line.points for line in score.lines if line.side == side)
