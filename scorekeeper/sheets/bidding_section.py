"""The bids from the lowest to the highest: what each needs, wins and costs."""

from collections.abc import Iterator

from scorekeeper.narration.phrases import MINUS, bid_word
from scorekeeper.rules import phrases
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.parts import BidRow, Line, Section
from scorekeeper.sheets.sheet_writer import SheetWriter, money_or_blank


def bidding_section(writer: SheetWriter) -> Section:
    """Return the rules of the bidding; empty where nobody bids."""
    ruleset = writer.ruleset
    if not ruleset.bidding.auction:
        return Section("Bidding")
    rows = (_numbers(writer), *(_special(writer, bid) for bid in ruleset.special_bids))
    return Section("Bidding", (_rounds(writer),), rows, (*_dealer(writer), *_dropped(writer), *_about_moon(writer)))


def _rounds(writer: SheetWriter) -> Line:
    if writer.ruleset.bidding.rounds == "one":
        return writer.line("Once around from the dealer’s left: bid higher, or pass.", "rounds", is_optional=True)
    top = bid_word(writer.ruleset.bids[-1])
    text = (
        f"Around and around from the dealer’s left: bid higher, or pass and be out, until one is left or has bid {top}."
    )
    return writer.line(text, "rounds")


def _numbers(writer: SheetWriter) -> BidRow:
    ruleset = writer.ruleset
    low, top = ruleset.bidding.min_bid, ruleset.top_number
    needs = "that many"
    if low is None:
        bid, needs = "", f"up to {top}"
    elif low == top:
        bid = str(low)
    else:
        bid = f"{low}, {top}" if top == low + 1 else f"{low} to {top}"
    house = writer.differs("min_bid", "max_bid", "score_on_made")
    return BidRow(bid, needs, _made(ruleset), _cost(ruleset), house)


def _made(ruleset: Ruleset) -> str:
    if ruleset.money.settles == "hand":
        return "is paid"
    if ruleset.scoring.score_on_made == "nothing":
        return "nothing"
    what = "points taken" if ruleset.scoring.score_on_made == "points" else "the bid"
    return f"{MINUS}{what}" if ruleset.winning.count_down_from else what


def _cost(ruleset: Ruleset) -> str:
    if ruleset.money.settles == "hand":
        return "pays"
    return "+bid" if ruleset.winning.count_down_from else f"{MINUS}bid"


def _special(writer: SheetWriter, bid: str) -> BidRow:
    ruleset = writer.ruleset
    made, cost = _worth(ruleset, bid)
    decided_by = {
        "smudge": ("smudge",),
        "moon": ("moon", "moon_made", "moon_set", "moon_after", "moon_needs", "moon_cents"),
        "double_moon": ("double_moon", "double_moon_made", "double_moon_set", "moon_needs"),
    }[bid]
    return BidRow(phrases.sentence(bid_word(bid)), _needs(writer, bid), made, cost, writer.differs(*decided_by))


def _needs(writer: SheetWriter, bid: str) -> str:
    """Return what a bid above the numbers must take, and over which bid it goes."""
    ruleset = writer.ruleset
    needs = writer.words["all_points"]
    if bid == "smudge" or ruleset.moon.moon_needs == "points_and_tricks":
        needs += " and every trick"
    if bid == "double_moon":
        return f"{needs}, over a moon"
    if bid == "moon" and ruleset.moon.moon_after == "top_bid_by_another":
        return f"{needs}, over another’s {phrases.number(ruleset.top_number)}"
    return needs


def _worth(ruleset: Ruleset, bid: str) -> tuple[str, str]:
    moon = ruleset.moon
    if bid == "smudge":
        return _signed(ruleset, ruleset.smudge_value, ruleset.smudge_value)
    if ruleset.money.settles == "hand" and moon.moon != "money":
        return "is paid", "pays"
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
            return f"+{moon.moon_made or ruleset.top_number}", f"to {MINUS}4"
        case _:
            paid = money_or_blank(ruleset.money.moon_cents)
            return f"+{paid}", f"{MINUS}{paid}"


def _signed(ruleset: Ruleset, made: int, cost: int) -> tuple[str, str]:
    """Return what is won and lost with their signs, which counting down reverses."""
    won, lost = (MINUS, "+") if ruleset.winning.count_down_from else ("+", MINUS)
    return f"{won}{made}", f"{lost}{cost}"


def _dealer(writer: SheetWriter) -> Iterator[Line]:
    """Yield what the dealer may and must do, and what goes for a card that is led instead of a bid."""
    all_pass = writer.ruleset.bidding.all_pass
    if all_pass is not None:
        yield writer.line(writer.answer("all_pass").text, "all_pass", "min_bid", "forced_bid")
    if all_pass in (None, "redeal"):
        yield from writer.unusual("forced_bid")
    yield from writer.unusual("dealer_steal", "pitching", "double_loss_on_overtake")


def _dropped(writer: SheetWriter) -> Iterator[Line]:
    """Yield which bids of the book the house does not have."""
    dropped = [bid for bid in writer.base.special_bids if bid not in writer.ruleset.special_bids]
    return (writer.answer(bid) for bid in dropped if bid != "double_moon" or "moon" not in dropped)


def _about_moon(writer: SheetWriter) -> Iterator[Line]:
    """Yield what the table of bids has no room for."""
    ruleset = writer.ruleset
    match ruleset.moon.moon:
        case "off":
            return
        case "win_or_lose" | "win_or_minus_target" as kind:
            costs = "loses it" if kind == "win_or_lose" else f"costs {ruleset.winning.target}"
            text = f"A made moon wins the match, or from below zero brings the score to 0; a failed one {costs}."
            yield writer.line(text, "moon")
        case "to_minus_four":
            text = f"A failed moon puts the score at {MINUS}4, whatever it was: from {MINUS}9 that is a gain."
            yield writer.line(text, "moon")
        case "money":
            paid = money_or_blank(ruleset.money.moon_cents)
            text = f"A made moon gets {paid} from each other player, a failed one pays it to each"
            yield writer.line(f"{text}; the bidder scores nothing.", "moon", "moon_cents")
    if ruleset.top_bid_is_moon:
        yield writer.line(f"A bid of {phrases.number(ruleset.points_per_hand)} is the moon.")
    yield writer.answer("moon_counts_burned")
