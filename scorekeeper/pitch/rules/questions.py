"""The house options as questions in plain words, with their possible answers.

Pages show the questions, and rule sheets state the answers as rules.
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
"""The usual targets of games whose hands have few points, more points, and the most points."""
_MAX_POINTS_OF_SMALL_HAND, _MAX_POINTS_OF_LARGE_HAND = 6, 20
"""The most points in a hand of games with the small usual targets, and of those with the large ones."""
_USUAL_CENTS = (0, 5, 10, 25, 50, 100)
"""The amounts of money that pages offer as answers, in cents."""
DISPUTED_OPTIONS = ("win_rule", "tie_rule", "low", "dealer_steal", "all_pass", "game_tie")
"""The options that families disagree on, in the order in which the form of a new match has them."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the players about a house option, or about how many points an award is worth."""

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
        """Return the current answer: an option's value, an award's points, or `False` for an award not in play."""
        return ruleset.answer(self.option)

    @property
    def answers(self) -> tuple[str, ...]:
        """The possible answers as forms and files have them: "yes", "held"; `n` stands for any number."""
        return tuple(self.wording.answers)

    @property
    def is_money(self) -> bool:
        """Whether the answer is an amount of money, in cents."""
        return self.option in Money.model_fields

    @property
    def is_number(self) -> bool:
        """Whether the answer may be any number in a range; otherwise it is one of a few words."""
        return "n" in self.wording.answers

    def label(self, answer: object, ruleset: Ruleset) -> str:
        """Return the text on the button for an answer: "only on a made bid"."""
        return self._fill_placeholders(self._answer_texts(answer, ruleset)[0], ruleset, answer)

    def sentence(self, answer: object, ruleset: Ruleset) -> str:
        """Return an answer as a sentence of the rule sheet: "A made moon scores 26."."""
        return phrases.capitalize(self._fill_placeholders(self._answer_texts(answer, ruleset)[1], ruleset, answer))

    def term(self, answer: object, ruleset: Ruleset) -> str:
        """Return an answer as the few words above the Start button: "only a made bid wins"; empty if it has none."""
        _, _, *term = self._answer_texts(answer, ruleset)
        return self._fill_placeholders("".join(term), ruleset, answer)

    def rule(self, ruleset: Ruleset) -> str:
        """Return the current answer as a sentence of the rule sheet."""
        return self.sentence(self.answer(ruleset), ruleset)

    def wording_in(self, ruleset: Ruleset) -> Wording:
        """Return the heading, question and answers in the words of these rules, with their placeholders."""
        option = options().get(self.option)
        return option.declaration.wording_under(ruleset, self.wording) if option else self.wording

    def _answer_texts(self, answer: object, ruleset: Ruleset) -> tuple[str, ...]:
        """Return the label, the sentence and, if there is one, the short term of an answer, with placeholders."""
        word, answers = answer_word(answer), self.wording_in(ruleset).answers
        return answers[word if word in answers else "n"]

    def _fill_placeholders(self, text: str, ruleset: Ruleset, answer: object = None) -> str:
        """Return a text with its placeholders filled in for these rules.

        `answer` is the answer that the text is about: it fills `{n}`, `{money}`, `{n_hands}` and `{n_times}`.
        """
        if "{" not in text:
            return text
        text_by_placeholder = dict(phrases.placeholders(ruleset))
        if isinstance(answer, int):
            text_by_placeholder |= {"n": str(answer), "money": phrases.money_text(answer)}
            text_by_placeholder |= {"n_hands": phrases.digits(answer, "hand"), "n_times": phrases.times_word(answer)}
        award_id = self.option
        if award_id in ruleset.awards or award_id in OWN_AWARD_IDS:
            kind = ruleset.kinds.get(award_id)
            card = award_description(kind, ruleset.how_won(award_id)) if kind else "another card"
            text_by_placeholder |= {"award": phrases.award_name(ruleset, award_id), "card": card}
        return text.format_map(text_by_placeholder)


QUESTIONS: Mapping[str, Question] = {
    **{award_id: Question(award_id, AWARD_WORDING) for award_id in AWARD_IDS},
    **{name: Question(name, option.declaration.wording) for name, option in options().items()},
}
"""The question about each option and award, keyed by name. The question under `low` is who scores Low, not what Low is
worth."""


def answer_word(answer: object) -> str:
    """Return an answer as the word for it in forms and files: "yes", "none", "5", "held"."""
    if answer is None:
        return "none"
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return str(answer)


def parse_word(word: str) -> object:
    """Parse a word from a form or a URL.

    Up to nine digits become an `int`. Any other word stays a text.
    """
    return int(word) if word.isascii() and word.isdigit() and len(word) < 10 else word


