"""What a hand is worth to whoever bid and whoever did not, and what is paid."""

from scorekeeper.rules import words
from scorekeeper.rules.sheet.telling import Telling
from scorekeeper.rules.sheet.values import Example, Line, Section


def scoring(telling: Telling, example: Example | None) -> Section:
    """Tell the scoring, with an example that the engine has scored."""
    ruleset = telling.ruleset
    if ruleset.money.settles == "hand":
        lines = _paid_by_hand(telling)
    elif ruleset.bidding.auction:
        lines = (
            *telling.told_if("score_on_made", "points"),
            *_set(telling),
            *_defenders(telling),
            *_partner(telling),
            *_hole(telling),
        )
    else:
        lines = (
            telling.line(f"Each {words.side_word(ruleset)} scores what {words.phrases(ruleset)['it_takes']}."),
            *_hole(telling),
        )
    return Section("Scoring", lines=lines, example=example)


def _set(telling: Telling) -> tuple[Line, ...]:
    if telling.ruleset.winning.count_down_from:
        text = "Points go down: what is taken is subtracted. Short of the bid is set: the bid is added."
    else:
        text = "Short of the bid is set: the bid is lost, and what was taken does not count."
    return (telling.line(text, "count_down_from"),)


def _defenders(telling: Telling) -> tuple[Line, ...]:
    if telling.ruleset.table.called and telling.ruleset.scoring.defenders_score == "pooled":
        text = (
            "Bidder and partner count together, and so do all the others: each scores what the two, or the rest, take."
        )
        return (telling.line(text, "defenders_score"),)
    return (telling.told("defenders_score"),)


def _partner(telling: Telling) -> tuple[Line, ...]:
    if not telling.ruleset.table.called:
        return ()
    together = telling.line("Bidder and partner count together: each scores all that they take.")
    pooled = telling.ruleset.scoring.defenders_score == "pooled"
    return (*(() if pooled else (together,)), telling.told("partner_set_too"))


def _hole(telling: Telling) -> tuple[Line, ...]:
    ruleset = telling.ruleset
    if ruleset.winning.count_down_from or not ruleset.bidding.auction:
        return ()
    return (telling.line("Scores may go below zero: that is in the hole.", is_spare=True),)


def _paid_by_hand(telling: Telling) -> tuple[Line, ...]:
    cents = telling.ruleset.money.cents_per_point
    each = words.money(cents) if cents is not None else "____"
    if telling.ruleset.scoring.defenders_score == "none":
        others = telling.line("No score is kept, and nobody is paid for the points that they take.", "defenders_score")
    else:
        others = telling.told("defenders_score")
    return (
        telling.line(f"A made bid gets {each} a point bid from each other player.", "cents_per_point"),
        telling.line(f"A bid that is set pays {each} a point bid to each other player.", "cents_per_point"),
        others,
    )
