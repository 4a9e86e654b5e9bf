"""Functions with which a group declares its house options.

A field that is declared with `declare_option` or `declare_flag` is a house option of the same name: a house may answer
it for itself. House rules change no other field.
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
"""The key in a field's JSON schema that marks a field as newer than the first edition of the program."""

# The author of a file decides by it how much is computed: every number, text and list is bounded.
MAX_AWARDS = 44
"""The maximum number of awards in a ruleset."""
MAX_POINTS = 250
"""The maximum number of points in a hand, of all awards together. It is more than twice that of any known game."""
PITCHED_BID = 4
"""The bid that a card stands for if a player leads it instead of bidding (source `002`, "Pitching")."""
BidNumber = Annotated[int, Field(ge=1, le=100)] | None
"""A bid that is a number. Each field says what `None` means."""
PointOrHandCount = Annotated[int, Field(ge=1, le=1000)] | None
"""A number of points or of hands. Each field says what `None` means."""
Cents = Annotated[int, Field(ge=0, le=100_000)] | None
"""An amount of money in cents; `None` for no payment."""


class StrictModel(BaseModel):
    """The base class of a ruleset and of its parts.

    Its instances are frozen, and unknown keys and wrong types are refused.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True)

    def copy_with(self, **changes: object) -> Self:
        """Return a copy with some fields changed, without validating them and without cached properties."""
        copy = self.model_copy(update=changes)
        for name in copy.__dict__.keys() - type(self).model_fields.keys():
            del copy.__dict__[name]
        return copy


_MeaninglessBeside = tuple[str, object] | None
"""Another option and the answer to it that makes an option meaningless: `("kitty", "none")`; `None` if there is
none."""
_Needs = Mapping[object, Mapping[str, int]]
"""The other options that an answer needs answered, keyed by the answer: `{"hands": {"hands": 12}}`. The number is a
suggested answer."""
_Implies = Callable[[Ruleset, Any], Mapping[str, object]]
"""A function from the rules and an answer to the other answers that it implies, keyed by option or award."""
_Equivalents = Callable[[Ruleset], Mapping[str, str]]
"""A function from the rules to the answer that each redundant answer amounts to: `{"not_smudge": "yes"}`."""
_Comparison = tuple[str, Mapping[str, str]] | None
"""The heading of an option's column in a table of games, and what the column says for answers: `("Bids from", {"none":
"you pick"})`. Without a column, `None`."""
_AnswerTexts = tuple[str, str] | tuple[str, str, str]
"""The label of an answer, its sentence, and for some answers a short text above the Start button."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The texts of an option or award: a heading, a question, and the texts of each answer.

    Their placeholders are those of `phrases.placeholders`, and some that are filled by the answer itself, such as
    `{n}`. The keys of `answers` are the words for answers in files and forms; `n` stands for any number.
    """

    title: str
    question: str
    answers: Mapping[str, _AnswerTexts]


_WordingUnder = Callable[[Ruleset, Wording], Wording]
"""A function from the rules and an option's usual texts to the option's texts under these rules."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """The texts of a house option, and how its answers relate to other answers."""

    wording: Wording
    meaningless_beside: _MeaninglessBeside
    """Another option and the answer to it that makes this option meaningless. That answer resets this option to its
    default."""
    needs: _Needs
    """The other options that an answer needs answered, each with a suggested answer, keyed by the answer."""
    implies: _Implies
    """The function for the other answers that an answer implies. An answer of the house goes before an implied one."""
    equivalents: _Equivalents
    """The function for the answer that each redundant answer amounts to. Pages offer only that answer."""
    comparison: _Comparison
    """The heading of the option's column in a table of games, and the column's words, keyed by answer."""
    wording_under: _WordingUnder
    """The function for the texts of the option under certain rules."""


def declare_option(
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

    `is_later` is for an option newer than the first edition: fingerprints leave out its default. `Declaration` says
    what the arguments after it are for. `answers` are keyed by the word for each answer.
    """
    field: FieldInfo = Field(default=default, json_schema_extra={_LATER_KEY: is_later})
    wording = Wording(title, question, answers)
    field.metadata.append(
        Declaration(wording, meaningless_beside, needs, implies, equivalents, comparison, wording_under)
    )
    return field


def declare_flag(default: bool, title: str, question: str, yes: str, no: str, **arguments: Any) -> Any:
    """Declare a house option with the answers yes and no.

    `yes` and `no` are the sentences for the answers.
    """
    return declare_option(default, title, question, yes=("yes", yes), no=("no", no), **arguments)


def declare_later_field(default: object) -> Any:
    """Declare a field that is newer than the first edition and is not a house option.

    Fingerprints leave out its default.
    """
    return Field(default=default, json_schema_extra={_LATER_KEY: True})


def declaration_of(field: FieldInfo) -> Declaration | None:
    """Return the declaration of a field that is a house option; `None` for any other field."""
    return next((metadata for metadata in field.metadata if isinstance(metadata, Declaration)), None)


def is_later_field(field: FieldInfo) -> bool:
    """Return whether a field is newer than the first edition of the program.

    Fingerprints leave out its default.
    """
    return isinstance(field.json_schema_extra, dict) and bool(field.json_schema_extra.get(_LATER_KEY))


class Contradiction:
    """A contradiction between the answers to some options or awards.

    In a ruleset's file, the first of `options` has the fault. `options` are names of options and ids of awards.
    """

    def __init__(self, code: ContradictionCode, message: str, *options: str) -> None:
        self.code = code
        self.message = message
        self.options = options
