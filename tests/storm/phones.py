"""A phone in the storm: a browser, pages that lie open, and an outbox that does what `static/js/outbox.js` does."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol
from urllib.parse import parse_qs, urlsplit

from tests.common.reading import Element, Form, forms_of, read
from tests.storm.model import NOBODY, Hand, Kind, Post


class Lost(Exception):
    """No answer came."""


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    text: str
    location: str = ""
    """The address that it redirects to, also by a header for a script alone."""
    data: bytes = b""
    """The file that it is, if it is one."""

    @cached_property
    def page(self) -> Element:
        """The page."""
        return read(self.text)

    @cached_property
    def forms(self) -> list[Form]:
        """Every form on it."""
        return forms_of(self.page)

    def form(self, ending: str) -> Form:
        """Return the form that goes there."""
        return next(form for form in self.forms if urlsplit(form.action).path.endswith(ending))

    @property
    def named_event(self) -> int | None:
        """The event that the next page names; `None` where it names none."""
        found = parse_qs(urlsplit(self.location).query).get("said")
        return int(found[0]) if found else None

    @property
    def settles(self) -> Element | None:
        """The question which hand counts."""
        found = [] if self.named_event is not None else self.page.chosen("[data-settles]")
        return found[0] if found else None


Fields = Mapping[str, str | bytes | Sequence[str]]
"""What a form sends; of a field with several values each, and of a file all that is in it."""


class Browser(Protocol):
    """What a phone reaches the server by, with its cookies; raises `Lost`."""

    def get(self, path: str) -> Answer:
        """Open a page."""

    def post(self, path: str, fields: Fields) -> Answer:
        """Send a form, as a script does."""


def enter_pin(browser: Browser, invited: Answer) -> str:
    """Type the PIN of an invitation, and return the address that it leads to."""
    pin = invited.page.chosen(".pin")[0].attrs["aria-label"].removeprefix("PIN: ").replace(", ", "")
    form = browser.get("/join").form("/join")
    return urlsplit(browser.post(form.action, {**form.fields, "pin": pin}).location).path


@dataclass
class Page:
    """The page of a hand, as it lies open or in the phone's memory."""

    url: str
    fields: dict[str, str]
    post: Post
    """What it sends, but for its key and its hand."""
    is_fresh: bool
    is_used: bool = False


@dataclass(frozen=True)
class Entry:
    """A post as its phone keeps it until it is settled."""

    post: Post
    url: str
    fields: Mapping[str, str]
    state: str = "waiting"
    """Or `asks`: it was refused, or answered with a question."""
    is_taken: bool = False
    answer: Answer | None = None

    @property
    def seq(self) -> int:
        """The event that it made, once that is known."""
        return (self.answer and self.answer.named_event) or 0

    @property
    def is_new(self) -> bool:
        """Whether it is a hand at the end."""
        return self.post.kind is Kind.NEW and self.post.before is None


