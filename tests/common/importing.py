"""Records imported as a file of them is, and the matches that they make."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.book.book_matches import put_matches_in_owners_books
from scorekeeper.database.engine import db
from scorekeeper.matches.files.import_export import import_file
from scorekeeper.matches.files.import_run import import_run
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import load_match
from scorekeeper.pitch.rules.house_rules import Variants
from tests.common.phone import Page, Phone


def import_records(session: Session, rulesets: Variants, records: Sequence[Any], **options: Any) -> list[Match]:
    """Import records as a file has them, and return their matches."""
    codes = import_file(session, rulesets, json.dumps(list(records)).encode(), **options)
    if "importer" in options:  # as the page does
        put_matches_in_owners_books(session)
    return [load_match(session, code) for code in codes]


@contextmanager
def another_import(app: Flask) -> Iterator[None]:
    """Let another import run meanwhile, for which nobody waits."""
    with (
        mock.patch("scorekeeper.matches.files.import_run.LOCK_TIMEOUT_S", 0.0),
        app.app_context(),
        import_run(db.session, None),
    ):
        yield


def brought_in(phone: Phone, *records: Mapping[str, Any]) -> Page:
    """Import matches from a file on a phone, and return the page that this leads to: of one match its own."""
    content = "".join(json.dumps({"format": "pitch-record/1", **record}) + "\n" for record in records)
    return phone.upload(phone.open("/transfer"), "/transfer", "thursday.json", content.encode())
