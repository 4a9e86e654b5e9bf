"""The sections of a rule sheet up to the first card: players and cards, deal, bid, trump and draw."""

from collections.abc import Iterator, Sequence

from scorekeeper.pitch.rules import phrases
from scorekeeper.pitch.rules.awards import RANK_NAMES, AwardIds, OffTrump, OneTrump, Trump, trump_name
from scorekeeper.pitch.rules.schema import Ruleset, Table
from scorekeeper.pitch.scoring.hand import Contract
from scorekeeper.pitch.scoring.hand_score import bid_stake
from scorekeeper.pitch.sheets.parts import BLANK, BidRow, Rule, SheetWriter, money_or_blank
from scorekeeper.pitch.text.phrases import MINUS, bid_word, join_nonempty

_SIDE_SIZE_WORDS = {2: "two", 3: "three"}
"""The words for the number of players on a side, keyed by that number; a larger one is written in digits."""
_LONE_SIDE_NOTE = "Where each plays alone, a side is one player."


def players_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rules on the players, on the deck, and on special trumps such as the Off Jack."""
    yield writer.rule("players.seats", _seats_rule_text(writer.ruleset.table))
    yield writer.rule("players.deck", _deck_rule_text(writer.ruleset), "jokers")
    if writer.ruleset.cards.lowest:
        yield writer.rule("players.short", _short_decks_sentence(writer.ruleset), "jokers")
    yield from _trump_card_rules(writer)


def _seats_rule_text(table: Table) -> str:
    """Return the text of the rule on how many play and how they form sides."""
    players = _player_counts_clause(table.player_counts)
    if table.called:
        return f"{players}. The bidder calls a partner for the hand, and each player keeps a score."
    partners = "; or ".join(_partners_clause(players, sides) for players, sides in sorted(table.partners.items()))
    if not table.most:
        return f"{phrases.capitalize(partners)}. {_opposite_clause(table)}."
    if table.open:
        pairs = phrases.join_words(map(phrases.number_word, sorted(table.partners)), "or")
        return f"{players}. You pick the sides: each alone, or {pairs} in pairs, partners opposite. {_LONE_SIDE_NOTE}"
    if partners:
        players_range = _player_counts_clause(range(table.fewest, table.most + 1))
        return f"{players_range}, each alone; or {partners}. {_opposite_clause(table)}. {_LONE_SIDE_NOTE}"
    return f"{players}, each alone."


def _player_counts_clause(counts: Sequence[int]) -> str:
    """Return how many may play: "Four to six play"."""
    up_to_words = f" {'or' if len(counts) == 2 else 'to'} {phrases.number_word(counts[-1])}" if len(counts) > 1 else ""
    return f"{phrases.capitalize(phrases.number_word(counts[0]))}{up_to_words} play"


def _partners_clause(players: int, sides: int) -> str:
    """Return how many play, and how many on each side: "four play, two against two"."""
    against = " against ".join([_SIDE_SIZE_WORDS.get(players // sides, str(players // sides))] * sides)
    return f"{phrases.number_word(players)} play, {against}"


def _opposite_clause(table: Table) -> str:
    """Return where partners sit: "Partners sit opposite each other"."""
    largest = max(players // sides for players, sides in table.partners.items())
    return "Partners sit opposite each other" if largest == 2 else "Every other player is on the same side"


def _deck_rule_text(ruleset: Ruleset) -> str:
    """Return the text of the rule on the deck: "Use the usual 52 cards and one joker. The ace is high."."""
    ranks, jokers = ruleset.cards.deck_ranks, ("", "one joker", "both jokers")[ruleset.points.jokers]
    with_jokers = jokers and f" and {jokers}"
    if ruleset.cards.lowest:
        sizes, jokers_among = deck_sizes(ruleset).values(), jokers and f", {jokers} among them"
        cards = f"{min(sizes)} to {max(sizes)} cards, by how many play{jokers_among}"
    elif len(ranks) == len(RANK_NAMES):
        cards = f"the usual 52 cards{with_jokers}"
    else:
        number = 4 * len(ranks) + ruleset.points.jokers
        cards = f"{number} cards: {phrases.join_words(ranks)} of each suit{with_jokers}"
    return f"Use {cards}. The ace is high."


def deck_sizes(ruleset: Ruleset) -> dict[int, int]:
    """Return how many cards the deck has, keyed by the number of players."""
    return {
        players: 4 * len(ruleset.cards.ranks_for(players)) + ruleset.points.jokers
        for players in ruleset.table.player_counts
    }


def _short_decks_sentence(ruleset: Ruleset) -> str:
    """Return a sentence on the low cards that are left out, for each number of players."""
    deck_phrases = [
        f"{phrases.number_word(players)} from the {RANK_NAMES[ruleset.cards.ranks_for(players)[-1]]} ({size})"
        for players, size in deck_sizes(ruleset).items()
    ]
    first_deck = deck_phrases[0].replace(" from", " play from", 1).replace(" (", " up (", 1).replace(")", " cards)", 1)
    return f"Leave out the low cards: {', '.join([first_deck, *deck_phrases[1:]])}."


def _trump_card_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rules on special trumps, such as the Off Jack and jokers, and on where they rank."""
    ruleset, jokers = writer.ruleset, writer.ruleset.points.jokers
    above_jokers = "the jack"
    awards_above: AwardIds = ()
    for award_id, award in ruleset.in_play.items():
        match ruleset.kinds[award_id]:
            case OneTrump(OffTrump(rank)):
                name = RANK_NAMES[rank]
                other = f"The {name} of the other suit of the same color"
                text = f"{other} is the {award.name}: a trump too, just below the {name}."
                if rank == "J":
                    above_jokers, awards_above = f"the {award.name}", (award_id,)
                yield writer.rule(f"players.{award_id}", text, award_id)
            case OneTrump(Trump(rank) as card) if award.name.lower() != RANK_NAMES[rank]:
                yield writer.rule(f"players.{award_id}", f"The {award.name} is {trump_name(card)}.", award_id)
    rank = "the lowest of all" if ruleset.has_lowest_jokers else f"just below {above_jokers}"
    if jokers == 1:
        yield writer.rule("players.jokers", f"The joker is a trump, {rank}.", "jokers", *awards_above)
    elif jokers:
        text = f"Both jokers are trumps, {rank}: the High Joker, then the Low Joker."
        yield writer.rule("players.jokers", text, "jokers", *awards_above)
        yield writer.answer_rule("players.joker_order", "joker_order", "jokers")
    yield from writer.unusual_rules("players", "reverse")


