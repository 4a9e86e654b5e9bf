"""The house options as questions in plain words, with their possible answers.

The pages show the questions, and the sheets state the answers as rules.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from scorekeeper.pitch.rules import phrases
from scorekeeper.pitch.rules.awards import AWARD_IDS, OWN_AWARD_IDS, AwardId, award_description
from scorekeeper.pitch.rules.groups.declare import Wording
from scorekeeper.pitch.rules.groups.money import Money
from scorekeeper.pitch.rules.groups.points import AWARD_WORDING
from scorekeeper.pitch.rules.groups.winning import has_end
from scorekeeper.pitch.rules.house_rules import minimal_answers, with_house
from scorekeeper.pitch.rules.options import (
    AWARD_POINTS_LIMITS,
    LOW,
    ONE_LOW_ANSWER_MESSAGE,
    OPTIONS_NEVER_OFFERING_NONE,
    contradictions,
    is_offered,
    moot_options,
    options,
    parse_award_answer,
)
from scorekeeper.pitch.rules.schema import Answers, Ruleset

_USUAL_SMALL_TARGETS, _USUAL_LARGE_TARGETS, _USUAL_LARGEST_TARGETS = (7, 11, 15, 21), (21, 42, 52, 62), (100, 200, 500)
"""The usual targets of games with few points in a hand, with more, and with the most."""
_MAX_POINTS_OF_SMALL_HAND, _MAX_POINTS_OF_LARGE_HAND = 6, 20
"""The most points in a hand of games with small usual targets, and of those with large ones."""
_USUAL_CENTS = (0, 5, 10, 25, 50, 100)
"""The amounts of money that are offered as answers, in cents."""
DISPUTED_OPTIONS = ("win_rule", "tie_rule", "low", "dealer_steal", "all_pass", "game_tie")
"""The options that families disagree on, in their order in the form of a new match."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the players about a house option, or about the points of an award."""

    option: str
    """The name of the option, or the id of the award."""
    wording: Wording

    def title(self, ruleset: Ruleset) -> str:
        """Return the question's short heading: "Lowest bid", "Off Jack"."""
        return phrases.capitalize(self._fill_placeholders(self.wording_in(ruleset).title, ruleset).removeprefix("the "))

    def question_text(self, ruleset: Ruleset) -> str:
        """Return the question with its placeholders filled in: "What is the lowest bid?"."""
        return phrases.capitalize(self._fill_placeholders(self.wording_in(ruleset).question, ruleset))

    def answer(self, ruleset: Ruleset) -> object:
        """Return the current answer: for an award its points, or `False` if it is not in play."""
        return ruleset.answer(self.option)

    @property
    def answers(self) -> tuple[str, ...]:
        """The possible answers as words in forms and files; `n` stands for any number."""
        return tuple(self.wording.answers)

    @property
    def is_money(self) -> bool:
        """Whether the answer is a number of cents."""
        return self.option in Money.model_fields

    @property
    def is_number(self) -> bool:
        """Whether the answer may be any number in a range, instead of one of a few words."""
        return "n" in self.wording.answers

    def label(self, value: object, ruleset: Ruleset) -> str:
        """Return the text on the button for an answer: "only on a made bid"."""
        return self._fill_placeholders(self._answer_texts(value, ruleset)[0], ruleset, value)

    def sentence(self, value: object, ruleset: Ruleset) -> str:
        """Return an answer as a capitalized sentence for the rule sheet: "A made moon scores 26."."""
        return phrases.capitalize(self._fill_placeholders(self._answer_texts(value, ruleset)[1], ruleset, value))

    def term(self, value: object, ruleset: Ruleset) -> str:
        """Return an answer in the few words above the Start button: "only a made bid wins". Empty if it has none."""
        _, _, *term = self._answer_texts(value, ruleset)
        return self._fill_placeholders("".join(term), ruleset, value)

    def rule(self, ruleset: Ruleset) -> str:
        """Return the current answer as a sentence for the rule sheet."""
        return self.sentence(self.answer(ruleset), ruleset)

    def wording_in(self, ruleset: Ruleset) -> Wording:
        """Return the heading, question and answers as worded for these rules, with placeholders not filled in."""
        option = options().get(self.option)
        return option.declaration.wording_under(ruleset, self.wording) if option else self.wording

    def _answer_texts(self, value: object, ruleset: Ruleset) -> tuple[str, ...]:
        """Return an answer's label, sentence and perhaps short term, with placeholders not filled in."""
        word, answers = answer_word(value), self.wording_in(ruleset).answers
        return answers[word if word in answers else "n"]

    def _fill_placeholders(self, text: str, ruleset: Ruleset, value: object = None) -> str:
        """Return a text with its placeholders filled in for these rules; `value` fills `{n}` and the like."""
        if "{" not in text:
            return text
        words = dict(phrases.placeholders(ruleset))
        if isinstance(value, int):
            words |= {"n": str(value), "money": phrases.money_text(value)}
            words |= {"n_hands": phrases.digits(value, "hand"), "n_times": phrases.times_word(value)}
        award = self.option
        if award in ruleset.awards or award in OWN_AWARD_IDS:
            kind = ruleset.kinds.get(award)
            card = award_description(kind, ruleset.how_won(award)) if kind else "another card"
            words |= {"award": phrases.award_name(ruleset, award), "card": card}
        return text.format_map(words)


