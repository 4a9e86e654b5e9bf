"""Responses with a sheet as PDF, or one page of it as an image, unless the browser has it already."""

from flask import Response, abort, make_response, request

from scorekeeper.printing import print_service
from scorekeeper.printing.kinds import Kind, Order, Subject, title_of
from scorekeeper.printing.print_options import PAPER_NAMES, PrintOptions
from scorekeeper.web.shared.respond import attachment, file_name

MOST_PAGES = 999


def send_sheet(kind: Kind, subject: Subject, options: PrintOptions, *, is_download: bool = False) -> Response:
    """Return a sheet as PDF, to be opened or to be saved."""
    response = _send(Order(kind.name, subject, options), "application/pdf")
    return attachment(response, sheet_file_name(kind, subject, options), is_inline=not is_download)


def send_page_image(kind: Kind, subject: Subject, options: PrintOptions, number: int) -> Response:
    """Return one page of a sheet as an image; 404 where it has no such page."""
    if not 1 <= number <= MOST_PAGES:
        abort(404)
    return _send(Order(kind.name, subject, options), "image/png", number)


def sheet_file_name(kind: Kind, subject: Subject, options: PrintOptions) -> str:
    """Return a name for the file that says what is inside."""
    words = [title_of(kind, subject), PAPER_NAMES[options.paper]]
    words += [kind.sizes[options.size]] if options.size != next(iter(kind.sizes)) else []
    words += ["black and white"] if options.is_grayscale else []
    return file_name(" ".join(words), "pdf")


def _send(order: Order, content_type: str, number: int = 0) -> Response:
    etag = f"{order.key}-{number}" if number else order.key
    response = make_response(b"")
    response.set_etag(etag)
    if not request.if_none_match.contains(etag):
        try:
            image = print_service.page_image(order, number) if number else None
            response.data = image or print_service.print_sheet(order).content
        except IndexError:
            abort(404)
    response.content_type = content_type
    response.headers["Cache-Control"] = "private, no-cache"
    response.make_conditional(request)
    return response