def undealt_cards(ruleset: Ruleset) -> dict[int, int]:
    """Return how many cards are left after the deal, keyed by the number of players: `{4: 28}`.

    A number is negative if there are too few cards to deal. Without an agreed number to deal, there are none.
    """
    cards = ruleset.cards
    dealt_cards = {6: cards.dealt_six} if cards.dealt_six else {}
    sizes = deck_sizes(ruleset).items()
    return (
        {players: size - players * (dealt_cards.get(players) or cards.dealt) for players, size in sizes}
        if cards.dealt
        else {}
    )


def deal_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rules on the deal."""
    ruleset, cards = writer.ruleset, writer.ruleset.cards
    yield from writer.unusual_rules("deal", "cut")
    by = f", {phrases.number_word(cards.packets)} at a time" if cards.packets else ""
    number = phrases.number_word(cards.dealt) if cards.dealt else BLANK
    yield writer.rule("deal.cards", f"The dealer deals {number} cards to each player{by}.")
    if cards.dealt_six:
        yield writer.rule("deal.six", f"With six players it is {phrases.number_word(cards.dealt_six)} cards each.")
    if cards.face_down:
        held, down = phrases.number_word((cards.dealt or 0) - cards.face_down), phrases.number_word(cards.face_down)
        text = f"Take {held} of them in your hand; leave {down} face down in front of you and do not look at them."
        yield writer.rule("deal.face_down", text)
    undealt = undealt_cards(ruleset)
    if too_many := [phrases.number_word(players) for players, number in undealt.items() if number < 0]:
        text = f"There are too few cards for {phrases.join_words(too_many, 'or')} players."
        yield writer.rule("deal.too_few", text, "jokers")
    if left := {number for number in undealt.values() if number >= 0}:
        yield writer.rule("deal.left", _left_over_sentence(ruleset, left), "draw", "kitty", "jokers")
    yield from writer.unusual_rules("deal", "misdeal")
    yield writer.answer_rule("deal.next", "next_dealer")


def _left_over_sentence(ruleset: Ruleset, numbers: set[int]) -> str:
    """Return what happens to the cards left after the deal, with their `numbers` by all numbers of players."""
    if numbers == {0}:
        return "No cards are left over."
    the_cards = f"The {phrases.number_word(numbers.pop())} cards" if len(numbers) == 1 else "The cards"
    use = "lie face down, to draw from" if has_draw_or_kitty(ruleset) else "are not used"
    if ruleset.play.kitty in ("before_trump", "after_trump", "after_call"):
        use = "lie face down as the kitty"
    return f"{the_cards} left over {use}."


_OPTIONS_BEHIND_BID = {
    "numbers": ("min_bid", "max_bid", "score_on_made", "on_set"),
    "smudge": ("smudge",),
    "moon": ("moon", "moon_made", "moon_set", "moon_after", "moon_needs", "moon_cents"),
    "double_moon": ("double_moon", "double_moon_made", "double_moon_set", "moon_needs"),
}
"""The options that decide what a bid needs, wins and costs, keyed by bid."""


def bid_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rules on bidding; those in the table of bids are each a `BidRow`."""
    ruleset = writer.ruleset
    if not ruleset.has_bidding:
        yield writer.rule("bid.none", "Nobody bids.")
        return
    yield writer.answer_rule("bid.order", "rounds")
    yield _number_bids_row(writer)
    yield from (_special_bid_row(writer, bid) for bid in ruleset.special_bids)
    yield from _further_bidding_rules(writer)
    yield from _dropped_bid_rules(writer)
    yield from _smudge_rules(writer)
    yield from _moon_rules(writer)


