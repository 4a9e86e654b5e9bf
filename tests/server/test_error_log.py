"""What is written of errors: where they happened, and no link, PIN or name."""

import pytest
from flask import Flask, request
from flask.testing import FlaskClient

from scorekeeper.server.watch import print_error

SECRETS = ("z-ZQ7d55NT8kYYW2", "KBDFG", "Annabel")


def add_pages(app: Flask) -> None:
    """Add a page that fails with the link, the PIN and the name in its errors."""

    def fail(code: str) -> str:
        try:
            raise KeyError(code)
        except KeyError as missing:
            raise ValueError(f"{code} {request.form['pin']} {request.args['name']}") from missing

    app.add_url_rule("/fail/<code>", view_func=fail, methods=["POST"], endpoint="fail")
    app.config["PROPAGATE_EXCEPTIONS"] = False


def test_an_error_is_written_without_what_it_was_about(client: FlaskClient, capfd: pytest.CaptureFixture[str]) -> None:
    code, pin, name = SECRETS

    answer = client.post(f"/fail/{code}?name={name}", data={"pin": pin})

    written = capfd.readouterr()
    assert answer.status_code == 500
    assert "ValueError in POST /fail/<code>" in written.err
    assert "because of KeyError" in written.err
    assert "test_error_log.py" in written.err
    assert not [secret for secret in SECRETS if secret in written.err + written.out]


def test_an_error_without_a_history_is_written(capfd: pytest.CaptureFixture[str]) -> None:
    print_error(ValueError("Annabel"), "a request")

    assert capfd.readouterr().err == "ValueError in a request:\n"
