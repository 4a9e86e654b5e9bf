"""What the page shows that asks before a night is deleted, and that of one that was."""

from dataclasses import dataclass

from scorekeeper.ladder import words
from scorekeeper.services.nights import NightAtHand


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeNight:
    """Templates nights/delete.html and nights/deleted.html."""

    code: str
    title: str
    holds: str
    """"8 pairs and 3 rounds"."""
    is_owner: bool


def whole_night(found: NightAtHand) -> WholeNight:
    """Return what is shown before a night is deleted, and after it was."""
    rounds = len(found.night.rounds)
    pairs = words.group_words(found.setup.size, len(found.night.pairs))
    return WholeNight(
        code=found.code,
        title=words.night_title(found.night),
        holds=f"{pairs} and {rounds} round{'' if rounds == 1 else 's'}",
        is_owner=found.link.is_owner,
    )