def possible_answers(ruleset: Ruleset, option_name: str) -> tuple[str, ...]:
    """Return the answers to an option that contradict no other answer, as words. Cached in `ruleset`.

    Of several answers with the same effect, only one is returned. Numbers in a range are left out, and so is "none"
    beside them.
    """
    if option_name not in ruleset.possible_answers_cache:
        option = options()[option_name]
        option_group = getattr(ruleset, option.group)
        words = [word for word in QUESTIONS[option_name].answers if word in option.choices or word not in ("n", "none")]
        answer_by_word = {word: option.parse_answer(parse_word(word)) for word in words}
        ruleset.possible_answers_cache[option_name] = tuple(
            word
            for word, answer in answer_by_word.items()
            if is_offered(ruleset, option_name, answer)
            and not contradictions(
                ruleset.copy_with(**{option.group: option_group.copy_with(**{option_name: answer})}), {option_name}
            )
        )
    return ruleset.possible_answers_cache[option_name]


def usual_numbers(ruleset: Ruleset, question: Question, *, also: Iterable[object] = ()) -> list[int]:
    """Return numbers that pages offer as answers, in ascending order.

    They are the usual ones, the current answer, and the numbers in `also`.
    """
    points = ruleset.points_per_hand
    is_small = points <= _MAX_POINTS_OF_SMALL_HAND
    is_largest = points > _MAX_POINTS_OF_LARGE_HAND
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
    """Return sentences on how answers in `base` differ from `earlier_answers`: "Who wins? Now: …; before: …."."""
    sentences = []
    for name, answer in earlier_answers.items():
        question = QUESTIONS[name]
        label_now = question.label(question.answer(base), base)
        earlier_label = question.label(answer, base)
        sentences.append(f"{question.question_text(base)} Now: {label_now}; before: {earlier_label}.")
    return " ".join(sentences)


def disputed_questions(ruleset: Ruleset) -> tuple[Question, ...]:
    """Return the questions that families disagree on.

    One that has only a single possible answer under these rules is left out.
    """
    # Where nothing ends the match, nobody asks who wins.
    option_names = [name for name in DISPUTED_OPTIONS if has_end(ruleset) or name not in ("win_rule", "tie_rule")]
    return tuple(QUESTIONS[name] for name in option_names if len(possible_answers(ruleset, name)) > 1)


def unanswered_questions(ruleset: Ruleset) -> tuple[Question, ...]:
    """Return the questions that the sources leave to the table and that have no answer yet."""
    return tuple(QUESTIONS[option] for option in ruleset.open_options)


@dataclass(frozen=True, slots=True)
class RuleKey:
    """A key for what a house can answer: an option or, if `is_worth`, the points of an award.

    The name alone is not enough, because `low` is the name of an option and of an award.
    """

    name: str
    is_worth: bool = False

    @classmethod
    def of_answer(cls, name: str, answer: object) -> "RuleKey":
        """Return the key of what an answer is about.

        Under the name `low`, a number, yes or no is about the award. Any other answer is about the option.
        """
        is_low_worth = name == LOW and answer is not None and answer not in options()[LOW].choices
        return cls(name, is_worth=name not in options() or is_low_worth)

    @property
    def limits(self) -> tuple[int, int]:
        """The lowest and the highest number that can be the answer: `(1, 100)`.

        Both are 0 if no number can.
        """
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
        """Return the current answer: an option's value, an award's points, or `False` for an award not in play."""
        return ruleset.worth(self.name) if self.is_worth else ruleset.answer(self.name)

    def current_answer_word(self, ruleset: Ruleset) -> str:
        """Return the current answer as the value of a form field: "yes", "5".

        An award that is not in play has "0". The answer `None` has an empty value.
        """
        if self.is_worth:
            return str(int(ruleset.worth(self.name)))
        current_answer = ruleset.answer(self.name)
        return "" if current_answer is None else answer_word(current_answer)

    def parse_answer(self, word: str) -> object:
        """Parse the value of a form field into an answer.

        Raises `ValueError` with the possible answers in words for any other value.
        """
        if self.is_worth:
            return False if word == "0" else parse_award_answer(parse_word(word))
        return options()[self.name].parse_answer(parse_word(word))


def rule_keys(ruleset: Ruleset) -> Iterator[RuleKey]:
    """Yield the keys of all options, then those of all awards.

    Awards for plain cards of one rank share a key.
    """
    yield from map(RuleKey, options())
    yield from (RuleKey(award_id, is_worth=True) for award_id in ruleset.alike_awards_by_first)


def overriding_answers(base: Ruleset, earlier_answers: Answers, wanted_ruleset: Ruleset) -> dict[str, object]:
    """Return the answers that turn `base` into `wanted_ruleset`, with one for each name in `earlier_answers`.

    The house's earlier answers stay in force unless the house answers them again.
    """
    repeated_answers = {
        name: RuleKey.of_answer(name, answer).current_answer(wanted_ruleset) for name, answer in earlier_answers.items()
    }
    return {**repeated_answers, **minimal_answers(base, wanted_ruleset)}


