"""Registers the club with the app: the pages of its five packages, and what they add to those of the kitchen table."""

from importlib import import_module

from flask import Flask

from scorekeeper import hooks
from scorekeeper.club.figures.counting import keep_figures

FEATURES = (
    "scorekeeper.club.money.views",
    "scorekeeper.club.nights.pages.book",
    "scorekeeper.club.book_files.views",
    "scorekeeper.club.figures.pages.views",
    "scorekeeper.club.nights.pages.views",
    "scorekeeper.club.nights.pages.seats",
    "scorekeeper.club.nights.pages.phones",
)
"""The routes of each of these modules are its blueprint `bp`."""


def init(app: Flask, *, has_pages: bool) -> None:
    """Register everything of the club; what only pages need is read only where an app has them."""
    hooks.on_append.add(keep_figures)
    if has_pages:
        for feature in FEATURES:
            app.register_blueprint(import_module(feature).bp)
