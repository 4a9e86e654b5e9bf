"""The house options: how their answers are parsed, and which answers contradict each other.

An answer is moot if it has no effect beside another answer. A house may give it, but it is not shown, printed or
stored.
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
from scorekeeper.pitch.rules.schema import OPTION_GROUPS, Award, Ruleset

AWARD_POINTS_LIMITS = (1, 60)
"""The lowest and the highest number of points that a house may give an award."""
LOW = "low"
"""The name of the option for who scores Low. The award Low has the same id."""
ONE_LOW_ANSWER_MESSAGE = "House rules have one answer for Low: who scores it, or what it is worth. Undo the first one."
"""The message that a house has one answer for Low: either who scores it, or how many points it is worth."""
OPTIONS_NEVER_OFFERING_NONE = ("min_bid",)
"""The options whose answer "none" pages do not offer. In a variant, it means that the sources leave the option open."""


@dataclass(frozen=True, slots=True)
class Option:
    """A house option, with its possible answers and its texts."""

    name: str
    group: str
    type_adapter: TypeAdapter[object]
    default: object
    """The answer in a variant whose file does not mention the option, and extends no file that does."""
    choices: tuple[str, ...]
    """The words that are possible answers: "held", "captured"; empty for an option answered by a number or by yes or
    no."""
    is_flag: bool
    """Whether the option is answered by yes or no."""
    allows_none: bool
    """Whether "none" is a possible answer beside numbers."""
    lowest: int | None
    """The lowest number that is a possible answer; `None` if no number is."""
    highest: int | None
    """The highest number that is a possible answer; `None` if no number is."""
    declaration: Declaration
    """The option's texts, and how its answers relate to the answers to other options."""

    def parse_answer(self, answer: object) -> object:
        """Parse an answer from a file or a form into the value that a ruleset has: "yes" becomes `True`.

        Raises `ValueError` with the possible answers in words for an answer that is none of them.
        """
        if self.is_flag and answer in ("yes", "no"):
            answer = answer == "yes"
        elif "yes" in self.choices and isinstance(answer, bool):
            answer = "yes" if answer else "no"
        elif self.allows_none and answer == "none":
            answer = None
        try:
            return self.type_adapter.validate_python(answer)
        except ValidationError:
            raise ValueError(self.allowed_text) from None

    @property
    def allowed_text(self) -> str:
        """The possible answers in words, for a message: "yes or no", "a number from 1 to 100"."""
        if self.is_flag:
            return "yes or no"
        if self.choices:
            return "one of " + ", ".join(self.choices)
        range_text = f"a number from {self.lowest} to {self.highest}"
        return f"none, or {range_text}" if self.allows_none else range_text


def _build_option(option_name: str, group: str, field: FieldInfo, declaration: Declaration) -> Option:
    """Build an option from the field of the group's model and the field's declaration."""
    type_adapter = TypeAdapter[object](field.rebuild_annotation(), config={"strict": True})
    json_schema = type_adapter.json_schema()
    alternatives = json_schema.get("anyOf", [json_schema])
    enum_values = [enum_value for alternative in alternatives for enum_value in alternative.get("enum", ())]
    choices = tuple(enum_value for enum_value in enum_values if isinstance(enum_value, str))
    numbers = [enum_value for enum_value in enum_values if isinstance(enum_value, int)]
    numbers += [
        alternative[bound] for alternative in alternatives for bound in ("minimum", "maximum") if bound in alternative
    ]
    return Option(
        name=option_name,
        group=group,
        type_adapter=type_adapter,
        default=field.default,
        choices=choices,
        is_flag=json_schema.get("type") == "boolean",
        allows_none={"type": "null"} in alternatives and not choices,
        lowest=min(numbers, default=None),
        highest=max(numbers, default=None),
        declaration=declaration,
    )


@cache
def options() -> Mapping[str, Option]:
    """Return every house option, keyed by name. Cached.

    A house may also answer whether each award is in play and for how many points. Awards are not among the options.
    """
    return {
        name: _build_option(name, group, field, declaration)
        for group in OPTION_GROUPS
        for name, field in Ruleset.group_fields(group).items()
        if (declaration := declaration_of(field))
    }


@cache
def nullable_keys() -> frozenset[str]:
    """Return the names of the fields that may be `None`, in the groups of a ruleset and in `cards`. Cached."""
    fields = chain.from_iterable(Ruleset.group_fields(group).items() for group in (*OPTION_GROUPS, "cards"))
    return frozenset(name for name, field in fields if type(None) in get_args(field.annotation))


def parse_award_answer(answer: object) -> bool | int:
    """Parse a house's answer about an award: yes, no, or the award's points.

    Raises `ValueError` with the possible answers in words for any other answer.
    """
    answer = {"yes": True, "no": False}.get(answer, answer) if isinstance(answer, str) else answer
    lowest, highest = AWARD_POINTS_LIMITS
    if isinstance(answer, bool):
        return answer
    if isinstance(answer, int) and lowest <= answer <= highest:
        return answer
    raise ValueError(f"yes, no, or its points from {lowest} to {highest}")