@dataclass
class Phone:
    """A phone with a link to the match."""

    name: str
    browser: Browser
    path: str
    role: str
    token: str
    """Of its forms."""
    keys: Callable[[], str]
    link: int = 1
    """The number of its link on the page of the phones."""
    was: str = ""
    """What it could do before it was removed."""
    pages: list[Page] = field(default_factory=list)
    outbox: list[Entry] = field(default_factory=list)
    sent: list[Entry] = field(default_factory=list)

    # ---------- pages ----------

    def open_hand(self, address: str = "new", before: int | None = None) -> bool:
        """Open the page of a hand; return whether there is one."""
        query = f"?before={before}" if before else ""
        answer = self.browser.get(f"{self.path}hands/{address}{query}")
        found = answer.page.all("form", id="hand_form") if answer.status == 200 else []
        if not found:
            return False
        form = answer.form(f"/hands/{address}")
        post = post_of(self.name, self.role, form.action, form.fields)
        self.pages = [Page(form.action, form.fields, post, "data-fresh" in found[0].attrs), *self.pages][:3]
        return True

    # ---------- the outbox ----------

    def keep(self, page: Page, hand: Hand) -> Entry:
        """Save a hand on a page: it waits in the outbox."""
        key = self.keys() if page.is_used else page.fields["client_key"]
        page.is_used = True
        own = [
            earlier
            for earlier in (*self.sent, *self.outbox)
            if earlier.is_new and earlier.post.version == page.post.version
        ]
        index = page.post.index + (len(own) if page.is_fresh else 0)
        post = replace(page.post, key=key, role=self.role, index=index, hand=hand)
        # A hand in progress, with which a page may begin, may have calls and another dealer, of which a hand has none.
        is_new = page.post.kind is Kind.NEW and "dealt" in page.fields
        dealt = {"dealer": page.fields["dealt"], "calls": ""} if is_new else {}
        fields = {**page.fields, **dealt, **fields_of(hand), "client_key": key, "index": str(index), "do": "save"}
        entry = Entry(post, page.url, fields)
        self.outbox.append(entry)
        return entry

    def change(self, entry: Entry, hand: Hand) -> None:
        """Change what waits: it may have gone in without an answer."""
        key = self.keys()
        post = replace(entry.post, key=key, hand=hand, replaces=entry.post.replaces | {entry.post.key})
        carried = {name: value for name, value in entry.fields.items() if not name.startswith(_ENTERED)}
        fields = {**carried, **fields_of(hand), "client_key": key, "replaces": " ".join(sorted(post.replaces))}
        self.swap(entry, Entry(post, entry.url, fields))

    def swap(self, entry: Entry, other: Entry | None) -> None:
        """Replace an entry by another one, or take it out."""
        position = [kept.post.key for kept in self.outbox].index(entry.post.key)
        self.outbox[position : position + 1] = [other] if other else []

    def discard(self, entry: Entry) -> None:
        """Throw an entry away; hands of its page behind it move up, unless another phone's hand has its index."""
        position = [kept.post.key for kept in self.outbox].index(entry.post.key)
        self.swap(entry, None)
        self._move(entry, position, -1)

    def leave(self, entry: Entry) -> None:
        """Go on without a hand that went in and that the server no longer has; those of its page behind it move up."""
        self._move(entry, 0, -1)

    def put_back(self, entry: Entry, position: int) -> None:
        """Put an entry back at its position; hands of its page behind it move down."""
        self._move(entry, position, 1)
        self.outbox.insert(position, entry)

    def _move(self, entry: Entry, position: int, by: int) -> None:
        for later in self.outbox[position:]:
            if not entry.is_taken and entry.is_new and later.is_new and later.post.version == entry.post.version:
                index = later.post.index + by
                fields = {**later.fields, "index": str(index)}
                self.swap(later, replace(later, post=replace(later.post, index=index), fields=fields))

    def next_to_send(self) -> Entry | None:
        """Return the first entry that waits, unless one before it holds it back."""
        for entry in self.outbox:
            if entry.state == "waiting":
                return entry
            if not entry.is_taken:
                return None
        return None

    def send(self, entry: Entry) -> Answer:
        """Send an entry as this phone may now."""
        return self.browser.post(entry.url, entry.fields)

    def note(self, entry: Entry, answer: Answer | None) -> None:
        """Note what became of an entry."""
        if answer is None or answer.status >= 500 or entry.post.key not in [kept.post.key for kept in self.outbox]:
            return
        if answer.named_event is not None:
            self.swap(entry, None)
            self.sent = [*self.sent, replace(entry, answer=answer)][-20:]
        else:
            settles = answer.settles
            is_taken = settles is not None and "data-taken" in settles.attrs
            self.swap(entry, replace(entry, state="asks", is_taken=is_taken, answer=answer))

    def choices(self, entry: Entry) -> list[Form]:
        """Return the forms in the question that an entry met."""
        settles = entry.answer.settles if entry.answer else None
        return [form for form in forms_of(settles) if "version" in form.fields] if settles else []

    def choose(self, entry: Entry, form: Form) -> Entry:
        """Tap a button of the question: what it sends takes the place of the entry."""
        # The result of the hand in the question may change again, which leads to another question, tested elsewhere.
        fields = {**form.fields, **({"shown": ""} if "shown" in form.fields else {})}
        sent = post_of(self.name, self.role, form.action, fields)
        post = replace(sent, index=1, hand=entry.post.hand, replaces=frozenset())
        other = Entry(post, form.action, fields)
        self.swap(entry, other)
        return other


