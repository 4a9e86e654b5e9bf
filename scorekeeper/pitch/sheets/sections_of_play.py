"""The sections of a rule sheet from the first card on: play, count, and win."""

from collections.abc import Iterator, Sequence

from scorekeeper.pitch.rules import phrases
from scorekeeper.pitch.rules.awards import (
    OWN_AWARD_IDS,
    AwardId,
    Gift,
    OneTrump,
    PlainCard,
    how_won_options,
    scorer_sentence,
)
from scorekeeper.pitch.rules.groups.winning import has_end
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.sheets.parts import BLANK, LEFT_OPEN, Rule, SheetWriter, money_or_blank
from scorekeeper.pitch.sheets.sections_before_play import is_trump_named
from scorekeeper.pitch.text.phrases import bid_word, group_by_key


def _first_lead_rule(writer: SheetWriter) -> Rule:
    """Return the rule on who leads the first card, and which card that may be."""
    ruleset, rule_id = writer.ruleset, "play.lead"
    if not ruleset.has_bidding:
        text = f"The player on the dealer’s {_turn_direction(ruleset)} leads any card."
        return writer.rule(rule_id, text, "first_lead", "next_dealer")
    if _does_holder_lead(ruleset):
        return writer.answer_rule(rule_id, "call_lead")
    if not is_trump_named(ruleset):
        return writer.rule(rule_id, "The bidder leads any card.", "first_lead")
    if ruleset.play.follow == "trump_only":
        return writer.rule(rule_id, "The bidder leads. Only trumps are played.", "first_lead", "call_lead", "follow")
    return writer.answer_rule(rule_id, "first_lead")


def _turn_direction(ruleset: Ruleset) -> str:
    """Return to which side of a player the turn passes: "left" or "right"."""
    return "right" if ruleset.play.next_dealer == "counterclockwise" else "left"


def _does_holder_lead(ruleset: Ruleset) -> bool:
    """Return whether the holder of the called card leads first, instead of the bidder."""
    return ruleset.table.called and ruleset.play.call_lead == "holder"


def play_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rules on the play of the cards."""
    ruleset, cards = writer.ruleset, writer.ruleset.cards
    yield _first_lead_rule(writer)
    if ruleset.table.player_counts[-1] > 2:
        yield writer.rule("play.turn", f"Play in turn, to the {_turn_direction(ruleset)}.", "next_dealer")
    trump_only = ruleset.play.follow == "trump_only"
    if not trump_only or not ruleset.has_bidding or _does_holder_lead(ruleset):
        yield writer.answer_rule("play.follow", "follow")
    if trump_only:
        yield writer.rule("play.trick", "The highest trump wins the trick. Its winner leads to the next.", "follow")
        text = "If you have no trump left, say “out”. If the winner of a trick is out, the player on the left leads."
        yield writer.rule("play.out", text, "follow")
    else:
        text = "The highest trump wins the trick; without a trump, the highest card of the suit led."
        yield writer.rule("play.trick", f"{text} Its winner leads any card to the next.", "follow")
    if cards.face_down:
        text = "Play the first trick from your hand, and after it a card from your hand or one that lies face down."
        yield writer.rule("play.fish", text)
    tricks = phrases.count_words(ruleset.trick_count, "trick") if ruleset.trick_count else "the tricks"
    end = "The hand is over when everyone is out of trumps." if trump_only else f"Play all {tricks}."
    yield writer.rule("play.end", end, "follow")
    if "smudge" in ruleset.special_bids and not ruleset.only_bidder_counts:
        text = "A smudge that has lost a trick is played to the end, since the others can still score."
        yield writer.rule("play.smudge_lost", text, "smudge")


def count_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rules on who scores each award, and on what the hand scores or pays."""
    yield from _award_rules(writer)
    yield from _unclaimed_rule(writer)
    yield from _hand_payment_rules(writer) if writer.ruleset.pays_by_hand else _scoring_rules(writer)


