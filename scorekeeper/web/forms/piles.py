"""The count for Game as a form sends it: sums typed for each pile, or its cards tapped one by one."""

from collections.abc import Mapping

from scorekeeper.engine.hand import SUITS
from scorekeeper.rules.words import CARD_POINTS

PILE_FIELD, CARD_FIELD, SUM_FIELD = "pile-", "cards-", "sum-"
MOST_OF_A_RANK = len(SUITS)


def card_field(who: str, rank: str) -> str:
    """Name the field that holds how many cards of a rank lie in a pile."""
    return f"{CARD_FIELD}{who}-{rank}"


def cards_worth(cards: Mapping[str, int], who: str) -> int:
    """Add up the card points of the cards tapped in a pile."""
    return sum(worth * cards.get(f"{who}-{rank}", 0) for rank, worth in CARD_POINTS.items())


def piles_in(form: Mapping[str, str]) -> tuple[dict[str, str], dict[str, int]]:
    """Read the sum of each pile, and the cards that it was tapped from.

    What changed last holds: cards, where the sum is still the one that the page showed; else the sum that was typed,
    and its cards are forgotten.
    """
    piles = {name.removeprefix(PILE_FIELD): form[name].strip() for name in form if name.startswith(PILE_FIELD)}
    cards = _cards_in(form)
    for who in {key.rpartition("-")[0] for key in cards} | piles.keys():
        worth = cards_worth(cards, who)
        typed, shown = piles.get(who, ""), form.get(f"{SUM_FIELD}{who}", "")
        if worth and typed in ("", shown, str(worth)):
            piles[who] = str(worth)
        else:
            cards = {key: number for key, number in cards.items() if key.rpartition("-")[0] != who}
    return {who: number for who, number in piles.items() if number}, cards


def _cards_in(form: Mapping[str, str]) -> dict[str, int]:
    counted = {}
    for name, said in form.items():
        key, number = name.removeprefix(CARD_FIELD), said.strip()
        is_count = number.isascii() and number.isdigit() and len(number) == 1 and 0 < int(number) <= MOST_OF_A_RANK
        if name.startswith(CARD_FIELD) and key.rpartition("-")[2] in CARD_POINTS and is_count:
            counted[key] = int(number)
    return counted