def post_of(phone: str, role: str, url: str, fields: Mapping[str, str]) -> Post:
    """Read what a phone sends by the form of a hand, but for the hand."""
    address = urlsplit(url).path.rpartition("/hands/")[2]
    is_new = address == "new"
    return Post(
        key=fields["client_key"],
        phone=phone,
        role=role,
        kind=Kind.NEW if is_new else Kind.CORRECTION,
        version=int(fields["version"]),
        index=int(fields.get("index", 1)),
        before=int(fields["before"]) if is_new and fields.get("before") else None,
        uid=0 if is_new else int(address),
        replaces=frozenset(fields.get("replaces", "").split()),
    )


def fields_of(hand: Hand) -> dict[str, str]:
    """Return what a form sends of a hand."""
    if hand.is_misdeal:
        return {"thrown_in": "misdeal"}
    fields = {"call": f"{hand.bidder}:{hand.bid}", "calls": "", "trump": hand.trump or "skip", "shown": ""}
    taken = {f"took-{award}": side or NOBODY for award, side in hand.taken}
    if hand.auction:
        calls = " ".join(f"{who}:{call}" for who, call in hand.auction)
        return {**fields, "call": "", "by": "auction", "dealer": hand.dealer, "calls": calls, **taken}
    if hand.points:
        return {**fields, "by": "counts", **{f"count-{side}": str(count) for side, count in hand.points}}
    return {**fields, "by": "cards", **taken}


_ENTERED = ("thrown_in", "count-", "took-", "calls", "dealer")
"""How fields of an earlier entry begin that another one may not have."""
_VERSION = re.compile(r"/board\?v=(\d+)")


@dataclass(frozen=True)
class ShownHand:
    """A hand in the list of a page."""

    uid: int
    text: str
    totals: list[int]
    """The score of each side after it, where each has a column."""
    is_disputed: bool


@dataclass(frozen=True)
class Sheet:
    """What a match page shows."""

    version: int
    hands: list[ShownHand]
    scores: dict[str, int]
    has_verdict: bool
    """Whether it shows why somebody has won or not, in place of the list of hands."""

    @property
    def uids(self) -> list[int]:
        """The hands, the first one first."""
        return [hand.uid for hand in self.hands]


def sheet_of(answer: Answer) -> Sheet:
    """Read a match page."""
    found = _VERSION.search(answer.text)
    return Sheet(
        version=int(found[1]) if found else -1,
        hands=hands_of(answer, "#history [id^=hand-]"),
        scores={shown.attrs["data-score"]: number(shown.text) for shown in answer.page.chosen("[data-score]")},
        has_verdict=bool(answer.page.chosen("#more")),
    )


def hands_of(answer: Answer, rows: str = "details.hand") -> list[ShownHand]:
    """Read a list of hands, by default that of the page of all hands, whose rows open."""
    found = [
        ShownHand(
            uid=int(row.attrs["id"].removeprefix("hand-")),
            text=row.text,
            totals=[number(cell.text.split()[-1]) for cell in row.all(class_="col")],
            is_disputed="disputed" in row.attrs.get("class", "").split(),
        )
        for row in answer.page.chosen(rows)
    ]
    return found[::-1]


def number(text: str) -> int:
    """Read a number as pages write it."""
    return int(text.replace("−", "-").replace("+", ""))
