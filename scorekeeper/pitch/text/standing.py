"""The state of a match in words: scores, money, payments, who can win in the next hand, and who bids first in it."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from scorekeeper.pitch.rules.phrases import count_words, digits, inflect, join_words, money_text, side_word
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.match import HandResult, MatchState
from scorekeeper.pitch.scoring.money import Shares, fewest_payments
from scorekeeper.pitch.scoring.outlook import SideOutlook, first_bidder
from scorekeeper.pitch.scoring.seats import dealer_after
from scorekeeper.pitch.scoring.standing import comparable_score, target_score
from scorekeeper.pitch.text.endings import (
    question_sentence,
    verdict_text,
)
from scorekeeper.pitch.text.phrases import (
    MINUS,
    Names,
    bid_word,
    group_by_key,
    name_before_number,
    name_with_verb,
    names_of,
    score_text,
    verb_for,
)

_MAX_LISTED_HAND_PAYMENTS = 6
"""The most hands whose payments are listed one by one; for more hands, only the sum of the payments is listed."""


def hand_payment_sentences(result: HandResult, names: Names) -> tuple[str, ...]:
    """Return who pays whom for a hand: "Bob, Cal and Dot each pay Ann 15 cents"; empty if nobody pays."""
    cents_by_side = result.payments
    if not cents_by_side:
        return ()
    gains = {side: cents for side, cents in cents_by_side.items() if cents > 0}
    debts = {side: -cents for side, cents in cents_by_side.items() if cents < 0}
    if 1 not in (len(gains), len(debts)):
        return payment_sentences(cents_by_side, names)
    (one,), cents_by_other = (names_of(gains, names), debts) if len(gains) == 1 else (names_of(debts, names), gains)
    names_by_amount = group_by_key((money_text(cents), names[side]) for side, cents in cents_by_other.items())
    return tuple(
        f"{f'{join_words(others)} each pay' if len(others) > 1 else name_with_verb(others[0], 'pay')} {one} {amount}"
        if cents_by_other is debts
        else f"{name_with_verb(one, 'pay')} {join_words(others)} {amount}{' each' if len(others) > 1 else ''}"
        for amount, others in names_by_amount.items()
    )


def payment_sentences(owed_cents: Mapping[SideId, int], names: Names) -> tuple[str, ...]:
    """Return the fewest payments that settle all debts: "Bob pays Ann 17 cents".

    `owed_cents` has the cents owed to each side, negative for a debtor. Raises `ValueError` if they do not add up to
    zero.
    """
    payments = fewest_payments(owed_cents)
    return tuple(
        f"{name_with_verb(names[payment.debtor], 'pay')} {names[payment.creditor]} {money_text(payment.cents)}"
        for payment in payments
    )


def money_sum_sentences(state: MatchState, names: Names) -> tuple[str, ...]:
    """Return how each side's money adds up: "Bo: −$1 for the match, −50 cents for 2 sets: owes $1.50".

    Where they matter, sentences on the average score and on rounding are added. Empty for a match without money.
    """
    if state.money is None:
        return ()
    sentences, shares = [], state.shares
    if any(share.cents_by_average for share in shares.values()):
        average = Fraction(sum(state.scores.values()), len(state.scores))
        average_text = score_text(average.numerator) if average.denominator == 1 else _decimal_text(average)
        sentences.append(f"The average is {average_text} point{'' if average_text == '1' else 's'}.")
    for side, share in shares.items():
        if parts := _share_parts(state, side, share):
            sentences.append(f"{names[side]}: {', '.join(parts)}: {owed_words(state.money[side])}")
    if any(share.owed_cents.denominator > 1 for share in shares.values()):
        sentences.append("Rounded to whole cents so that it adds up.")
    return tuple(sentences)


def _share_parts(state: MatchState, side: SideId, share: Shares) -> list[str]:
    """Return the amounts that make up one side's money, in words: "+33.33 cents for 9 points", "−$1 in hand 6"."""
    parts = []
    if share.cents_by_average:
        points = state.scores[side]
        parts.append(f"{signed_money(share.cents_by_average)} for {score_text(points)} {inflect('point', abs(points))}")
    hand_payments = [(hand.number, hand.payments[side]) for hand in state.results if hand.payments.get(side)]
    if len(hand_payments) > _MAX_LISTED_HAND_PAYMENTS:
        parts.append(f"{signed_money(share.cents_for_hands)} in {digits(len(hand_payments), 'hand')}")
    else:
        parts += [f"{signed_money(cents)} in hand {number}" for number, cents in hand_payments]
    if share.cents_for_stakes:
        parts += _stake_parts(state, side, share.cents_for_stakes)
    return parts


