"""The app, where it is served, and clients that need no browser."""

from dataclasses import dataclass

from flask import Flask

from tests.common.phone import Phone


@dataclass
class Site:
    """The app, and where it is served."""

    app: Flask
    url: str

    def client(self) -> Phone:
        """Return a phone without a browser."""
        return Phone(self.app.test_client())
