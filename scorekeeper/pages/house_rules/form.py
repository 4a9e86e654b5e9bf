"""The form of the editor of house rules: its input, the rules that result, and its questions."""

import hashlib
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

from scorekeeper.pitch.rules import phrases
from scorekeeper.pitch.rules.awards import OWN_AWARD_IDS, AwardId, award_description, parse_trump, trump_name
from scorekeeper.pitch.rules.entered_text import fields_with_prefix, is_printable, is_visible, normalize_spaces
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.house_rules import (
    MAX_RULES_NAME_LENGTH,
    HouseRules,
    differing_answers,
    forced_set_faults,
    with_house,
    without_moot_answers,
)
from scorekeeper.pitch.rules.options import (
    AWARD_POINTS_LIMITS,
    LOW,
    MAX_OWN_AWARD_NAME_LENGTH,
    ONE_LOW_ANSWER_MESSAGE,
    OWN_AWARD_CARDS,
    options,
    parse_own_award,
    without_article,
)
from scorekeeper.pitch.rules.questions import (
    DISPUTED_OPTIONS,
    QUESTIONS,
    Availability,
    Question,
    RuleKey,
    answer_word,
    parse_word,
    rule_availabilities,
    rule_keys,
)
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.web.widgets import Choice, QuestionView


@dataclass(frozen=True)
class OwnPoint:
    """An award that the house rules invent, as the texts of its form fields."""

    award_id: AwardId
    name: str = ""
    card: str = ""
    won: str = "captured"
    """The word for who scores the point: one of the answers to the option `low`."""
    points: str = "1"

    @classmethod
    def from_posted(cls, award_id: AwardId, posted: Mapping[str, str]) -> "OwnPoint":
        """Return the point in the posted form fields of this award."""
        typed = {field: normalize_spaces(posted.get(f"{award_id}-{field}", "")) for field in _POINT_FIELDS}
        return cls(award_id, **typed | {"name": without_article(typed["name"])})

    @classmethod
    def from_answer(cls, award_id: AwardId, answer: object) -> "OwnPoint":
        """Return the point that a stored answer defines; an empty point if it defines none."""
        with suppress(ValueError):
            if award := parse_own_award(answer):
                return cls(award_id, award.name, award.card, award.won, str(award.points))
        return cls(award_id)

    @property
    def answer(self) -> str | None:
        """The answer that stores this point; `None` if the point is empty, incomplete or invalid."""
        if not self.name or any(self.faults(must_be_complete=True)):
            return None
        return f"{int(self.points)} {self.won} {self.card}: {self.name}"

    @property
    def fields(self) -> dict[str, str]:
        """The text of each form field of the point, by the field's name with the award's id."""
        return {f"{self.award_id}-{field}": getattr(self, field) for field in _POINT_FIELDS}

    def faults(self, *, must_be_complete: bool) -> Iterator[Fault]:
        """Yield the faults of the point; none if it is empty.

        With `must_be_complete`, it needs a name and a card.
        """
        if not (self.name or self.card):
            return
        name, card, won, points = self.fields
        if not is_visible(self.name):
            if must_be_complete:
                yield Fault(name, "bad_name", "Give this point a name, or clear its card.")
        elif len(self.name) > MAX_OWN_AWARD_NAME_LENGTH:
            yield Fault(name, "too_long", f"The name has {len(self.name)} letters; {MAX_OWN_AWARD_NAME_LENGTH} fit.")
        elif not is_printable(self.name):
            yield Fault(name, "unprintable", "There are characters in the name that cannot be shown.")
        if self.card not in OWN_AWARD_CARDS and (self.card or must_be_complete):
            yield Fault(card, "unknown_card", "Choose the card that scores it.")
        if self.won not in options()[LOW].choices:
            yield Fault(won, "bad_value", "Choose who scores it.")
        lowest, highest = AWARD_POINTS_LIMITS
        worth = parse_word(self.points)
        if not (isinstance(worth, int) and lowest <= worth <= highest):
            yield Fault(points, "bad_value", f"Its points are a number from {lowest} to {highest}.")

    def card_choices(self, base: Ruleset) -> tuple[Choice, ...]:
        """Return the cards to choose from: each rank of the deck in trumps, and in the other suit of the same color.

        The first choice is no card. A card that is chosen already stays among them.
        """
        ranks = base.cards.deck_ranks
        cards = [card for card in OWN_AWARD_CARDS if card.removeprefix("off ") in ranks or card == self.card]
        labels = {card: trump_name(parse_trump(card)).removeprefix("the ") for card in cards}
        return tuple(
            Choice(value=card, label=label, is_chosen=card == self.card) for card, label in ({"": "–"} | labels).items()
        )

    def won_choices(self, base: Ruleset) -> tuple[Choice, ...]:
        """Return the choices of who scores the point: the same as for Low."""
        winners, question = options()[LOW].choices, QUESTIONS[LOW]
        return tuple(Choice(value=won, label=question.label(won, base), is_chosen=won == self.won) for won in winners)


