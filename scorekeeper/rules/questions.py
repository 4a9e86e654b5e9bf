"""Every house option as a question in plain words, for the pages that ask and the sheets that tell."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from scorekeeper.rules import words
from scorekeeper.rules.answers import AWARD, AWARDS, WORDINGS, Wording
from scorekeeper.rules.checks import contradictions
from scorekeeper.rules.options import options
from scorekeeper.rules.schema import Ruleset

DISPUTED = ("win_rule", "tie_rule", "low", "dealer_steal", "all_pass", "game_tie")
"""The rules that families fight over, in the order in which they are asked before a match."""


@dataclass(frozen=True, slots=True)
class Question:
    """One house option as the table is asked it; group `awards` where the option is an award."""

    option: str
    group: str
    wording: Wording

    def title(self, ruleset: Ruleset) -> str:
        """Give a short heading: "Lowest bid", "Off Jack"."""
        return words.sentence(self._filled(self.wording.title, ruleset).removeprefix("the "))

    def ask(self, ruleset: Ruleset) -> str:
        """Ask the question: "What is the lowest bid?"."""
        return words.sentence(self._filled(self.wording.ask, ruleset))

    def answer(self, ruleset: Ruleset) -> Any:
        """Give the answer in force; an award's is its points, or `False`."""
        if self.group == "awards":
            award = ruleset.awards.get(self.option)
            return award.points if award and self.option in ruleset.in_play else False
        return getattr(getattr(ruleset, self.group), self.option)

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers as forms send them; `n` where any number is one."""
        return tuple(self.wording.answers)

    @property
    def is_number(self) -> bool:
        """Whether a number is to be given, rather than one of a few answers."""
        return "n" in self.wording.answers

    def label(self, value: object, ruleset: Ruleset) -> str:
        """Give the few words on the answer's button: "only on a made bid"."""
        return self._filled(self._answer(value)[0], ruleset, value)

    def sentence(self, value: object, ruleset: Ruleset) -> str:
        """Tell the answer as a rule: "A made moon scores 26."."""
        return words.sentence(self._filled(self._answer(value)[1], ruleset, value))

    def _answer(self, value: object) -> tuple[str, str]:
        word = word_of(value)
        return self.wording.answers[word if word in self.wording.answers else "n"]

    def _filled(self, text: str, ruleset: Ruleset, value: object = None) -> str:
        known = dict(words.phrases(ruleset))
        if isinstance(value, int):
            known |= {"n": str(value), "money": words.money(value)}
        if award := ruleset.awards.get(self.option):
            known |= {
                "award": words.award_name(ruleset, self.option),
                "card": words.award_card(self.option, award),
            }
        return text.format_map(known)


QUESTIONS: Mapping[str, Question] = MappingProxyType(
    {
        **{award_id: Question(award_id, "awards", AWARD) for award_id in AWARDS},
        **{
            name: Question(name, group, wording)
            for group, wordings in WORDINGS.items()
            for name, wording in wordings.items()
        },
    }
)
"""Every option and every award, by name; `low` is who scores Low, not whether there is a point for it."""


def word_of(value: object) -> str:
    """Write a value as files and forms do: yes, no, none, a number, or the option's own word."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def value_of(word: str) -> object:
    """Read a word from a form or a link; what it may be is for the option to say."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 10 else word


def possible_answers(ruleset: Ruleset, option: str) -> tuple[str, ...]:
    """Give the answers that can stand beside all the others of this ruleset; for an option with a few answers."""
    choices = options()[option].choices
    offered = [word for word in QUESTIONS[option].answers if word in choices or word not in ("n", "none")]
    return tuple(word for word in offered if not contradictions(_answered(ruleset, option, word), {option}))


def _answered(ruleset: Ruleset, option: str, word: str) -> Ruleset:
    group = QUESTIONS[option].group
    value = options()[option].read(value_of(word))
    return ruleset.changed(**{group: getattr(ruleset, group).changed(**{option: value})})


def disputed(ruleset: Ruleset) -> tuple[Question, ...]:
    """Give the questions that this table had better settle before the first card."""
    return tuple(QUESTIONS[option] for option in DISPUTED if _applies(ruleset, option))


def _applies(ruleset: Ruleset, option: str) -> bool:
    if option in ("win_rule", "tie_rule") and not has_end(ruleset):
        return False
    return len(possible_answers(ruleset, option)) > 1


def has_end(ruleset: Ruleset) -> bool:
    """Whether some score or number of hands ends the match, agreed or still to be agreed."""
    winning = ruleset.winning
    return bool(winning.target or winning.count_down_from or winning.hands or "target" in ruleset.to_agree)


def to_agree(ruleset: Ruleset) -> tuple[Question, ...]:
    """Give the questions that the sources leave open and nobody has answered yet."""
    return tuple(QUESTIONS[option] for option in ruleset.open_options)


def sentences_of(ruleset: Ruleset, house: Mapping[str, Any]) -> tuple[str, ...]:
    """Tell each house answer as a rule, under the rules that follow from them all."""
    return tuple(QUESTIONS[option].sentence(value, ruleset) for option, value in house.items())
