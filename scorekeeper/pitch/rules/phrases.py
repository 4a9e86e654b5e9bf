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
    """Return a number from 0 to 20 as a word, and any other number in digits: "no" for 0, "five", "21"."""
    return NUMBER_WORDS[count] if 0 <= count < len(NUMBER_WORDS) else str(count)


def count_words(count: int, noun: str) -> str:
    """Return a count as a word, followed by its noun: "one trick", "six tricks"."""
    return f"{number_word(count)} {inflect(noun, count)}"


def digits(count: int, noun: str) -> str:
    """Return a count in digits, followed by its noun, for headings and buttons: "6 tricks".

    >>> [digits(1, "change"), digits(0, "change"), digits(2, "match")]
    ['1 change', '0 changes', '2 matches']
    """
    return f"{count} {inflect(noun, count)}"


def inflect(noun: str, count: int) -> str:
    """Return a noun in the singular if `count` is 1, otherwise in the plural: "trick", "matches"."""
    return noun if count == 1 else f"{noun}{'es' if noun.endswith('ch') else 's'}"


def times_word(count: int) -> str:
    """Return how often something happened, in words.

    >>> [times_word(count) for count in (1, 2, 3)]
    ['once', 'twice', '3 times']
    """
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def join_words(words: Iterable[str], last: str = "and") -> str:
    """Return words joined by commas, with `last` before the last of them.

    >>> join_words(["Ann", "Bob", "Cal"]), join_words(["Low"]), join_words([])
    ('Ann, Bob and Cal', 'Low', '')
    """
    *first_words, last_word = list(words) or [""]
    return f"{', '.join(first_words)} {last} {last_word}" if first_words else last_word