_POINT_FIELDS = ("name", "card", "won", "points")
"""The names of a point's form fields, without the award's id in front of them."""


def read_own_points(posted: Mapping[str, str], earlier_answers: Container[str]) -> tuple[OwnPoint, ...]:
    """Return the posted points; one with an earlier answer is emptied by its undo button, or by clearing its name."""
    points = []
    for award_id in OWN_AWARD_IDS:
        if f"{award_id}-name" in posted:
            point = OwnPoint.from_posted(award_id, posted)
            is_emptied = posted.get("undo") == award_id or (award_id in earlier_answers and not point.name)
            points.append(OwnPoint(award_id) if is_emptied else point)
    return tuple(points)


def points_of_answers(answers: Mapping[str, object]) -> tuple[OwnPoint, ...]:
    """Return the points that stored answers define, and one empty point if there is room for another."""
    free_id = next((award_id for award_id in OWN_AWARD_IDS if award_id not in answers), None)
    award_ids = (award_id for award_id in OWN_AWARD_IDS if award_id in answers or award_id == free_id)
    return tuple(OwnPoint.from_answer(award_id, answers.get(award_id)) for award_id in award_ids)


OPTION_PREFIX, WORTH_PREFIX, ANSWER_PREFIX = "rule-", "worth-", "said-"
"""Prefixes of the form fields: of an option's answer, of an award's points, and, hidden, of an earlier answer."""
NAME_FIELD, NOTES_FIELD = "name", "notes"
"""The form fields for the name of the rules and for their notes."""
_MAX_QUOTED_LENGTH = 20
"""The most characters of an invalid text that the message about it quotes."""
_LOW_OPTION, _LOW_WORTH = RuleKey(LOW), RuleKey(LOW, is_worth=True)
"""The keys of the questions who scores Low, and how many points Low is worth."""
_SECTIONS: Sequence[tuple[str, str, tuple[str, ...]]] = (
    ("points", "Points", ("points",)),
    ("bidding", "Bidding", ("bidding",)),
    ("moon", "The moon", ("moon",)),
    ("winning", "Winning", ("scoring", "winning")),
    ("play", "The deal and play", ("play",)),
    ("money", "Money", ("money",)),
)
"""The sections of the editor, each with its id, its heading, and the groups of options in it."""
DISPUTED_GROUP_ID, MAX_DISPUTED_QUESTIONS = "argued", 6
"""The id of the section for the most disputed questions, and the highest number of questions in it."""
MAX_FEW_ANSWERS = 5
"""The highest number of answers that is few: of the disputed questions, those with few answers come first."""
_AWARDS_SECTION_ID = "points"
"""The id of the section that also asks for the points of awards."""
_CENTS_STEP = 5
"""The number of cents by which a step button changes an amount of money."""
_FIELDS_OF_FAULTS = {"same_name": "name", "too_many_points": "points"}
"""The form field of an `OwnPoint` that a fault is about, by the fault's code; by default the card."""


def field_name(key: RuleKey) -> str:
    """Return the name of the form field for an option's answer or an award's points."""
    return f"{WORTH_PREFIX if key.is_worth else OPTION_PREFIX}{key.name}"


