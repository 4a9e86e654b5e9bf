"""The house options: how their answers are parsed, and which answers contradict each other.

A moot answer has no effect beside another answer. It is allowed, but not shown, printed or stored.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Literal, get_args

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from scorekeeper.pitch.rules.awards import RANK_NAMES, parse_kind, possible_won_values
from scorekeeper.pitch.rules.entered_text import is_printable, is_visible
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.groups import bidding, money, moon, play, points, scoring, winning
from scorekeeper.pitch.rules.groups.declare import Contradiction, Declaration, declaration_of
from scorekeeper.pitch.rules.schema import GROUPS, Award, Ruleset

AWARD_POINTS_LIMITS = (1, 60)
"""The lowest and the highest number of points that a house may give an award."""
LOW = "low"
"""The name of the option for who scores Low, and also the id of the award Low."""
ONE_LOW_ANSWER_MESSAGE = "House rules have one answer for Low: who scores it, or what it is worth. Undo the first one."
"""The reason why a house cannot answer both who scores Low and how many points Low is worth."""
OPTIONS_NEVER_OFFERING_NONE = ("min_bid",)
"""Options for which pages do not offer none: in a variant, none means that the sources leave them open."""


@dataclass(frozen=True, slots=True)
class Option:
    """A house option, with its possible answers and its texts."""

    name: str
    group: str
    adapter: TypeAdapter[object]
    default: object
    """The answer in a variant if neither its file nor one that it extends mentions the option."""
    choices: tuple[str, ...]
    """The words to choose from; empty if the answer is a number, or yes or no."""
    is_flag: bool
    """Whether the answer is yes or no."""
    allows_none: bool
    """Whether the answer may be "none" instead of a number."""
    lowest: int | None
    """The lowest possible number; `None` if no answer is a number."""
    highest: int | None
    declaration: Declaration
    """The option's texts, and how its answers relate to other answers."""

    def parse_answer(self, answer: object) -> object:
        """Parse an answer from a file or a form into a ruleset's value; raises `ValueError` with what is allowed.

        Files and forms may contain the words "yes", "no" and "none".
        """
        if self.is_flag and answer in ("yes", "no"):
            answer = answer == "yes"
        elif "yes" in self.choices and isinstance(answer, bool):
            answer = "yes" if answer else "no"
        elif self.allows_none and answer == "none":
            answer = None
        try:
            return self.adapter.validate_python(answer)
        except ValidationError:
            raise ValueError(self.allowed_text) from None

    @property
    def allowed_text(self) -> str:
        """The possible answers in words, for messages: "yes or no", "a number from 1 to 100"."""
        if self.is_flag:
            return "yes or no"
        if self.choices:
            return "one of " + ", ".join(self.choices)
        numbers = f"a number from {self.lowest} to {self.highest}"
        return f"none, or {numbers}" if self.allows_none else numbers


def _build_option(name: str, group: str, field: FieldInfo, declaration: Declaration) -> Option:
    """Build an option from the type of its field and its declaration."""
    adapter = TypeAdapter[object](field.rebuild_annotation(), config={"strict": True})
    schema = adapter.json_schema()
    arms = schema.get("anyOf", [schema])
    words = [word for arm in arms for word in arm.get("enum", ())]
    choices = tuple(word for word in words if isinstance(word, str))
    numbers = [word for word in words if isinstance(word, int)]
    numbers += [arm[bound] for arm in arms for bound in ("minimum", "maximum") if bound in arm]
    return Option(
        name=name,
        group=group,
        adapter=adapter,
        default=field.default,
        choices=choices,
        is_flag=schema.get("type") == "boolean",
        allows_none={"type": "null"} in arms and not choices,
        lowest=min(numbers, default=None),
        highest=max(numbers, default=None),
        declaration=declaration,
    )


@cache
def options() -> Mapping[str, Option]:
    """Return every house option by name, without the awards, which a house may answer as well. Cached."""
    return {
        name: _build_option(name, group, field, declaration)
        for group in GROUPS
        for name, field in Ruleset.group_fields(group).items()
        if (declaration := declaration_of(field))
    }


@cache
def nullable_keys() -> frozenset[str]:
    """Return the names of the fields in a ruleset's groups and in `cards` that may be `None`. Cached."""
    fields = chain.from_iterable(Ruleset.group_fields(group).items() for group in (*GROUPS, "cards"))
    return frozenset(name for name, field in fields if type(None) in get_args(field.annotation))


def parse_award_answer(answer: object) -> bool | int:
    """Parse an answer about an award (on, off, or its points); raises `ValueError` with what is allowed."""
    answer = {"yes": True, "no": False}.get(answer, answer) if isinstance(answer, str) else answer
    lowest, highest = AWARD_POINTS_LIMITS
    if isinstance(answer, bool):
        return answer
    if isinstance(answer, int) and lowest <= answer <= highest:
        return answer
    raise ValueError(f"yes, no, or its points from {lowest} to {highest}")


def contradictions(ruleset: Ruleset, stated: Collection[str] | None = None) -> list[Fault]:
    """Return the faults of all contradictions between the answers in a ruleset.

    Without `stated`, each contradiction has one fault, at its path in a ruleset's file. Otherwise there is a fault for
    each of the house's `stated` answers that may have caused it.
    """
    faults: list[Fault] = []
    for check in CONTRADICTION_CHECKS:
        for contradiction in check(ruleset):
            if stated is None:
                fields = [_key_path(ruleset, contradiction.options[0])]
            else:
                # An implied answer is no field of the form: the answers that imply it are reported.
                fields = [name for name in contradiction.options if name in stated] or list(stated)
            faults.extend(Fault(field, contradiction.code, contradiction.message) for field in fields)
    return faults


