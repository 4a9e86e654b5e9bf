"""A rule sheet as PDF: the first time, and from what is kept."""

from functools import partial
from statistics import median

from flask import Response

from scorekeeper.printing.layout import Layout
from scorekeeper.printing.rule_sheets import rule_sheet_markup
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.rule_sheet import rule_sheet
from scorekeeper.web.shared.library import library
from tests.bench.bare_view import bare_app
from tests.bench.bench import Bench
from tests.bench.client import Phone
from tests.bench.figure import Figure
from tests.bench.timing import medians, timed

LONGEST_FIRST = 1500.0
LONGEST_KEPT = 5.0
SHEETS = 6
ROUNDS = 60


def first_print_figure(bench: Bench) -> Figure:
    """Time sheets that nobody has asked for yet; what printing needs is read in before."""
    phone = Phone(bench.app)
    warm, *rest = _chosen()
    phone.get(f"/rules/{warm.id}.pdf")
    first = [phone.get(f"/rules/{ruleset.id}.pdf?paper=letter").seconds for ruleset in rest]
    laid_out = [timed(partial(_lay_out, rule_sheet_markup(rule_sheet(ruleset))))() for ruleset in rest]
    return Figure(
        name="pdf_first",
        value=median(first) * 1000,
        floor=median(laid_out) * 1000,
        limit=LONGEST_FIRST,
        label="a rule sheet as PDF, the first time",
        floor_label="the same page laid out once by WeasyPrint, in whatever size",
    )


def kept_print_figure(bench: Bench) -> Figure:
    """Time a sheet that was printed before."""
    phone, path = Phone(bench.app), f"/rules/{_chosen()[0].id}.pdf"
    content = phone.get(path).body
    bare = Phone(bare_app(lambda: Response(content, mimetype="application/pdf")))
    kept, floor = medians(lambda: phone.get(path).seconds, lambda: bare.get("/").seconds, rounds=ROUNDS, warm_up=5)
    return Figure(
        name="pdf_cached",
        value=kept * 1000,
        floor=floor * 1000,
        limit=LONGEST_KEPT,
        label="the same sheet again",
        floor_label="the same bytes from a bare Flask view",
    )


def _chosen() -> list[Ruleset]:
    variants = sorted(library(), key=lambda ruleset: ruleset.points_per_hand)
    return variants[:: max(len(variants) // SHEETS, 1)][:SHEETS]


def _lay_out(markup: str) -> bytes:
    layout = Layout(markup, ("faces.css", "print.css"))
    pdf: bytes = layout.render("@page{size:A4}").write_pdf()
    return pdf