def _number_bids_row(writer: SheetWriter) -> BidRow:
    """Return the row of the table of bids for all number bids: "2 to 4"."""
    low_bid, top_bid = writer.ruleset.bidding.min_bid, writer.ruleset.max_bid_number
    bid = (
        str(top_bid)
        if low_bid == top_bid
        else f"{low_bid or BLANK}{',' if low_bid == top_bid - 1 else ' to'} {top_bid}"
    )
    made, cost = _number_bid_worth(writer.ruleset)
    return writer.bid_row(
        "bid.numbers", *_OPTIONS_BEHIND_BID["numbers"], bid=bid, needs="that many points", made=made, cost=cost
    )


def _number_bid_worth(ruleset: Ruleset) -> tuple[str, str]:
    """Return what a number bid wins if made and costs if set: `("+ points taken", "− the bid")`."""
    won_sign, lost_sign = _signs_of_points(ruleset)
    if ruleset.pays_by_hand:
        cents = money_or_blank(ruleset.money.cents_per_point)
        return f"+{cents} a point bid", f"{MINUS}{cents} a point bid"
    made = {"nothing": "nothing", "points": f"{won_sign} points taken", "bid": f"{won_sign} the bid"}
    cost = f"the others {won_sign} the bid" if ruleset.scoring.on_set == "bid_to_defenders" else f"{lost_sign} the bid"
    return made[ruleset.scoring.score_on_made], cost


def _special_bid_row(writer: SheetWriter, bid: str) -> BidRow:
    """Return the row of the table of bids for a special bid, such as a moon."""
    ruleset, (made, cost) = writer.ruleset, _special_bid_worth(writer.ruleset, bid)
    scores_like_others = bid != "moon" or ruleset.moon.moon == "stake"
    if ruleset.scoring.score_on_made == "nothing" and scores_like_others and not ruleset.pays_by_hand:
        made = "nothing"
    name = phrases.capitalize(bid_word(bid))
    return writer.bid_row(
        f"bid.{bid}", *_OPTIONS_BEHIND_BID[bid], bid=name, needs=_special_bid_needs(writer, bid), made=made, cost=cost
    )


def _special_bid_needs(writer: SheetWriter, bid: str) -> str:
    """Return what a special bid needs: "all 4 points and all 6 tricks", "all 4 points; only over a moon"."""
    ruleset = writer.ruleset
    needs = f"all {phrases.count_words(ruleset.points_per_hand, 'point')}"
    if bid == "smudge" or ruleset.moon.moon_needs == "points_and_tricks":
        needs += (
            f" and all {phrases.count_words(ruleset.trick_count, 'trick')}"
            if ruleset.trick_count
            else " and every trick"
        )
    if bid == "double_moon":
        return f"{needs}; only over a moon"
    if bid == "moon" and ruleset.moon.moon_after == "top_bid_by_another":
        return f"{needs}; only over another player’s {phrases.number_word(ruleset.max_bid_number)}"
    return needs


_MOON_WINS_PHRASE = "wins (from below zero: up to 0)"


