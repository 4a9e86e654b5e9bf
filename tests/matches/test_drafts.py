"""The hand in progress, which several phones may begin at the same moment."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import SCORER
from scorekeeper.matches.drafts import draft_of, save_draft
from scorekeeper.matches.fold import Match
from tests.common.interleaving import before_insert


# SQLite lets nobody else write in between.
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_of_two_phones_that_begin_a_hand_at_once_the_first_ones_is_kept(
    app: Flask, session: Session, match: Match
) -> None:
    theirs = replace(match, link=MATCH_LINKS.add(session, match.id, "theirs", SCORER, datetime.now(UTC)))
    session.commit()

    with before_insert(app, "hand_draft", lambda: save_draft(db.session, theirs, {"bid": "3"})):
        save_draft(session, match, {"bid": "4"})

    draft = draft_of(session, match)
    assert draft
    assert (draft.link, draft.fields) == (theirs.link, (("bid", "3"),))
