"""The tables. Rows of matches and of events never change; lists, drafts, links, invitations and derived data do.

Of derived data, endings are stored to check later versions of the scoring, and books and figures of matches for fast
queries. Wrong PINs are deleted after a day, counts for hourly limits after an hour.
"""

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from scorekeeper.pitch.rules.entered_text import (
    MAX_ACTOR_LENGTH,
    MAX_KEY_LENGTH,
    MAX_NAME_LENGTH,
    MAX_NOTE_LENGTH,
    MAX_PLACE_LENGTH,
    MAX_TIME_ZONE_LENGTH,
    MAX_TITLE_LENGTH,
)

metadata = SQLModel.metadata
# Set before any table is declared. Every column is part of a name: with the first alone, two keys that begin with the
# same column would conflict. An unnamed constraint could never be dropped again on SQLite.
metadata.naming_convention = {
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
}

_MAX_CODE_LENGTH = 32
_MAX_HOUSE_NAME_LENGTH = 60
_MAX_SEAT_ID_LENGTH = 8
"""The most characters in the id of a seat or a side."""
_MAX_ROLE_LENGTH = 16
_MAX_PIN_LENGTH = 16
_MAX_UID_LENGTH = 22
"""The most characters in a uid. A new one has 128 random bits, so that no other server has the same."""
MAX_NETWORK_LENGTH = 64


_MOMENT_TYPE: Any = sa.DateTime(timezone=True)
_JSON_TYPE: Any = sa.JSON()
"""JSON is stored as text: PostgreSQL's binary JSON would lose the order of keys."""
Moment = Annotated[datetime, Field(sa_type=_MOMENT_TYPE)]
OptionalMoment = Annotated[datetime | None, Field(sa_type=_MOMENT_TYPE)]
JsonObject = Annotated[dict[str, object], Field(sa_type=_JSON_TYPE)]
JsonList = Annotated[list[object], Field(sa_type=_JSON_TYPE)]
Code = Annotated[str, Field(max_length=_MAX_CODE_LENGTH, unique=True)]
Uid = Annotated[str, Field(max_length=_MAX_UID_LENGTH, unique=True)]
"""The uid of a match, a book or a night: the same in files and on every server."""


LISTED_EVENT_KINDS = ("rename", "sits_in", "deletion", "undeletion", "undo", "redo")
"""The kinds of events that change what lists show of a match, or whether they show it."""
_IS_LISTED_EVENT = sa.text(f"kind IN ({', '.join(repr(kind) for kind in LISTED_EVENT_KINDS)})")


def _optional_text(max_length: int, *, is_unique: bool = False) -> Any:
    """Return a field for a text of up to `max_length` characters, or null."""
    return Field(default=None, max_length=max_length, unique=is_unique)


def _foreign_key(table: str, *, is_primary_key: bool = False, is_indexed: bool = False) -> Any:
    """Return a field for the id of a row in another table. When that row is deleted, so is this one."""
    return Field(foreign_key=f"{table}.id", ondelete="CASCADE", primary_key=is_primary_key, index=is_indexed)


def _optional_foreign_key(table: str, *, is_emptied: bool = True) -> Any:
    """Return an indexed field for the id of a row in another table, or null.

    When that row is deleted, the field becomes null. Without `is_emptied`, this row is deleted as well.
    """
    deletion: Literal["SET NULL", "CASCADE"] = "SET NULL" if is_emptied else "CASCADE"
    return Field(default=None, foreign_key=f"{table}.id", ondelete=deletion, index=True)


class _Row(SQLModel):
    """The base of the rows of all tables."""

    metadata: ClassVar[sa.MetaData] = metadata
    __table__: ClassVar[sa.Table]


class _RowWithId(_Row):
    """The base of the rows that have an id."""

    id: int | None = Field(default=None, primary_key=True)


class _AnyLinkRow(_RowWithId):
    """The base of the rows of access links.

    The code of a link gives a phone the rights of the role until the link is revoked.
    """

    code: Code
    role: str = Field(max_length=_MAX_ROLE_LENGTH)
    created_at: Moment
    revoked_at: OptionalMoment = None


class _AnyEventRow(_RowWithId):
    """The base of the rows of events. `seq` is the number of the event in its stream.

    `client_key` is the idempotency key, so that a form that is sent twice is stored once. `actor` is the signature of
    the phone that wrote the event.
    """

    seq: int
    client_key: str = Field(max_length=MAX_KEY_LENGTH)
    kind: str = Field(max_length=16)
    at: Moment
    actor: str = Field(max_length=MAX_ACTOR_LENGTH)
    payload: JsonObject