def answers_needed_beside(ruleset: Ruleset, name: str, answer: object) -> dict[str, object]:
    """Return suggested answers to the options without an answer that need one beside `answer`, keyed by option."""
    needed_answers = options()[name].declaration.needs.get(answer, {}) if name in options() else {}
    return {
        other_option: suggested_answer
        for other_option, suggested_answer in needed_answers.items()
        if not ruleset.answer(other_option)
    }


_NUMBERS_TO_TRY = (1, 2, 3, 4, 5, 6, 7, 10, 12, 15, 20, 21, 26, 42, 52, 100)
"""The numbers that are tried as answers to an option whose answer may be any number."""


@dataclass(frozen=True, slots=True)
class Availability:
    """What else a house could answer to an option or about an award.

    If there is nothing else, it has the reason.
    """

    other_answers: tuple[object, ...] = ()
    """The other possible answers. Of the numbers in a range, there is only one."""
    reason: str = ""
    """The reason why there are no other answers; empty if there are any."""


def rule_availabilities(base: Ruleset, house_answers: Answers) -> Mapping[RuleKey, Availability]:
    """Return what else a house could answer to each option and award, keyed by rule key.

    For a house without answers, the result is cached in `base`.
    """
    if house_answers:
        return _find_availabilities(base, house_answers)
    if not base.rule_availabilities_cache:
        base.rule_availabilities_cache.update(_find_availabilities(base, house_answers))
    return base.rule_availabilities_cache


def _find_availabilities(base: Ruleset, house_answers: Answers) -> dict[RuleKey, Availability]:
    """Return what else a house could answer to each option and award, keyed by rule key. Not cached."""
    ruleset, faults = with_house(base, house_answers)
    moot_reasons = {} if faults else moot_options(ruleset)
    # Faults that the house's answers have already are not reasons against another answer.
    earlier_codes = {fault.code for fault in faults}

    def reason_against(name: str, tried_answer: object) -> str:
        """Return the message of the first fault that an answer would add; empty if it would add none."""
        other_house_answers = {option: answer for option, answer in house_answers.items() if option != name}
        faults = with_house(
            base, {**other_house_answers, **answers_needed_beside(ruleset, name, tried_answer), name: tried_answer}
        )[1]
        return next((fault.message for fault in faults if fault.code not in earlier_codes), "")

    def availability(key: RuleKey) -> Availability:
        if key.name == LOW and isinstance(house_answers.get(LOW), str if key.is_worth else int):
            return Availability(reason=ONE_LOW_ANSWER_MESSAGE)
        if not key.is_worth and (reason := moot_reasons.get(key.name)):
            return Availability(reason=reason)
        is_number = key.is_worth or QUESTIONS[key.name].is_number
        answers: list[object] = []
        reasons_against: list[str] = []
        for answer in _other_worths(base, ruleset, key.name) if key.is_worth else _other_answers(ruleset, key.name):
            # One possible number is enough.
            if is_number and answers and answer not in (None, False):
                continue
            if reason := reason_against(key.name, answer):
                reasons_against.append(reason)
            else:
                answers.append(answer)
        return Availability(tuple(answers), "" if answers else next(iter(reasons_against), ""))

    return {key: availability(key) for key in rule_keys(base)}


def _other_answers(ruleset: Ruleset, option_name: str) -> Iterator[object]:
    """Yield the answers to an option that differ from the current one.

    Of the numbers in a range, only some are yielded.
    """
    option = options()[option_name]
    current_answer = ruleset.answer(option_name)
    lowest, highest = option.lowest or 0, option.highest or 0
    if option.is_flag:
        yield not current_answer
    elif option.choices:
        yield from (
            choice for choice in option.choices if choice != current_answer and is_offered(ruleset, option_name, choice)
        )
    elif not QUESTIONS[option_name].is_number:  # few enough to try each
        yield from (number for number in range(lowest, highest + 1) if number != current_answer)
    else:
        adjacent_numbers = (current_answer - 1, current_answer + 1) if isinstance(current_answer, int) else ()
        yield from (
            number
            for number in (*adjacent_numbers, *_NUMBERS_TO_TRY)
            if number != current_answer and lowest <= number <= highest
        )
        if option.allows_none and current_answer is not None and option_name not in OPTIONS_NEVER_OFFERING_NONE:
            yield None


def _other_worths(base: Ruleset, ruleset: Ruleset, award_id: AwardId) -> Iterator[int]:
    """Yield some other points for an award, and `False` for an award in play that could be switched off."""
    current_worth = ruleset.worth(award_id)
    usual_points = base.awards[award_id].points
    yield from (points for points in dict.fromkeys((usual_points, *AWARD_POINTS_LIMITS)) if points != current_worth)
    if current_worth:
        yield False
