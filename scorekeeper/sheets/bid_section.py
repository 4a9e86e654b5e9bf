"""The bidding: who bids when, and the bids from the lowest to the highest with what each needs, wins and costs."""

from collections.abc import Iterator

from scorekeeper.narration.phrases import MINUS, bid_word
from scorekeeper.rules import phrases
from scorekeeper.rules.awards import may_be_missing
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.deal_section import every_card_is_played
from scorekeeper.sheets.parts import BidRow, Rule, Section
from scorekeeper.sheets.sheet_writer import SheetWriter, money_or_blank

_DECIDED_BY = {
    "numbers": ("min_bid", "max_bid", "score_on_made"),
    "smudge": ("smudge",),
    "moon": ("moon", "moon_made", "moon_set", "moon_after", "moon_needs", "moon_cents"),
    "double_moon": ("double_moon", "double_moon_made", "double_moon_set", "moon_needs"),
}


def bid_section(writer: SheetWriter) -> Section:
    """Return the rules of the bidding."""
    ruleset = writer.ruleset
    if not ruleset.bidding.auction:
        return Section("bid", "Bid", rules=writer.with_own("bid", writer.rule("bid.none", "Nobody bids.")))
    rows = (_numbers(writer), *(_special(writer, bid) for bid in ruleset.special_bids))
    rules = writer.with_own("bid", *_dealer(writer), *_dropped(writer), *_smudge(writer), *_moon(writer))
    return Section("bid", "Bid", (writer.answer("bid.order", "rounds"),), rows, rules)


def _numbers(writer: SheetWriter) -> BidRow:
    ruleset = writer.ruleset
    low, top = ruleset.bidding.min_bid, ruleset.top_number
    needs = "that many points"
    if low is None:
        bid, needs = "", f"that many points, up to {top}"
    elif low == top:
        bid = str(low)
    else:
        bid = f"{low}, {top}" if top == low + 1 else f"{low} to {top}"
    return BidRow(
        id="bid.numbers",
        bid=bid,
        needs=needs,
        made=_made(ruleset),
        cost=_cost(ruleset),
        origin=writer.origin("bid.numbers", *_DECIDED_BY["numbers"]),
        decided_by=_DECIDED_BY["numbers"],
    )


def _made(ruleset: Ruleset) -> str:
    if ruleset.money.settles == "hand":
        return f"+{money_or_blank(ruleset.money.cents_per_point)} a point"
    if ruleset.scoring.score_on_made == "nothing":
        return "nothing"
    what = "points taken" if ruleset.scoring.score_on_made == "points" else "the bid"
    return f"{MINUS} {what}" if ruleset.winning.count_down_from else f"+ {what}"


def _cost(ruleset: Ruleset) -> str:
    if ruleset.money.settles == "hand":
        return f"{MINUS}{money_or_blank(ruleset.money.cents_per_point)} a point"
    return "+ the bid" if ruleset.winning.count_down_from else f"{MINUS} the bid"


def _special(writer: SheetWriter, bid: str) -> BidRow:
    made, cost = _worth(writer.ruleset, bid)
    row_id = f"bid.{bid}"
    return BidRow(
        id=row_id,
        bid=phrases.sentence(bid_word(bid)),
        needs=_needs(writer, bid),
        made=made,
        cost=cost,
        origin=writer.origin(row_id, *_DECIDED_BY[bid]),
        decided_by=_DECIDED_BY[bid],
    )


def _needs(writer: SheetWriter, bid: str) -> str:
    """Return what a bid above the numbers must take, and over which bid it goes."""
    ruleset = writer.ruleset
    needs = f"{writer.words['all_points']} points"
    if bid == "smudge" or ruleset.moon.moon_needs == "points_and_tricks":
        needs += " and every trick"
    if bid == "double_moon":
        return f"{needs}; only over a moon"
    if bid == "moon" and ruleset.moon.moon_after == "top_bid_by_another":
        return f"{needs}; only over another player’s {phrases.number(ruleset.top_number)}"
    return needs