@dataclass(frozen=True)
class RulesForm:
    """The input of the editor of house rules so far."""

    base: Ruleset
    """The rules that the answers change: those of a published game or, on the pages of a match, of that match."""
    answers: Mapping[str, object] = field(default_factory=dict)
    """The valid answers so far, by option or award."""
    invalid_texts: Mapping[RuleKey, str] = field(default_factory=dict)
    """The typed texts that are invalid as answers, by the key of the rule."""
    name: str = ""
    notes: tuple[str, ...] = ()
    has_two_answers_for_low: bool = False
    """Whether the two questions on Low were answered at once, though rules can have only one of the answers."""
    is_to_save: bool = False
    """Whether the save button was tapped; else the form is shown again."""
    is_to_play: bool = False
    """Whether to start a match by these rules after they are saved."""
    reset_fields: frozenset[str] = frozenset()
    """The form fields in which this post changed the answer back to that of `base`."""
    typed_points: tuple[OwnPoint, ...] = ()
    """The awards that the house rules invent, as posted."""

    @cached_property
    def _rules_and_faults(self) -> tuple[Ruleset, list[Fault]]:
        """The rules that result from the answers, and a fault for each contradiction between answers."""
        return with_house(self.base, self.answers)

    @property
    def ruleset(self) -> Ruleset:
        """The rules that result from the answers; invalid if answers contradict each other."""
        return self._rules_and_faults[0]

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """The faults in everything entered, each with its form field."""
        ruleset, found = self._rules_and_faults
        faults = [replace(fault, field=self._field_of(fault)) for fault in found + forced_set_faults(ruleset)]
        for key, word in self.invalid_texts.items():
            quoted = word if len(word) <= _MAX_QUOTED_LENGTH else f"{word[: _MAX_QUOTED_LENGTH - 1]}…"
            message = f"“{quoted}” is not an answer here. Enter {key.allowed_text}."
            faults.append(Fault(field_name(key), "bad_value", message))
        if self.has_two_answers_for_low:
            faults.append(Fault(field_name(_LOW_WORTH), "one_answer", ONE_LOW_ANSWER_MESSAGE))
        for point in self.typed_points:
            faults += point.faults(must_be_complete=self.is_to_save)
        return tuple(faults)

    def _field_of(self, fault: Fault) -> str:
        """Return the form field in which to correct a fault in the answers."""
        answer = self.answers.get(fault.field)
        if fault.field in OWN_AWARD_IDS and isinstance(answer, str):
            return f"{fault.field}-{_FIELDS_OF_FAULTS.get(fault.code, 'card')}"
        return field_name(RuleKey.of_answer(fault.field, answer))

    @cached_property
    def own_points(self) -> tuple[OwnPoint, ...]:
        """The awards that the house rules invent: as posted, or if none were, those in the answers and an empty one."""
        return self.typed_points or points_of_answers(self.answers)

    def field_text(self, key: RuleKey) -> str:
        """Return the text for the form field of a rule: the typed text if it is invalid, else the current answer."""
        return self.invalid_texts.get(key) or key.current_answer_word(self.ruleset)

    @cached_property
    def availabilities(self) -> Mapping[RuleKey, Availability]:
        """The answers that each rule can change to, given all other answers, or why it cannot change."""
        return rule_availabilities(self.base, self.answers)

    @cached_property
    def availabilities_in_base(self) -> Mapping[RuleKey, Availability]:
        """The answers that each rule can change to without any other answer, or why it cannot change."""
        return rule_availabilities(self.base, {}) if self.answers else self.availabilities

    @property
    def house_rules(self) -> HouseRules:
        """The house rules to save."""
        return HouseRules(self.name, self.base.id, dict(self.answers), self.notes)


def merge_forms(mine: RulesForm, opened: RulesForm, theirs: RulesForm) -> RulesForm:
    """Return the form `theirs`, which others saved first, with the changes that turned `opened` into `mine`.

    `opened` is the form before both changed it. Own points of both are kept if there is room.
    """
    changed = differing_answers(opened.ruleset, mine.ruleset)
    free_ids = [award_id for award_id in OWN_AWARD_IDS if award_id not in {**theirs.answers, **changed}]
    for award_id in [award_id for award_id in OWN_AWARD_IDS if award_id in changed and award_id not in opened.answers]:
        if free_ids and theirs.answers.get(award_id, changed[award_id]) != changed[award_id]:
            changed[free_ids.pop(0)] = changed.pop(award_id)
    answers = {**theirs.answers, **changed}
    notes = mine.notes
    if theirs.notes != opened.notes:
        their_notes = [note for note in theirs.notes if note in mine.notes or note not in opened.notes]
        notes = (*their_notes, *(note for note in mine.notes if note not in (*opened.notes, *their_notes)))
    return replace(
        mine,
        base=theirs.base,
        answers=_without_needless_answers(theirs.base, answers),
        name=theirs.name if mine.name == opened.name else mine.name,
        notes=notes,
        typed_points=(),
    )


