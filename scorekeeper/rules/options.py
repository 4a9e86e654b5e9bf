"""The house options: their names, their possible answers, and how an answer is read."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args, get_origin

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from scorekeeper.rules.schema import GROUPS, Ruleset

POINTS_OF_AWARD = (1, 20)
"""The fewest and the most points that a house may give an award."""


@dataclass(frozen=True, slots=True)
class Option:
    """One house option: its group, and what it may be answered."""

    name: str
    group: str
    adapter: TypeAdapter[Any]
    default: Any
    """The answer of a variant that never had this option."""
    choices: tuple[str, ...]
    """The words to choose from; empty for a number, and for yes or no."""
    is_flag: bool
    may_be_none: bool
    """Whether "none" is an answer."""
    lowest: int | None
    highest: int | None

    def read(self, given: object) -> Any:
        """Return an answer as the ruleset holds it; raises `ValueError` with what is allowed."""
        try:
            return self.adapter.validate_python(_plain(self, given))
        except ValidationError:
            raise ValueError(self.allowed) from None

    @property
    def allowed(self) -> str:
        """The possible answers, in words."""
        if self.is_flag:
            return "yes or no"
        if self.choices:
            return "one of " + ", ".join(self.choices)
        numbers = f"a number from {self.lowest} to {self.highest}"
        return f"none, or {numbers}" if self.may_be_none else numbers


def _plain(option: Option, given: object) -> object:
    """Replace the words that files and forms use for yes, no and none by values."""
    if option.is_flag and given in ("yes", "no"):
        return given == "yes"
    if "yes" in option.choices and isinstance(given, bool):
        return "yes" if given else "no"
    if option.may_be_none and given == "none":
        return None
    return given


def _option(name: str, group: str, field: FieldInfo) -> Option:
    annotation = field.rebuild_annotation()
    arms = get_args(annotation) if not _is_literal(annotation) else (annotation,)
    literals = [arm for arm in arms if _is_literal(arm)]
    choices = tuple(value for literal in literals for value in get_args(literal) if isinstance(value, str))
    numbers = tuple(value for literal in literals for value in get_args(literal) if isinstance(value, int))
    bounds = _bounds(annotation)
    return Option(
        name=name,
        group=group,
        adapter=TypeAdapter(annotation, config={"strict": True}),
        default=field.default,
        choices=choices,
        is_flag=annotation is bool,
        may_be_none=type(None) in arms and not choices,
        lowest=min(numbers) if numbers else bounds[0],
        highest=max(numbers) if numbers else bounds[1],
    )


def _is_literal(annotation: object) -> bool:
    return get_origin(annotation) is Literal


def _bounds(annotation: Any) -> tuple[int | None, int | None]:
    schema = TypeAdapter(annotation).json_schema()
    for arm in schema.get("anyOf", [schema]):
        if "minimum" in arm:
            return arm["minimum"], arm["maximum"]
    return None, None


@cache
def options() -> Mapping[str, Option]:
    """Return every house option by name; an award is one too, but not among these."""
    found: dict[str, Option] = {}
    for group in GROUPS:
        part = Ruleset.model_fields[group].annotation
        for name, field in part.model_fields.items():  # type: ignore[union-attr]
            if not (isinstance(field.json_schema_extra, dict) and field.json_schema_extra.get("structure")):
                found[name] = _option(name, group, field)
    return found


@cache
def may_be_empty() -> frozenset[str]:
    """Return the keys of a ruleset's tables that may be empty."""
    parts = [Ruleset.model_fields[group].annotation for group in (*GROUPS, "cards")]
    return frozenset(
        name
        for part in parts
        for name, field in part.model_fields.items()  # type: ignore[union-attr]
        if type(None) in get_args(field.annotation)
    )


def read_award(given: object) -> bool | int:
    """Return an award's answer, on, off or its points; raises `ValueError` with what is allowed."""
    given = {"yes": True, "no": False}.get(given, given) if isinstance(given, str) else given
    lowest, highest = POINTS_OF_AWARD
    if isinstance(given, bool):
        return given
    if isinstance(given, int) and lowest <= given <= highest:
        return given
    raise ValueError(f"yes, no, or its points from {lowest} to {highest}")
