"""Records imported as a file of them is, and the matches that they make."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from scorekeeper.book.book_matches import place_matches
from scorekeeper.matches.files.import_export import import_file
from scorekeeper.matches.fold import Match
from scorekeeper.matches.load import load_match
from scorekeeper.pitch.rules.house_rules import Variants


def import_records(session: Session, rulesets: Variants, records: Sequence[Any], **said: Any) -> list[Match]:
    """Import records as a file has them, and return their matches."""
    codes = import_file(session, rulesets, json.dumps(list(records)).encode(), **said)
    if "importer" in said:  # as the page does
        place_matches(session)
    return [load_match(session, code) for code in codes]
