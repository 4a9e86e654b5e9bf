"""A browser without a network: it calls the app itself."""

from io import BytesIO

from flask.testing import FlaskClient

from tests.storm.phones import Answer, Fields


class InProcess:
    """A browser with its own cookies."""

    def __init__(self, client: FlaskClient) -> None:
        self._client = client

    def get(self, path: str) -> Answer:
        """Open a page."""
        response = self._client.get(path)
        data = response.get_data()
        return Answer(response.status_code, data.decode(errors="replace"), response.headers.get("Location", ""), data)

    def post(self, path: str, fields: Fields) -> Answer:
        """Send a form, as a script does."""
        try:
            data = {
                name: (BytesIO(value), name) if isinstance(value, bytes) else value for name, value in fields.items()
            }
            response = self._client.post(path, data=data, headers={"HX-Request": "true"})
        except Exception as fault:  # a server would answer that something went wrong
            return Answer(500, repr(fault))
        return Answer(response.status_code, response.text, response.headers.get("HX-Redirect", ""))
