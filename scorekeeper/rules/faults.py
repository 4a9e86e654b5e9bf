"""What is wrong with a ruleset, house rules or any other input, and what to do about it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace


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