class _AnyInvitationRow(_RowWithId):
    """The base of the rows of invitations. By the QR code or the PIN, phones get links with the role."""

    code: Code
    pin: str | None = _optional_text(_MAX_PIN_LENGTH, is_unique=True)
    """The PIN.

    It is set to null after the invitation ended or expired, as PINs are short and another one may need it.
    """
    role: str = Field(max_length=_MAX_ROLE_LENGTH)
    created_at: Moment
    expires_at: Moment
    ended_at: OptionalMoment = None


class _AnyVisitRow(_Row):
    """The base of the rows of a device's last visits to a match, a book or house rules.

    `device` is the digest of the device.
    """

    device: str = Field(max_length=64, primary_key=True)
    last_seen: Moment


class MatchRow(_RowWithId, table=True):
    """A match as it began: its rules, seats, sides, first dealer and details, and scores from paper.

    All that changed later is in its events.
    """

    __tablename__ = "match"

    uid: Uid
    created_at: Moment
    client_key: str | None = _optional_text(MAX_KEY_LENGTH + 12, is_unique=True)
    """The key of the form that began the match. In an import, the match's number in the file follows the key."""
    variant: str = Field(max_length=60)
    house: JsonObject
    """The answers to house options that the table agreed on."""
    ruleset: str = Field(sa_type=sa.Text)
    """All rules of the match. A later edition of the variant changes no score of this match."""
    digest: str = Field(max_length=64)
    """The digest of `ruleset`."""
    seats: JsonList
    sides: JsonList
    start: JsonObject
    """The scores, hands and sets from before the match, which were on paper; empty without any."""
    first_dealer: str | None = _optional_text(8)
    title: str = Field(default="", max_length=MAX_TITLE_LENGTH)
    played_on: str | None = _optional_text(10)
    place: str | None = _optional_text(MAX_PLACE_LENGTH)
    note: str | None = _optional_text(MAX_NOTE_LENGTH)
    zone: str | None = _optional_text(MAX_TIME_ZONE_LENGTH)


class LinkRow(_AnyLinkRow, table=True):
    """A link to a match."""

    __tablename__ = "link"
    __table_args__ = (sa.UniqueConstraint("match_id", "device"), sa.UniqueConstraint("match_id", "book_link_id"))

    match_id: int = _foreign_key("match", is_indexed=True)
    seat: str | None = _optional_text(_MAX_SEAT_ID_LENGTH)
    """The id of the seat or the side that holds this phone; null if nobody is named."""
    revoked_by: str | None = _optional_text(MAX_ACTOR_LENGTH)
    device: str | None = _optional_text(64)
    """The digest of the device for which the link was made; null for none. A device has one such link to a match."""
    book_link_id: int | None = _optional_foreign_key("book_link")
    """The link to a book from which this link comes, and with which it ends; null for none."""


class InvitationRow(_AnyInvitationRow, table=True):
    """An invitation by which phones get links to a match or to a book."""

    __tablename__ = "invitation"

    match_id: int | None = _optional_foreign_key("match", is_emptied=False)
    book_id: int | None = _optional_foreign_key("book", is_emptied=False)
    """An invitation is to a match or to a book, so either `match_id` or `book_id` is null."""


class WrongPinRow(_Row, table=True):
    """A wrong PIN that a network sent.

    `seq` numbers the wrong PINs of a network. If two are inserted at the same moment, one insert fails and is repeated.
    """

    __tablename__ = "wrong_pin"

    network: str = Field(max_length=MAX_NETWORK_LENGTH, primary_key=True)
    seq: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: datetime = Field(sa_type=_MOMENT_TYPE, index=True)


class EventRow(_AnyEventRow, table=True):
    """An event of a match, such as a new hand, a correction or an undo."""

    __tablename__ = "event"
    __table_args__ = (
        sa.UniqueConstraint("match_id", "seq"),
        sa.UniqueConstraint("match_id", "client_key"),
        # Only of the events that a list of matches needs: to find these in a book, no hand is read.
        sa.Index("ix_event_listed", "match_id", sqlite_where=_IS_LISTED_EVENT, postgresql_where=_IS_LISTED_EVENT),
    )

    match_id: int = _foreign_key("match")