def _special_bid_worth(ruleset: Ruleset, bid: str) -> tuple[str, str]:
    """Return what a special bid wins if made and costs if set: `("+4", "−4")`."""
    moon = ruleset.moon
    if bid == "smudge":
        return _signed_points(ruleset, ruleset.smudge_value, ruleset.smudge_value)
    if ruleset.pays_by_hand and moon.moon != "money":
        return _number_bid_worth(ruleset)
    if bid == "double_moon":
        return _signed_points(ruleset, moon.double_moon_made or 0, moon.double_moon_set or 0)
    match moon.moon:
        case "stake":
            return _signed_points(ruleset, moon.moon_made or 0, moon.moon_set or 0)
        case "win_or_lose":
            return _MOON_WINS_PHRASE, "loses"
        case "win_or_minus_target":
            return _MOON_WINS_PHRASE, f"{MINUS}{ruleset.winning.target}"
        case "to_minus_four":
            return f"+{bid_stake(ruleset, Contract(None, 'moon'), made=True)}", f"score becomes {MINUS}4"
        case _:
            paid = money_or_blank(ruleset.money.moon_cents)
            return f"{paid} from each", f"{paid} to each"


def _signed_points(ruleset: Ruleset, made: int, cost: int) -> tuple[str, str]:
    """Return `made` and `cost`, the points won or lost by a bid, with their signs: `("+4", "−4")`."""
    won_sign, lost_sign = _signs_of_points(ruleset)
    return f"{won_sign}{made}", f"{lost_sign}{cost}"


def _signs_of_points(ruleset: Ruleset) -> tuple[str, str]:
    """Return the signs of points won and of points lost: `("+", "−")`, swapped if scores count down."""
    return (MINUS, "+") if ruleset.counts_down else ("+", MINUS)


def _further_bidding_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rules on what happens if all pass, on stealing the bid, and on unusual bidding.

    An example of the last is a second bid of the top number.
    """
    all_pass = writer.ruleset.bidding.all_pass
    names_a_bid = all_pass in ("dealer_forced", "may_take_set")
    yield writer.answer_rule("bid.all_pass", "all_pass", *(("min_bid", "forced_bid") if names_a_bid else ()))
    if not names_a_bid:
        yield from writer.unusual_rules("bid", "forced_bid")
    yield writer.answer_rule("bid.dealer_steal", "dealer_steal")
    yield from writer.unusual_rules("bid", "top_bid_again", "pitching", "double_loss_on_overtake")


def _dropped_bid_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield a rule for each special bid that the house dropped: "There is no smudge."."""
    dropped = [bid for bid in writer.base.special_bids if bid not in writer.ruleset.special_bids]
    for bid in dropped:
        if bid != "double_moon" or "moon" not in dropped:
            yield writer.rule(f"bid.no_{bid}", f"There is no {bid_word(bid)}.", bid)


def _smudge_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rule that a smudge fails if a scoring card is not in play.

    There is no such rule in a game without a smudge, or where every scoring card is always in play.
    """
    ruleset, missing = writer.ruleset, writer.ruleset.awards_maybe_out_of_play
    if missing and "smudge" in ruleset.special_bids and not ruleset.always_plays_scoring_cards:
        missing_words = phrases.award_name(ruleset, missing[0]) if len(missing) == 1 else "a scoring card"
        yield writer.rule("bid.smudge_needs", f"If {missing_words} is not in play, a smudge fails.", "smudge")


def _moon_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rules on moons that the table of bids does not show."""
    ruleset = writer.ruleset
    match ruleset.moon.moon:
        case "off":
            return
        case "win_or_lose" | "win_or_minus_target" as kind:
            costs = "loses the match" if kind == "win_or_lose" else f"costs {writer.words['target_points']}"
            made = f"{writer.words['bidder_who']} makes the moon wins the match, or comes up to 0 from below zero."
            text = f"{made} A failed moon {costs}."
            yield writer.rule("bid.moon_wins", text, "moon")
        case "to_minus_four":
            text = f"A failed moon puts the score at {MINUS}4, whatever it was: from {MINUS}9 that is a gain."
            yield writer.rule("bid.moon_wins", text, "moon")
        case "money":
            paid = money_or_blank(ruleset.money.moon_cents)
            made = f"A bidder who makes the moon gets {paid} from each other {phrases.side_word(ruleset)}"
            text = f"{made}; one who fails pays {paid} to each."
            yield writer.rule("bid.moon_wins", f"{text} The bidder scores nothing.", "moon", "moon_cents")
    if ruleset.top_bid_is_moon:
        text = f"A bid of {phrases.number_word(ruleset.points_per_hand)} is the moon."
        yield writer.rule("bid.top_is_moon", text, "moon")
    if not ruleset.always_plays_scoring_cards or writer.has_changed("moon_counts_burned"):
        yield writer.answer_rule("bid.moon_missing", "moon_counts_burned", "moon")


_MAX_CARDS_DRAWN = {
    "none": 0,
    "discard_two": 0,
    "up_to_three": 3,
    "discard_three": 3,
    "up_to_four": 4,
    "fill_to_six": 6,
}
"""The most cards that a player may draw, keyed by the answer to the option `draw`."""