def award_faults(ruleset: Ruleset) -> Iterator[Fault]:
    """Yield a fault for each award with an unknown card, or with a `won` that does not fit its card."""
    for award_id, award in ruleset.awards.items():
        path = f"awards.{award_id}"
        try:
            kind = parse_kind(award_id, award.card)
        except ValueError:
            yield Fault(f"{path}.card", "unknown_card", f"There is no award for {award.card!r}.")
            continue
        if award.won not in possible_won_values(kind):
            allowed = ", ".join(possible_won_values(kind))
            yield Fault(f"{path}.won", "cannot_be_won", f"Found {award.won!r}; an award for this is won by {allowed}.")


def _key_path(ruleset: Ruleset, option: str) -> str:
    """Return the path of an option or award in a ruleset's file; any other name is returned unchanged."""
    if option in ruleset.awards:
        return f"awards.{option}"
    return f"{options()[option].group}.{option}" if option in options() else option


def _unknown_name_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield a contradiction for each unknown name in `count_order` and in `to_agree`."""
    for name in ruleset.winning.count_order:
        if name not in ruleset.awards:
            yield Contradiction("unknown_award", f"There is no award {name!r} to count.", "count_order")
    for name in ruleset.to_agree:
        if name not in options() and name not in ruleset.awards:
            yield Contradiction("unknown_option", f"There is no option {name!r} to agree.", "to_agree")


CONTRADICTION_CHECKS = (
    bidding.bid_range_contradictions,
    bidding.no_bidding_contradictions,
    play.direction_contradictions,
    scoring.set_bid_contradictions,
    moon.moon_contradictions,
    money.moon_money_contradictions,
    bidding.pitching_contradictions,
    points.low_contradictions,
    points.game_contradictions,
    points.card_contradictions,
    winning.ending_contradictions,
    winning.pegging_contradictions,
    play.called_partner_contradictions,
    play.kitty_contradictions,
    _unknown_name_contradictions,
)
"""The checks for contradictions, in the order in which their faults are shown."""


MEANINGLESS_BESIDE: Mapping[str, tuple[str, object]] = {
    name: option.declaration.meaningless_beside
    for name, option in options().items()
    if option.declaration.meaningless_beside
}
"""By option: another option and the answer to it that makes the first one meaningless."""


def moot_options(ruleset: Ruleset, side_count: int | None = None) -> Mapping[str, str]:
    """Return the options that have no effect, each with the reason; it is "" for one reset to its default.

    `side_count` is the number of sides or players with a score; `None` for the most that the rules allow.
    """
    meaningless = {name: "" for name, (cause, answer) in MEANINGLESS_BESIDE.items() if ruleset.answer(cause) == answer}
    reasons = chain(
        play.moot_reasons(ruleset),
        bidding.moot_reasons(ruleset),
        scoring.moot_reasons(ruleset),
        winning.moot_reasons(ruleset, side_count),
        money.moot_reasons(ruleset),
    )
    return meaningless | dict(reasons)


def is_offered(ruleset: Ruleset, name: str, answer: object) -> bool:
    """Return whether an answer is offered; of several with the same effect, only one is.

    An offered answer may still contradict other answers.
    """
    equivalents, current = options()[name].declaration.equivalents(ruleset), ruleset.answer(name)
    return answer == current or (answer not in equivalents and answer != equivalents.get(str(current), current))


OWN_AWARD_CARDS = (*RANK_NAMES, *(f"off {rank}" for rank in RANK_NAMES))
"""The cards for which a house may define its own award, as a file names them."""
MAX_OWN_AWARD_NAME_LENGTH = 20
"""The maximum number of characters in the name of an award that a house defines itself."""
OWN_AWARD_ALLOWED_TEXT = "no, or points, who scores them, a card and a name, like 5 captured Q: Black Lady"
"""The possible answers about an award that a house defines itself, in words for a message."""
_LEADING_ARTICLE = re.compile(r"^(the )+", re.IGNORECASE)
"""Matches "the " at the start of a name, once or more."""
_OWN_AWARD_PATTERN = re.compile(r"(\d{1,2}) (captured|held|kept) ([^:]+): (.+)", re.ASCII)
"""Matches an answer that defines a house's own award, such as "5 captured Q: Black Lady"."""


def parse_own_award(answer: object) -> Award | None:
    """Parse an answer that defines a house's own award; `None` for no award. Raises `ValueError` for other answers."""
    if answer is False or answer == "no":
        return None
    matched = _OWN_AWARD_PATTERN.fullmatch(answer) if isinstance(answer, str) else None
    if matched is None:
        raise ValueError(OWN_AWARD_ALLOWED_TEXT)
    points, won, card, name = matched.groups()
    name = without_article(name)
    lowest, highest = AWARD_POINTS_LIMITS
    is_name = (
        is_visible(name) and is_printable(name) and name == name.strip() and len(name) <= MAX_OWN_AWARD_NAME_LENGTH
    )
    if not (lowest <= int(points) <= highest and card in OWN_AWARD_CARDS and is_name):
        raise ValueError(OWN_AWARD_ALLOWED_TEXT)
    return Award.model_validate(
        {"name": name, "card": card, "won": won, "points": int(points), "unclaimed": True, "on": True}
    )


def without_article(name: str) -> str:
    """Return an award's name without "the" at its start, because sentences put an article before it."""
    return _LEADING_ARTICLE.sub("", name)


def own_award_answer(award: Award | None) -> str | Literal[False]:
    """Return the answer that defines a house's own award, in the syntax of `parse_own_award`; `False` for none."""
    return f"{award.points} {award.won} {award.card}: {award.name}" if award else False
