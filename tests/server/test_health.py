"""The health check for a proxy."""

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from scorekeeper.database.engine import db


@pytest.fixture
def app(own_app: Flask) -> Flask:
    """Return an app whose tables are not there yet."""
    return own_app


@pytest.mark.every_database
def test_it_is_well_while_matches_can_be_read(client: FlaskClient) -> None:
    answer = client.get("/healthz")

    assert (answer.status_code, answer.text, answer.mimetype) == (200, "ok\n", "text/plain")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers


@pytest.mark.every_database
def test_it_is_not_well_without_them(app: Flask, client: FlaskClient, capfd: pytest.CaptureFixture[str]) -> None:
    with app.app_context():
        db.session.execute(text("ALTER TABLE match RENAME TO elsewhere"))
        db.session.commit()

    answer = client.get("/healthz")

    with app.app_context():
        db.session.execute(text("ALTER TABLE elsewhere RENAME TO match"))
        db.session.commit()
    assert answer.status_code == 503
    assert capfd.readouterr() == ("", "")


def test_a_proxy_may_use_any_host_name(app: Flask, client: FlaskClient) -> None:
    app.config["PUBLIC_URL"] = "https://pitch.example"

    assert client.get("/healthz", headers={"Host": "scorekeeper:8000"}).status_code == 200