def _stake_parts(state: MatchState, side: SideId, stake_cents: Fraction) -> list[str]:
    """Return a side's stakes in words: ["+$3 from the others"], or ["−$1 for the match", "−50 cents for 2 sets"].

    `stake_cents` is negative for a loss.
    """
    if stake_cents > 0:
        return [f"{signed_money(stake_cents)} from the others"]
    money, sets = state.ruleset.money, state.set_stakes.get(side, 0)
    parts = [f"{signed_money(-money.game_stake_cents)} for the match"] if money.game_stake_cents else []
    if money.set_stake_cents and sets:
        parts.append(
            f"{signed_money(-money.set_stake_cents * sets)} for {digits(sets, 'set')}{_counts_twice_words(state, side)}"
        )
    return parts


def _counts_twice_words(state: MatchState, side: SideId) -> str:
    """Return in which hands the sets of a side count twice: " (hands 2 and 6 count twice)"; empty if in none."""
    hands = [hand.number for hand in state.results if hand.score and (hand.score.set_stakes or {}).get(side, 0) > 1]
    if len(hands) == 1:
        return f" (hand {hands[0]} counts twice)"
    return f" (hands {join_words(map(str, hands))} count twice)" if hands else ""


def score_or_money_texts(state: MatchState) -> dict[SideId, str]:
    """Return the score of each side as text, "21"; where hands are paid in money, return its money, "+$3"."""
    money = state.money if state.ruleset.pays_by_hand else None
    if money is None:
        return {side: score_text(score) for side, score in state.scores.items()}
    return dollar_texts(money)


def standing_text(state: MatchState, names: Names, *, best_first: bool = False) -> str:
    """Return all scores, in the order of the sides or best first: "Us 12, Them −3".

    Where hands are paid in money, return that of each side: "Ann +$3, Bob −$3".
    """
    texts, sides = score_or_money_texts(state), [*state.scores]
    if best_first:
        money = state.money if state.ruleset.pays_by_hand else None
        sides.sort(key=lambda side: -(money[side] if money else comparable_score(state.ruleset, state.scores[side])))
    return ", ".join(f"{name_before_number(names[side])} {texts[side]}" for side in sides)


def dollar_texts(amounts: Mapping[str, int]) -> dict[str, str]:
    """Return amounts of money as `dollar_text` does, all with cents if one has any.

    >>> dollar_texts({"Ann": 175, "Bea": -175, "Cal": 0, "Dan": -200})
    {'Ann': '+$1.75', 'Bea': '−$1.75', 'Cal': '$0.00', 'Dan': '−$2.00'}
    """
    has_cents = any(cents % 100 for cents in amounts.values())
    return {key: dollar_text(cents, has_cents=has_cents) for key, cents in amounts.items()}


def dollar_text(cents: int, *, has_cents: bool = False) -> str:
    """Return an amount of money in dollars, with its sign: "+$1.50", "−$0.50", "$0"; with `has_cents`, also ".00"."""
    dollars, rest_cents = divmod(abs(cents), 100)
    amount = f"${dollars}.{rest_cents:02}" if rest_cents or has_cents else f"${dollars}"
    return f"{'+' if cents > 0 else '−'}{amount}" if cents else amount


def owed_words(cents: int) -> str:
    """Return what a side gets or owes: "gets $1.50", "owes $1.50", "even"."""
    return f"{'gets' if cents > 0 else 'owes'} {money_text(abs(cents))}" if cents else "even"


def signed_money(cents: Fraction | int) -> str:
    """Return an amount of money with its sign: "+$1.50", "−50 cents"; fractions of a cent as "−33.33 cents"."""
    amount = abs(Fraction(cents))
    amount_text = money_text(int(amount)) if amount.denominator == 1 else f"{_decimal_text(amount)} cents"
    return f"{'−' if cents < 0 else '+'}{amount_text}"


def _decimal_text(number: Fraction) -> str:
    """Return a fraction in decimals, exact up to three decimals, else rounded to two: "1.25", "1.33"."""
    text = f"{float(number):.{2 if 1000 % number.denominator else 3}f}"
    return text.rstrip("0").replace("-", MINUS)