class EndingRow(_Row, table=True):
    """How a match ended, as the program scored the match at that time."""

    __tablename__ = "ending"
    __table_args__ = (
        sa.Index(None, "match_id", sqlite_where=sa.text("status IS NULL"), postgresql_where=sa.text("status IS NULL")),
    )

    match_id: int = _foreign_key("match", is_primary_key=True)
    status: str | None = _optional_text(16)
    """"over" or "stopped"; null if still to be computed, as for a match that ended before this table existed."""
    winners: JsonList
    scores: JsonObject


class HandDraftRow(_Row, table=True):
    """The draft of a match's next hand, as a phone has entered it so far; no event.

    After the draft is dropped, its row stays: open pages notice changes by `counter`.
    """

    __tablename__ = "hand_draft"

    match_id: int = _foreign_key("match", is_primary_key=True)
    counter: int
    """How often this row was written."""
    link_id: int = _foreign_key("link", is_indexed=True)
    """The link of the phone that wrote the draft last."""
    version: int
    """The version of the match when the phone wrote the draft."""
    at: Moment
    fields: JsonObject
    """The fields of the phone's form; empty if the draft was dropped."""


class DeviceMatchRow(_AnyVisitRow, table=True):
    """A match on the list of a device, and the link by which the device opens it."""

    __tablename__ = "device_match"
    __table_args__ = (sa.Index(None, "device", "last_seen"),)

    match_id: int = _foreign_key("match", is_primary_key=True, is_indexed=True)
    link_id: int = _foreign_key("link", is_indexed=True)


class HouseRulesetRow(_RowWithId, table=True):
    """House rules, with the code in their URL. Their content is in their versions."""

    __tablename__ = "house_ruleset"

    code: Code
    created_at: Moment
    client_key: str = Field(max_length=MAX_KEY_LENGTH, unique=True)


class HouseVersionRow(_RowWithId, table=True):
    """A version of house rules. Each change adds one, and so does archiving or restoring them."""

    __tablename__ = "house_version"
    __table_args__ = (sa.UniqueConstraint("house_id", "seq"), sa.UniqueConstraint("house_id", "client_key"))

    house_id: int = _foreign_key("house_ruleset")
    seq: int
    client_key: str = Field(max_length=MAX_KEY_LENGTH)
    at: Moment
    actor: str = Field(max_length=MAX_ACTOR_LENGTH)
    name: str = Field(max_length=_MAX_HOUSE_NAME_LENGTH)
    variant: str = Field(max_length=60)
    options: JsonObject
    notes: JsonList
    retired: bool


class DeviceHouseRow(_AnyVisitRow, table=True):
    """House rules on the list of a device."""

    __tablename__ = "device_house"

    house_id: int = _foreign_key("house_ruleset", is_primary_key=True, is_indexed=True)


class ImportRunRow(_RowWithId, table=True):
    """An action that counts for an hourly limit, such as an import."""

    __tablename__ = "import_run"

    device: str | None = _optional_text(64)
    network: str | None = _optional_text(64)
    """A digest of the action, and of the network or phone.

    For actions that count once an hour, the item is in it too.
    """
    started_at: Moment
    alive_at: Moment
    running: bool | None = Field(default=None, unique=True)
    """No longer read, nor are `alive_at` and `device`. Earlier versions stored in them that an import was running."""


class BookRow(_RowWithId, table=True):
    """The book of a group of people. Its matches and people are in its events."""

    __tablename__ = "book"

    uid: Uid
    """The uid of the book, for files. It is no code of a link, and opens no page."""
    created_at: Moment
    client_key: str = Field(max_length=MAX_KEY_LENGTH + 12, unique=True)
    """The key of the form that began the book, so that a form that is sent twice begins one book."""


class BookEventRow(_AnyEventRow, table=True):
    __tablename__ = "book_event"
    __table_args__ = (sa.UniqueConstraint("book_id", "seq"), sa.UniqueConstraint("book_id", "client_key"))

    book_id: int = _foreign_key("book")
    client_key: str = Field(max_length=MAX_KEY_LENGTH + 12)


