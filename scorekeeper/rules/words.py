"""The words that rules are told in: numbers, money, cards, awards and who scores them."""

from collections.abc import Iterable, Mapping

from scorekeeper.rules.schema import Award, AwardId, Ruleset

NUMBERS = (
    "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()

RANKS: Mapping[str, str] = {
    "A": "ace",
    "K": "king",
    "Q": "queen",
    "J": "jack",
    "10": "ten",
    "9": "nine",
    "8": "eight",
    "7": "seven",
    "6": "six",
    "5": "five",
    "4": "four",
    "3": "trey",
    "2": "deuce",
}

CARD_POINTS: Mapping[str, int] = {"A": 4, "K": 3, "Q": 2, "J": 1, "10": 10}
"""What a card counts towards Game; every other counts nothing."""

# High and Low are whatever trump is highest and lowest in play; every other award names its card.
_EXTREMES: Mapping[AwardId, str] = {"high": "the highest trump in play", "low": "the lowest trump in play"}
_BARE = frozenset({"high", "low", "game"})


def number(count: int) -> str:
    """Write a small number as a word, a large one in digits."""
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)


def several(count: int, noun: str) -> str:
    """Write how many there are of something: "one trick", "six tricks"."""
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def listed(items: Iterable[str], last: str = "and") -> str:
    """Join words the way they are spoken: "a, b and c"."""
    *head, tail = list(items) or [""]
    return f"{', '.join(head)} {last} {tail}" if head else tail


def sentence(text: str) -> str:
    """Begin with a capital."""
    return text[:1].upper() + text[1:]


def money(cents: int) -> str:
    """Write an amount: "10 cents", "$1", "$1.50"."""
    if cents < 100:
        return f"{cents} cent{'' if cents == 1 else 's'}"
    dollars, rest = divmod(cents, 100)
    return f"${dollars}.{rest:02}" if rest else f"${dollars}"


def side_word(ruleset: Ruleset) -> str:
    """Say what scores here: a side, or a player."""
    return "side" if ruleset.table.partners else "player"


def two_sides(ruleset: Ruleset) -> bool:
    """Tell whether there are never more than two sides."""
    table = ruleset.table
    return set(table.partners.values()) == {2} and not table.most


def award_name(ruleset: Ruleset, award_id: AwardId) -> str:
    """Name an award inside a sentence: "Low", "the Off Jack"."""
    name = ruleset.awards[award_id].name
    return name if award_id in _BARE else f"the {name}"


def award_card(award_id: AwardId, award: Award) -> str:
    """Say what an award hangs on: "the jack of trumps", "the other jack of that colour"."""
    if award_id in _EXTREMES:
        return _EXTREMES[award_id]
    if award.card == "spade":
        return "the highest spade in play"
    if award.card == "trick":
        return "the last trick"
    if award.card == "count":
        return "the most card points in tricks"
    if "joker" in award.card:
        return f"the {award.card}"
    if award.card.startswith("off "):
        return f"the other {RANKS[award.card.removeprefix('off ')]} of the trump colour"
    return f"the {RANKS[award.card]} of trumps"


def low_names(ruleset: Ruleset) -> str:
    """Name the awards that the option `low` decides: "Low", "the Deuce and the Off Deuce"."""
    names = [award_name(ruleset, award_id) for award_id, award in ruleset.in_play.items() if award.won == "by_low_rule"]
    return listed(names or ["Low"])


def top_bid(ruleset: Ruleset) -> str:
    """Say the highest bid below the specials, as it is called over the table: "a ten"."""
    word = number(ruleset.top_number)
    return f"an {word}" if word in ("eight", "eleven", "eighteen") else f"a {word}"


def phrases(ruleset: Ruleset) -> Mapping[str, str]:
    """Give what a sentence may leave open until it is known which rules are played."""
    ranks = ruleset.cards.ranks.split()
    partners, two = bool(ruleset.table.partners), two_sides(ruleset)
    return {
        "side": side_word(ruleset),
        "order": ", ".join(award.name for award in ruleset.in_play.values()),
        "its": "its" if partners else "their",
        "it_takes": "it takes" if partners else "they take",
        "defender": "The defending side" if two else f"Each defending {side_word(ruleset)}",
        "bidder": "the bidding side" if partners else "the bidder",
        "several": "Both" if two else "Several",
        "low": low_names(ruleset),
        "low_card": "deuce" if ranks[-1] == "2" else RANKS[ranks[-1]],
        "high_card": RANKS[ranks[0]],
        "offer": str(ruleset.on_offer),
        "all_points": f"all {number(ruleset.on_offer)}",
        "lowest": str(ruleset.bottom_number) if ruleset.bidding.min_bid else "the lowest bid",
        "forced": str(ruleset.forced_bid)
        if ruleset.bidding.min_bid or ruleset.bidding.forced_bid
        else "the lowest bid",
        "top_bid": top_bid(ruleset),
        "target": str(ruleset.winning.target) if ruleset.winning.target else "the target",
    }
