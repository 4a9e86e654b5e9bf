"""What every part of a ruleset is made of: frozen values that read strictly and change by copying."""

from collections.abc import Mapping
from typing import Any, Self, cast

from pydantic import BaseModel, ConfigDict, Field
from pydantic.fields import FieldInfo

_STRUCTURE = "structure"
_LATER = "later"


class Spec(BaseModel):
    """A frozen value that refuses unknown keys and loose types."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    def changed(self, **changes: Any) -> Self:
        """Return a copy with other values, unchecked, and without anything that was cached."""
        values = {name: getattr(self, name) for name in type(self).model_fields}
        return cast(Self, type(self).model_construct(**{**values, **changes}))


def option(default: Any, description: str, *, is_later: bool = False) -> Any:
    """Declare a house option, with its usual answer.

    One that came after the first edition `is_later`: while it has its default, the rules are the same as before it.
    """
    return Field(default=default, description=description, json_schema_extra={_LATER: is_later})


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