def _worth(ruleset: Ruleset, bid: str) -> tuple[str, str]:
    moon = ruleset.moon
    if bid == "smudge":
        return _signed(ruleset, ruleset.smudge_value, ruleset.smudge_value)
    if ruleset.money.settles == "hand" and moon.moon != "money":
        return _made(ruleset), _cost(ruleset)
    if bid == "double_moon":
        return _signed(ruleset, moon.double_moon_made or 0, moon.double_moon_set or 0)
    match moon.moon:
        case "stake":
            return _signed(ruleset, moon.moon_made or 0, moon.moon_set or 0)
        case "win_or_lose":
            return "wins", "loses"
        case "win_or_minus_target":
            return "wins", f"{MINUS}{ruleset.winning.target}"
        case "to_minus_four":
            return f"+{moon.moon_made or ruleset.top_number}", f"score becomes {MINUS}4"
        case _:
            paid = money_or_blank(ruleset.money.moon_cents)
            return f"+{paid}", f"{MINUS}{paid}"


def _signed(ruleset: Ruleset, made: int, cost: int) -> tuple[str, str]:
    """Return what is won and lost with their signs, which counting down reverses."""
    won, lost = (MINUS, "+") if ruleset.winning.count_down_from else ("+", MINUS)
    return f"{won}{made}", f"{lost}{cost}"


def _dealer(writer: SheetWriter) -> Iterator[Rule]:
    """Yield what the dealer may and must do, and what goes for a card that is led instead of a bid."""
    all_pass = writer.ruleset.bidding.all_pass
    names_a_bid = all_pass in ("dealer_forced", "may_take_set")
    yield writer.answer("bid.all_pass", "all_pass", *(("min_bid", "forced_bid") if names_a_bid else ()))
    if not names_a_bid:
        yield from writer.unusual("bid", "forced_bid")
    yield writer.answer("bid.dealer_steal", "dealer_steal")
    yield from writer.unusual("bid", "top_bid_again")
    yield from writer.unusual("bid", "pitching", "double_loss_on_overtake")


def _dropped(writer: SheetWriter) -> Iterator[Rule]:
    """Yield which bids of the book the house does not have."""
    dropped = [bid for bid in writer.base.special_bids if bid not in writer.ruleset.special_bids]
    for bid in dropped:
        if bid != "double_moon" or "moon" not in dropped:
            yield writer.rule(f"bid.no_{bid}", f"There is no {bid_word(bid)}.", bid)


def _smudge(writer: SheetWriter) -> Iterator[Rule]:
    ruleset = writer.ruleset
    missing = [
        phrases.award_name(ruleset, award_id)
        for award_id, award in ruleset.in_play.items()
        if may_be_missing(ruleset.kinds[award_id], award, ruleset.how_won(award_id))
    ]
    if "smudge" not in ruleset.special_bids or not missing:
        return
    lacking = missing[0] if len(missing) == 1 else "a scoring card"
    yield writer.rule("bid.smudge_needs", f"If {lacking} is not in play, a smudge fails.", "smudge")


def _moon(writer: SheetWriter) -> Iterator[Rule]:
    """Yield what the table of bids has no room for."""
    ruleset = writer.ruleset
    match ruleset.moon.moon:
        case "off":
            return
        case "win_or_lose" | "win_or_minus_target" as kind:
            costs = "loses the match" if kind == "win_or_lose" else f"costs {writer.words['target_points']}"
            text = f"A made moon wins the match, or from below zero brings the score to 0. A failed one {costs}."
            yield writer.rule("bid.moon_wins", text, "moon")
        case "to_minus_four":
            text = f"A failed moon puts the score at {MINUS}4, whatever it was: from {MINUS}9 that is a gain."
            yield writer.rule("bid.moon_wins", text, "moon")
        case "money":
            paid = money_or_blank(ruleset.money.moon_cents)
            text = f"A made moon gets {paid} from each other player; a failed one pays {paid} to each."
            yield writer.rule("bid.moon_wins", f"{text} The bidder scores nothing.", "moon", "moon_cents")
    if ruleset.top_bid_is_moon:
        text = f"A bid of {phrases.number(ruleset.points_per_hand)} is the moon."
        yield writer.rule("bid.top_is_moon", text, "moon")
    if not every_card_is_played(ruleset) or writer.differs("moon_counts_burned"):
        yield writer.answer("bid.moon_missing", "moon_counts_burned", "moon")
