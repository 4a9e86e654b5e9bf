"""Every house option as a question in plain words, for the pages that ask it and the sheets that state the answer."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from scorekeeper.rules import phrases
from scorekeeper.rules.awards import AWARD_IDS, description
from scorekeeper.rules.checks import contradictions
from scorekeeper.rules.options import Option, options
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.wording import Wording
from scorekeeper.rules.wording.bidding_and_moon import BIDDING, MOON
from scorekeeper.rules.wording.points_and_play import AWARD, PLAY, POINTS
from scorekeeper.rules.wording.scoring_and_winning import MONEY, SCORING, WINNING

_SMALL_TARGETS, _LARGE_TARGETS, _LARGEST_TARGETS = (7, 11, 15, 21), (21, 42, 52, 62), (100, 200, 500)
_SMALL_HAND, _LARGE_HAND = 6, 20
"""The most points in a hand that is played to a small target, and to a large one."""
_CENTS = (0, 5, 10, 25, 50, 100)
DISPUTED = ("win_rule", "tie_rule", "low", "dealer_steal", "all_pass", "game_tie")
"""The options that families disagree on, in the order in which they are asked before a match."""


@dataclass(frozen=True, slots=True)
class Question:
    """One house option, or an award, as the table is asked it."""

    option: str
    wording: Wording

    def title(self, ruleset: Ruleset) -> str:
        """Return a short heading: "Lowest bid", "Off Jack"."""
        return phrases.sentence(self._filled(self.wording.title, ruleset).removeprefix("the "))

    def ask(self, ruleset: Ruleset) -> str:
        """Return the question: "What is the lowest bid?"."""
        return phrases.sentence(self._filled(self.wording.ask, ruleset))

    def answer(self, ruleset: Ruleset) -> Any:
        """Return the answer in force; an award's is its points, or `False`."""
        return ruleset.answer(self.option)

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers as forms send them; `n` stands for any number."""
        return tuple(self.wording.answers)

    @property
    def is_money(self) -> bool:
        """Whether the answer is a number of cents."""
        return self.option in MONEY

    @property
    def is_number(self) -> bool:
        """Whether the answer is any number, and not one of a few words."""
        return "n" in self.wording.answers

    def label(self, value: object, ruleset: Ruleset) -> str:
        """Return the few words on an answer's button: "only on a made bid"."""
        return self._filled(self._texts(value)[0], ruleset, value)

    def sentence(self, value: object, ruleset: Ruleset) -> str:
        """Return an answer as a rule: "A made moon scores 26."."""
        return phrases.sentence(self._filled(self._texts(value)[1], ruleset, value))

    def rule(self, ruleset: Ruleset) -> str:
        """Return the answer in force as a rule."""
        return self.sentence(self.answer(ruleset), ruleset)

    def _texts(self, value: object) -> tuple[str, str]:
        word = word_of(value)
        return self.wording.answers[word if word in self.wording.answers else "n"]

    def _filled(self, text: str, ruleset: Ruleset, value: object = None) -> str:
        if "{" not in text:
            return text
        words = dict(phrases.placeholders(ruleset))
        if isinstance(value, int):
            words |= {"n": str(value), "money": phrases.money(value)}
            words |= {"n_hands": phrases.digits(value, "hand"), "n_times": phrases.times(value)}
        if self.option in ruleset.awards:
            words |= {
                "award": phrases.award_name(ruleset, self.option),
                "card": description(ruleset.kinds[self.option], ruleset.how_won(self.option)),
            }
        return text.format_map(words)


QUESTIONS: Mapping[str, Question] = MappingProxyType(
    {
        **{award_id: Question(award_id, AWARD) for award_id in AWARD_IDS},
        **{
            name: Question(name, wording)
            for wordings in (POINTS, BIDDING, MOON, SCORING, WINNING, MONEY, PLAY)
            for name, wording in wordings.items()
        },
    }
)
"""Every option and every award, by name; `low` is who scores Low, and not what Low is worth."""


def word_of(value: object) -> str:
    """Return a value as files and forms write it: yes, no, none, a number, or the option's own word."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def value_of(word: str) -> object:
    """Return a word from a form or a link as a number where it is one; the option decides what it allows."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 10 else word


def possible_answers(ruleset: Ruleset, name: str) -> tuple[str, ...]:
    """Return the answers of an option that do not contradict the rest of a ruleset; numbers are not among them."""
    option = options()[name]
    words = [word for word in QUESTIONS[name].answers if word in option.choices or word not in ("n", "none")]
    return tuple(word for word in words if not contradictions(_answered(ruleset, option, word), {name}))


def _answered(ruleset: Ruleset, option: Option, word: str) -> Ruleset:
    part = getattr(ruleset, option.group)
    return ruleset.changed(**{option.group: part.changed(**{option.name: option.read(value_of(word))})})


def usual_numbers(ruleset: Ruleset, question: Question, *, also: Iterable[object] = ()) -> list[int]:
    """Return usual answers to a question for a number, with the one in force, and `also` others."""
    points = ruleset.points_per_hand
    usual: Sequence[int] = range(1, min(points, 8) + 1) if points <= _LARGE_HAND else range(10, min(points, 70) + 1, 10)
    if question.option == "target":
        is_large = points > _SMALL_HAND
        usual = _LARGEST_TARGETS if points > _LARGE_HAND else _LARGE_TARGETS if is_large else _SMALL_TARGETS
    elif question.is_money:
        usual = _CENTS
    answers = (question.answer(ruleset) or None, *also)
    return sorted({*usual, *(answer for answer in answers if isinstance(answer, int))})


def disputed(ruleset: Ruleset) -> tuple[Question, ...]:
    """Return the questions that a table should settle before the first hand."""
    names = [name for name in DISPUTED if has_end(ruleset) or name not in ("win_rule", "tie_rule")]
    return tuple(QUESTIONS[name] for name in names if len(possible_answers(ruleset, name)) > 1)


def has_end(ruleset: Ruleset) -> bool:
    """Return whether some score or number of hands ends the match, agreed or still to be agreed."""
    winning = ruleset.winning
    return bool(winning.target or winning.count_down_from or winning.hands or "target" in ruleset.to_agree)


def to_agree(ruleset: Ruleset) -> tuple[Question, ...]:
    """Return the questions that the sources leave open and nobody has answered yet."""
    return tuple(QUESTIONS[option] for option in ruleset.open_options)
