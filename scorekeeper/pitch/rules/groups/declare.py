"""How a group declares its house options: each a field with its words, and with what it means beside other answers.

A field made by `option` is a house option, under the name that it has there: a family may answer it for itself. Any
other field belongs to the variant, and no house rule changes it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field
from pydantic.fields import FieldInfo

from scorekeeper.pitch.rules.faults import ContradictionCode

if TYPE_CHECKING:
    from scorekeeper.pitch.rules.schema import Ruleset as Ruleset
else:
    Ruleset = Any  # it is made of the groups

_LATER_KEY = "later"
"""The key of a field's JSON schema that marks what came after the first edition."""

# The author of a file decides by it how much is computed: every number, text and list is bounded.
MAX_AWARDS = 44
"""The most awards of a ruleset."""
MAX_POINTS = 250
"""The most points of a hand, all awards together: more than twice what any known game has."""
PITCHED_BID = 4
"""What a card led instead of a bid is worth as a bid (`002`, Pitching)."""
BidNumber = Annotated[int, Field(ge=1, le=100)] | None
"""A bid that is a number; what none means, each field says."""
Count = Annotated[int, Field(ge=1, le=1000)] | None
"""A number of points or hands, or none."""
Cents = Annotated[int, Field(ge=0, le=100_000)] | None


class Spec(BaseModel):
    """A frozen part of a ruleset that refuses unknown keys and loose types."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True)

    def copy_with(self, **changes: object) -> Self:
        """Return a copy with other values, which are not validated, and with empty caches."""
        copy = self.model_copy(update=changes)
        for name in copy.__dict__.keys() - type(self).model_fields.keys():
            del copy.__dict__[name]
        return copy


_Unless = tuple[str, object] | None
"""Another option, and an answer to it."""
_Needs = Mapping[object, Mapping[str, int]]
"""By answer, the options that it needs answered, each with an answer that will do."""
_Implies = Callable[[Ruleset, Any], Mapping[str, object]]
"""Returns the answers to options and awards that an answer implies under some rules."""
_Equivalents = Callable[[Ruleset], Mapping[str, str]]
"""Returns the answers that decide the same as another under some rules, each with the other."""
_Compared = tuple[str, Mapping[str, str]] | None
"""The title of a column, and a few words for each answer."""
_AnswerTexts = tuple[str, str] | tuple[str, str, str]
"""An answer's label and sentence, and perhaps the few words above Start."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The texts of a house option: a heading, a question, and a label and a sentence for each answer.

    `phrases.placeholders` fills the braces in a text; `{n}` is a number that was answered, `{n_hands}` and `{n_times}`
    the same as a number of hands, and as how often. An answer is named as in files and forms: yes, no, none, or one of
    the option's own words. `n` stands for any number.
    """

    title: str
    ask: str
    answers: Mapping[str, _AnswerTexts]


_WordingUnder = Callable[[Ruleset, Wording], Wording]
"""Returns the texts of an option as some rules need them, given its usual ones."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a house option declares beside its field: its texts, and what its answers mean beside others."""

    wording: Wording
    unless: _Unless
    """Another option and the answer to it that make this one meaningless, so that it goes back to its default."""
    needs: _Needs
    """The answers that need others beside them, each with answers that will do."""
    implies: _Implies
    """Finds the answers to options and awards that an answer implies, unless a house gives others."""
    same: _Equivalents
    """Finds the answers that decide the same as another, each with the other, which is offered instead."""
    compared: _Compared
    """The heading, and a few words for each answer, for a table that compares games."""
    under: _WordingUnder
    """Finds the texts under some rules."""


def option(
    default: Any,
    title: str,
    ask: str,
    *,
    is_later: bool = False,
    unless: _Unless = None,
    needs: _Needs = MappingProxyType({}),
    implies: _Implies = lambda ruleset, answer: {},
    same: _Equivalents = lambda ruleset: {},
    compared: _Compared = None,
    under: _WordingUnder = lambda ruleset, wording: wording,
    **answers: _AnswerTexts,
) -> Any:
    """Declare a house option with its default answer, its question, and a label and a sentence for each answer.

    `is_later` marks an option that came after the first edition: while it has its default, fingerprints leave it out.
    """
    field: FieldInfo = Field(default=default, json_schema_extra={_LATER_KEY: is_later})
    wording = Wording(title, ask, answers)
    field.metadata.append(Declaration(wording, unless, needs, implies, same, compared, under))
    return field


def flag(default: bool, title: str, ask: str, yes: str, no: str, **beside: Any) -> Any:
    """Declare a house option that is answered yes or no, with a sentence for each."""
    return option(default, title, ask, yes=("yes", yes), no=("no", no), **beside)


def later_field(default: object) -> Any:
    """Declare a field that is no house option, and that fingerprints leave out while it has its default."""
    return Field(default=default, json_schema_extra={_LATER_KEY: True})


def declaration_of(field: FieldInfo) -> Declaration | None:
    """Return what a house option declares; `None` for a field that is no house option."""
    return next((mark for mark in field.metadata if isinstance(mark, Declaration)), None)


def is_later(field: FieldInfo) -> bool:
    """Return whether a field came after the first edition, so that fingerprints leave out its default."""
    return isinstance(field.json_schema_extra, dict) and bool(field.json_schema_extra.get(_LATER_KEY))


class Contradiction:
    """Options whose answers exclude each other, the likeliest to be changed first, with a code and a message."""

    def __init__(self, code: ContradictionCode, message: str, *options: str) -> None:
        self.code = code
        self.message = message
        self.options = options
