"""A question about the rules, answered by the sentences of a sheet, and by nothing else."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from scorekeeper.pitch.rules.questions import QUESTIONS, word_of
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.search import Asked, Examples, Heard, Speech, sentences_of, stems_of, words_of
from scorekeeper.pitch.sheets.parts import Rule

MOST_ANSWERS = 3
_MOST_TEXTS = 4096
"""Rules whose words are kept: all of all games, and of as many house rules again."""
_NEAR = 5
"""How many rules after an answer are beside it, with those that answer as well."""
LEAST_FIT, SURE_FIT, CLEARLY, NEAR, DOUBTED = 0.27, 0.4, 1.04, 0.85, 0.93
"""How well a rule has to fit to answer; how well it does though another fits nearly as well, and by how much it has to
fit better than that one if not; how near to the best another stands beside it; how near one leaves Yes or No out."""
MORE_THAN_NONE, MORE_THAN_ELSEWHERE, MORE_THAN_KIN = 1.5, 0.75, 0.55
"""How well it has to fit, measured by what no rule answers, by a rule that is not on the sheet, and by one of those
that often say nearly the same in another game: of the same section, and what tables argue about."""
LEAST_ALIKE, LEAST_SHARED = 0.48, 6.3
"""How near an example of a rule that has any has to be, unless it has so much of what is told in common."""
LEAST_SAID, LEAST_OVERLAP, HEARD, AGREED = 1.5, 0.6, 0.5, 0.8
"""What a question has to tell at least; how near an example has to be to give its Yes or No, how near measured by that
one all others are that have a say in it, and how far they have to agree, unless it is the very question."""
MOST_OF = 0.8
"""How much of a question a table’s own words have to have."""
NONE, SEVERAL_AWARDS = "none.", "count.*"
"""Where examples are that no rule answers, and those of a sentence about several awards."""
_POLAR = frozenset("can may do does is are must could will has have would am".split())
_ASKING = frozenset("who what which how when where why whats whos".split())
_OPEN = _ASKING | frozenset("worth cost much many most least lowest highest".split())
_TURNING = frozenset(
    stems_of("must not no never nobody nothing dont doesnt cant isnt without neither nor wont lose keep gone dead")
)
"""Words of a question of yes or no, of one that is none, and of one whose yes may mean either."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A rule of the sheet that answers a question."""

    rule: Rule
    says: str = ""
    """Yes or No, where that was asked."""


def find_answers(rules: Sequence[Rule], ruleset: Ruleset, speech: Speech, question: str) -> tuple[Answer, ...]:
    """Return the rules that answer a question, the nearest first; none where none is near, or another’s is nearer."""
    heard = speech.heard(question)
    texts = {rule: _meaning(speech, _text(rule)) for rule in rules}
    missing = (speech.things & heard.weights.keys()).difference(*texts.values())
    told = sum(heard.weights.values())
    if missing or told < LEAST_SAID:
        return ()
    likeness = {rule: max(speech.likeness(heard, it, texts[rule]) for it in _ids(rule)) for rule in rules}
    alike = {rule: _nearest(speech, heard, rule) for rule in rules}
    exact = {rule for rule, overlap in alike.items() if overlap == 1}
    fits = sorted(((fit, rule) for rule, fit in likeness.items()), key=lambda it: (it[1] not in exact, -it[0]))
    best, second = (fit for fit, _ in (*fits[:2], (0.0, None), (0.0, None))[:2])
    first = fits[0][1]
    is_asked, has_examples = first in exact, not speech.asked.keys().isdisjoint(_ids(first))
    if best < LEAST_FIT or (best < min(SURE_FIT, second * CLEARLY) and not is_asked):
        return ()
    if has_examples and alike[first] < min(LEAST_ALIKE, LEAST_SHARED / told):
        return ()
    elsewhere = () if is_asked else speech.asked.keys() - frozenset(chain.from_iterable(map(_ids, rules)))
    if any(it.startswith(NONE) and speech.nearest(heard, it) == 1 for it in elsewhere):
        return ()
    for rule_id in elsewhere:
        is_kin = rule_id.partition(".")[0] in ("argue", first.id.partition(".")[0])
        least = MORE_THAN_NONE if rule_id.startswith(NONE) else MORE_THAN_KIN if is_kin else MORE_THAN_ELSEWHERE
        if best < least * speech.likeness(heard, rule_id):
            return ()
    nearest, *others = (rule for fit, rule in fits if fit >= best * NEAR)
    is_unsure = nearest.origin.is_silent or bool(nearest.origin.open) or (second > best * DOUBTED and not is_asked)
    says = "" if is_unsure else _says(nearest, ruleset, speech, heard, question)
    return (Answer(nearest, says), *map(Answer, others[: MOST_ANSWERS - 1]))


