"""Limit what a network may do within an hour, even if two requests arrive at the same moment."""

from concurrent.futures import ThreadPoolExecutor
from time import sleep

import pytest
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access.hourly_limits import TooManyAnHour, count_action, delete_counts
from scorekeeper.database.engine import db

pytestmark = pytest.mark.every_database


def test_of_two_that_ask_at_once_for_what_is_left_one_is_refused(app: Flask, session: Session) -> None:
    def take_one() -> None:
        with app.app_context():
            count_action(db.session, "match", "network", 1)

    count_action(session, "match", "network", 1)
    with ThreadPoolExecutor(1) as pool:
        second = pool.submit(take_one)
        sleep(0.2)
        session.commit()
        with pytest.raises(TooManyAnHour):
            second.result()


def test_what_was_not_done_is_given_back(session: Session) -> None:
    delete_counts(session, count_action(session, "sheet", "network", 1, "rules"))

    assert len(count_action(session, "sheet", "network", 1, "rules")) == 2
    assert count_action(session, "sheet", "network", 1, "rules") == []
