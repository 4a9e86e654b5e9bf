"""Functions with which a group declares its house options.

A field made by `option` or `flag` is a house option of the same name, which a family may answer for itself. No house
rule changes any other field.
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
"""The key in a field's JSON schema that marks fields added after the first edition of the program."""

# The author of a file decides by it how much is computed: every number, text and list is bounded.
MAX_AWARDS = 44
"""The maximum number of awards in a ruleset."""
MAX_POINTS = 250
"""The maximum number of points in a hand, all awards together: more than twice as many as in any known game."""
PITCHED_BID = 4
"""The bid that a card led instead of a bid stands for (source `002`, "Pitching")."""
BidNumber = Annotated[int, Field(ge=1, le=100)] | None
"""A bid that is a number; each field says what `None` means."""
Count = Annotated[int, Field(ge=1, le=1000)] | None
"""A number of points or hands; each field says what `None` means."""
Cents = Annotated[int, Field(ge=0, le=100_000)] | None
"""An amount of money in cents; `None` for no payment."""


class Spec(BaseModel):
    """The base class of a ruleset and its parts: frozen, and strict about unknown keys and types."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True)

    def copy_with(self, **changes: object) -> Self:
        """Return a copy with some fields changed, without validation, and without cached properties."""
        copy = self.model_copy(update=changes)
        for name in copy.__dict__.keys() - type(self).model_fields.keys():
            del copy.__dict__[name]
        return copy


_MeaninglessBeside = tuple[str, object] | None
"""Another option and the answer to it that makes an option meaningless; `None` if none does."""
_Needs = Mapping[object, Mapping[str, int]]
"""By answer: the other options that it needs answered, each with a suggested answer."""
_Implies = Callable[[Ruleset, Any], Mapping[str, object]]
"""A function from the rules and an answer to what the answer implies for other options and awards."""
_Equivalents = Callable[[Ruleset], Mapping[str, str]]
"""A function from the rules to the redundant answers, each mapped to the answer with the same effect."""
_Comparison = tuple[str, Mapping[str, str]] | None
"""The heading of a column in a table of games, and its words for answers; `None` for no column."""
_AnswerTexts = tuple[str, str] | tuple[str, str, str]
"""The label and the sentence of an answer, and for some a short text above the Start button."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The texts of an option or award: a heading, a question, and the texts of each answer.

    Placeholders in them are those of `phrases.placeholders`, and some for the answer itself, such as `{n}`. The keys of
    `answers` are the words of files and forms, with `n` for any number.
    """

    title: str
    question: str
    answers: Mapping[str, _AnswerTexts]


_WordingUnder = Callable[[Ruleset, Wording], Wording]
"""A function from the rules and an option's usual texts to its texts under these rules."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """The texts of a house option, and how its answers relate to other answers."""

    wording: Wording
    meaningless_beside: _MeaninglessBeside
    """Another option and the answer to it that makes this option meaningless, and so resets it to its default."""
    needs: _Needs
    """By answer: the other options that it needs answered, each with a suggested answer."""
    implies: _Implies
    """The function for what an answer implies, unless a house answers otherwise."""
    equivalents: _Equivalents
    """The function for the redundant answers, each mapped to the answer offered instead."""
    comparison: _Comparison
    """The heading of the option's column in a table of games, and its words for answers."""
    wording_under: _WordingUnder
    """The function that returns the texts of the option under some rules."""


def option(
    default: Any,
    title: str,
    question: str,
    *,
    is_later: bool = False,
    meaningless_beside: _MeaninglessBeside = None,
    needs: _Needs = MappingProxyType({}),
    implies: _Implies = lambda ruleset, answer: {},
    equivalents: _Equivalents = lambda ruleset: {},
    comparison: _Comparison = None,
    wording_under: _WordingUnder = lambda ruleset, wording: wording,
    **answers: _AnswerTexts,
) -> Any:
    """Declare a house option with its default answer, its heading and question, and the texts of each answer.

    With `is_later`, for options newer than the first edition, fingerprints leave out the default. For the arguments
    after it see `Declaration`; `answers` are by the word of each answer.
    """
    field: FieldInfo = Field(default=default, json_schema_extra={_LATER_KEY: is_later})
    wording = Wording(title, question, answers)
    field.metadata.append(
        Declaration(wording, meaningless_beside, needs, implies, equivalents, comparison, wording_under)
    )
    return field


def flag(default: bool, title: str, question: str, yes: str, no: str, **arguments: Any) -> Any:
    """Declare a house option with the answers yes and no, and a sentence for each."""
    return option(default, title, question, yes=("yes", yes), no=("no", no), **arguments)


def later_field(default: object) -> Any:
    """Declare a newer field that is no house option; fingerprints leave out its default."""
    return Field(default=default, json_schema_extra={_LATER_KEY: True})


def declaration_of(field: FieldInfo) -> Declaration | None:
    """Return the declaration of a house option; `None` for a field that is no house option."""
    return next((item for item in field.metadata if isinstance(item, Declaration)), None)


def is_later(field: FieldInfo) -> bool:
    """Return whether a field is newer than the first edition of the program: fingerprints leave out its default."""
    return isinstance(field.json_schema_extra, dict) and bool(field.json_schema_extra.get(_LATER_KEY))


class Contradiction:
    """A contradiction between the answers to some options or awards.

    In a ruleset's file, its fault is at the first of `options`.
    """

    def __init__(self, code: ContradictionCode, message: str, *options: str) -> None:
        self.code = code
        self.message = message
        self.options = options