def read_form(base: Ruleset, posted: Mapping[str, str], *, is_of_match: bool = False) -> RulesForm:
    """Parse the posted form of the editor: the earlier answers, changed as posted.

    Rules to save without a name get the name of the game: "Our …". With `is_of_match`, own points are ignored, as a
    match can't add any.
    """
    shown_form = RulesForm(base, _earlier_answers(base, posted))
    typed = {
        key: word
        for key, word in _typed_words(base, posted).items()
        if word != key.current_answer_word(shown_form.ruleset)
    }
    has_two_answers_for_low = typed.keys() >= {_LOW_OPTION, _LOW_WORTH}
    if has_two_answers_for_low:
        del typed[_LOW_WORTH]
    answers, invalid_texts = dict(shown_form.answers), {}
    for key, word in typed.items():
        if not word and not key.allows_none:
            answers.pop(key.name, None)
            continue
        try:
            answer = key.parse_answer(word or "none")
        except ValueError:
            invalid_texts[key] = word
        else:
            answers.pop(key.name, None)  # the newest answer goes to the end
            answers[key.name] = answer
    answers.pop(posted.get("undo", ""), None)
    points = () if is_of_match else read_own_points(posted, answers)
    for point in points:
        answers.pop(point.award_id, None)
        if point.answer:
            answers[point.award_id] = point.answer
    is_to_play = posted.get("do") == "play"
    is_to_save = is_to_play or posted.get("do") == "save"
    return RulesForm(
        base,
        _without_needless_answers(base, answers),
        invalid_texts,
        name=normalize_spaces(posted.get(NAME_FIELD, ""))
        or (f"Our {base.name}"[:MAX_RULES_NAME_LENGTH] if is_to_save else ""),
        notes=tuple(filter(None, map(normalize_spaces, posted.get(NOTES_FIELD, "").splitlines()))),
        has_two_answers_for_low=has_two_answers_for_low,
        is_to_save=is_to_save,
        is_to_play=is_to_play,
        reset_fields=frozenset(field_name(key) for key, word in typed.items() if word == key.current_answer_word(base)),
        typed_points=points,
    )


def _earlier_answers(base: Ruleset, posted: Mapping[str, str]) -> dict[str, object]:
    """Return the valid answers in the hidden form fields, which are the answers given before this post."""
    answers: dict[str, object] = {}
    for rule, word in fields_with_prefix(posted, ANSWER_PREFIX).items():
        if rule in OWN_AWARD_IDS and rule not in base.awards:
            answers |= {rule: point.answer} if (point := OwnPoint.from_answer(rule, word)).answer else {}
        elif rule in options() or rule in base.awards:
            with suppress(ValueError):
                answers[rule] = RuleKey.of_answer(rule, word).parse_answer(word)
    return answers


def _typed_words(base: Ruleset, posted: Mapping[str, str]) -> dict[RuleKey, str]:
    """Return the posted text of each rule's form field.

    A step button changes the number in its field, within the limits of the rule.
    """
    keys = {field_name(key): key for key in rule_keys(base)}
    typed = {keys[name]: word.strip() for name, word in posted.items() if name in keys}
    name, _, step = posted.get("step", "").rpartition(":")
    key = keys.get(name)
    if key in typed and re.fullmatch(r"-?[0-9]{1,3}", step):
        number, (lowest, highest) = parse_word(typed[key]), key.limits
        wanted = (number if isinstance(number, int) else 0) + int(step)
        typed[key] = str(min(max(wanted, lowest), highest))
    return typed


