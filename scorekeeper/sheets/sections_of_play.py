"""The sections of a rule sheet from the first card on: play, count, and win."""

from collections.abc import Iterator, Sequence

from scorekeeper.engine.outlook import tie_rule_decides
from scorekeeper.narration.phrases import bid_word, grouped
from scorekeeper.rules import phrases
from scorekeeper.rules.awards import AwardId, OneCard, TurnedUp, deciding_options, scored_by
from scorekeeper.rules.questions import has_end
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.parts import BLANK, Rule, SheetWriter, money_or_blank
from scorekeeper.sheets.sections_before_play import every_card_is_played, names_trump


def _first_lead(writer: SheetWriter) -> Rule:
    ruleset = writer.ruleset
    if not ruleset.has_bidding:
        text = "The player on the dealer’s left leads any card."
        if ruleset.play.next_dealer == "counterclockwise":
            text = "The player on the dealer’s right leads any card."
        return writer.rule("play.lead", text, "first_lead", "next_dealer")
    if _holder_leads(ruleset):
        return writer.answer("play.lead", "call_lead")
    if not names_trump(ruleset):
        return writer.rule("play.lead", "The bidder leads any card.", "first_lead")
    if ruleset.play.follow == "trump_only":
        return writer.rule(
            "play.lead", "The bidder leads. Only trumps are played.", "first_lead", "call_lead", "follow"
        )
    return writer.answer("play.lead", "first_lead")


def _holder_leads(ruleset: Ruleset) -> bool:
    return ruleset.table.called and ruleset.play.call_lead == "holder"


def play_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield how the tricks are played."""
    ruleset, cards = writer.ruleset, writer.ruleset.cards
    yield _first_lead(writer)
    trump_only = ruleset.play.follow == "trump_only"
    if not trump_only or not ruleset.has_bidding or _holder_leads(ruleset):
        yield writer.answer("play.follow", "follow")
    if trump_only:
        yield writer.rule("play.trick", "The highest trump wins the trick. Its winner leads to the next.", "follow")
        text = "If you have no trump left, say “out”. If the winner of a trick is out, the player on the left leads."
        yield writer.rule("play.out", text, "follow")
    else:
        text = "The highest trump wins the trick; without a trump, the highest card of the suit led."
        yield writer.rule("play.trick", f"{text} Its winner leads any card to the next.", "follow")
    if cards.face_down:
        text = "From the second trick on, play a card from your hand, or turn up one of those that lie face down."
        yield writer.rule("play.fish", text)
    yield writer.rule("play.end", _play_end(ruleset), "follow")
    if "smudge" in ruleset.special_bids:
        text = "A smudge that has lost a trick is played to the end, since the others can still score."
        yield writer.rule("play.smudge_lost", text, "smudge")


def _play_end(ruleset: Ruleset) -> str:
    if ruleset.play.follow == "trump_only":
        return "The hand is over when everyone is out of trumps."
    number = ruleset.cards.played or ruleset.cards.dealt
    tricks = phrases.several(number, "trick") if number else "the tricks"
    return f"Play all {tricks}."


def count_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield who scores each award, and then what the hand scores."""
    yield from _awards(writer)
    yield from _unclaimed(writer)
    yield from _paid_by_hand(writer) if writer.ruleset.pays_by_hand else _scored(writer)


def _awards(writer: SheetWriter) -> Iterator[Rule]:
    """Yield who scores each award; awards that are won alike share a rule, those that the house changed another."""
    groups = grouped(
        ((_scored_by(writer, award_id), _is_house(writer, award_id)), award_id) for award_id in writer.ruleset.in_play
    )
    for (text, _), awards in groups.items():
        yield _award_rule(writer, text, awards)
        if writer.ruleset.counted_award in awards:
            yield writer.answer("count.game_tie", "game_tie", "game_rule")


def _scored_by(writer: SheetWriter, award_id: AwardId) -> str:
    ruleset = writer.ruleset
    is_dirty = ruleset.points.dirty and ruleset.awards[award_id].won == "by_low_rule"
    text = scored_by(
        ruleset.kinds[award_id],
        ruleset.how_won(award_id),
        is_dirty=is_dirty,
        lowest_jokers=ruleset.points.jokers if ruleset.has_lowest_jokers else 0,
    )
    words = dict(writer.words)
    if ruleset.pools_defenders:
        words |= {"scorer": "the side", "scorer_who": "the side that", "its": "its"}
    return text.format_map(words)


