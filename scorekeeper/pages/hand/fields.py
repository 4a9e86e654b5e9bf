"""The fields of the form of a hand: their names, and what several of them mean together.

Phones keep forms for days: no name changes.
"""

from collections.abc import Container, Iterable, Mapping

from scorekeeper.pitch.records.hand_json import MAX_CALLS
from scorekeeper.pitch.rules.awards import AWARD_IDS, CARD_POINTS
from scorekeeper.pitch.scoring.hand import Call, Calls
from scorekeeper.pitch.scoring.hand_faults import MAX_OF_A_RANK

NOBODY = "nobody"
"""The taker of an award that nobody took."""
ALONE = "alone"
"""The partner of a bidder who plays alone."""
SKIPPED = "skip"
"""The trump of a hand for which no suit is entered."""

AWARD_FIELD, COUNT_FIELD, PILE_FIELD, CARD_FIELD, PENALTY_FIELD = "took-", "count-", "pile-", "cards-", "penalty-"
GIVEN_FIELD, TIMES_FIELD, COPIES_FIELD = "given-", "times-", "copies-"
"""Prefixes of the fields for parts of a hand: an award, a taker, or both follow."""
OTHERS_FIELD = "others"
"""Every side, where a penalty is given to the others and not taken off."""
CALLS_FIELD, CALL_FIELD, SUM_FIELD = "calls", "say", "sum-"
NUMBER_FIELD, BID_BEFORE_FIELD = "bid-number", "bid-before"
"""A bid that was typed, since it has no button, and the bid that the page showed before."""
NEXT_CALL_FIELD = "say-next"
"""The player whose call is typed, where it is sent with the Enter key."""
UNBOUND_FIELD, PASSED_FIELD = "unbound", "passed"
"""Whether all passed, and the hand is played without a bid; and the button that sets this, or takes it back."""
DEALT_FIELD = "dealt"
"""The dealer that the page was shown with, before anybody chose one."""
DECIDED_FIELD = "decided-"
"""Prefix of the field that has the taker of Game by the card points, as the page showed it."""
SHOWN_FIELD = "shown"
"""The result that the page has shown, posted so that no other result is saved."""

WORD_FIELDS = ("dealer", "bidder", "bid", "trump", "called", "partner", "thrown_in", "first_there")
"""Fields of one word, each named like the field of a hand that it is for."""
PART_FIELDS = {
    "taken": AWARD_FIELD,
    "points": COUNT_FIELD,
    "card_points": PILE_FIELD,
    "cards": CARD_FIELD,
    "copies": COPIES_FIELD,
    "penalties": PENALTY_FIELD,
    "penalties_to": GIVEN_FIELD,
    "times": TIMES_FIELD,
}
"""Prefixes of the fields for what an input has in parts."""
MAX_FIELD_LENGTH = 200
MAX_CALLS_LENGTH = 8 * MAX_CALLS


def parts(fields: Mapping[str, str], prefix: str, known: Container[str] | None = None) -> dict[str, str]:
    """Return the values of the fields with a prefix, by the rest of their names; only those `known`, if given."""
    found = ((name.removeprefix(prefix), text.strip()) for name, text in fields.items() if name.startswith(prefix))
    return {part: text for part, text in found if text and (known is None or part in known)}