QUESTIONS: Mapping[str, Question] = {
    **{award_id: Question(award_id, AWARD_WORDING) for award_id in AWARD_IDS},
    **{name: Question(name, option.declaration.wording) for name, option in options().items()},
}
"""The question about each option and award, by name; `low` asks who scores Low, not what it is worth."""


def answer_word(value: object) -> str:
    """Return an answer as a word in forms and files: yes, no, none, a number, or a word of the option."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def parse_word(word: str) -> object:
    """Parse a word from a form or a URL: up to nine digits become an `int`, any other word stays a text."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 10 else word


def possible_answers(ruleset: Ruleset, name: str) -> tuple[str, ...]:
    """Return the answers to an option that contradict no other answer, as words. Cached in `ruleset`.

    Of several with the same effect there is only one. Numbers in a range are left out, and so is "none" for no number.
    """
    if name not in ruleset.possible_answers_cache:
        option = options()[name]
        part = getattr(ruleset, option.group)
        words = [word for word in QUESTIONS[name].answers if word in option.choices or word not in ("n", "none")]
        answers = {word: option.parse_answer(parse_word(word)) for word in words}
        ruleset.possible_answers_cache[name] = tuple(
            word
            for word, answer in answers.items()
            if is_offered(ruleset, name, answer)
            and not contradictions(ruleset.copy_with(**{option.group: part.copy_with(**{name: answer})}), {name})
        )
    return ruleset.possible_answers_cache[name]


def usual_numbers(ruleset: Ruleset, question: Question, *, also: Iterable[object] = ()) -> list[int]:
    """Return sorted numbers to offer as answers: the usual ones, the current one, and any numbers in `also`."""
    points = ruleset.points_per_hand
    is_small, is_largest = points <= _MAX_POINTS_OF_SMALL_HAND, points > _MAX_POINTS_OF_LARGE_HAND
    usual: Iterable[object] = range(10, min(points, 70) + 1, 10) if is_largest else range(1, min(points, 8) + 1)
    if question.option == "target":
        usual = _USUAL_LARGEST_TARGETS if is_largest else _USUAL_SMALL_TARGETS if is_small else _USUAL_LARGE_TARGETS
        if is_largest:
            usual = ruleset.sheet.offers.get("target") or usual
    elif question.is_money:
        usual = _USUAL_CENTS
    answers = (*usual, question.answer(ruleset) or None, *also)
    return sorted({answer for answer in answers if isinstance(answer, int)})