def _is_house(writer: SheetWriter, award_id: AwardId) -> bool:
    """Return whether the house changed an award, or an option that decides it."""
    decided_by = deciding_options(writer.ruleset.awards[award_id].won)
    return award_id in writer.changed_awards or not writer.changed_options.isdisjoint(decided_by)


def _award_rule(writer: SheetWriter, text: str, awards: Sequence[AwardId]) -> Rule:
    named = [writer.ruleset.awards[award_id] for award_id in awards]
    lead = ", ".join(f"{award.name} {award.points}" for award in named)
    options = dict.fromkeys(option for award in named for option in deciding_options(award.won))
    return writer.rule(
        f"count.{awards[0]}",
        text,
        *awards,
        *options,
        lead=f"{lead}:",
        also=tuple(f"count.{award_id}" for award_id in awards[1:]),
    )


def _unclaimed(writer: SheetWriter) -> Iterator[Rule]:
    """Yield which awards nobody scores where their card is not in play."""
    ruleset = writer.ruleset
    missing = ruleset.missing_awards
    if not missing or every_card_is_played(ruleset):
        return
    cards = {award_id for award_id in ruleset.in_play if isinstance(ruleset.kinds[award_id], OneCard)}
    if len(missing) > 2 and cards <= set(missing):
        text = "Nobody scores a card that is not in play."
    else:
        named = phrases.listed((phrases.award_name(ruleset, award_id) for award_id in missing), "or")
        text = f"If {named} is not in play, nobody scores it."
    yield writer.rule("count.missing", text, *(name for name in missing if name in writer.changed_awards))


def _paid_by_hand(writer: SheetWriter) -> Iterator[Rule]:
    each = money_or_blank(writer.ruleset.money.cents_per_point)
    text = f"A bidder who makes the bid gets {each} for each point bid from each other player."
    yield writer.rule("count.paid", text, "cents_per_point")
    text = f"A bidder who is set pays {each} for each point bid to each other player."
    yield writer.rule("count.paid_set", text, "cents_per_point")
    if writer.ruleset.scoring.defenders_score == "none":
        yield writer.rule(
            "count.no_score", "Keep no score: the points that the others take pay nothing.", "defenders_score"
        )
    else:
        yield writer.answer("count.defenders", "defenders_score")


def _scored(writer: SheetWriter) -> Iterator[Rule]:
    ruleset = writer.ruleset
    side, it_takes = phrases.side_word(ruleset), writer.words["it_takes"]
    if not ruleset.has_bidding:
        given = ""
        if ruleset.given_awards:
            given = " and is given" if ruleset.table.partners else " and are given"
        text = f"Each {side} {writer.words['scores']} what {it_takes}{given}."
        yield writer.rule("count.unbid", text, *ruleset.given_awards)
        return
    is_down = bool(ruleset.winning.count_down_from)
    yield writer.answer("count.made", "score_on_made", "count_down_from")
    who = "A side that takes less than its bid" if ruleset.table.partners else "A bidder who takes less than the bid"
    what = "goes up: add the bid to the score" if is_down else "is set: subtract the bid"
    yield writer.rule("count.set", f"{who} {what}. The points taken do not count.", "count_down_from")
    yield from _defenders_and_partner(writer)
    if "smudge" in ruleset.special_bids:
        points = phrases.several(ruleset.points_per_hand, "point")
        text = f"Taking every trick without bidding {bid_word('smudge')} still scores only {points}."
        yield writer.rule("count.no_smudge", text, "smudge")
    if not is_down:
        yield writer.rule(
            "count.below_zero", f"A score can go below zero: then the {side} is in the hole.", "count_down_from"
        )


def _defenders_and_partner(writer: SheetWriter) -> Iterator[Rule]:
    if not writer.ruleset.table.called:
        yield writer.answer("count.defenders", "defenders_score")
        return
    together = "Bidder and partner count together"
    if writer.ruleset.pools_defenders:
        text = f"{together}, and so do all the others: each player scores what the two, or the rest, take."
        yield writer.rule("count.defenders", text, "defenders_score")
    else:
        yield writer.answer("count.defenders", "defenders_score")
        yield writer.rule("count.partner", f"{together}: each scores all that the two take.")
    yield writer.answer("count.partner_set_too", "partner_set_too")


