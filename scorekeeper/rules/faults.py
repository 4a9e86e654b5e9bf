"""What is wrong with a ruleset, house rules or any other input, and what to do about it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from pydantic import ValidationError

from scorekeeper.rules.characters import shortened


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: the field, a code for programs, and a sentence for people."""

    field: str
    code: str
    text: str
    """The sentence; where it mentions people, `{0}`, `{1}`… stand for them."""
    people: tuple[str, ...] = ()
    """The ids of those whom the sentence mentions; without any, the text is taken as it is."""

    @property
    def message(self) -> str:
        """The sentence, with ids where nobody has put in names."""
        return self.text.format(*self.people) if self.people else self.text

    def named(self, names: Mapping[str, str]) -> "Fault":
        """Return the fault with the names of those whom it mentions."""
        if not self.people:
            return self
        return replace(self, text=self.text.format(*(names.get(who, who) for who in self.people)), people=())


def shape_faults(error: ValidationError) -> Iterator[Fault]:
    """Yield what keeps a value from having the shape of a ruleset, each at its path, with what was found there."""
    for detail in error.errors(include_url=False):
        found = detail["input"]
        shown = "" if isinstance(found, dict) else f" Found {shortened(repr(found))}."
        why = detail["msg"].removeprefix("Value error, ")
        yield Fault(".".join(map(str, detail["loc"])), detail["type"], f"{why}.{shown}")