def answer_change_sentences(base: Ruleset, earlier_answers: Answers) -> str:
    """Return sentences on how answers in `base` differ from earlier ones: "Who wins? Now: …; before: …"."""
    sentences = []
    for name, answer in earlier_answers.items():
        question = QUESTIONS[name]
        now, earlier = question.label(question.answer(base), base), question.label(answer, base)
        sentences.append(f"{question.question_text(base)} Now: {now}; before: {earlier}.")
    return " ".join(sentences)


def disputed_questions(ruleset: Ruleset) -> tuple[Question, ...]:
    """Return the questions that families disagree on, without those that have only one possible answer here."""
    # Where nothing ends the match, nobody asks who wins.
    names = [name for name in DISPUTED_OPTIONS if has_end(ruleset) or name not in ("win_rule", "tie_rule")]
    return tuple(QUESTIONS[name] for name in names if len(possible_answers(ruleset, name)) > 1)


def unanswered_questions(ruleset: Ruleset) -> tuple[Question, ...]:
    """Return the questions that the sources leave open and that have no answer yet."""
    return tuple(QUESTIONS[option] for option in ruleset.open_options)


@dataclass(frozen=True, slots=True)
class RuleKey:
    """A key for what a house can answer: an option, or the points of an award (`is_worth`).

    The name alone is not enough, because `low` is the name of an option and of an award.
    """

    name: str
    is_worth: bool = False

    @classmethod
    def of_answer(cls, name: str, answer: object) -> "RuleKey":
        """Return the key that an answer is for.

        For `low`, points, yes and no are for the award, and all other answers are for the option.
        """
        is_low_worth = name == LOW and answer is not None and answer not in options()[LOW].choices
        return cls(name, is_worth=name not in options() or is_low_worth)

    @property
    def limits(self) -> tuple[int, int]:
        """The lowest and the highest number that can be the answer; 0 and 0 if no number can."""
        if self.is_worth:
            return 0, AWARD_POINTS_LIMITS[1]
        option = options()[self.name]
        return option.lowest or 0, option.highest or 0

    @property
    def allowed_text(self) -> str:
        """The possible answers in words: "a number from 0 to 60", "yes or no"."""
        return "a number from {} to {}".format(*self.limits) if self.is_worth else options()[self.name].allowed_text

    @property
    def allows_none(self) -> bool:
        """Whether pages offer "none" as an answer."""
        return not self.is_worth and options()[self.name].allows_none and self.name not in OPTIONS_NEVER_OFFERING_NONE

    def current_answer(self, ruleset: Ruleset) -> object:
        """Return the current answer: for an award its points, or `False` if it is not in play."""
        return ruleset.worth(self.name) if self.is_worth else ruleset.answer(self.name)

    def current_answer_word(self, ruleset: Ruleset) -> str:
        """Return the current answer as the value of a form field: "0" for an award not in play, empty for none."""
        if self.is_worth:
            return str(int(ruleset.worth(self.name)))
        answer = ruleset.answer(self.name)
        return "" if answer is None else answer_word(answer)

    def parse_answer(self, word: str) -> object:
        """Parse the value of a form field into an answer; raises `ValueError` with what is allowed."""
        if self.is_worth:
            return False if word == "0" else parse_award_answer(parse_word(word))
        return options()[self.name].parse_answer(parse_word(word))


def rule_keys(ruleset: Ruleset) -> Iterator[RuleKey]:
    """Yield the keys of all options, then of all awards; awards for plain cards of one rank share a key."""
    yield from map(RuleKey, options())
    yield from (RuleKey(award_id, is_worth=True) for award_id in ruleset.alike_awards)


def overriding_answers(base: Ruleset, earlier: Answers, wanted: Ruleset) -> dict[str, object]:
    """Return the answers that turn `base` into `wanted`, including one for each name in `earlier`.

    `earlier` are a house's answers that stay in force unless it answers them again.
    """
    again = {name: RuleKey.of_answer(name, answer).current_answer(wanted) for name, answer in earlier.items()}
    return {**again, **minimal_answers(base, wanted)}