def has_draw_or_kitty(ruleset: Ruleset) -> bool:
    """Return whether any player gets more cards between the deal and the play."""
    return ruleset.play.draw not in ("none", "discard_two") or ruleset.play.kitty != "none"


def is_trump_named(ruleset: Ruleset) -> bool:
    """Return whether the bidder names trump before the play; else the first card led makes its suit trump."""
    if not ruleset.has_bidding:
        return False
    play = ruleset.play
    return (
        ruleset.table.called
        or play.draw != "none"
        or play.kitty != "none"
        or play.follow == "trump_only"
        or play.first_lead != "trump"
        or _hand_size_after_discard(ruleset) is not None
    )


def _hand_size_after_discard(ruleset: Ruleset) -> int | None:
    """Return how many cards each player keeps before the play; `None` if nobody has to discard.

    Discarding for a draw is part of the option `draw`, and does not count here.
    """
    cards = ruleset.cards
    if ruleset.play.draw != "none" or cards.face_down or not (cards.dealt and cards.played):
        return None
    return cards.played if cards.dealt > cards.played else None


def trump_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rules on what happens between the bidding and the first card, in order.

    If the bidder takes the kitty after naming trump, a partner is called at the end.
    """
    ruleset, kitty = writer.ruleset, writer.ruleset.play.kitty
    if kitty in ("before_trump", "after_trump"):
        yield writer.answer_rule("trump.kitty", "kitty")
    else:
        yield writer.rule("trump.name", _naming_sentence(ruleset), "draw", "kitty", "follow", "first_lead")
    if kitty != "after_trump":
        yield from _call_rules(writer)
    if kitty == "after_call":
        yield writer.answer_rule("trump.kitty", "kitty")
    yield from _draw_rules(writer)
    if kitty == "after_trump":
        yield from _call_rules(writer)


def _naming_sentence(ruleset: Ruleset) -> str:
    """Return how trump is decided, in a sentence: "The bidder names trump."."""
    if ruleset.cards.turned_up:
        return "The dealer turns the next card up: its suit is trump."
    if not ruleset.has_bidding:
        return "The suit of the first card led is trump."
    return "The bidder names trump." if is_trump_named(ruleset) else "The suit of the bidder’s first card is trump."


def _call_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rules on calling a partner and on playing alone, in a game in which partners are called."""
    if writer.ruleset.table.called:
        yield writer.answer_rule("trump.call", "call")
        yield writer.answer_rule("trump.alone", "alone")


def _draw_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rules on discarding and drawing, and on the rest of the deck."""
    ruleset, play = writer.ruleset, writer.ruleset.play
    if play.draw != "none" or writer.has_changed("draw"):
        yield writer.answer_rule("trump.draw", "draw", and_then=_draw_limit_sentences(ruleset))
    if play.kitty == "rest_to_bidder":
        yield writer.rule("trump.rest", _rest_of_deck_sentence(ruleset), "kitty", "share_the_wealth")
    else:
        if play.kitty == "none" and writer.has_changed("kitty"):
            yield writer.answer_rule("trump.kitty", "kitty")
        yield from writer.unusual_rules("trump", "share_the_wealth")
    if kept_count := _hand_size_after_discard(ruleset):
        text = f"Everyone discards down to {phrases.number_word(kept_count)} cards."
        yield writer.rule("trump.discard", text, "draw")
    yield from writer.unusual_rules("trump", "burn")


def _draw_limit_sentences(ruleset: Ruleset) -> str:
    """Return what happens if too few cards are left to draw, in sentences; empty if there are always enough."""
    max_drawn, undealt = _MAX_CARDS_DRAWN[ruleset.play.draw], undealt_cards(ruleset)
    is_short = any(0 < cards < max_drawn * players for players, cards in undealt.items())
    players_without_cards = phrases.join_words(
        (phrases.number_word(players) for players, cards in undealt.items() if not cards), "or"
    )
    return join_nonempty(
        "If there are too few cards, draw as far as they go." if is_short else "",
        f"With {players_without_cards} players no cards are left, and nobody draws."
        if players_without_cards and max_drawn
        else "",
    )


def _rest_of_deck_sentence(ruleset: Ruleset) -> str:
    """Return what the bidder may do with the rest of the deck."""
    if ruleset.play.share_the_wealth:
        return "The bidder gets what is left of the deck, and may pass it to the partner without looking at it."
    return "Then the rest of the deck is turned face up, and the bidder may take any trumps in it."