class BookLinkRow(_AnyLinkRow, table=True):
    """A link to a book. Its role also holds for the matches in the book."""

    __tablename__ = "book_link"
    __table_args__ = (sa.UniqueConstraint("book_id", "device"),)

    book_id: int = _foreign_key("book", is_indexed=True)
    revoked_by: str | None = _optional_text(MAX_ACTOR_LENGTH)
    device: str | None = _optional_text(64)
    """The digest of the device for which the link was made."""
    holder: str | None = _optional_text(MAX_NAME_LENGTH)
    """The name of who holds the phone, as typed when it joined."""


class DeviceBookRow(_AnyVisitRow, table=True):
    """A book that a device has opened. The next match of the device goes into the book that it chose last."""

    __tablename__ = "device_book"

    book_id: int = _foreign_key("book", is_primary_key=True, is_indexed=True)
    link_id: int = _foreign_key("book_link", is_indexed=True)
    chosen_at: OptionalMoment = None
    """When the device began or joined the book, or chose it in a form; null for a book that it only opened."""


class BookMatchRow(_Row, table=True):
    """The book that a match is in now, which follows from the events of books.

    A match without a row was never put into a book, and nobody decided against one.
    """

    __tablename__ = "book_match"

    match_id: int = _foreign_key("match", is_primary_key=True)
    book_id: int | None = _optional_foreign_key("book", is_emptied=False)
    """The book; null if somebody decided that the match is in none."""


class MatchFiguresRow(_Row, table=True):
    """The figures of a match for statistics. They are computed from its events, so they can be deleted at any time."""

    __tablename__ = "match_figures"

    match_id: int = _foreign_key("match", is_primary_key=True)
    version: int
    """The version of the match from which the figures were computed."""
    edition: int
    """The number of the edition of the code that computed the figures."""
    figures: JsonList
    """The figures; empty if the match does not count in statistics."""
    details: str = Field(sa_type=sa.Text)
    """Further figures as JSON text, which only the few pages that need them parse."""


class NightRow(_RowWithId, table=True):
    """A ladder night as it began: its book, title, rounds, size of pairs and rules.

    All that followed is in its events.
    """

    __tablename__ = "night"

    uid: Uid
    book_id: int | None = _optional_foreign_key("book")
    """The book that the night is in."""
    created_at: Moment
    client_key: str = Field(max_length=MAX_KEY_LENGTH, unique=True)
    title: str = Field(max_length=MAX_TITLE_LENGTH)
    rounds: int
    size: int
    """The number of players in a pair."""
    variant: str = Field(max_length=60)
    house: JsonObject


class NightEventRow(_AnyEventRow, table=True):
    """An event of a night, such as a new pair, a result or the start of a round."""

    __tablename__ = "night_event"
    __table_args__ = (sa.UniqueConstraint("night_id", "seq"), sa.UniqueConstraint("night_id", "client_key"))

    night_id: int = _foreign_key("night")
    match_id: int | None = _optional_foreign_key("match")
    """The match that the event started at a table, if any; so the night of a match is found."""


class NightLinkRow(_AnyLinkRow, table=True):
    __tablename__ = "night_link"
    __table_args__ = (sa.UniqueConstraint("night_id", "device"),)

    night_id: int = _foreign_key("night")
    device: str = Field(max_length=64, index=True)
    """The digest of the device, which has one link to the night; empty if a command imported the night."""
    pair: int | None = None
    """The uid of the pair that holds this phone; null for none."""
    book_link_id: int | None = _optional_foreign_key("book_link")
    """The link to a book from which this link comes, and with which it ends; null for none."""


class NightInvitationRow(_AnyInvitationRow, table=True):
    """An invitation by which phones get links to a night. No other open invitation has the same PIN."""

    __tablename__ = "night_invitation"

    night_id: int = _foreign_key("night", is_indexed=True)


class MoneyChangeRow(_Row, table=True):
    """A match for money that goes on where an earlier match ended, after a player joined or left."""

    __tablename__ = "money_change"

    match_id: int = _foreign_key("match", is_primary_key=True)
    earlier_id: int = _foreign_key("match", is_indexed=True)
    first_id: int = _foreign_key("match", is_indexed=True)
    """The first match of the money night, by which all its matches are found."""


class CarriedLinkRow(_Row, table=True):
    """A link to a match of a money night that a phone got by itself, as it had a link to an earlier match."""

    __tablename__ = "carried_link"

    link_id: int = _foreign_key("link", is_primary_key=True)
    first_id: int = _foreign_key("link", is_indexed=True)
    """The link to an earlier match by which the phone came into the money night."""