def answers_needed_beside(ruleset: Ruleset, name: str, answer: object) -> dict[str, object]:
    """Return suggested answers to the options that `answer` needs answered and that have no answer yet."""
    needs = options()[name].declaration.needs.get(answer, {}) if name in options() else {}
    return {other: value for other, value in needs.items() if not ruleset.answer(other)}


_NUMBERS_TO_TRY = (1, 2, 3, 4, 5, 6, 7, 10, 12, 15, 20, 21, 26, 42, 52, 100)
"""The numbers that are tried as answers where the answer may be any number."""


@dataclass(frozen=True, slots=True)
class Availability:
    """The other possible answers to an option or about an award, or the reason why there are none."""

    other_answers: tuple[object, ...] = ()
    """All other possible answers; of numbers in a range only one."""
    reason: str = ""
    """The reason why there are no other answers; empty if there are any."""


def rule_availabilities(base: Ruleset, stated: Answers) -> Mapping[RuleKey, Availability]:
    """Return what else a house could answer to each option and award, or why it has no choice.

    Cached in `base` for a house without answers.
    """
    if stated:
        return _find_availabilities(base, stated)
    if not base.rule_availabilities_cache:
        base.rule_availabilities_cache.update(_find_availabilities(base, stated))
    return base.rule_availabilities_cache


def _find_availabilities(base: Ruleset, stated: Answers) -> dict[RuleKey, Availability]:
    """Return what `rule_availabilities` returns, without a cache."""
    present, faults = with_house(base, stated)
    moot = {} if faults else moot_options(present)
    # Faults that the house's answers have already are not reasons against another answer.
    earlier_codes = {fault.code for fault in faults}

    def reason_against(name: str, value: object) -> str:
        """Return the message of the first fault that this answer adds; empty where it adds none."""
        others = {option: answer for option, answer in stated.items() if option != name}
        faults = with_house(base, {**others, **answers_needed_beside(present, name, value), name: value})[1]
        return next((fault.message for fault in faults if fault.code not in earlier_codes), "")

    def availability(key: RuleKey) -> Availability:
        if key.name == LOW and isinstance(stated.get(LOW), str if key.is_worth else int):
            return Availability(reason=ONE_LOW_ANSWER_MESSAGE)
        if not key.is_worth and (reason := moot.get(key.name)):
            return Availability(reason=reason)
        is_number = key.is_worth or QUESTIONS[key.name].is_number
        answers: list[object] = []
        reasons: list[str] = []
        for value in _other_worths(base, present, key.name) if key.is_worth else _other_answers(present, key.name):
            # One possible number is enough.
            if is_number and answers and value not in (None, False):
                continue
            if reason := reason_against(key.name, value):
                reasons.append(reason)
            else:
                answers.append(value)
        return Availability(tuple(answers), "" if answers else next(iter(reasons), ""))

    return {key: availability(key) for key in rule_keys(base)}


def _other_answers(ruleset: Ruleset, name: str) -> Iterator[object]:
    """Yield the answers to an option other than the current one; of numbers in a range only some."""
    option, current = options()[name], ruleset.answer(name)
    lowest, highest = option.lowest or 0, option.highest or 0
    if option.is_flag:
        yield not current
    elif option.choices:
        yield from (choice for choice in option.choices if choice != current and is_offered(ruleset, name, choice))
    elif not QUESTIONS[name].is_number:  # few enough to try each
        yield from (number for number in range(lowest, highest + 1) if number != current)
    else:
        near = (current - 1, current + 1) if isinstance(current, int) else ()
        yield from (number for number in (*near, *_NUMBERS_TO_TRY) if number != current and lowest <= number <= highest)
        if option.allows_none and current is not None and name not in OPTIONS_NEVER_OFFERING_NONE:
            yield None


def _other_worths(base: Ruleset, ruleset: Ruleset, award_id: AwardId) -> Iterator[int]:
    """Yield some other points for an award, and `False` (off) if it is in play."""
    current = ruleset.worth(award_id)
    usual = base.awards[award_id].points
    yield from (points for points in dict.fromkeys((usual, *AWARD_POINTS_LIMITS)) if points != current)
    if current:
        yield False
