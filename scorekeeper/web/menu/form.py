"""The form with the names of a match: its title, its sides and its players."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from scorekeeper.rules.faults import Fault

TITLE = "title"


@dataclass(frozen=True, slots=True)
class NamesForm:
    """Names by the id of a side or a player, or `TITLE`."""

    typed: Mapping[str, str] = field(default_factory=dict)
    shown: Mapping[str, str] = field(default_factory=dict)
    """What the page showed before."""

    @property
    def changed(self) -> dict[str, str]:
        """What differs from what the page showed: another phone may have changed the rest meanwhile."""
        return {who: name for who, name in self.typed.items() if name != self.shown.get(who)}


def field_name(who: str) -> str:
    """Return the name of the field for a title, a side or a player."""
    return who if who == TITLE else f"name-{who}"


def read_names(form: Mapping[str, str]) -> NamesForm:
    """Return the names that were posted, without needless spaces."""
    names = {name: " ".join(text.split()) for name, text in form.items()}
    return NamesForm(_with_prefix(names, ""), _with_prefix(names, "was-"))


def _with_prefix(names: Mapping[str, str], prefix: str) -> dict[str, str]:
    players = f"{prefix}{field_name('')}"
    found = {name.removeprefix(players): text for name, text in names.items() if name.startswith(players)}
    title = names.get(f"{prefix}{TITLE}")
    return found if title is None else {TITLE: title, **found}


def named_in(fault: Fault) -> str:
    """Return the id of the side or player that a fault is about, or `TITLE`.

    Faults of a match as a whole count sides and players from 0: `players.2`, `sides.0.name`.
    """
    head, _, rest = fault.field.partition(".")
    number = rest.partition(".")[0]
    if number.isdigit() and (head == "players" or rest.endswith(".name")):
        return f"{head[0]}{int(number) + 1}"
    return rest if head == "names" else head
