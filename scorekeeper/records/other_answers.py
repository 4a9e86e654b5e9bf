"""Other rules, same cards: who would have won with one other answer to what families argue about."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scorekeeper.narration.rule_changes import award_sentence
from scorekeeper.narration.what_if import other_answer_words, without_award
from scorekeeper.records.comparison import PlayedMatch, WhatIf
from scorekeeper.records.what_if import what_if
from scorekeeper.rules.options import options
from scorekeeper.rules.overlay import with_house
from scorekeeper.rules.questions import DISPUTED, QUESTIONS, has_end, possible_answers, value_of
from scorekeeper.rules.rule_keys import RuleKey
from scorekeeper.rules.schema import Ruleset

MOST = 24
"""Other answers that are tried."""
MOST_PLAYS = 500
"""Hands scored for each of them; where more are needed, too much is open."""
_CALLS = ("dealer_steal", "all_pass", "rounds", "forced_bid")
"""Options about who may call what: without the calls there is nothing to tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherAnswer:
    """One other answer, and the match under it."""

    house: Mapping[str, Any]
    """The answer as a house gives it, laid over the rules that the match began with."""
    label: str
    """"Both reach it: the higher score", "Without the Off Jack"."""
    rule: str
    """The answer as a rule: "If both reach 42 on the same hand, the better score wins; …"."""
    detail: str
    """"as played up to hand 10, 43 to 44", "40 to 40 after hand 10", "either way", "no change"."""
    heading: str
    """"Bea & Dan win", "Nobody yet", "Not known"."""
    match: WhatIf

    @property
    def sentence(self) -> str:
        """The answer and what comes of it in one line: "Both reach it: the higher score. Them win, 43 to 44."."""
        return f"{self.label}. {self.heading}, {self.detail}."


def other_answers(played: PlayedMatch) -> tuple[OtherAnswer, ...]:
    """Return the match under each other answer to the options argued about, and without each of its points.

    Those that change the winner come first, then those of which it is not known, and last those that change nothing.
    """
    found: list[OtherAnswer] = []
    for house in _houses(played):
        other, faults = with_house(played.rules, house)
        if faults or len(found) == MOST:
            continue
        match = what_if(played, other, most_plays=MOST_PLAYS)
        if not match.refusal:
            found.append(_answer(played, other, house, match))
    return tuple(sorted(found, key=lambda it: _RANKS[it.match.changes_winner, not it.match.first_difference]))


_RANKS = {(True, False): 0, (True, True): 0, (None, False): 1, (None, True): 1, (False, False): 2, (False, True): 3}


def _houses(played: PlayedMatch) -> Iterator[dict[str, Any]]:
    """Yield single answers: to what is argued about in this variant, to what is in all, and no point for an award."""
    rules = played.rules
    for name in dict.fromkeys((*rules.sheet.argued, *DISPUTED)):
        if name in options() and _may_matter(played, name):
            yield from ({name: answer} for answer in _answers(rules, name))
    yield from ({award_id: False} for award_id in rules.in_play)


def _may_matter(played: PlayedMatch, name: str) -> bool:
    """Return whether an option can move a score, or the winner, of hands that are written down."""
    if options()[name].group == "play":
        return False
    if name in ("win_rule", "tie_rule") and not has_end(played.rules):
        return False
    hands = [result.hand for result in played.state.results]
    return name not in _CALLS or any(hand.auction or hand.thrown_in == "all_passed" for hand in hands)


def _answers(rules: Ruleset, name: str) -> Iterator[Any]:
    option, now = options()[name], rules.answer(name)
    found: Iterable[Any]
    if QUESTIONS[name].is_number:
        found = rules.sheet.offers.get(name, [])
    else:
        found = [option.read(value_of(word)) for word in possible_answers(rules, name)]
    yield from (answer for answer in found if answer != now)


def _answer(played: PlayedMatch, other: Ruleset, house: Mapping[str, Any], match: WhatIf) -> OtherAnswer:
    ((name, answer),) = house.items()
    spans = match.otherwise.scores.values()
    heading, detail = other_answer_words(
        match.otherwise.heading,
        scores=[span.lowest for span in spans] if not match.stop and all(span.is_known for span in spans) else None,
        is_same=match.first_difference is None,
        stop=match.stop.sentence if match.stop and not match.is_too_much else "",
        is_as_played=all(row.status == "same" for row in match.rows if row.status != "already_over"),
        last=_last_number(match),
    )
    if RuleKey.of_answer(name, answer).is_worth:
        label, rule = without_award(played.rules, name), award_sentence(other, name)
    else:
        question = QUESTIONS[name]
        label, rule = f"{question.title(other)}: {question.label(answer, other)}", question.rule(other)
    return OtherAnswer(house=house, label=label, rule=rule, detail=detail, heading=heading, match=match)


def _last_number(match: WhatIf) -> int | None:
    """Return the number of the last hand that counts under the other rules."""
    numbers = [row.number for row in match.rows if row.status in ("same", "differs", "open")]
    return numbers[-1] if numbers else None
