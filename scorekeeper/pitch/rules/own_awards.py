"""A point of a house's own: an award for one trump under the house's name for it, as an answer of house rules.

"5 captured Q: Black Lady" is five points for the side that takes the queen of trumps; a card may be "off Q" as well.
"""

import re
from typing import Literal

from scorekeeper.pitch.rules.awards import RANK_NAMES
from scorekeeper.pitch.rules.faults import is_printable, is_visible
from scorekeeper.pitch.rules.options import POINTS_OF_AWARD
from scorekeeper.pitch.rules.schema import Award

OWN_CARDS = (*RANK_NAMES, *(f"off {rank}" for rank in RANK_NAMES))
"""The cards that a house may give a point of its own, as a file names them."""
OWN_NAME_LENGTH = 20
ALLOWED = "no, or points, who scores them, a card and a name, like 5 captured Q: Black Lady"
_THE = re.compile(r"(the )+", re.IGNORECASE)
_SHAPE = re.compile(r"(\d{1,2}) (captured|held|kept) ([^:]+): (.+)", re.ASCII)


def read_own_award(given: object) -> Award | None:
    """Return the award that an answer makes, `None` for none; raises `ValueError` with what is allowed."""
    if given is False or given == "no":
        return None
    said = _SHAPE.fullmatch(given) if isinstance(given, str) else None
    if said is None:
        raise ValueError(ALLOWED)
    points, won, card, name = said.groups()
    name = without_article(name)
    lowest, highest = POINTS_OF_AWARD
    is_name = is_visible(name) and is_printable(name) and name == name.strip() and len(name) <= OWN_NAME_LENGTH
    if not (lowest <= int(points) <= highest and card in OWN_CARDS and is_name):
        raise ValueError(ALLOWED)
    return Award.model_validate(
        {"name": name, "card": card, "won": won, "points": int(points), "unclaimed": True, "on": True}
    )


def without_article(name: str) -> str:
    """Return a name without the "the" that every sentence puts before it."""
    return name[found.end() :] if (found := _THE.match(name)) else name


def own_answer(award: Award | None) -> str | Literal[False]:
    """Return the answer that makes an award."""
    return f"{award.points} {award.won} {award.card}: {award.name}" if award else False
