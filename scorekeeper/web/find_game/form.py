"""What an address says about the game that is looked for."""

from dataclasses import dataclass

from werkzeug.datastructures import MultiDict

from scorekeeper.rules.finder import TELLING_OPTIONS, Said, read_said

PLAYERS_FIELD, SEATING_FIELD, CARDS_FIELD, TARGET_FIELD, OTHER_FIELD = "players", "seating", "cards", "target", "other"
NAME_FIELD, ANSWERED_FIELD = "q", "answered"
RULE_PREFIX = "rule-"
USUAL_PLAYERS = 4
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class FinderForm:
    """The answers so far, and the name that is searched for."""

    said: Said
    name: str = ""


def read_form(query: MultiDict[str, str]) -> FinderForm:
    """Return what an address says; four at the table where it says nothing at all."""
    is_answered = bool(query.get(ANSWERED_FIELD))
    said = read_said(
        players=query.get(PLAYERS_FIELD, None if is_answered else USUAL_PLAYERS, type=int),
        seating=query.get(SEATING_FIELD, ""),
        cards=query.getlist(CARDS_FIELD),
        target=query.get(OTHER_FIELD, type=int) or query.get(TARGET_FIELD, type=int),
        answers={name: word for name in TELLING_OPTIONS if (word := query.get(f"{RULE_PREFIX}{name}"))},
    )
    return FinderForm(said=said, name=query.get(NAME_FIELD, "")[:_LONGEST_NAME].strip())
