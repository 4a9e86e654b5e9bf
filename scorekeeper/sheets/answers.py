"""A question about the rules, answered by the sentences of a sheet, and by nothing else."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from scorekeeper.rules.questions import QUESTIONS, word_of
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.search import Asked, Speech, stems_of, words_of
from scorekeeper.sheets.parts import Rule

MOST_ANSWERS = 3
_NEAR = 5
"""How many rules after an answer are beside it, with those that answer as well."""
_COMMON, _TELLING = 1, 3
"""What a word of a question weighs that any rule may have, and any other."""
_POLAR = frozenset("can may do does is are must could will has have would am could".split())
_OPEN = frozenset("who what which how when where why whats whos".split())
_NEGATIVE = frozenset("not no never nobody dont doesnt cant isnt without neither nor wont or".split())
"""Words of a question of yes or no, of one that is none, and of one whose yes may mean either."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A rule of the sheet that answers a question."""

    rule: Rule
    says: str = ""
    """Yes or No, where that was asked."""


def find_answers(rules: Sequence[Rule], ruleset: Ruleset, speech: Speech, question: str) -> tuple[Answer, ...]:
    """Return the rules that answer a question, the nearest first; none where no rule has all that was asked about."""
    texts = [stems_of(_text(rule)) for rule in rules]
    end = str(ruleset.winning.target or ruleset.winning.count_down_from)
    heard = speech.heard(question, frozenset(chain.from_iterable(texts)))
    asked = frozenset("target" if word == end else word for word in heard)
    telling = asked - speech.common
    meanings = [speech.meaning(text) for text in texts]
    if not telling or not telling.isdisjoint(speech.things.difference(*meanings)):
        return ()
    weighed: list[tuple[int, Answer]] = []
    in_text: list[Answer] = []
    for rule, in_words in zip(rules, meanings, strict=True):
        keys = [*_keys(rule, ruleset, speech)]
        if not telling <= in_words.union(*(key.words for key in keys)):
            continue
        if fitting := [key for key in keys if key.is_key and key.words <= asked]:
            settling = (_verdict(key, rule, ruleset, question) for key in fitting if key.yes and telling <= key.words)
            says = next(settling, "")
            weighed.append((max(_weight(key, speech) for key in fitting), Answer(rule, says)))
        elif telling <= in_words and len(telling) > 1 and rule.id not in speech.asked:
            in_text.append(Answer(rule))
    most = max((weight for weight, _ in weighed), default=0)
    best_answers = [answer for weight, answer in weighed if weight == most] or in_text
    return tuple(best_answers[:MOST_ANSWERS]) if weighed or len(in_text) <= MOST_ANSWERS else ()


def neighbors(rules: Sequence[Rule], found: Sequence[Answer]) -> tuple[Rule, ...]:
    """Return the rules beside the nearest answer, in the order of the sheet."""
    answering = [answer.rule for answer in found]
    place = rules.index(answering[0]) if found else 0
    near = rules[max(place - 1, 0) : place + _NEAR] if found else ()
    return tuple(rule for rule in near if rule not in answering)


def _text(rule: Rule) -> str:
    """Return all that a rule says, with the question that its option answers."""
    named = [name for name in (rule.id.partition(".")[2], *rule.decided_by[:1]) if name in QUESTIONS]
    wordings = (QUESTIONS[name].wording for name in named)
    asks = [text for wording in wordings for text in (wording.title, wording.ask) if "{" not in text]
    return " ".join((rule.lead, rule.text, *asks))


def _keys(rule: Rule, ruleset: Ruleset, speech: Speech) -> Iterator[Asked]:
    """Yield the questions that a rule answers: those of the data, and what it is named after."""
    for rule_id in (rule.id, *rule.also):
        section, _, name = rule_id.partition(".")
        is_award = section in ("players", "count")
        named = () if name in ruleset.awards and not is_award else speech.asked.get(name, ())
        award = [ruleset.awards[name].name] if name in ruleset.in_play else []
        own = speech.asked.get(rule_id, ())
        names = [*named, *map(speech.read, award if own else (name.replace("_", " "), *award))]
        yield from (*names, *own)
        if award and section == "count":
            yield from (
                replace(key, words=key.words | more.words) for more in speech.asked.get("count.*", ()) for key in names
            )


_VERDICTS = ("Yes", "No")


def _has(rule: Rule, phrases: Sequence[str]) -> bool:
    return any(phrase in rule.text.lower() for phrase in phrases)


def _weight(key: Asked, speech: Speech) -> int:
    return sum(_COMMON if word in speech.common else _TELLING for word in key.words)


def _verdict(key: Asked, rule: Rule, ruleset: Ruleset, question: str) -> str:
    """Return Yes or No where that was asked and the rule settles it."""
    words = words_of(question)
    if next((word in _OPEN for word in words if word in _POLAR | _OPEN), True) or not _NEGATIVE.isdisjoint(words):
        return ""
    option, _, cases = key.yes.partition(":")
    if option in ("yes", "no"):
        return option.capitalize()
    if option == "text":
        said = [[phrase.strip() for phrase in case.split(",")] for case in cases.split("|")]
        return next((verdict for verdict, phrases in zip(_VERDICTS, said, strict=True) if _has(rule, phrases)), "")
    answer = ruleset.answer(option)
    if not cases:
        return {"yes": "Yes", "no": "No"}.get(QUESTIONS[option].label(answer, ruleset).partition(",")[0], "")
    for verdict, meant in zip(_VERDICTS, cases.split("|"), strict=False):
        if word_of(answer) in meant.split():
            return verdict
    return ""
