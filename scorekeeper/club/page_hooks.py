"""Registers the pages of the club, and what they add to those of the kitchen table."""

from importlib import import_module

from flask import Flask

from scorekeeper import hooks
from scorekeeper.club import entries, prints
from scorekeeper.club.book_files.service import is_book_file
from scorekeeper.club.book_files.views import show_look_at_own
from scorekeeper.club.nights.pages import context as night_pages
from scorekeeper.club.nights.service import DeletedNight, has_title_of_night
from scorekeeper.hooks import Upload

FEATURES = (
    "scorekeeper.club.money.views",
    "scorekeeper.club.nights.pages.book",
    "scorekeeper.club.book_files.views",
    "scorekeeper.club.book_files.new_book",
    "scorekeeper.club.figures.pages.own",
    "scorekeeper.club.figures.pages.views",
    "scorekeeper.club.nights.pages.views",
    "scorekeeper.club.nights.pages.seats",
    "scorekeeper.club.nights.pages.phones",
)
"""The routes of each of these modules are its blueprint `bp`."""


def init_pages(app: Flask) -> None:
    """Add every page of the club to an app."""
    app.register_error_handler(DeletedNight, night_pages.show_deleted)
    hooks.link_kinds["night"] = night_pages.NIGHT
    hooks.print_kinds.update(prints.KINDS)
    hooks.print_sources.update(prints.SOURCES)
    hooks.home_tiles.add(entries.people_tile)
    hooks.home_sections.add(entries.nights_at_home)
    hooks.book_menu.add(entries.book_entries)
    hooks.continued_at.add(entries.money_night)
    hooks.player_changes.add(entries.change_of_players)
    hooks.match_menu.add(entries.night_entries)
    hooks.match_menu.add(entries.money_entries)
    hooks.match_flags.add(entries.money_flags)
    hooks.match_flags.add(entries.night_flags)
    hooks.has_borrowed_title.add(has_title_of_night)
    hooks.uploads.add(Upload(is_book_file, show_look_at_own))
    for feature in FEATURES:
        app.register_blueprint(import_module(feature).bp)
