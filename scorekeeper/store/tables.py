"""The tables. A row is a fact: only a device's lists, and what a link or an invitation allows, ever change.

How a match ended is the one thing stored that follows from facts, so that a later version can be checked against it.
Wrong PINs are deleted after a day.
"""

from datetime import datetime
from typing import Any, ClassVar

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from scorekeeper.ledger.limits import ACTOR_LENGTH, KEY_LENGTH, NOTE_LENGTH, PLACE_LENGTH, TITLE_LENGTH

metadata = SQLModel.metadata
# Set before any table is declared. Every column goes into a name: with the first alone, two keys that begin with the
# same column would conflict. An unnamed constraint could never be dropped again on SQLite.
metadata.naming_convention = {
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
}

CODE_LENGTH = 32
HOUSE_NAME_LENGTH = 60
ID_LENGTH = 8
"""A seat's id, or a side's."""
ROLE_LENGTH = 16
PIN_LENGTH = 16
NETWORK_LENGTH = 64


_MOMENT: Any = sa.DateTime(timezone=True)
_JSON: Any = sa.JSON()
"""Kept as it was written: PostgreSQL's binary form would lose the order of keys."""


class _Row(SQLModel):
    metadata: ClassVar[sa.MetaData] = metadata
    __table__: ClassVar[sa.Table]


class MatchRow(_Row, table=True):
    """How a match began: the rules as they were then, and who sat where."""

    __tablename__: ClassVar[str] = "match"

    id: int | None = Field(default=None, primary_key=True)
    created_at: datetime = Field(sa_type=_MOMENT)
    client_key: str | None = Field(default=None, max_length=KEY_LENGTH + 12, unique=True)
    """The key of the form that began it; a file with several matches numbers them."""
    variant: str = Field(max_length=60)
    house: dict[str, Any] = Field(sa_type=_JSON)
    """What the table agreed, option by option."""
    ruleset: str = Field(sa_type=sa.Text)
    """The resulting ruleset, whole: a later edition of the variant changes no score."""
    digest: str = Field(max_length=64)
    seats: list[Any] = Field(sa_type=_JSON)
    sides: list[Any] = Field(sa_type=_JSON)
    start: dict[str, Any] = Field(sa_type=_JSON)
    """What was carried over from paper; empty where nothing was."""
    first_dealer: str | None = Field(default=None, max_length=8)
    title: str = Field(default="", max_length=TITLE_LENGTH)
    played_on: str | None = Field(default=None, max_length=10)
    place: str | None = Field(default=None, max_length=PLACE_LENGTH)
    note: str | None = Field(default=None, max_length=NOTE_LENGTH)


class LinkRow(_Row, table=True):
    """A link to a match, one for each phone: whoever has the code may do what its role allows."""

    __tablename__: ClassVar[str] = "link"
    __table_args__ = (sa.UniqueConstraint("match_id", "device"),)

    id: int | None = Field(default=None, primary_key=True)
    code: str = Field(max_length=CODE_LENGTH, unique=True)
    match_id: int = Field(foreign_key="match.id", ondelete="CASCADE", index=True)
    role: str = Field(max_length=ROLE_LENGTH)
    created_at: datetime = Field(sa_type=_MOMENT)
    revoked_at: datetime | None = Field(default=None, sa_type=_MOMENT)
    seat: str | None = Field(default=None, max_length=ID_LENGTH)
    """Who holds this phone: a seat or a side; nobody where it only watches, or is the main phone."""
    seat_since: int | None = None
    """The version of the match when its holder was set; nothing where that was before the first event."""
    revoked_by: str | None = Field(default=None, max_length=ACTOR_LENGTH)
    device: str | None = Field(default=None, max_length=64)
    """The digest of the device that joined by an invitation, and so has this link and no other in the match."""


class InvitationRow(_Row, table=True):
    """A way to a link of one's own, until it expires: by QR code, or by a PIN that is read out."""

    __tablename__: ClassVar[str] = "invitation"

    id: int | None = Field(default=None, primary_key=True)
    code: str = Field(max_length=CODE_LENGTH, unique=True)
    pin: str | None = Field(default=None, max_length=PIN_LENGTH, unique=True)
    """Short, so it is free for another invitation as soon as this one has ended."""
    match_id: int = Field(foreign_key="match.id", ondelete="CASCADE", index=True)
    role: str = Field(max_length=ROLE_LENGTH)
    created_at: datetime = Field(sa_type=_MOMENT)
    expires_at: datetime = Field(sa_type=_MOMENT)
    ended_at: datetime | None = Field(default=None, sa_type=_MOMENT)


