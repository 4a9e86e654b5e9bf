"""What a hand scores for the bidding side and for the others, and what is paid for it."""

from scorekeeper.rules import phrases
from scorekeeper.sheets.parts import Example, Line, Section
from scorekeeper.sheets.sheet_writer import SheetWriter, money_or_blank


def scoring_section(writer: SheetWriter, example: Example | None = None) -> Section:
    """Return the scoring of a hand, with an example that the engine has scored."""
    ruleset = writer.ruleset
    if ruleset.money.settles == "hand":
        lines = _paid_by_hand(writer)
    elif ruleset.bidding.auction:
        lines = (
            *writer.answer_unless("score_on_made", "points"),
            *_set(writer),
            *_defenders(writer),
            *_partner(writer),
            *_hole(writer),
        )
    else:
        lines = (
            writer.line(f"Each {phrases.side_word(ruleset)} scores what {writer.words['it_takes']}."),
            *_hole(writer),
        )
    return Section("Scoring", lines=lines, example=example)


def _set(writer: SheetWriter) -> tuple[Line, ...]:
    if writer.ruleset.winning.count_down_from:
        text = "Points go down: what is taken is subtracted. Short of the bid is set: the bid is added."
    else:
        text = "Short of the bid is set: the bid is lost, and what was taken does not count."
    return (writer.line(text, "count_down_from"),)


def _defenders(writer: SheetWriter) -> tuple[Line, ...]:
    if writer.ruleset.table.called and writer.ruleset.scoring.defenders_score == "pooled":
        text = (
            "Bidder and partner count together, and so do all the others: each scores what the two, or the rest, take."
        )
        return (writer.line(text, "defenders_score"),)
    return (writer.answer("defenders_score"),)


def _partner(writer: SheetWriter) -> tuple[Line, ...]:
    if not writer.ruleset.table.called:
        return ()
    together = writer.line("Bidder and partner count together: each scores all that they take.")
    pooled = writer.ruleset.scoring.defenders_score == "pooled"
    return (*(() if pooled else (together,)), writer.answer("partner_set_too"))


def _hole(writer: SheetWriter) -> tuple[Line, ...]:
    ruleset = writer.ruleset
    if ruleset.winning.count_down_from or not ruleset.bidding.auction:
        return ()
    return (writer.line("Scores may go below zero: that is in the hole.", is_optional=True),)


def _paid_by_hand(writer: SheetWriter) -> tuple[Line, ...]:
    each = money_or_blank(writer.ruleset.money.cents_per_point)
    if writer.ruleset.scoring.defenders_score == "none":
        others = writer.line("No score is kept, and nobody is paid for the points that they take.", "defenders_score")
    else:
        others = writer.answer("defenders_score")
    return (
        writer.line(f"A made bid gets {each} a point bid from each other player.", "cents_per_point"),
        writer.line(f"A bid that is set pays {each} a point bid to each other player.", "cents_per_point"),
        others,
    )
