"""How a group declares its house options: each a field with its words, and with what it means beside other answers.

A field made by `option` is a house option, under the name that it has there: a family may answer it for itself. A field
made by `structure` belongs to the variant, and no house rule changes it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field
from pydantic.fields import FieldInfo

from scorekeeper.pitch.rules.fault_codes import ContradictionCode

if TYPE_CHECKING:
    from scorekeeper.pitch.rules.schema import Ruleset

_STRUCTURE = "structure"
_LATER = "later"

# Whoever makes a file decides by it how much is worked out: every number, text and list is bounded.
MOST_AWARDS = 44
MOST_POINTS = 250
"""In a hand, all awards together: more than twice what any known game has, and as many bids as a page can offer."""
PITCHED_BID = 4
"""What a card led instead of a bid counts as (`002`, Pitching)."""
BidNumber = Annotated[int, Field(ge=1, le=100)] | None
Count = Annotated[int, Field(ge=1, le=1000)] | None
Cents = Annotated[int, Field(ge=0, le=100_000)] | None


class Spec(BaseModel):
    """A frozen value that refuses unknown keys and loose types."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    def changed(self, **changes: Any) -> Self:
        """Return a copy with other values, unchecked, and without anything that was cached."""
        copy = self.model_copy(update=changes)
        for name in copy.__dict__.keys() - type(self).model_fields.keys():
            del copy.__dict__[name]
        return copy


class Wording:
    """A heading, a question, and a label and a sentence for every answer, with the few words above Start where any are.

    `phrases.placeholders` fills the braces in a text; `{n}` is a number that was answered, `{n_hands}` and `{n_times}`
    the same as a number of hands, and as how often. An answer is named as in files and forms: yes, no, none, or one of
    the option's own words. `n` stands for any number.
    """

    def __init__(self, title: str, ask: str, **answers: tuple[str, str] | tuple[str, str, str]) -> None:
        self.title = title
        self.ask = ask
        self.answers = answers

    def under(self, ruleset: "Ruleset") -> "Wording":
        """Return the wording under these rules."""
        return self


def yes_no(title: str, ask: str, yes: str, no: str) -> Wording:
    """Return the wording of a question with the sentences for yes and no."""
    return Wording(title, ask, yes=("yes", yes), no=("no", no))


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a house option says beside its field."""

    wording: Wording
    unless: tuple[str, Any] | None
    """Another option and the answer to it beside which this one means nothing, and goes back to its default."""
    needs: Mapping[Any, Mapping[str, Any]]
    """Answers that need others beside them, with others that will do."""
    same: Callable[["Ruleset"], Mapping[Any, Any]] | None
    """Finds the answers that decide the same as another, which is asked in their place."""
    compared: tuple[str, Mapping[str, str]] | None
    """The heading and the few words of answers where games are compared at a glance."""


def option(
    default: Any,
    description: str,
    wording: Wording,
    *,
    is_later: bool = False,
    unless: tuple[str, Any] | None = None,
    needs: Mapping[Any, Mapping[str, Any]] | None = None,
    same: Callable[["Ruleset"], Mapping[Any, Any]] | None = None,
    compared: tuple[str, Mapping[str, str]] | None = None,
) -> Any:
    """Declare a house option, with its usual answer.

    One that came after the first edition `is_later`: while it has its default, the rules are the same as before it.
    """
    field: FieldInfo = Field(default=default, description=description, json_schema_extra={_LATER: is_later})
    field.metadata.append(Declaration(wording, unless, needs or {}, same, compared))
    return field


def structure(default: Any, description: str, *, is_later: bool = False) -> Any:
    """Declare a field that belongs to the variant and is no house option; `is_later` as for an option."""
    return Field(default=default, description=description, json_schema_extra={_STRUCTURE: True, _LATER: is_later})


def is_option(field: FieldInfo) -> bool:
    """Return whether a field is a house option."""
    return not _marks(field).get(_STRUCTURE)


def is_later(field: FieldInfo) -> bool:
    """Return whether a field came after the first edition."""
    return bool(_marks(field).get(_LATER))


def _marks(field: FieldInfo) -> Mapping[str, Any]:
    return field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}


class Contradiction:
    """Options that exclude each other, the likeliest to be changed first."""

    def __init__(self, code: ContradictionCode, message: str, *options: str) -> None:
        self.code = code
        self.message = message
        self.options = options
