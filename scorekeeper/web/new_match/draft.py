"""What was typed at a table that has not started, kept in the phone's cookie while another page is open."""

import json
from collections.abc import Mapping

from flask import session

from scorekeeper.web.new_match.form import ANSWER_PREFIX, OTHER_PREFIX

_DRAFT, _GAME = "new_match", "ruleset"
_NOT_KEPT = ("csrf_token", "client_key", "do", "r", "seats")
_AGREED = (ANSWER_PREFIX, OTHER_PREFIX)
"""How the names of fields begin in which the table says what it agreed."""
_LARGEST = 2500
"""Letters as JSON: a cookie holds about 4,000."""


def keep_draft(ruleset_id: str, posted: Mapping[str, str]) -> None:
    """Keep what was typed; of a very long one only who sits where."""
    typed = {name: text for name, text in posted.items() if name not in _NOT_KEPT and text}
    if len(json.dumps(typed)) > _LARGEST:
        typed = {name: text for name, text in typed.items() if not name.startswith(_AGREED)}
    if len(json.dumps(typed)) <= _LARGEST:
        session[_DRAFT] = {_GAME: ruleset_id, **typed}


def read_draft(ruleset_id: str) -> dict[str, str]:
    """Return what was typed; what the table agreed only where the game is still the same."""
    draft = session.get(_DRAFT)
    if not isinstance(draft, dict):
        return {}
    is_same = draft.get(_GAME) == ruleset_id
    return {name: text for name, text in draft.items() if is_same or not name.startswith(_AGREED)}


def forget_draft() -> None:
    """Forget what was typed: the match has started."""
    session.pop(_DRAFT, None)
