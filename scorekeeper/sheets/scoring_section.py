"""What a hand scores for the bidding side and for the others, and what is paid for it."""

from collections.abc import Iterator

from scorekeeper.rules import phrases
from scorekeeper.sheets.parts import Example, Line, Section
from scorekeeper.sheets.sheet_writer import SheetWriter, money_or_blank


def scoring_section(writer: SheetWriter, example: Example | None = None) -> Section:
    """Return the scoring of a hand, with an example that the engine has scored."""
    lines = _paid_by_hand if writer.ruleset.money.settles == "hand" else _scored
    return Section("Scoring", lines=tuple(lines(writer)), example=example)


def _paid_by_hand(writer: SheetWriter) -> Iterator[Line]:
    each = money_or_blank(writer.ruleset.money.cents_per_point)
    yield writer.line(f"A made bid gets {each} a point bid from each other player.", "cents_per_point")
    yield writer.line(f"A set bid pays {each} a point bid to each other player.", "cents_per_point")
    if writer.ruleset.scoring.defenders_score == "none":
        yield writer.line("Keep no score; nobody gets paid for points taken.", "defenders_score")
    else:
        yield writer.answer("defenders_score")


def _scored(writer: SheetWriter) -> Iterator[Line]:
    ruleset = writer.ruleset
    if not ruleset.bidding.auction:
        yield writer.line(f"Each {phrases.side_word(ruleset)} scores what {writer.words['it_takes']}.")
        return
    yield from writer.unusual("score_on_made")
    if ruleset.winning.count_down_from:
        text = "Scores go down: subtract the points taken. Less than the bid is set: add the bid."
    else:
        text = "Less than the bid is set: subtract the bid; the points taken do not count."
    yield writer.line(text, "count_down_from")
    yield from _defenders_and_partner(writer)
    if not ruleset.winning.count_down_from:
        yield writer.line("A score below zero is in the hole.", is_optional=True)


def _defenders_and_partner(writer: SheetWriter) -> Iterator[Line]:
    if not writer.ruleset.table.called:
        yield writer.answer("defenders_score")
        return
    together = "Bidder and partner count together"
    if writer.ruleset.pools_defenders:
        text = f"{together}, and so do all the others: each scores what the two, or the rest, take."
        yield writer.line(text, "defenders_score")
    else:
        yield writer.answer("defenders_score")
        yield writer.line(f"{together}: each scores all that they take.")
    yield writer.answer("partner_set_too")
