"""The bids from the lowest to the highest: what each needs, wins and costs."""

from scorekeeper.rules import words
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.sheet.telling import Telling
from scorekeeper.rules.sheet.values import BidRow, Line, Section

NAMES = {"smudge": "Smudge", "moon": "Moon", "double_moon": "Double moon"}
MINUS = "−"


def bidding(telling: Telling) -> Section:
    """Tell the bidding; an empty section where nobody bids."""
    ruleset = telling.ruleset
    if not ruleset.bidding.auction:
        return Section("Bidding")
    rows = (_numbers(telling), *(_special(telling, bid) for bid in ruleset.specials))
    return Section(
        "Bidding",
        (_rounds(telling),),
        rows,
        (*_dealer(telling), *_pitching(telling), *_gone(telling), *_about_moon(telling)),
    )


def _rounds(telling: Telling) -> Line:
    if telling.ruleset.bidding.rounds == "one":
        return telling.line("Once round from the dealer’s left: pass, or go higher.", "rounds", is_spare=True)
    ends = NAMES[telling.ruleset.specials[-1]].lower() if telling.ruleset.specials else str(telling.ruleset.top_number)
    return telling.line(
        f"Round and round from the dealer’s left: bid higher, or pass and be out, until one is left or has bid {ends}.",
        "rounds",
    )


def _numbers(telling: Telling) -> BidRow:
    ruleset = telling.ruleset
    low, top = ruleset.bidding.min_bid, ruleset.top_number
    if low is None:
        bid = ""
    elif low == top:
        bid = str(low)
    else:
        bid = f"{low}, {top}" if top == low + 1 else f"{low} to {top}"
    house = telling.differs("min_bid", "max_bid", "score_on_made")
    if bid == "":
        return BidRow("", f"up to {top}", _made(ruleset), _cost(ruleset), house)
    return BidRow(bid, "that many", _made(ruleset), _cost(ruleset), house)


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


def _special(telling: Telling, bid: str) -> BidRow:
    ruleset = telling.ruleset
    made, cost = _worth(ruleset, bid)
    depends = {
        "smudge": ("smudge",),
        "moon": ("moon", "moon_made", "moon_set", "moon_after", "moon_needs", "moon_cents"),
        "double_moon": ("double_moon", "double_moon_made", "double_moon_set", "moon_needs"),
    }[bid]
    return BidRow(NAMES[bid], _needs(ruleset, bid), made, cost, telling.differs(*depends))


def _needs(ruleset: Ruleset, bid: str) -> str:
    """Say what a bid above the numbers must take, and over what it goes."""
    needs = words.phrases(ruleset)["all_points"]
    if bid == "smudge" or ruleset.moon.moon_needs == "points_and_tricks":
        needs += " and every trick"
    if bid == "double_moon":
        return f"{needs}, over a moon"
    if bid == "moon" and ruleset.moon.moon_after == "top_bid_by_another":
        return f"{needs}, over another’s {words.number(ruleset.top_number)}"
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
            cents = ruleset.money.moon_cents
            paid = words.money(cents) if cents is not None else "____"
            return f"+{paid}", f"{MINUS}{paid}"


def _signed(ruleset: Ruleset, made: int, cost: int) -> tuple[str, str]:
    """Write what is won and lost with the signs that the score counts in."""
    won, lost = (MINUS, "+") if ruleset.winning.count_down_from else ("+", MINUS)
    return f"{won}{made}", f"{lost}{cost}"


def _dealer(telling: Telling) -> tuple[Line, ...]:
    """Tell what becomes of the dealer whom nobody outbids or relieves."""
    ruleset = telling.ruleset
    lines = []
    if ruleset.bidding.all_pass is not None:
        lines.append(telling.line(telling.told("all_pass").text, "all_pass", "min_bid", "forced_bid"))
    if ruleset.bidding.all_pass in (None, "redeal"):
        lines += telling.told_if("forced_bid", None)
    return (*lines, *telling.told_if("dealer_steal", "no"))


def _pitching(telling: Telling) -> tuple[Line, ...]:
    return (*telling.told_if("pitching", False), *telling.told_if("double_loss_on_overtake", False))


def _gone(telling: Telling) -> tuple[Line, ...]:
    """Tell which bids of the book the house does without."""
    gone = [bid for bid in telling.base.specials if bid not in telling.ruleset.specials]
    return tuple(telling.told(bid) for bid in gone if bid != "double_moon" or "moon" not in gone)


def _about_moon(telling: Telling) -> tuple[Line, ...]:
    """Tell what the table of bids has no room for."""
    ruleset = telling.ruleset
    if "moon" not in ruleset.specials:
        return ()
    kind = ruleset.moon.moon
    lines = []
    if kind in ("win_or_lose", "win_or_minus_target"):
        costs = "loses it" if kind == "win_or_lose" else f"costs {ruleset.winning.target}"
        lines.append(
            telling.line(
                f"A made moon wins the match, or from below zero lifts the score to 0; a failed one {costs}.", "moon"
            )
        )
    elif kind == "to_minus_four":
        lines.append(
            telling.line(
                f"A failed moon puts the score at {MINUS}4, whatever it was: from {MINUS}9 that is a gain.", "moon"
            )
        )
    elif kind == "money":
        lines.append(telling.line(_paid_moon(ruleset), "moon", "moon_cents"))
    if ruleset.moon_tops_out:
        lines.append(telling.line(f"A bid of {words.number(ruleset.on_offer)} is the moon."))
    return (*lines, telling.told("moon_counts_burned"))


def _paid_moon(ruleset: Ruleset) -> str:
    cents = ruleset.money.moon_cents
    paid = words.money(cents) if cents is not None else "____"
    return f"A made moon gets {paid} from each other player, a failed one pays it to each; the bidder scores nothing."
