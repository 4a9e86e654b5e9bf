"""The words of the rules: numbers, money, and words that depend on the game, such as "side" or "player"."""

from collections import Counter
from collections.abc import Iterable, Mapping

from scorekeeper.pitch.rules.awards import CARD_POINTS, OWN_AWARD_IDS, RANK_NAMES, AwardId, OffTrump, PlainCard, Trump
from scorekeeper.pitch.rules.groups.declare import PITCHED_BID
from scorekeeper.pitch.rules.schema import Ruleset, Table

NUMBER_WORDS = (
    "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()


def number_word(count: int) -> str:
    """Return a number from 0 to 20 as a word ("no" for 0), any other number in digits."""
    return NUMBER_WORDS[count] if 0 <= count < len(NUMBER_WORDS) else str(count)


def count_words(count: int, noun: str) -> str:
    """Return a count as a word, with its noun: "one trick", "six tricks"."""
    return f"{number_word(count)} {inflect(noun, count)}"


def digits(number: int, noun: str) -> str:
    """Return a count in digits, with its noun: "6 tricks"; for headings and buttons.

    >>> [digits(1, "change"), digits(0, "change"), digits(2, "match")]
    ['1 change', '0 changes', '2 matches']
    """
    return f"{number} {inflect(noun, number)}"


def inflect(noun: str, count: int) -> str:
    """Return a noun in the singular for 1, else in the plural."""
    return noun if count == 1 else f"{noun}{'es' if noun.endswith('ch') else 's'}"


def times_word(number: int) -> str:
    """Return how many times something happened, in words.

    >>> [times_word(number) for number in (1, 2, 3)]
    ['once', 'twice', '3 times']
    """
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def join_words(items: Iterable[str], last: str = "and") -> str:
    """Return words joined by commas, with `last` before the last word.

    >>> join_words(["Ann", "Bob", "Cal"]), join_words(["Low"]), join_words([])
    ('Ann, Bob and Cal', 'Low', '')
    """
    *head, tail = list(items) or [""]
    return f"{', '.join(head)} {last} {tail}" if head else tail


def capitalize(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def money_text(cents: int) -> str:
    """Return an amount of money in words: "10 cents", "$1", "$1.50"."""
    if cents < 100:
        return digits(cents, "cent")
    dollars, rest = divmod(cents, 100)
    return f"${dollars}.{rest:02}" if rest else f"${dollars}"


def player_counts_text(table: Table) -> str:
    """Return the possible numbers of players as a text.

    >>> [player_counts_text(Table(partners=dict.fromkeys(counts, 2))) for counts in [(4,), (4, 5, 6), (4, 6, 8)]]
    ['4', '4 to 6', '4, 6 or 8']
    """
    counts = table.player_counts
    is_range = len(counts) > 2 and counts[-1] - counts[0] < len(counts)
    return f"{counts[0]} to {counts[-1]}" if is_range else join_words(map(str, counts), "or")


def side_word(ruleset: Ruleset) -> str:
    """Return the word for those who keep a score in this game: "side" or "player"."""
    return "side" if ruleset.table.partners else "player"


def award_name(ruleset: Ruleset, award_id: AwardId) -> str:
    """Return an award's name with its article, for use inside a sentence: "Low", "the Off Jack".

    For an own award that the house has not defined yet, return "a point of your own" instead.
    """
    if award_id in OWN_AWARD_IDS and award_id not in ruleset.awards:
        return "a point of your own"
    return f"{ruleset.kinds[award_id].article}{ruleset.awards[award_id].name}"


def award_names(ruleset: Ruleset, award_ids: Iterable[AwardId]) -> list[str]:
    """Return the names of awards for use inside a sentence; equal names are counted: "two Plain Fives"."""
    ids = list(award_ids)
    counts = Counter(award_name(ruleset, award_id) for award_id in ids)
    names = {award_name(ruleset, award_id): ruleset.awards[award_id].name for award_id in ids}
    return [text if counts[text] == 1 else count_words(counts[text], name) for text, name in names.items()]


def renege_cost(ruleset: Ruleset) -> str:
    """Return words for what a side that reneges cannot score in that hand: "Game", "what they took"."""
    lost = [award_id for award_id in ruleset.in_play if award_id in ruleset.lost_by_renege]
    if len(lost) == len(ruleset.in_play):
        return "what they took"
    return join_words(award_names(ruleset, lost), "or") or ruleset.game_name


def award_row_name(ruleset: Ruleset, award_id: AwardId) -> str:
    """Return an award's name for its row of a form: "Jack", or "Plain Fives" if the row is for several awards."""
    is_for_several = len(ruleset.award_rows.get(award_id, ())) > 1
    return f"{ruleset.awards[award_id].name}{'s' if is_for_several else ''}"


def award_row_worth(ruleset: Ruleset, award_id: AwardId) -> str:
    """Return the points of an award for its row of a form: "1", or "5 each" if the row is for several awards."""
    each = " each" if len(ruleset.award_rows.get(award_id, ())) > 1 else ""
    return f"{ruleset.awards[award_id].points}{each}"


def _worthless_ranks(ruleset: Ruleset) -> str:
    """Return words for the ranks without an award in any suit, other than K, Q and J: "4 to 9", "5, 7 or 9"."""
    cards = [ruleset.award_cards[award_id] or ruleset.kinds[award_id] for award_id in ruleset.in_play]
    scoring = {card.rank for card in cards if isinstance(card, Trump | OffTrump | PlainCard)}
    if ruleset.points.game_rule == "ten_of_trumps":
        scoring.add("10")
    plain = [rank for rank in reversed(ruleset.cards.deck_ranks) if rank not in {*scoring, "K", "Q", "J"}]
    order = [*RANK_NAMES][::-1]
    is_run = len(plain) > 2 and order.index(plain[-1]) - order.index(plain[0]) == len(plain) - 1
    return f"{plain[0]} to {plain[-1]}" if is_run else join_words(plain, "or")


def placeholders(ruleset: Ruleset) -> Mapping[str, str]:
    """Return the texts that replace placeholders in sentences of the rules, by the placeholders' names."""
    ranks = ruleset.cards.deck_ranks
    has_partners, has_two_scores, side = bool(ruleset.table.partners), ruleset.table.has_two_scores, side_word(ruleset)
    bidding, lead, target = ruleset.bidding, ruleset.winning.win_by, ruleset.winning.target
    bidder = "the bidding side" if has_partners else "the bidder"
    lowest = str(bidding.min_bid) if bidding.min_bid else "the lowest bid"
    top = number_word(ruleset.max_bid_number)
    side_who, its = f"{side} {'that' if has_partners else 'who'}", "its" if has_partners else "their"
    last_bid = ruleset.special_bids[-1].replace("_", " ") if ruleset.special_bids else top
    goal = "0" if ruleset.counts_down else str(target or "the target")
    at_target = f"{goal} or {'less' if ruleset.counts_down else 'more'}"
    called, play_on = ruleset.table.called, "play another hand"
    # On a made bid nobody wins but the bidder and a called partner.
    of_bidders = called and ruleset.winning.win_rule == "made_bid"
    several = "both the bidder and the partner" if of_bidders else "both" if has_two_scores else "several"
    or_partner = "; if not the bidder, the partner" if called and not of_bidders else ""
    # Of two sides the bidding one is at the target with the other, unless nobody bid.
    is_third_possible = not of_bidders and (bidding.all_pass == "unobliged" or not has_two_scores)
    neither = f"if {'neither is' if or_partner else 'the bidder is not'} one of them"
    if has_two_scores:
        neither = "if nobody bid"
    level_winner = f"{bidder}{or_partner}; {neither}, {play_on}" if is_third_possible else bidder
    order = [ruleset.awards[award_id].name for award_id in ruleset.count_order]
    order_words = ", ".join(order)
    decided_by_low = [award_id for award_id, award in ruleset.in_play.items() if award.won == "by_low_rule"]
    # The dealer names trump where cards are drawn or taken before anybody leads.
    dealer_names_trump = ruleset.play.draw != "none" or ruleset.play.kitty != "none"
    return {
        "side": side,
        "scorer": f"the {side}",
        "scorer_who": f"the {side_who}",
        "a_joker": "the joker" if ruleset.points.jokers == 1 else "a joker",
        "bidder_who": f"a {side_who}",
        "order": order_words,
        "short_order": order_words if len(order) < 5 else f"{order[0]}, {order[1]} … {order[-1]}",
        "defender_who": f"A {side_who} {'defends' if called else 'did not bid'} and",
        "its": its,
        "made_own_bid": "they made the bid, as the bidder or the partner" if called else f"{its} own bid was made",
        "it_takes": "it takes" if has_partners else "they take",
        "defender": "The defending side" if ruleset.table.has_two_sides else f"Each defending {side}",
        "bidder": bidder,
        "lead": str(lead or 1),
        "level_winner": level_winner if ruleset.has_bidding else play_on,
        "several": several,
        "another": "the other" if has_two_scores else "another",
        "scores": "subtracts" if ruleset.counts_down else "scores",
        "subtract": "add" if ruleset.counts_down else "subtract",
        "game": ruleset.game_name,
        "most_tied": _tied_sides_clause(ruleset),
        "dealer_tied": _dealer_tied_rule(ruleset),
        "last_bid": last_bid,
        "or_last_bid": "" if bidding.top_bid_again else f", or someone bids {last_bid}",
        "low": join_words(award_names(ruleset, decided_by_low) or ["Low"]),
        "low_card": RANK_NAMES[ranks[-1]],
        "high_card": RANK_NAMES[ranks[0]],
        "card_points": ", ".join(
            f"{RANK_NAMES[rank]} {points}" for rank, points in CARD_POINTS.items() if rank in ranks
        ),
        "plain_cards": _worthless_ranks(ruleset),
        "forced": str(ruleset.forced_bid),
        "lowest": lowest,
        "stuck": _stuck_dealer_bid(ruleset),
        "or_higher": " or bidding higher" if ruleset.special_bids or ruleset.max_bid_number > PITCHED_BID else "",
        "top_bid": f"an {top}" if top.startswith(("8", "eight", "eleven")) else f"a {top}",
        "target_points": digits(target, "point") if target else "the target",
        "target": goal,
        "at_target": at_target,
        "with_lead": f" with a lead of {lead}" if lead else "",
        "no_such_bidder": f"Once two players have {at_target} and nobody wins,"
        if of_bidders
        else "If not,"
        if lead
        else "If the bidder is not one of them,",
        "and_leads": f" and leads by {lead}" if lead else "",
        "several_reach": f"{several} {f'have {at_target}' if of_bidders else f'reach {goal} on the same hand'}",
        "even_so": "" if ruleset.counts_down else ", even with less",
        "or_partner": or_partner,
        "order_else": ""
        if of_bidders
        else f". {capitalize(neither)}, count the points in the order {order_words}: whoever gets there first wins",
        "bidder_else": f". {capitalize(neither)}, the {'lowest' if ruleset.counts_down else 'highest'} score wins; "
        f"if that is tied, {play_on}"
        if is_third_possible
        else "",
        "names_unbound": "the dealer" if dealer_names_trump else "the player who leads first",
    }


def _stuck_dealer_bid(ruleset: Ruleset) -> str:
    """Return words for what a stuck dealer must bid: "at least 4", "25, or 40 or more", or the only bid left."""
    bidding, forced, lowest = ruleset.bidding, ruleset.forced_bid, ruleset.min_bid_number
    if not (bidding.min_bid or bidding.forced_bid):
        return "at least the lowest bid"
    if bidding.min_bid and forced < lowest - 1:
        return f"{forced}, or {lowest} or more"
    return str(forced) if forced == ruleset.max_bid_number and not ruleset.special_bids else f"at least {forced}"


def already_at_target_rule(ruleset: Ruleset) -> str:
    """Return the rule on who wins if one of several sides at the target was already there before the hand.

    Empty if the tie rule does not depend on when a side reached the target. See interpretation R5 in
    `rulesets/READINGS.md`.
    """
    winning, words = ruleset.winning, placeholders(ruleset)
    goal, best = words["target"], "lower" if ruleset.counts_down else "better"
    condition = f"If one of them had {goal} before the hand"
    by_score = f"the {best} score wins, and a tie means another hand"
    match winning.tie_rule:
        case "bidder_first" | "bidder_then_point_order" if winning.win_rule != "made_bid":
            first = f"{words['bidder']}{', or else the partner,' if ruleset.table.called else ''} wins on a made bid"
            return f"{condition}, {first}; if not, {by_score}. {_tie_example(ruleset)}"
        case "another_hand" | "point_order":
            return f"{condition}, {by_score}."
        case _:
            return ""


def _tie_example(ruleset: Ruleset) -> str:
    """Return sentences with an example of two sides that tie and play another hand."""
    target = 0 if ruleset.counts_down else ruleset.winning.target or 0
    tied = f"Example: two are tied{f' at {target + 2}' if target else ''} and play another hand"
    return f"{tied}. One bids and makes it: that one wins, whatever the other has. The bid is set: the other wins."


def _tied_sides_clause(ruleset: Ruleset) -> str:
    """Return a clause for a tie between sides: "both sides tie", "two or more players tie"."""
    if ruleset.table.has_two_sides or ruleset.pools_defenders:
        return "both sides tie"
    return f"{'both' if ruleset.table.has_two_scores else 'two or more'} {side_word(ruleset)}s tie"


def _dealer_tied_rule(ruleset: Ruleset) -> str:
    """Return the rule on a tied Game for variants where the side that did not deal scores it."""
    game = ruleset.game_name
    if ruleset.table.has_two_scores:
        who = "the side that" if ruleset.table.partners else "the player who"
        return f"If {_tied_sides_clause(ruleset)} for the most card points, {who} did not deal scores {game}."
    dealer = "the dealer’s side" if ruleset.table.partners or ruleset.table.called else "the dealer"
    tied = f"If {dealer} ties with one other for the most card points"
    return f"{tied}, the other scores {game}. If others tie, nobody scores it."
