"""The bytecode cache of templates, and the names that they may use beside Flask's; a missing name is an error."""

import os
import sys
from contextlib import suppress
from importlib.util import cache_from_source

from flask import Flask
from jinja2 import FileSystemBytecodeCache, StrictUndefined
from jinja2.bccache import Bucket
from werkzeug.local import LocalProxy

from scorekeeper.paths import TEMPLATES
from scorekeeper.pitch.rules.typed_text import NAME_LENGTH, NOTE_LENGTH, PLACE_LENGTH, TITLE_LENGTH
from scorekeeper.pitch.text.phrases import bid_word, call_word, pronoun, score_text, signed
from scorekeeper.web.context import book_label
from scorekeeper.web.library import basis, earlier_rules
from scorekeeper.web.locale import date_style, day, moment, papers
from scorekeeper.web.match_views import match_title, rules_words, side_view_of, side_views
from scorekeeper.web.page_cache import form_key, form_token, theme_attribute
from scorekeeper.web.respond import address_note, contact, external_url, is_of_match, kept_until, without_scheme
from scorekeeper.web.widgets import few_lines, qr_svg, strip_columns


class _Compiled(FileSystemBytecodeCache):
    """A cache of compiled templates in Python's own cache folder: it takes longer to compile one than to render it.

    Where nothing can be written, each start compiles the templates that it shows. The cache key is a template's text
    alone: nothing of ours may be evaluated while one is compiled, as a filter of a constant would be.
    """

    def __init__(self) -> None:
        super().__init__(os.path.dirname(cache_from_source(str(TEMPLATES / "_.py"))))

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a compiled template, if there is one."""
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a compiled template."""
        if sys.dont_write_bytecode:
            return
        with suppress(OSError):
            os.makedirs(self.directory, exist_ok=True)
            super().dump_bytecode(bucket)


def init_templates(app: Flask) -> None:
    """Add to templates `ui`, the macros of shared/_ui.html, filters that return words, and functions for forms."""
    templates = app.jinja_env
    templates.bytecode_cache = _Compiled()
    templates.undefined = StrictUndefined
    # A global reaches every block, also where it is rendered by itself, and is compiled when a page first uses it.
    templates.globals["ui"] = LocalProxy(lambda: templates.get_template("shared/_ui.html").module)
    for function in (
        address_note,
        contact,
        external_url,
        few_lines,
        is_of_match,
        kept_until,
        without_scheme,
        qr_svg,
        strip_columns,
        date_style,
        papers,
        theme_attribute,
    ):
        templates.globals[function.__name__] = function
    templates.globals.update(
        new_form_key=form_key,
        csrf_token=form_token,
        name_length=NAME_LENGTH,
        title_length=TITLE_LENGTH,
        place_length=PLACE_LENGTH,
        remark_length=NOTE_LENGTH,
    )
    for words in (
        day,
        moment,
        bid_word,
        call_word,
        pronoun,
        score_text,
        signed,
        match_title,
        rules_words,
        side_view_of,
        earlier_rules,
        book_label,
        basis,
    ):
        templates.filters[words.__name__] = words
    templates.filters["side_views"] = side_views
