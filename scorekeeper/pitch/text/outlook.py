"""Who can win on the next hand, who wins with one, and who deals it, in a sentence or two."""

from collections.abc import Sequence

from scorekeeper.pitch.rules.phrases import listed, several
from scorekeeper.pitch.scoring.match import MatchState
from scorekeeper.pitch.scoring.outlook import SideOutlook, bids_first
from scorekeeper.pitch.scoring.seats import deal_passes
from scorekeeper.pitch.scoring.standing import target_of
from scorekeeper.pitch.text.endings import (
    question_sentence,
    verdict_sentence,
)
from scorekeeper.pitch.text.phrases import Names, bid_word, grouped, named, verb


def outlook_sentence(state: MatchState, names: Names, sides: Sequence[SideOutlook], *, hand: str = "this hand") -> str:
    """Return who can win on the next hand, and how; `hand` is what that hand is called."""
    if not state.goes_on:
        return question_sentence(state) or "The match is over."
    if together := grouped((_how_to_win(state, side, hand), side.side) for side in sides if side.goes_out):
        everybody = "Either side" if len(sides) == 2 else "Anybody"
        return " ".join(
            f"{listed(named(winners, names)) if len(winners) < len(sides) else everybody} can win {how}."
            for how, winners in together.items()
        )
    if state.ruleset.winning.length == "hands":
        return _hands_left(state)
    return verdict_sentence(state, names) if target_of(state.ruleset) is None else f"Nobody can win on {hand}."


def win_words(state: MatchState, names: Names) -> str:
    """Return who wins a match that a hand would end: "Bea & Dan win with this"; empty where nobody does."""
    winners = state.winners
    if not winners:
        return question_sentence(state)
    win = "share the win" if len(winners) > 1 else verb(state.seats, winners, "win")
    return f"{listed(named(winners, names))} {win} with this"


def deal_words(state: MatchState, dealer: str, names: Names) -> str:
    """Return who bids first where somebody deals the next hand, and who deals after that."""
    first = bids_first(state)
    after = deal_passes(state.ruleset, state.seats, dealer) if state.ruleset.play.next_dealer != "racehorse" else None
    if first and after == first:
        return f"{names[first]} bids first, and deals next"
    bids = f"{names[first]} bids first" if first else ""
    deals = f"{names[after]} deals next" if after else ""
    return ", ".join(filter(None, (bids, deals)))


def _hands_left(state: MatchState) -> str:
    left = (state.ruleset.winning.hands or 0) - state.scored
    if left < 1:
        return "The hands are played, and the best scores are tied: this hand may decide."
    return "This is the last hand." if left == 1 else f"{left} hands are left."


def _how_to_win(state: MatchState, side: SideOutlook, hand: str) -> str:
    """Return how a side wins: on any points, by a bid of so many, or by a special bid."""
    ruleset = state.ruleset
    if ruleset.scoring.on_set == "bid_to_defenders" and (side.needs or 0) > ruleset.points_per_hand:
        return f"on {hand}, if the other side bids and is set"
    if side.needs is None or (side.needs > ruleset.points_per_hand and ruleset.winning.four_points_win_game):
        return f"by taking all {several(ruleset.points_per_hand, 'point')} of {hand}"
    if not ruleset.has_bidding:
        return f"on {hand}"
    if side.goes_out == "any" and ruleset.winning.defenders_stop_at_one:
        return f"on {hand} with a made bid, or if a bid of the others is set"
    if side.goes_out == "any":
        return f"on {hand}, whoever bids"
    bid, needs = side.lowest_bid, side.needs or 0
    if isinstance(bid, int):
        if bid > ruleset.bottom_number:
            top = " or more" if bid < ruleset.top_number or ruleset.special_bids else ""
            return f"by making a bid of {bid}{top}"
        if needs > bid and ruleset.scoring.score_on_made == "points":
            return f"by making a bid with {needs} points{' or more' if needs < ruleset.points_per_hand else ''}"
        return "by making a bid"
    return "by shooting the moon" if bid == "moon" else f"by making a {bid_word(bid)}"