def win_rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield how the match ends, and who pays whom then."""
    yield from _match_end(writer)
    yield from _money(writer)
    yield from _stakes(writer)


def _match_end(writer: SheetWriter) -> Iterator[Rule]:
    ruleset, winning = writer.ruleset, writer.ruleset.winning
    if winning.length == "hands":
        yield _by_hands(writer)
    elif has_end(ruleset):
        yield _who_goes_out(writer)
        yield from _turned(writer)
        if winning.win_rule == "made_bid" and not winning.count_down_from:
            text = "Points that you take against another’s bid count, but nobody wins on them."
            yield writer.rule("win.defending", text, "win_rule")
        yield from writer.unusual("win", "win_by")
        if writer.differs("tie_rule") or tie_rule_decides(ruleset):
            yield writer.answer("win.tie_rule", "tie_rule", "win_rule")
        yield from writer.unusual("win", "defenders_stop_at_one", "defenders_stop_short")
    elif not ruleset.pays:
        yield writer.answer("win.target", "target")
    yield from writer.unusual("win", "set_limit", "four_points_win_game")


def _who_goes_out(writer: SheetWriter) -> Rule:
    winning, side = writer.ruleset.winning, phrases.side_word(writer.ruleset)
    if down := winning.count_down_from:
        start, goal = f"Scores start at {down} and go down. ", "0 or less"
    else:
        start, goal = "", f"{winning.target or BLANK} or more"
    match winning.win_rule:
        case "made_bid":
            its = writer.words["its"]
            who = f"A {side} wins only at the end of a hand in which {its} own bid was made, with {goal}."
        case "first_to_target":
            who = f"The first {side} with {goal} at the end of a hand wins."
        case None:
            who = f"A {side} with {goal} wins; who may win is up to you."
    return writer.rule("win.target", start + who, "win_rule", "target", "count_down_from")


def _turned(writer: SheetWriter) -> Iterator[Rule]:
    """Yield that a card turned up may win, as the engine ends such a hand."""
    ruleset, winning = writer.ruleset, writer.ruleset.winning
    turned = [award_id for award_id in ruleset.in_play if isinstance(ruleset.kinds[award_id], TurnedUp)]
    if turned and winning.win_rule == "first_to_target":
        goal = "0" if winning.count_down_from else str(winning.target or BLANK)
        side = phrases.side_word(ruleset)
        text = f"A {side} that a card turned up brings to {goal} wins at once: do not play the hand."
        yield writer.rule("win.turned", text, *turned, "target")


def _by_hands(writer: SheetWriter) -> Rule:
    winning = writer.ruleset.winning
    count = "lowest" if winning.count_down_from else "highest"
    level = "play another hand" if winning.plays_on_when_tied else "they share the win"
    text = f"After {phrases.several(winning.hands or 0, 'hand')} the {count} score wins; if it is tied, {level}."
    return writer.rule("win.hands", text, "length", "hands", "tie_rule", "count_down_from")


def _money(writer: SheetWriter) -> Iterator[Rule]:
    """Yield who pays whom when the match is settled."""
    money = writer.ruleset.money
    if money.settles == "hand":
        yield writer.rule("win.pay_hand", "Pay after every hand. You may stop after any of them.")
    elif money.cents_per_point:
        if money.settles == "average":
            yield writer.rule("win.settle", "No score ends the match: settle up whenever someone joins or leaves.")
        each = phrases.money(money.cents_per_point)
        above = f"Everyone above the average of the scores gets {each} for each point above it"
        text = f"{above}; everyone below it pays {each} for each point below."
        yield writer.rule("win.average", text, "cents_per_point")


def _stakes(writer: SheetWriter) -> Iterator[Rule]:
    ruleset, money = writer.ruleset, writer.ruleset.money
    parts = []
    pays_for_sets = bool(money.set_stake_cents or "set_stake_cents" in ruleset.open_options)
    if pays_for_sets:
        twice = " (twice for a failed moon)" if ruleset.moon.moon == "to_minus_four" else ""
        parts.append(f"{money_or_blank(money.set_stake_cents or None)} for each time that player was set{twice}")
    if money.game_stake_cents or "game_stake_cents" in ruleset.open_options:
        parts.append(f"{money_or_blank(money.game_stake_cents or None)} for the match")
    if parts:
        text = f"The winner gets from each other player {phrases.listed(parts)}."
        yield writer.rule("win.stakes", text, "game_stake_cents", "set_stake_cents")