class WrongPinRow(_Row, table=True):
    """A wrong PIN that was typed; the rows of a network are numbered, so that of two at once one is second."""

    __tablename__: ClassVar[str] = "wrong_pin"

    network: str = Field(max_length=NETWORK_LENGTH, primary_key=True)
    seq: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: datetime = Field(sa_type=_MOMENT, index=True)


class EventRow(_Row, table=True):
    """One fact: a hand, a correction, an undo. Its `seq` is its place; its key makes a retry harmless."""

    __tablename__: ClassVar[str] = "event"
    __table_args__ = (sa.UniqueConstraint("match_id", "seq"), sa.UniqueConstraint("match_id", "client_key"))

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", ondelete="CASCADE")
    seq: int
    client_key: str = Field(max_length=KEY_LENGTH)
    kind: str = Field(max_length=16)
    at: datetime = Field(sa_type=_MOMENT)
    actor: str = Field(max_length=ACTOR_LENGTH)
    payload: dict[str, Any] = Field(sa_type=_JSON)


class EndingRow(_Row, table=True):
    """How a match scored when it ended, as this program said it then."""

    __tablename__: ClassVar[str] = "ending"
    __table_args__ = (
        sa.Index(None, "match_id", sqlite_where=sa.text("status IS NULL"), postgresql_where=sa.text("status IS NULL")),
    )

    match_id: int = Field(foreign_key="match.id", ondelete="CASCADE", primary_key=True)
    status: str | None = Field(default=None, max_length=16)
    """`over` or `stopped`; nothing where it is still to be looked up, as for every match from before this table."""
    winners: list[Any] = Field(sa_type=_JSON)
    scores: dict[str, Any] = Field(sa_type=_JSON)


class DeviceMatchRow(_Row, table=True):
    """A match that a device has opened, for its home page. The device is known by a digest of its cookie."""

    __tablename__: ClassVar[str] = "device_match"
    __table_args__ = (sa.Index(None, "device", "last_seen"),)

    device: str = Field(max_length=64, primary_key=True)
    match_id: int = Field(foreign_key="match.id", ondelete="CASCADE", primary_key=True, index=True)
    link_id: int = Field(foreign_key="link.id", ondelete="CASCADE", index=True)
    last_seen: datetime = Field(sa_type=_MOMENT)


class HouseRulesetRow(_Row, table=True):
    """A house's own rules, known by a code that nobody guesses; what they say is in their versions."""

    __tablename__: ClassVar[str] = "house_ruleset"

    id: int | None = Field(default=None, primary_key=True)
    code: str = Field(max_length=CODE_LENGTH, unique=True)
    created_at: datetime = Field(sa_type=_MOMENT)
    client_key: str = Field(max_length=KEY_LENGTH, unique=True)


class HouseVersionRow(_Row, table=True):
    """House rules as they were from some moment on; a change, archiving and restoring each add one."""

    __tablename__: ClassVar[str] = "house_version"
    __table_args__ = (sa.UniqueConstraint("house_id", "seq"), sa.UniqueConstraint("house_id", "client_key"))

    id: int | None = Field(default=None, primary_key=True)
    house_id: int = Field(foreign_key="house_ruleset.id", ondelete="CASCADE")
    seq: int
    client_key: str = Field(max_length=KEY_LENGTH)
    at: datetime = Field(sa_type=_MOMENT)
    actor: str = Field(max_length=ACTOR_LENGTH)
    name: str = Field(max_length=HOUSE_NAME_LENGTH)
    variant: str = Field(max_length=60)
    options: dict[str, Any] = Field(sa_type=_JSON)
    notes: list[Any] = Field(sa_type=_JSON)
    retired: bool


class DeviceHouseRow(_Row, table=True):
    """House rules that a device has saved or opened, for its lists."""

    __tablename__: ClassVar[str] = "device_house"

    device: str = Field(max_length=64, primary_key=True)
    house_id: int = Field(foreign_key="house_ruleset.id", ondelete="CASCADE", primary_key=True, index=True)
    last_seen: datetime = Field(sa_type=_MOMENT)


class ImportRunRow(_Row, table=True):
    """An import of the last hour. The one that is running has `running` set, which only one row can have."""

    __tablename__: ClassVar[str] = "import_run"

    id: int | None = Field(default=None, primary_key=True)
    device: str | None = Field(default=None, max_length=64)
    network: str | None = Field(default=None, max_length=64)
    """Digests of the phone and of its network; both are empty where a command imports."""
    started_at: datetime = Field(sa_type=_MOMENT)
    alive_at: datetime = Field(sa_type=_MOMENT)
    """When it last stored something; one that was killed says nothing more."""
    running: bool | None = Field(default=None, unique=True)
