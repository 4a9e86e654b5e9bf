"""The page that says what did not work, and what to do about it."""

from dataclasses import dataclass

from scorekeeper.web.contexts.parts import Action


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorPage:
    """Template errors/error.html. Blocks: trouble."""

    status: int
    title: str
    sentence: str
    """What happened."""
    mend: str
    """What to do now."""
    home_url: str
    again: Action | None = None
    """Sends what was entered once more."""
    back: Action | None = None
    """Where to go on, if not home."""
