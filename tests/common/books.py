"""What tests of books share: a phone's book, another phone that joins it, and what its owner does to that one."""

from flask import Flask

from tests.common.phone import Page, Phone


def book_code(phone: Phone) -> str:
    """Return the code of the link by which a phone has its book, the one that it opened last."""
    from scorekeeper.book.books import books_of_device
    from scorekeeper.database.engine import db

    app: Flask = phone.client.application
    with phone.client.session_transaction() as session:
        device = session["device"]
    with app.app_context():
        return books_of_device(db.session, device)[0].code


def book_of(phone: Phone) -> Page:
    """Open a phone's book."""
    return phone.open(f"/books/{book_code(phone)}/")


def invited_to_book(owner: Phone, role: str = "watcher") -> Page:
    """Invite phones to a book, and return the page with the PIN."""
    page = owner.open(f"/books/{book_code(owner)}/phones")
    return owner.post(page.form("/phones/invite").action, {**page.form("/phones/invite").fields, "role": role})


def join_book(owner: Phone, phone: Phone, role: str = "watcher", holder: str = "") -> Page:
    """Let a phone join the owner's book by its PIN, and return the page that this leads to."""
    pin = str(invited_to_book(owner, role).one(class_="pin").attrs["aria-label"])
    joining = phone.open("/join").send("/join", {"pin": pin.removeprefix("PIN: ")})
    return joining.send(joining.path, {"holder": holder}, press="Join")


def change_book(owner: Phone, do: str, number: int = 2) -> Page:
    """Do something with a phone's link to the owner's book."""
    page = owner.open(f"/books/{book_code(owner)}/phones")
    return owner.post(f"/books/{book_code(owner)}/phones/{number}", {**page.form("/invite").fields, "do": do})


def opened(page: Page, title: str) -> Page:
    """Open a match from the list of all, and go where that leads: a phone that has no link of its own is given one."""
    tapped = page.tap(title)
    return page.phone.open(tapped.response.headers.get("Location", tapped.path))