def _award_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rules on who scores each award; awards that are won alike share a rule."""
    awards_by_text = group_by_key(
        ((_scorer_text(writer, award_id), _is_changed_by_house(writer, award_id)), award_id)
        for award_id in writer.ruleset.in_play
    )
    for (text, _), awards in awards_by_text.items():
        ruleset = writer.ruleset
        yield _award_rule(writer, text, awards)
        if not set(awards).isdisjoint(ruleset.turned_awards[-1:]):
            yield writer.answer_rule("count.turned_cards", "turned_cards")
        if not ruleset.table.has_two_sides and any(isinstance(ruleset.kinds[award], Gift) for award in awards):
            yield writer.answer_rule("count.gift_to", "gift_to")
        has_tie_rule = writer.has_changed("game_tie") or not writer.is_left_to_table("game_rule")
        if has_tie_rule and ruleset.card_points_award in awards:
            yield writer.answer_rule("count.game_tie", "game_tie", "game_rule")


def _scorer_text(writer: SheetWriter, award_id: AwardId) -> str:
    """Return the text of the rule on who scores an award, without its lead."""
    ruleset = writer.ruleset
    award = ruleset.awards[award_id]
    for option, question in (("low", "who scores it"), ("game_rule", "how it is won")):
        if option in how_won_options(award.won) and writer.is_left_to_table(option):
            return f"{question} is {LEFT_OPEN}."
    text = scorer_sentence(
        ruleset.kinds[award_id],
        ruleset.how_won(award_id),
        is_own=award_id in OWN_AWARD_IDS,
        is_dirty=ruleset.points.dirty and award.won == "by_low_rule",
        lowest_jokers=ruleset.points.jokers if ruleset.has_lowest_jokers else 0,
    )
    side_words = {"scorer": "the side", "scorer_who": "the side that", "its": "its"} if ruleset.pools_defenders else {}
    return text.format_map({**writer.words, **side_words})


def _is_changed_by_house(writer: SheetWriter, award_id: AwardId) -> bool:
    """Return whether the house changed an award, or an option that decides how it is won."""
    decided_by = how_won_options(writer.ruleset.awards[award_id].won)
    return award_id in writer.changed_awards or not writer.changed_options.isdisjoint(decided_by)


def _award_rule(writer: SheetWriter, text: str, awards: Sequence[AwardId]) -> Rule:
    """Return the shared rule for awards that are won alike; `text` says who scores them."""
    ruleset, (rule_id, *also) = writer.ruleset, (f"count.{award}" for award in awards)
    rows = (award for award in awards if award in ruleset.award_rows)
    lead = ", ".join(f"{ruleset.awards[row].name} {phrases.award_row_worth(ruleset, row)}" for row in rows)
    options = dict.fromkeys(option for award in awards for option in how_won_options(ruleset.awards[award].won))
    return writer.rule(rule_id, text, *awards, *options, lead=f"{lead}:", also=tuple(also))


def _unclaimed_rule(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rule that nobody scores an award whose card is not in play, in a game where that can happen."""
    ruleset = writer.ruleset
    missing_awards = ruleset.awards_maybe_out_of_play
    if not missing_awards or ruleset.always_plays_scoring_cards:
        return
    card_awards = {
        award_id for award_id in ruleset.in_play if isinstance(ruleset.kinds[award_id], OneTrump | PlainCard)
    }
    points_word = "point" if all(ruleset.worth(award_id) == 1 for award_id in missing_awards) else "points"
    card_words = phrases.join_words(
        dict.fromkeys(phrases.award_name(ruleset, award_id) for award_id in missing_awards), "or"
    )
    if len(missing_awards) > 2 and card_awards <= set(missing_awards):
        card_words = "a card"
    bid_clause = ", and the number bid stays the same" if ruleset.has_bidding else ""
    text = f"If {card_words} is not in play, nobody gets its {points_word}{bid_clause}."
    yield writer.rule("count.missing", text, *(name for name in missing_awards if name in writer.changed_awards))