def _without_needless_answers(base: Ruleset, answers: Mapping[str, object]) -> dict[str, object]:
    """Return the answers without those that have no effect, such as one that another answer implies."""
    needed = without_moot_answers(base, answers)
    for name in (*needed,):
        rest = {other: answer for other, answer in needed.items() if other != name}
        if with_house(base, rest)[0] == with_house(base, needed)[0]:
            needed = rest
    return needed


# ---------- the questions: every rule that can be answered otherwise, and why the others cannot ----------


@dataclass(frozen=True, kw_only=True)
class NumberView:
    """A form field for a number, with buttons that raise and lower it."""

    field: str
    label: str
    value: str
    lowest: int
    highest: int
    note: str
    """The description of the award, or the question, with its unit and the meaning of an empty field."""
    placeholder: str
    """A dash for a field that may stay empty; else empty."""
    step: int
    """The amount by which a button changes the number."""
    fault: str


@dataclass(frozen=True, kw_only=True)
class QuestionGroup:
    """A section of the editor with related questions."""

    group_id: str
    heading: str
    items: tuple[QuestionView | NumberView, ...]
    seldom: tuple[NumberView, ...]
    """The fields for points of awards that score neither now nor without the form's answers; shown last."""
    closed: tuple[str, ...]
    """A sentence for each reason that closes questions, with the titles of these questions: "Dirty: …"."""

    @property
    def every_item(self) -> tuple[QuestionView | NumberView, ...]:
        """All questions of the section, the seldom ones last."""
        return (*self.items, *self.seldom)

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the form fields of all questions."""
        return tuple(item.field for item in self.every_item)

    @property
    def has_fault(self) -> bool:
        """Whether any question has a fault."""
        return any(item.fault for item in self.every_item)


def question_groups(
    form: RulesForm, messages: Mapping[str, str], *, fixed: Sequence[str] = ()
) -> tuple[QuestionGroup, ...]:
    """Return the sections of the editor that have something to show, the disputed questions first.

    `messages` are those of faults, by form field; `fixed` are options that cannot be changed, which have no question.
    """
    groups = []
    for group_id, heading, option_groups in _SECTIONS:
        names = [name for group in option_groups for name, option in options().items() if option.group == group]
        keys = [RuleKey(name) for name in names if name not in fixed]
        if group_id == _AWARDS_SECTION_ID:
            keys += [RuleKey(award_id, is_worth=True) for award_id in form.base.alike_awards_by_first]
        groups.append(_question_group(form, messages, group_id, heading, keys))
    return _add_disputed_group(form.base, [group for group in groups if group.items or group.seldom or group.closed])


def _add_disputed_group(base: Ruleset, groups: Sequence[QuestionGroup]) -> tuple[QuestionGroup, ...]:
    """Return the sections with a new first one, into which the most disputed questions of the game are moved.

    In it, questions with more than `MAX_FEW_ANSWERS` choices come last.
    """
    names = dict.fromkeys((*base.sheet.argued, "target", *DISPUTED_OPTIONS, "jokers"))
    items = {item.field: item for group in groups for item in group.items}
    fields = (field_name(RuleKey(name, is_worth=name not in options())) for name in names)
    disputed = [items[name] for name in fields if name in items][:MAX_DISPUTED_QUESTIONS]
    disputed.sort(key=lambda question: isinstance(question, QuestionView) and len(question.choices) > MAX_FEW_ANSWERS)
    first = QuestionGroup(
        group_id=DISPUTED_GROUP_ID, heading="Where tables argue", items=tuple(disputed), seldom=(), closed=()
    )
    rest = (replace(group, items=tuple(item for item in group.items if item not in disputed)) for group in groups)
    return (first, *rest)


def _question_group(
    form: RulesForm, messages: Mapping[str, str], group_id: str, heading: str, keys: Iterable[RuleKey]
) -> QuestionGroup:
    """Return the section with a question on each rule in `keys` that can be answered.

    `messages` are those of faults, by form field. Rules that other answers close are listed with the reason.
    """
    base, ruleset = form.base, form.ruleset
    scoring: list[NumberView] = []
    seldom: list[NumberView] = []
    questions: list[QuestionView | NumberView] = []
    closed: dict[str, list[str]] = {}
    for key in keys:
        availability, fault = form.availabilities[key], messages.get(field_name(key), "")
        is_answered = key in form.invalid_texts or (key.name in form.answers and key.name != LOW)
        if not (availability.other_answers or is_answered or fault):
            if form.availabilities_in_base[key].other_answers:
                title = base.awards[key.name].name if key.is_worth else QUESTIONS[key.name].title(ruleset)
                closed.setdefault(availability.reason, []).append(title)
        elif key.is_worth:
            is_usual = base.worth(key.name) or ruleset.worth(key.name) or fault
            (scoring if is_usual else seldom).append(_number_view(form, key, fault))
        else:
            questions.append(
                _number_view(form, key, fault) if QUESTIONS[key.name].is_number else _question_view(form, key, fault)
            )
    return QuestionGroup(
        group_id=group_id,
        heading=heading,
        items=(*scoring, *questions),
        seldom=tuple(seldom),
        closed=tuple(f"{phrases.join_words(titles)}: {reason}" for reason, titles in closed.items()),
    )


def _question_view(form: RulesForm, key: RuleKey, fault: str) -> QuestionView:
    """Return the question on a rule with a few answers, with those possible now and that of `form.base`."""
    question, ruleset = QUESTIONS[key.name], form.ruleset
    current = {key.current_answer_word(ruleset), key.current_answer_word(form.base)}
    unasked = {"", "none"}.difference(options()[key.name].choices)  # “none” may be an answer, or be for none
    possible = {*current, *map(answer_word, form.availabilities[key].other_answers)} - unasked
    return QuestionView(
        field=field_name(key),
        question=question.question_text(ruleset),
        choices=rule_choices(question, filter(possible.__contains__, question.answers), ruleset, form.base),
        fault=fault,
    )


def _number_view(form: RulesForm, key: RuleKey, fault: str) -> NumberView:
    """Return the number field for a rule that has a number as its answer."""
    ruleset, blank_label, step = form.ruleset, "", 1
    if key.is_worth:
        award = ruleset.awards[key.name]
        label, note = award.name, award_description(ruleset.kinds[key.name], ruleset.how_won(key.name))
    else:
        question = QUESTIONS[key.name]
        label, note = question.title(ruleset), question.question_text(ruleset)
        if "none" in question.answers:
            blank_label = question.label(None, ruleset)
        if question.is_money:
            note, step = f"{note} In cents.", _CENTS_STEP
        if key.allows_none:
            note = f"{note} Blank: {blank_label}."
    lowest, highest = key.limits
    return NumberView(
        field=field_name(key),
        label=label,
        value=form.field_text(key),
        lowest=lowest,
        highest=highest,
        note=note,
        placeholder="–" if blank_label else "",
        step=step,
        fault=fault,
    )


def rule_choices(
    question: Question, words: Iterable[str], ruleset: Ruleset, base: Ruleset, chosen: str | None = None
) -> tuple[Choice, ...]:
    """Return the answers `words` to a question as choices; `chosen` is by default the current answer.

    `ruleset` has the current answer, and `base` the answer that is marked as published.
    """
    key = RuleKey(question.option)
    chosen, published = key.current_answer_word(ruleset) if chosen is None else chosen, key.current_answer_word(base)

    def label(word: str) -> str:
        is_number = question.option == "target" and word.isdigit()
        return word if is_number else question.label(parse_word(word), ruleset)

    return tuple(
        Choice(value=word, label=label(word), is_chosen=word == chosen, is_published=word == published)
        for word in words
    )


def digest_of_questions(groups: Iterable[QuestionGroup], faults: Iterable[str] = ()) -> str:
    """Return a digest of the texts of all questions and `faults`, to detect whether they have changed.

    It does not change with chosen or typed answers, so that the questions are not rendered again while typing.
    """
    texts = [*faults]
    for group in groups:
        texts += group.closed
        for item in group.every_item:
            if isinstance(item, QuestionView):
                texts.append(f"{item.field}{item.question}{[choice.label for choice in item.choices]}{item.fault}")
            else:
                texts.append(f"{item.field}{item.note}{item.placeholder}{item.fault}")
    return hashlib.sha256("|".join(texts).encode()).hexdigest()[:16]
