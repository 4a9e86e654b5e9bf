"""How a value is declared: a dataclass that is frozen, with slots."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform, overload

_Made = TypeVar("_Made")


@overload
def frozen(made: type[_Made]) -> type[_Made]: ...
@overload
def frozen(*, kw_only: bool) -> Callable[[type[_Made]], type[_Made]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(made: type[_Made] | None = None, *, kw_only: bool = False) -> object:
    """Make a class a frozen dataclass with slots, like `dataclass(frozen=True, slots=True)`."""
    make = dataclass(frozen=True, slots=True, kw_only=kw_only)
    return make if made is None else make(made)
