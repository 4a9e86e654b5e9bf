"""The house options: their names, their possible answers, and how an answer is read."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from scorekeeper.rules.schema import GROUPS, Ruleset
from scorekeeper.rules.spec import is_option

POINTS_OF_AWARD = (1, 60)
"""The fewest and the most points that a house may give an award."""
LOW = "low"
"""The name of an option, who scores Low, and of an award, what Low is worth."""
ONE_ANSWER = "House rules have one answer for Low: who scores it, or what it is worth. Undo the first one."
NEVER_NONE = ("min_bid",)
"""Options where none only means that the sources leave the answer open."""
MEANINGLESS_WITH: Mapping[str, tuple[str, Any]] = {
    **dict.fromkeys(
        ("moon_made", "moon_set", "moon_after", "moon_needs", "moon_counts_burned", "double_moon"), ("moon", "off")
    ),
    **dict.fromkeys(("double_moon_made", "double_moon_set"), ("double_moon", False)),
    "double_loss_on_overtake": ("pitching", False),
    "share_the_wealth": ("kitty", "none"),
    "defenders_stop_at_one": ("count_down_from", None),
    "defenders_stop_short": ("length", "hands"),
    "hands": ("length", "target"),
    "win_by": ("length", "hands"),
}
"""Options that mean nothing beside one answer to another option, and go back to their defaults with it."""


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
        """Return an answer as the ruleset holds it; raises `ValueError` with what is allowed.

        Files and forms may have words for yes, no and none.
        """
        if self.is_flag and given in ("yes", "no"):
            given = given == "yes"
        elif "yes" in self.choices and isinstance(given, bool):
            given = "yes" if given else "no"
        elif self.may_be_none and given == "none":
            given = None
        try:
            return self.adapter.validate_python(given)
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


def _option(name: str, group: str, field: FieldInfo) -> Option:
    adapter = TypeAdapter[Any](field.rebuild_annotation(), config={"strict": True})
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
        may_be_none={"type": "null"} in arms and not choices,
        lowest=min(numbers, default=None),
        highest=max(numbers, default=None),
    )


@cache
def options() -> Mapping[str, Option]:
    """Return every house option by name; an award is one too, but not among these."""
    found: dict[str, Option] = {}
    for group in GROUPS:
        part = Ruleset.model_fields[group].annotation
        for name, field in part.model_fields.items():  # type: ignore[union-attr]
            if is_option(field):
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
