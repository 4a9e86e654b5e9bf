"""Where tables argue: the questions that matter in a variant, with how this table plays them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scorekeeper.rules.options import options
from scorekeeper.rules.questions import DISPUTED, QUESTIONS, possible_answers
from scorekeeper.sheets.parts import Argument, BidRow, Mark, Rule
from scorekeeper.sheets.sheet_writer import SheetWriter

MOST = 4


def arguments(writer: SheetWriter, rules: Sequence[Rule | BidRow]) -> tuple[Argument, ...]:
    """Return the worst of the questions that some rule of the sheet answers, with the number of that rule."""
    found = []
    for name in dict.fromkeys((*writer.base.sheet.argued, *DISPUTED)):
        rule = next(_answering(rules, name), None)
        if rule and _is_open(writer, name):
            question = QUESTIONS[name]
            answer = question.label(question.answer(writer.ruleset), writer.ruleset)
            mark = _mark(rule, name)
            found.append(Argument(question=question.ask(writer.ruleset), answer=answer, number=rule.number, mark=mark))
    return tuple(found[:MOST])


def _answering(rules: Sequence[Rule | BidRow], name: str) -> Iterator[Rule | BidRow]:
    """Yield the rules that state the answer to an option: one named after it, then those that it decides foremost."""
    yield from (rule for rule in rules if rule.id.endswith(f".{name}"))
    deciding = (rule for rule in rules if name in rule.decided_by)
    yield from sorted(deciding, key=lambda rule: rule.decided_by.index(name))


def _mark(rule: Rule | BidRow, name: str) -> Mark:
    """Return the mark of a rule as far as one option is concerned: another that decides it may be open, or changed."""

    def only(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(it for it in names if it == name)

    origin = rule.origin
    return replace(origin, house=only(origin.house), agreed=only(origin.agreed), open=only(origin.open)).mark


def _is_open(writer: SheetWriter, name: str) -> bool:
    """Return whether the question has another answer here; a number always has."""
    if QUESTIONS[name].is_number:
        return True
    return name in options() and len(possible_answers(writer.ruleset, name)) > 1