def _hand_payment_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rules on what a bid pays, in a game that pays every hand."""
    cents_text = money_or_blank(writer.ruleset.money.cents_per_point)
    text = f"A bidder who makes the bid gets {cents_text} for each point bid from each other player."
    yield writer.rule("count.paid", text, "cents_per_point")
    text = f"A bidder who is set pays {cents_text} for each point bid to each other player."
    yield writer.rule("count.paid_set", text, "cents_per_point")
    if writer.ruleset.scoring.defenders_score == "none":
        yield writer.rule(
            "count.no_score", "Keep no score: the points that the others take pay nothing.", "defenders_score"
        )
    else:
        yield writer.answer_rule("count.defenders", "defenders_score")


def _scoring_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rules on what a hand scores, in a game that keeps a score."""
    ruleset = writer.ruleset
    side, it_takes = phrases.side_word(ruleset), writer.words["it_takes"]
    if not ruleset.has_bidding:
        and_given = f" and {'is' if ruleset.table.partners else 'are'} given" if ruleset.given_awards else ""
        text = f"Each {side} {writer.words['scores']} what {it_takes}{and_given}."
        yield writer.rule("count.unbid", text, *ruleset.given_awards)
        return
    counts_down = ruleset.counts_down
    yield _made_bid_rule(writer)
    who = "A side that takes less than its bid" if ruleset.table.partners else "A bidder who takes less than the bid"
    if ruleset.table.called:
        who = "If the two take less than the bid, the bidder"
    what = "goes up: add the bid to the score" if counts_down else "is set: subtract the bid"
    if ruleset.scoring.on_set == "lose_bid" and not writer.is_left_to_table("on_set"):
        text = f"{who} {what}. The points taken do not count."
        yield writer.rule("count.set", text, "on_set", "count_down_from")
    else:
        yield writer.answer_rule("count.set", "on_set")
    yield from _defender_and_partner_rules(writer)
    if "smudge" in ruleset.special_bids:
        points = phrases.count_words(ruleset.points_per_hand, "point")
        text = f"Taking every trick without bidding {bid_word('smudge')} never scores more than {points}."
        yield writer.rule("count.no_smudge", text, "smudge")
    if not counts_down and (ruleset.scoring.on_set == "lose_bid" or ruleset.special_bids):
        yield writer.rule(
            "count.below_zero", f"A score can go below zero: then the {side} is in the hole.", "count_down_from"
        )


def _made_bid_rule(writer: SheetWriter) -> Rule:
    """Return the rule on what a made bid scores, for the bidder and any called partner."""
    score_on_made = writer.ruleset.scoring.score_on_made
    if not writer.ruleset.table.called or score_on_made == "nothing":
        return writer.answer_rule("count.made", "score_on_made", "count_down_from")
    both_score = "If the bid is made, the bidder and the partner each score"
    points = "all that the two take together" if score_on_made == "points" else "the bid, not the points taken"
    return writer.rule("count.made", f"{both_score} {points}.", "score_on_made", "count_down_from")


def _defender_and_partner_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rules on what defenders score, and on what a called partner loses when the bidder is set."""
    is_called = writer.ruleset.table.called
    if is_called and writer.ruleset.pools_defenders:
        text = "The others count together, too: each of them scores what they all take, whether the bid is made or set."
        yield writer.rule("count.defenders", text, "defenders_score")
    elif not is_called and writer.ruleset.moon.moon in ("win_or_lose", "win_or_minus_target"):
        over = "If a moon ends the match, nothing more is scored."
        yield writer.answer_rule("count.defenders", "defenders_score", "moon", and_then=over)
    else:
        yield writer.answer_rule("count.defenders", "defenders_score")
    if is_called:
        yield writer.answer_rule("count.partner_set_too", "partner_set_too")


def win_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rules on the end of the match, and on payments."""
    yield from _match_end_rules(writer)
    yield from _settlement_rules(writer)
    yield from _stake_rules(writer)


def _match_end_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rules on when the match ends and who wins it."""
    ruleset, winning = writer.ruleset, writer.ruleset.winning
    if winning.length == "hands":
        yield _fixed_hands_rule(writer)
    elif has_end(ruleset):
        yield from _turned_card_rule(writer)
        yield _winner_rule(writer)
        if winning.win_rule == "made_bid" and not (winning.count_down_from or ruleset.only_bidder_counts):
            text = "Points that you take against another’s bid count, but nobody wins on them."
            yield writer.rule("win.defending", text, "win_rule")
        yield from writer.unusual_rules("win", "win_by")
        if winning.pegged:
            both = "both sides" if ruleset.table.has_two_scores else "several"
            last = f", and {writer.words['game']} after the last trick" if ruleset.card_points_award else ""
            first = f"If {both} get there in one hand, whoever pegged it first wins."
            yield writer.rule("win.pegged", f"Peg your points trick by trick{last}. {first}")
        elif "tie_rule" not in writer.moot_reasons and (winning.win_rule or writer.has_changed("tie_rule")):
            yield writer.answer_rule("win.tie_rule", "tie_rule", "win_rule", "win_by")
            yield from _tied_before_rule(writer)
        yield from writer.unusual_rules("win", "defenders_stop_at_one", "defenders_stop_short")
    elif not ruleset.is_for_money:
        yield writer.answer_rule("win.target", "target")
    yield from writer.unusual_rules("win", "set_limit", "four_points_win_game")


def _tied_before_rule(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rule on a side that was at the target before the hand, if the rule on ties leaves that case open."""
    ruleset, winning = writer.ruleset, writer.ruleset.winning
    tie_rule = "point_order" if winning.win_rule == "made_bid" else "bidder_first"
    leaves_tie = winning.tie_rule == "another_hand" or (
        winning.tie_rule == tie_rule and (ruleset.bidding.all_pass == "unobliged" or not ruleset.table.has_two_scores)
    )
    if leaves_tie and not winning.win_by and not writer.is_left_to_table("tie_rule"):
        yield writer.rule("win.before", phrases.already_at_target_rule(ruleset), "tie_rule")


