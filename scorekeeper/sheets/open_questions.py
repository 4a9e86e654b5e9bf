"""What is still to be agreed, in as few words as a card or a pad has room for."""

from collections.abc import Collection, Iterable

from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.parts import BLANK, BidRow, OpenQuestion, Rule

_RARE = {"all_pass": ("pass_deal", "unobliged")}
"""Answers that few tables give: a card or a pad has no room to ask about them."""


def open_questions(ruleset: Ruleset, rules: Iterable[Rule], bids: Iterable[BidRow]) -> tuple[OpenQuestion, ...]:
    """Return what the table still has to agree on, but for what has its blank in these rules and bids."""
    blank = {option for rule in rules if BLANK in rule.text for option in rule.origin.open}
    blank |= {option for row in bids if not row.bid for option in row.origin.open}
    return tuple(
        OpenQuestion(QUESTIONS[option].title(ruleset), choices(ruleset, option, left_out=_RARE.get(option, ())))
        for option in ruleset.open_options
        if option not in blank or not QUESTIONS[option].is_number
    )


def choices(ruleset: Ruleset, option: str, *, left_out: Collection[str] = ()) -> tuple[str, ...]:
    """Return the answers to an open question that have a box each; none for a number, which has a blank."""
    question = QUESTIONS[option]
    words = () if question.is_number else question.answers
    return tuple(question.label(word, ruleset) for word in words if word not in ("none", *left_out))