def outlook_sentence(
    state: MatchState, names: Names, outlooks: Sequence[SideOutlook], *, hand_name: str = "this hand"
) -> str:
    """Return who can win in the next hand, and how: "Either side can win by making a bid.".

    If nobody can, return why, or how many hands are left, or that the match is over. `outlooks` are those of all sides.
    `hand_name` is what the sentence calls the next hand.
    """
    if not state.goes_on:
        return question_sentence(state) or "The match is over."
    if winners_by_how := group_by_key(
        (_how_to_win(state, outlook, hand_name), outlook.side) for outlook in outlooks if outlook.goes_out
    ):
        everybody = f"Either {side_word(state.ruleset)}" if len(outlooks) == 2 else "Anybody"
        return " ".join(
            f"{join_words(names_of(winners, names)) if len(winners) < len(outlooks) else everybody} can win {how}."
            for how, winners in winners_by_how.items()
        )
    if state.ruleset.winning.length == "hands":
        return _hands_left_sentence(state)
    return verdict_text(state, names) if target_score(state.ruleset) is None else f"Nobody can win on {hand_name}."


def win_with_hand_words(state: MatchState, names: Names) -> str:
    """Return who wins with the hand that is being entered: "Bea & Dan win with this"; `state` includes that hand.

    If nobody wins, return the question that decides who does; empty without a question.
    """
    winners = state.winners
    if not winners:
        return question_sentence(state)
    win = "share the win" if len(winners) > 1 else verb_for(state.seats, winners, "win")
    return f"{join_words(names_of(winners, names))} {win} with this"


def opening_verb(ruleset: Ruleset) -> str:
    """Return what the player next to the dealer does first in a hand: "bid" or, in a game without bidding, "lead"."""
    return "bid" if ruleset.has_bidding else "lead"


def first_bidder_and_next_dealer_words(state: MatchState, dealer: str, names: Names) -> str:
    """Return who bids first in the next hand, and who deals after it: "Ann bids first, Bea deals next".

    `dealer` deals the next hand. A player who is not known yet is left out.
    """
    bidder, verb = first_bidder(state), opening_verb(state.ruleset)
    next_dealer = (
        dealer_after(state.ruleset, state.seats, dealer) if state.ruleset.play.next_dealer != "racehorse" else None
    )
    if bidder and next_dealer == bidder:
        return f"{names[bidder]} {verb}s first, and deals next"
    bidder_clause = f"{names[bidder]} {verb}s first" if bidder else ""
    dealer_clause = f"{name_with_verb(names[next_dealer], 'deal')} next" if next_dealer else ""
    return ", ".join(filter(None, (bidder_clause, dealer_clause)))


def _hands_left_sentence(state: MatchState) -> str:
    """Return how many hands are left, "3 hands are left.", or that this hand may decide a tie."""
    hands_left = (state.ruleset.winning.hands or 0) - state.hands_scored
    if hands_left < 1:
        return "The hands are played, and the best scores are tied: this hand may decide."
    return "This is the last hand." if hands_left == 1 else f"{hands_left} hands are left."


def _how_to_win(state: MatchState, outlook: SideOutlook, hand_name: str) -> str:
    """Return how a side can win in the next hand, as it follows "can win": "by making a bid of 3 or more"."""
    ruleset = state.ruleset
    if ruleset.scoring.on_set == "bid_to_defenders" and (outlook.needs or 0) > ruleset.points_per_hand:
        return f"on {hand_name}, if the other {side_word(ruleset)} bids and is set"
    if outlook.needs is None or (outlook.needs > ruleset.points_per_hand and ruleset.winning.four_points_win_game):
        return f"by taking all {count_words(ruleset.points_per_hand, 'point')} of {hand_name}"
    if not ruleset.has_bidding:
        return f"on {hand_name}"
    if outlook.goes_out == "any" and ruleset.winning.defenders_stop_at_one:
        return f"on {hand_name} with a made bid, or if a bid of the others is set"
    if outlook.goes_out == "any":
        return f"on {hand_name}, whoever bids"
    bid, needs = outlook.lowest_bid, outlook.needs or 0
    if isinstance(bid, int):
        as_partner = ", also as the partner" if outlook.wins_as_partner else ""
        if bid > ruleset.min_bid_number:
            or_more = " or more" if bid < ruleset.max_bid_number or ruleset.special_bids else ""
            return f"by making a bid of {bid}{or_more}{as_partner}"
        if needs > bid and ruleset.scoring.score_on_made == "points":
            or_more = " or more" if needs < ruleset.points_per_hand else ""
            return f"by making a bid with {needs} points{or_more}{as_partner}"
        return f"by making a bid{as_partner}"
    return "by shooting the moon" if bid == "moon" else f"by making a {bid_word(bid)}"