def _winner_rule(writer: SheetWriter) -> Rule:
    """Return the rule on the target and on who wins by reaching it."""
    ruleset, winning = writer.ruleset, writer.ruleset.winning
    if down := winning.count_down_from:
        start, goal = f"Scores start at {down} and go down. ", "0 or less"
    else:
        start, goal = "", f"{winning.target or BLANK} or more"
    match winning.win_rule:
        case "made_bid":
            bid = "the bid, as the bidder or the partner," if ruleset.table.called else "your own bid"
            who = f"You win when you make {bid} and then have {goal}."
            if ruleset.table.partners:
                who = f"A side wins when it makes its own bid and then has {goal}."
        case "first_to_target":
            when = "wins at once, in the middle of a hand" if winning.pegged else "at the end of a hand wins"
            who = f"The first {phrases.side_word(ruleset)} with {goal} {when}."
        case None:
            many = f"How many points end the match is {LEFT_OPEN}. " if not (winning.target or down) else ""
            who = f"Play to {goal}. {many}Who wins then is {LEFT_OPEN}: whoever reaches it, or only on a made bid."
    return writer.rule("win.target", start + who, "win_rule", "target", "count_down_from")


def _turned_card_rule(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rule that a card turned up can win the match at once, in a game where it can."""
    ruleset, winning = writer.ruleset, writer.ruleset.winning
    if ruleset.turned_awards and winning.win_rule == "first_to_target":
        goal = "0" if winning.count_down_from else str(winning.target or BLANK)
        side = phrases.side_word(ruleset)
        text = f"A {side} that a card turned up brings to {goal} wins at once: do not play the hand."
        yield writer.rule("win.turned", text, *ruleset.turned_awards, "target")


def _fixed_hands_rule(writer: SheetWriter) -> Rule:
    """Return the rule on who wins after a fixed number of hands."""
    winning = writer.ruleset.winning
    best = "lowest" if winning.count_down_from else "highest"
    if_tied = "play another hand" if winning.plays_on_when_tied else "they share the win"
    text = f"After {phrases.count_words(winning.hands or 0, 'hand')} the {best} score wins; if it is tied, {if_tied}."
    return writer.rule("win.hands", text, "length", "hands", "tie_rule", "count_down_from")


def _settlement_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rules on paying after every hand, or by how far each score is from the average."""
    money = writer.ruleset.money
    if money.settles == "hand":
        yield writer.rule("win.pay_hand", "Pay after every hand. Anyone may stop, join or leave after any of them.")
    elif money.cents_per_point:
        if money.settles == "average":
            yield writer.rule("win.settle", "No score ends the match: settle up whenever someone joins or leaves.")
        cents_text = phrases.money_text(money.cents_per_point)
        gets_clause = f"Everyone above the average of the scores gets {cents_text} for each point above it"
        text = f"{gets_clause}; everyone below it pays {cents_text} for each point below."
        yield writer.rule("win.average", text, "cents_per_point")


def _stake_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rule on what every other side pays the winner, in a game with stakes."""
    ruleset, money = writer.ruleset, writer.ruleset.money
    parts, side = [], phrases.side_word(ruleset)
    pays_for_sets = bool(money.set_stake_cents or "set_stake_cents" in ruleset.open_options)
    is_twice = pays_for_sets and ruleset.moon.moon == "to_minus_four"
    if pays_for_sets:
        twice = " (twice for a failed moon)" if is_twice else ""
        parts.append(f"{money_or_blank(money.set_stake_cents or None)} for each time that {side} was set{twice}")
    if money.game_stake_cents or "game_stake_cents" in ruleset.open_options:
        parts.append(f"{money_or_blank(money.game_stake_cents or None)} for the match")
    if parts:
        text = f"The winner gets from each other {side} {phrases.join_words(parts)}."
        yield writer.rule("win.stakes", text, "game_stake_cents", "set_stake_cents", *(["moon"] if is_twice else []))