def number_or_text(text: str) -> int | str:
    """Read a number; a text that is none is returned as it is, to be refused where it belongs."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else text


# ---------- the bid and the calls ----------


def read_bid(fields: Mapping[str, str]) -> dict[str, str]:
    """Return bidder, bid and partner that were tapped or typed last: one tap may answer two of these questions."""
    bidder, _, bid = fields.get("call", "").partition(":")
    paired, _, partner = fields.get("pair", "").partition(":")
    found = {"bidder": bidder or paired, "bid": bid or _typed_bid(fields), "partner": partner}
    return {name: text for name, text in found.items() if text}


def _typed_bid(fields: Mapping[str, str]) -> str:
    """Return the bid that was typed, if it changed last; else empty, and the bid that was tapped counts."""
    typed = fields.get(NUMBER_FIELD, "").strip()
    return typed if typed != fields.get(BID_BEFORE_FIELD, "") or not fields.get("bid") else ""


def calls_with_tapped(fields: Mapping[str, str]) -> Calls:
    """Read the calls so far, with the one that was just tapped; a tap on an earlier call goes back to it.

    What is tapped has its index in it, so that a second tap on the same button adds nothing.
    """
    calls = read_calls(fields.get(CALLS_FIELD, ""))
    index, _, call = tapped_call(fields).partition(":")
    number = number_or_text(index)
    return (*calls[:number], *read_calls(call)[:1]) if isinstance(number, int) else calls


def tapped_call(fields: Mapping[str, str]) -> str:
    """Return the call that was just tapped, or typed and sent, with its index; empty where none was."""
    typed = "".join(fields.get(NUMBER_FIELD, "").split())
    is_sent = typed and (fields.get("do") or fields.get("rest"))
    tapped = fields.get(CALL_FIELD) or (fields.get(NEXT_CALL_FIELD, "") if is_sent else "")
    if not tapped.endswith(":"):
        return tapped
    return f"{tapped}{typed}" if typed else ""


def read_calls(text: str) -> Calls:
    """Read calls as the form has them: `p2:pass p3:3`."""
    words = (word.partition(":") for word in text.split()[: MAX_CALLS + 1])
    return tuple((who, number_or_text(call)) for who, _, call in words)


def calls_text(calls: Iterable[Iterable[Call]]) -> str:
    """Return calls as the form has them."""
    return " ".join(f"{who}:{call}" for who, call in calls)


# ---------- who took what ----------


def read_piles(fields: Mapping[str, str], takers: Container[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Read the card points of each pile, and the cards that they were tapped from.

    What changed last counts: the cards, where the sum is still the one that the page showed; else the sum that was
    typed, and its cards are dropped.
    """
    sums: dict[str, str] = {}
    cards: dict[str, str] = {}
    posted = [name.removeprefix(PILE_FIELD) for name in fields if name.startswith(PILE_FIELD)]
    posted += [name.removeprefix(CARD_FIELD).rpartition("-")[0] for name in fields if name.startswith(CARD_FIELD)]
    for who in dict.fromkeys(who for who in posted if who in takers):
        typed = fields.get(f"{PILE_FIELD}{who}", "").strip()
        counts = {rank: number_or_text(fields.get(f"{CARD_FIELD}{who}-{rank}", "")) for rank in CARD_POINTS}
        tapped = {rank: n for rank, n in counts.items() if isinstance(n, int) and 0 < n <= MAX_OF_A_RANK}
        total = str(sum(CARD_POINTS[rank] * count for rank, count in tapped.items()))
        if total != "0" and typed in ("", fields.get(f"{SUM_FIELD}{who}", ""), total):
            sums[who] = total
            cards |= {f"{who}-{rank}": str(count) for rank, count in tapped.items()}
        elif typed:
            sums[who] = typed
    return sums, cards


def read_taken(fields: Mapping[str, str], takers: Container[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Read who took each award, and how many of the cards that are alike where these are no such numbers.

    A taker of Game that the card points decided, and nobody tapped, is decided anew.
    """
    taken, unread = parts(fields, AWARD_FIELD, AWARD_IDS), dict[str, str]()
    rows: dict[str, dict[str, str]] = {}
    for name, text in parts(fields, COPIES_FIELD).items():
        row, _, who = name.partition("-")
        if who in takers and "." in row and set(row.split(".")) <= set(AWARD_IDS):
            rows.setdefault(row, {})[who] = text
    for row, counts in rows.items():
        awards = row.split(".")
        numbers = {who: number_or_text(text) for who, text in counts.items()}
        who_took = [who for who, number in numbers.items() if isinstance(number, int) for _ in range(min(number, 9))]
        if len(who_took) > len(awards) or not all(isinstance(number, int) for number in numbers.values()):
            unread |= {f"{row}-{who}": text for who, text in counts.items()}
        else:
            taken |= zip(awards, who_took, strict=False)
    decided = parts(fields, DECIDED_FIELD)
    return {award: who for award, who in taken.items() if decided.get(award) != who}, unread
