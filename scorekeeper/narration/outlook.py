"""Who can go out on the next hand, who wins with one, and why a side at the target has not, in a sentence or two."""

from collections.abc import Iterator, Sequence

from scorekeeper.engine.deal import deal_passes
from scorekeeper.engine.hand import SideId
from scorekeeper.engine.match import HandResult, MatchState
from scorekeeper.engine.outcome import has_reached_target, target_of
from scorekeeper.engine.outlook import SideOutlook, outlook
from scorekeeper.narration.phrases import Names, bid_word, named, score_text, verb
from scorekeeper.narration.verdict import verdict_sentence
from scorekeeper.rules.phrases import listed, placeholders, sentence


def outlook_sentence(state: MatchState, names: Names, sides: Sequence[SideOutlook], *, hand: str = "this hand") -> str:
    """Return who can go out on the next hand, and how; `hand` is what that hand is called."""
    if state.outcome:
        return "The match is over."
    may_go_out = [side for side in sides if side.goes_out]
    if may_go_out:
        return " ".join(_who_goes_out(state, names, sides, hand))
    winning = state.ruleset.winning
    if winning.length == "hands":
        return _hands_left(state)
    return verdict_sentence(state, names) if target_of(state.ruleset) is None else f"Nobody can go out on {hand}."


def win_words(state: MatchState, names: Names) -> str:
    """Return who wins a match that a hand would end: "Bea & Dan win with this"; empty where nobody does."""
    if state.outcome is None:
        return ""
    winners = state.outcome.winners
    win = "share the win" if len(winners) > 1 else verb(state.seats, winners, "win", "wins")
    return f"{listed(named(winners, names))} {win} with this"


def held_back_words(state: MatchState, names: Names) -> tuple[str, str]:
    """Return who is at the target and has not won, each with the reason, and by which rule the match goes on.

    Both are empty where nobody is.
    """
    at_target = [side for side, score in state.scores.items() if has_reached_target(state.ruleset, score)]
    if state.outcome or not at_target:
        return "", ""
    last = state.results[-1] if state.results else None
    if last and (last.score is None or last.ruleset.winning != state.ruleset.winning):
        last = None
    reasons: dict[str, list[str]] = {}
    for side in at_target:
        is_at = f"{names[side]} {verb(state.seats, [side], 'are', 'is')} at {score_text(state.scores[side])}"
        reasons.setdefault(_missing(state, last, side), []).append(is_at)
    lead = " ".join(f"{listed(those)}{reason}." for reason, those in reasons.items())
    return lead, _how_it_goes_on(state, has_made_bid=last is not None and any(_made(last, side) for side in at_target))


def _missing(state: MatchState, last: HandResult | None, side: SideId) -> str:
    """Return what a side at the target did not do in the last hand, where only a made bid goes out."""
    if last is None or state.ruleset.winning.win_rule != "made_bid" or _made(last, side):
        return ""
    return f", but did not {'make a bid' if side in _bidders(last) else 'bid'} this hand"


def _made(last: HandResult, side: SideId) -> bool:
    return bool(last.score and last.score.made and side in _bidders(last))


def _bidders(last: HandResult) -> tuple[SideId, ...]:
    return last.hand_sides.bidders if last.hand_sides else ()


def _how_it_goes_on(state: MatchState, *, has_made_bid: bool) -> str:
    ruleset, winning = state.ruleset, state.ruleset.winning
    if winning.win_rule == "made_bid" and not has_made_bid:
        return "Only a made bid goes out. Play on."
    if state.overtime:
        words, goal = placeholders(ruleset), "0" if winning.count_down_from else f"{target_of(ruleset)} or more"
        return sentence(f"keep playing until {words['bidder_who']} makes {words['its']} bid is at {goal}.")
    if winning.win_by:
        return f"A winner needs a lead of {winning.win_by}. Play on."
    return "Nobody wins yet. Play another hand to decide."


def deal_words(state: MatchState, dealer: str, names: Names) -> str:
    """Return who bids first where somebody deals the next hand, and who deals after that."""
    first = outlook(state).bids_first
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


def _who_goes_out(state: MatchState, names: Names, sides: Sequence[SideOutlook], hand: str) -> Iterator[str]:
    """Yield one sentence for all who can go out in the same way."""
    ways: dict[str, list[SideId]] = {}
    for side in sides:
        if side.goes_out:
            ways.setdefault(_way(state, side, hand), []).append(side.side)
    for way, those in ways.items():
        if len(those) < len(sides):
            yield f"{listed(named(those, names))} can go out {way}."
        else:
            yield f"{'Either side' if len(those) == 2 else 'Anybody'} can go out {way}."


def _way(state: MatchState, side: SideOutlook, hand: str) -> str:
    """Return how a side goes out: on any points, by a bid of so many, or by a special bid."""
    ruleset = state.ruleset
    if side.needs is None or (side.needs > ruleset.points_per_hand and side.goes_out == "any"):
        return f"by taking every point of {hand}"
    if not ruleset.bidding.auction:
        return f"on {hand}"
    if side.goes_out == "any":
        return f"on {hand}, whoever bids"
    bid, needs = side.least_bid, side.needs or 0
    if isinstance(bid, int):
        if bid > ruleset.bottom_number:
            top = " or more" if bid < ruleset.top_number or ruleset.special_bids else ""
            return f"by making a bid of {bid}{top}"
        if needs > bid and ruleset.scoring.score_on_made == "points":
            return f"by making a bid with {needs} points{' or more' if needs < ruleset.points_per_hand else ''}"
        return "by making a bid"
    return "by shooting the moon" if bid == "moon" else f"by making a {bid_word(bid)}"