def contradictions(ruleset: Ruleset, stated_names: Collection[str] | None = None) -> list[Fault]:
    """Return the faults of the answers in a ruleset that contradict each other.

    Without `stated_names`, each contradiction has one fault, at its path in the ruleset's file: `bidding.max_bid`. With
    `stated_names`, the options and awards that a house answered, there is one for each of them that may have caused it.
    """
    faults: list[Fault] = []
    for check in CONTRADICTION_CHECKS:
        for contradiction in check(ruleset):
            if stated_names is None:
                fields = [_key_path(ruleset, contradiction.options[0])]
            else:
                # An implied answer is no field of the form: the answers that imply it are reported.
                fields = [option_name for option_name in contradiction.options if option_name in stated_names] or list(
                    stated_names
                )
            faults.extend(Fault(field, contradiction.code, contradiction.message) for field in fields)
    return faults


def award_faults(ruleset: Ruleset) -> Iterator[Fault]:
    """Yield a fault for each award whose `card` is unknown, or whose `won` does not fit the card."""
    for award_id, award in ruleset.awards.items():
        path = f"awards.{award_id}"
        try:
            kind = parse_kind(award_id, award.card)
        except ValueError:
            yield Fault(f"{path}.card", "unknown_card", f"There is no award for {award.card!r}.")
            continue
        if award.won not in possible_won_values(kind):
            allowed_values = ", ".join(possible_won_values(kind))
            yield Fault(
                f"{path}.won", "cannot_be_won", f"Found {award.won!r}; an award for this is won by {allowed_values}."
            )


def _key_path(ruleset: Ruleset, option: str) -> str:
    """Return the path of an option or award in a ruleset's file: `bidding.min_bid`, `awards.jack`.

    A name that is neither is returned unchanged.
    """
    if option in ruleset.awards:
        return f"awards.{option}"
    return f"{options()[option].group}.{option}" if option in options() else option


def _unknown_name_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield a contradiction for each name in `count_order` or `to_agree` that no award or option has."""
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
"""What makes each option meaningless: another option with the answer that does so, keyed by the option. `hands` is
meaningless beside `length` with the answer `target`."""


def moot_options(ruleset: Ruleset, side_count: int | None = None) -> Mapping[str, str]:
    """Return the reason for each option that has no effect, keyed by option.

    The reason is empty for an option that another answer resets to its default. `side_count` is the number of sides in
    the match; if `None`, the most that the rules allow.
    """
    meaningless_options = {
        option: ""
        for option, (other_option, answer) in MEANINGLESS_BESIDE.items()
        if ruleset.answer(other_option) == answer
    }
    moot_reasons = chain(
        play.moot_reasons(ruleset),
        bidding.moot_reasons(ruleset),
        scoring.moot_reasons(ruleset),
        winning.moot_reasons(ruleset, side_count),
        money.moot_reasons(ruleset),
    )
    return meaningless_options | dict(moot_reasons)


def is_offered(ruleset: Ruleset, option_name: str, answer: object) -> bool:
    """Return whether pages offer an answer to an option.

    Of several answers with the same effect, only one is offered. An offered answer may contradict other answers.
    """
    offered_by_redundant = options()[option_name].declaration.equivalents(ruleset)
    current_answer = ruleset.answer(option_name)
    return answer == current_answer or (
        answer not in offered_by_redundant and answer != offered_by_redundant.get(str(current_answer), current_answer)
    )


OWN_AWARD_CARDS = (*RANK_NAMES, *(f"off {rank}" for rank in RANK_NAMES))
"""The cards for which a house may define its own award, as files name them: "Q", "off Q"."""
MAX_OWN_AWARD_NAME_LENGTH = 20
"""The maximum number of characters in the name of an award that a house defines itself."""
OWN_AWARD_ALLOWED_TEXT = "no, or points, who scores them, a card and a name, like 5 captured Q: Black Lady"
"""The possible answers about a house's own award, in words for a message."""
_LEADING_ARTICLE = re.compile(r"^(the )+", re.IGNORECASE)
"""Matches "the " at the start of a name, once or several times."""
_OWN_AWARD_PATTERN = re.compile(r"(\d{1,2}) (captured|held|kept) ([^:]+): (.+)", re.ASCII)
"""Matches an answer that defines a house's own award, such as "5 captured Q: Black Lady"."""


def parse_own_award(answer: object) -> Award | None:
    """Parse an answer that defines a house's own award: "5 captured Q: Black Lady".

    The answer "no" gives `None`, for no award. Raises `ValueError` for other answers.
    """
    if answer is False or answer == "no":
        return None
    answer_match = _OWN_AWARD_PATTERN.fullmatch(answer) if isinstance(answer, str) else None
    if answer_match is None:
        raise ValueError(OWN_AWARD_ALLOWED_TEXT)
    points, won, card, name = answer_match.groups()
    name = without_article(name)
    lowest, highest = AWARD_POINTS_LIMITS
    is_valid_name = (
        is_visible(name) and is_printable(name) and name == name.strip() and len(name) <= MAX_OWN_AWARD_NAME_LENGTH
    )
    if not (lowest <= int(points) <= highest and card in OWN_AWARD_CARDS and is_valid_name):
        raise ValueError(OWN_AWARD_ALLOWED_TEXT)
    return Award.model_validate(
        {"name": name, "card": card, "won": won, "points": int(points), "unclaimed": True, "on": True}
    )


def without_article(award_name: str) -> str:
    """Return an award's name without "the" at its start.

    Sentences put the article before the name themselves.
    """
    return _LEADING_ARTICLE.sub("", award_name)


def own_award_answer(award: Award | None) -> str | Literal[False]:
    """Return the answer that defines a house's own award: "5 captured Q: Black Lady".

    For no award, return `False`. `parse_own_award` parses the answer.
    """
    return f"{award.points} {award.won} {award.card}: {award.name}" if award else False
