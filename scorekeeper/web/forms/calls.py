"""The calls of a bidding as a form carries them: `p2:pass p3:3`, in one field, and one tap more or back."""

from collections.abc import Mapping

from scorekeeper.engine.hand import Call
from scorekeeper.engine.record import MOST_CALLS

Calls = tuple[tuple[str, str], ...]
"""Who spoke, by id, and what they said, as the form sends it."""

CALLS_FIELD, SAY_FIELD = "calls", "say"


def calls_in(form: Mapping[str, str]) -> Calls:
    """Read the calls so far, with the one that was just tapped; a tap on an earlier call goes back to it.

    What is tapped says at which place it stands, so that a second tap on the same square says it once.
    """
    calls = tuple(_call(word) for word in form.get(CALLS_FIELD, "").split()[: MOST_CALLS + 1])
    place, _, said = form.get(SAY_FIELD, "").partition(":")
    if not (place.isascii() and place.isdigit() and len(place) < 4):
        return calls
    return calls[: int(place)] + tuple(_call(word) for word in said.split()[:1])


def _call(word: str) -> tuple[str, str]:
    who, _, said = word.partition(":")
    return who, said


def calls_text(calls: Calls) -> str:
    """Write calls as the form carries them."""
    return " ".join(f"{who}:{said}" for who, said in calls)


def as_said(said: str) -> Call:
    """Give a call as the rules know it: a number, or a word."""
    return int(said) if said.isascii() and said.isdigit() and len(said) < 6 else said
