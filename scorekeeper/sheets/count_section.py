"""The count after a hand: who scores each award, and what the hand brings the bidders and the others."""

from collections.abc import Iterator, Sequence

from scorekeeper.narration.phrases import bid_word
from scorekeeper.rules import phrases
from scorekeeper.rules.awards import AwardId, OneCard, deciding_options, may_be_missing, scored_by
from scorekeeper.sheets.deal_section import every_card_is_played
from scorekeeper.sheets.parts import Rule, Section
from scorekeeper.sheets.sheet_writer import SheetWriter, money_or_blank


def count_section(writer: SheetWriter) -> Section:
    """Return who scores each award, and then what the hand scores."""
    scored = _paid_by_hand if writer.ruleset.money.settles == "hand" else _scored
    rules = writer.with_own("count", *_awards(writer), *_unclaimed(writer), *scored(writer))
    return Section("count", "Count", rules=rules)


def _awards(writer: SheetWriter) -> Iterator[Rule]:
    """Yield who scores each award; awards that are won alike share a rule, those that the house changed another."""
    groups: dict[tuple[str, bool], list[AwardId]] = {}
    for award_id in writer.ruleset.in_play:
        groups.setdefault((_scored_by(writer, award_id), _is_house(writer, award_id)), []).append(award_id)
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
    missing = [
        award_id
        for award_id, award in ruleset.in_play.items()
        if may_be_missing(ruleset.kinds[award_id], award, ruleset.how_won(award_id))
    ]
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
    if not ruleset.bidding.auction:
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