def capitalize(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def money_text(cents: int) -> str:
    """Return an amount of money in words: "10 cents", "$1", "$1.50"."""
    if cents < 100:
        return digits(cents, "cent")
    dollars, rest_cents = divmod(cents, 100)
    return f"${dollars}.{rest_cents:02}" if rest_cents else f"${dollars}"


def player_counts_text(table: Table) -> str:
    """Return the possible numbers of players at a table, joined: "4 to 6".

    >>> [player_counts_text(Table(partners=dict.fromkeys(counts, 2))) for counts in [(4,), (4, 5, 6), (4, 6, 8)]]
    ['4', '4 to 6', '4, 6 or 8']
    """
    counts = table.player_counts
    is_range = len(counts) > 2 and counts[-1] - counts[0] < len(counts)
    return f"{counts[0]} to {counts[-1]}" if is_range else join_words(map(str, counts), "or")


def side_word(ruleset: Ruleset) -> str:
    """Return what this game calls those who have a score: "side" where partners share one, otherwise "player"."""
    return "side" if ruleset.table.partners else "player"


def award_name(ruleset: Ruleset, award_id: AwardId) -> str:
    """Return an award's name with its article, for use inside a sentence: "Low", "the Off Jack".

    A house may define awards of its own. One that it has not defined yet is "a point of your own".
    """
    if award_id in OWN_AWARD_IDS and award_id not in ruleset.awards:
        return "a point of your own"
    return f"{ruleset.kinds[award_id].article}{ruleset.awards[award_id].name}"


def award_names(ruleset: Ruleset, award_ids: Iterable[AwardId]) -> list[str]:
    """Return the names of awards, for use inside a sentence: "Low", "the Off Jack".

    Several awards with the same name become one item with their count: "two Plain Fives".
    """
    id_list = list(award_ids)
    count_by_phrase = Counter(award_name(ruleset, award_id) for award_id in id_list)
    name_by_phrase = {award_name(ruleset, award_id): ruleset.awards[award_id].name for award_id in id_list}
    return [
        phrase if count_by_phrase[phrase] == 1 else count_words(count_by_phrase[phrase], name)
        for phrase, name in name_by_phrase.items()
    ]


def renege_cost(ruleset: Ruleset) -> str:
    """Return words for what a side that reneges cannot score in that hand: "Game", "what they took"."""
    lost_ids = [award_id for award_id in ruleset.in_play if award_id in ruleset.awards_lost_by_renege]
    if len(lost_ids) == len(ruleset.in_play):
        return "what they took"
    return join_words(award_names(ruleset, lost_ids), "or") or ruleset.game_name


def award_row_name(ruleset: Ruleset, award_id: AwardId) -> str:
    """Return an award's name for its row of the form for a hand: "Jack".

    A row that is for several alike awards has the plural: "Plain Fives".
    """
    is_for_several = len(ruleset.award_rows.get(award_id, ())) > 1
    return f"{ruleset.awards[award_id].name}{'s' if is_for_several else ''}"


def award_row_worth(ruleset: Ruleset, award_id: AwardId) -> str:
    """Return the points of an award for its row of the form for a hand: "1".

    A row that is for several alike awards says so: "5 each".
    """
    each_text = " each" if len(ruleset.award_rows.get(award_id, ())) > 1 else ""
    return f"{ruleset.awards[award_id].points}{each_text}"


def _worthless_ranks(ruleset: Ruleset) -> str:
    """Return words for the ranks that have no award in any suit: "4 to 9", "5, 7 or 9".

    King, queen and jack are left out.
    """
    cards = [ruleset.trump_by_award[award_id] or ruleset.kinds[award_id] for award_id in ruleset.in_play]
    scoring_ranks = {card.rank for card in cards if isinstance(card, Trump | OffTrump | PlainCard)}
    if ruleset.points.game_rule == "ten_of_trumps":
        scoring_ranks.add("10")
    worthless = [rank for rank in reversed(ruleset.cards.deck_ranks) if rank not in {*scoring_ranks, "K", "Q", "J"}]
    ascending = [*RANK_NAMES][::-1]
    is_run = len(worthless) > 2 and ascending.index(worthless[-1]) - ascending.index(worthless[0]) == len(worthless) - 1
    return f"{worthless[0]} to {worthless[-1]}" if is_run else join_words(worthless, "or")


def placeholders(ruleset: Ruleset) -> Mapping[str, str]:
    """Return the texts to put in place of placeholders in sentences of the rules, keyed by placeholder.

    In "{scorer} takes it", `{scorer}` becomes "the side" or "the player".
    """
    ranks = ruleset.cards.deck_ranks
    has_partners = bool(ruleset.table.partners)
    has_two_scores = ruleset.table.has_two_scores
    side = side_word(ruleset)
    bidding = ruleset.bidding
    lead = ruleset.winning.win_by
    target = ruleset.winning.target
    bidder = "the bidding side" if has_partners else "the bidder"
    lowest_bid = str(bidding.min_bid) if bidding.min_bid else "the lowest bid"
    top_bid_word = number_word(ruleset.max_bid_number)
    side_who = f"{side} {'that' if has_partners else 'who'}"
    its = "its" if has_partners else "their"
    last_bid = ruleset.special_bids[-1].replace("_", " ") if ruleset.special_bids else top_bid_word
    goal = "0" if ruleset.counts_down else str(target or "the target")
    at_target = f"{goal} or {'less' if ruleset.counts_down else 'more'}"
    is_partner_called = ruleset.table.called
    play_another_hand = "play another hand"
    # On a made bid nobody wins but the bidder and a called partner.
    only_bidders_win = is_partner_called and ruleset.winning.win_rule == "made_bid"
    several = "both the bidder and the partner" if only_bidders_win else "both" if has_two_scores else "several"
    or_partner = "; if not the bidder, the partner" if is_partner_called and not only_bidders_win else ""
    # Of two sides the bidding one is at the target with the other, unless nobody bid.
    is_third_possible = not only_bidders_win and (bidding.all_pass == "unobliged" or not has_two_scores)
    otherwise = f"if {'neither is' if or_partner else 'the bidder is not'} one of them"
    if has_two_scores:
        otherwise = "if nobody bid"
    level_winner = f"{bidder}{or_partner}; {otherwise}, {play_another_hand}" if is_third_possible else bidder
    names_in_order = [ruleset.awards[award_id].name for award_id in ruleset.counting_order]
    order_words = ", ".join(names_in_order)
    low_awards = [award_id for award_id, award in ruleset.in_play.items() if award.won == "by_low_rule"]
    # The dealer names trump where cards are drawn or taken before anybody leads.
    dealer_names_trump = ruleset.play.draw != "none" or ruleset.play.kitty != "none"
    return {
        "side": side,
        "scorer": f"the {side}",
        "scorer_who": f"the {side_who}",
        "a_joker": "the joker" if ruleset.points.jokers == 1 else "a joker",
        "bidder_who": f"a {side_who}",
        "order": order_words,
        "short_order": order_words
        if len(names_in_order) < 5
        else f"{names_in_order[0]}, {names_in_order[1]} … {names_in_order[-1]}",
        "defender_who": f"A {side_who} {'defends' if is_partner_called else 'did not bid'} and",
        "its": its,
        "made_own_bid": "they made the bid, as the bidder or the partner"
        if is_partner_called
        else f"{its} own bid was made",
        "it_takes": "it takes" if has_partners else "they take",
        "defender": "The defending side" if ruleset.table.has_two_sides else f"Each defending {side}",
        "bidder": bidder,
        "lead": str(lead or 1),
        "level_winner": level_winner if ruleset.has_bidding else play_another_hand,
        "several": several,
        "another": "the other" if has_two_scores else "another",
        "scores": "subtracts" if ruleset.counts_down else "scores",
        "subtract": "add" if ruleset.counts_down else "subtract",
        "game": ruleset.game_name,
        "most_tied": _tied_sides_clause(ruleset),
        "dealer_tied": _dealer_tied_rule(ruleset),
        "last_bid": last_bid,
        "or_last_bid": "" if bidding.top_bid_again else f", or someone bids {last_bid}",
        "low": join_words(award_names(ruleset, low_awards) or ["Low"]),
        "low_card": RANK_NAMES[ranks[-1]],
        "high_card": RANK_NAMES[ranks[0]],
        "card_points": ", ".join(
            f"{RANK_NAMES[rank]} {points}" for rank, points in CARD_POINTS.items() if rank in ranks
        ),
        "plain_cards": _worthless_ranks(ruleset),
        "forced": str(ruleset.forced_bid),
        "lowest": lowest_bid,
        "stuck": _stuck_dealer_bid(ruleset),
        "or_higher": " or bidding higher" if ruleset.special_bids or ruleset.max_bid_number > PITCHED_BID else "",
        "top_bid": f"an {top_bid_word}" if top_bid_word.startswith(("8", "eight", "eleven")) else f"a {top_bid_word}",
        "target_points": digits(target, "point") if target else "the target",
        "target": goal,
        "at_target": at_target,
        "with_lead": f" with a lead of {lead}" if lead else "",
        "no_such_bidder": f"Once two players have {at_target} and nobody wins,"
        if only_bidders_win
        else "If not,"
        if lead
        else "If the bidder is not one of them,",
        "and_leads": f" and leads by {lead}" if lead else "",
        "several_reach": f"{several} {f'have {at_target}' if only_bidders_win else f'reach {goal} on the same hand'}",
        "even_so": "" if ruleset.counts_down else ", even with less",
        "or_partner": or_partner,
        "order_else": ""
        if only_bidders_win
        else f". {capitalize(otherwise)}, count the points in the order {order_words}: whoever gets there first wins",
        "bidder_else": f". {capitalize(otherwise)}, the {'lowest' if ruleset.counts_down else 'highest'} score wins; "
        f"if that is tied, {play_another_hand}"
        if is_third_possible
        else "",
        "names_unbound": "the dealer" if dealer_names_trump else "the player who leads first",
    }


def _stuck_dealer_bid(ruleset: Ruleset) -> str:
    """Return words for what a stuck dealer must bid: "4", "at least 4", "25, or 40 or more"."""
    bidding = ruleset.bidding
    forced_bid = ruleset.forced_bid
    lowest_bid = ruleset.min_bid_number
    if not (bidding.min_bid or bidding.forced_bid):
        return "at least the lowest bid"
    if bidding.min_bid and forced_bid < lowest_bid - 1:
        return f"{forced_bid}, or {lowest_bid} or more"
    if forced_bid == ruleset.max_bid_number and not ruleset.special_bids:
        return str(forced_bid)
    return f"at least {forced_bid}"


def already_at_target_rule(ruleset: Ruleset) -> str:
    """Return the rule on who wins if one of several sides at the target was there before the hand.

    It is empty if the tie rule does not ask when a side reached the target. See interpretation R5 in
    `rulesets/READINGS.md`.
    """
    winning, texts = ruleset.winning, placeholders(ruleset)
    goal = texts["target"]
    better = "lower" if ruleset.counts_down else "better"
    condition = f"If one of them had {goal} before the hand"
    by_score = f"the {better} score wins, and a tie means another hand"
    match winning.tie_rule:
        case "bidder_first" | "bidder_then_point_order" if winning.win_rule != "made_bid":
            rule = f"{texts['bidder']}{', or else the partner,' if ruleset.table.called else ''} wins on a made bid"
            return f"{condition}, {rule}; if not, {by_score}. {_tie_example(ruleset)}"
        case "another_hand" | "point_order":
            return f"{condition}, {by_score}."
        case _:
            return ""


def _tie_example(ruleset: Ruleset) -> str:
    """Return sentences with an example of two sides that tie and play another hand."""
    target = 0 if ruleset.counts_down else ruleset.winning.target or 0
    example = f"Example: two are tied{f' at {target + 2}' if target else ''} and play another hand"
    return f"{example}. One bids and makes it: that one wins, whatever the other has. The bid is set: the other wins."


def _tied_sides_clause(ruleset: Ruleset) -> str:
    """Return the clause that sides are tied: "both sides tie", "two or more players tie"."""
    if ruleset.table.has_two_sides or ruleset.pools_defenders:
        return "both sides tie"
    return f"{'both' if ruleset.table.has_two_scores else 'two or more'} {side_word(ruleset)}s tie"


def _dealer_tied_rule(ruleset: Ruleset) -> str:
    """Return the rule on a tied Game for variants in which a side that did not deal scores it."""
    game = ruleset.game_name
    if ruleset.table.has_two_scores:
        side_that = "the side that" if ruleset.table.partners else "the player who"
        return f"If {_tied_sides_clause(ruleset)} for the most card points, {side_that} did not deal scores {game}."
    dealer = "the dealer’s side" if ruleset.table.partners or ruleset.table.called else "the dealer"
    if_tied = f"If {dealer} ties with one other for the most card points"
    return f"{if_tied}, the other scores {game}. If others tie, nobody scores it."
