"""What every part of a ruleset is made of: frozen values that read strictly and change by copying."""

from typing import Any, Self, cast

from pydantic import BaseModel, ConfigDict, Field


class Spec(BaseModel):
    """A frozen value that refuses unknown keys and loose types."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    def changed(self, **changes: Any) -> Self:
        """Return a copy with other values, unchecked, and without anything that was cached."""
        values = {name: getattr(self, name) for name in type(self).model_fields}
        return cast(Self, type(self).model_construct(**{**values, **changes}))


def option(default: Any, description: str) -> Any:
    """Declare a house option, with its usual answer."""
    return Field(default=default, description=description)


def structure(default: Any, description: str) -> Any:
    """Declare a field that belongs to the variant and is no house option."""
    return Field(default=default, description=description, json_schema_extra={"structure": True})
