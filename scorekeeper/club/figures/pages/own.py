"""The people of this phone’s book, or where they come from."""

from flask import Blueprint, Response

from scorekeeper.pages.book.views import phone_books
from scorekeeper.web.respond import redirect_to, render_page

bp = Blueprint("own_people", __name__)


@bp.get("/people")
def show() -> Response:
    """Redirect to the people of this phone's book, or show where they come from."""
    if books := phone_books():
        return redirect_to("people.everybody", code=books[0].code)
    return render_page("people/nobody.html")