@lru_cache(maxsize=_MOST_TEXTS)
def _meaning(speech: Speech, text: str) -> frozenset[str]:
    return speech.meaning(stems_of(text))


def _nearest(speech: Speech, heard: Heard, rule: Rule) -> float:
    return max(speech.nearest(heard, it) for it in _ids(rule))


def _ids(rule: Rule) -> tuple[str, ...]:
    """Return by which ids questions lead to a rule; one about several awards answers what is asked about any."""
    return (rule.id, *rule.also, *((SEVERAL_AWARDS,) if rule.also and rule.id.startswith("count.") else ()))


def find_notes(notes: Sequence[str], speech: Speech, question: str) -> tuple[str, ...]:
    """Return what a table wrote down itself that has nearly all that was asked about."""
    asked = speech.heard(question).weights
    least = MOST_OF * sum(asked.values())
    found = (it for it in notes if asked and _told(asked, speech.heard(it).weights) >= least)
    return tuple(found)[:MOST_ANSWERS]


def _told(asked: Mapping[str, float], words: Collection[str]) -> float:
    return sum(weight for word, weight in asked.items() if word in words)


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


_VERDICTS = ("Yes", "No")


def _has(rule: Rule, phrases: Sequence[str]) -> bool:
    text = f"{rule.lead} {rule.text}".lower()
    return any(phrase and phrase in text for phrase in phrases)


def _says(rule: Rule, ruleset: Ruleset, speech: Speech, heard: Heard, question: str) -> str:
    """Return Yes or No where that was asked, and nearly all that is asked in nearly the same words has that answer."""
    if not _is_polar(question):
        return ""
    asked = chain.from_iterable(speech.asked.get(rule_id, Examples()).questions for rule_id in _ids(rule))
    turned = heard.weights.keys() & _TURNING
    alike = [(heard.overlaps.get(it, 0.0), it) for it in asked if it.yes and it.words & _TURNING == turned]
    nearest = max((overlap for overlap, _ in alike), default=0.0)
    if nearest < LEAST_OVERLAP:
        return ""
    said: dict[str, float] = defaultdict(float)
    for overlap, it in alike:
        if overlap >= nearest * (HEARD if nearest < 1 else 1):
            said[_verdict(it, rule, ruleset)] += overlap**3
    return next((verdict for verdict, told in said.items() if told >= AGREED * sum(said.values())), "")


def _is_polar(question: str) -> bool:
    """Return whether a question, or the last sentence of it, asks for Yes or No."""
    words = words_of(sentences_of(question)[-1])
    # "The dealer is stuck for how much", "Game is tied, who gets it": but for its first word, a verb may be told.
    is_open = _POLAR.isdisjoint(words[:1]) and not (_ASKING.isdisjoint(words) and _OPEN.isdisjoint(words[-2:]))
    first = next((word in _POLAR for word in words if word in _POLAR | _OPEN), "?" in question)
    return first and not is_open and "or" not in words


def _verdict(key: Asked, rule: Rule, ruleset: Ruleset) -> str:
    """Return what a question of yes or no is answered."""
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
