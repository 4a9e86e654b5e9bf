"""Invitations: a QR code and a PIN, by which a phone gets a link of its own to a match, a book or a night.

A PIN is letters to be read out across a table, in a noise, and typed by somebody who sees them upside down. A wrong one
counts for the network that sent it, in the database, and nobody else has to wait.
"""

import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, ip_network
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.access.links import LINKS, LinkTable, tables_from_books
from scorekeeper.access.networks import parsed_address
from scorekeeper.access.roles import AnyLink, Invitation, Kind, Linked
from scorekeeper.codes import new_code
from scorekeeper.database.rows import utc
from scorekeeper.database.tables import NETWORK_LENGTH, WrongPinRow
from scorekeeper.eventlog.append import MAX_TRIES
from scorekeeper.eventlog.stream import RANKS, SCORER, WATCHER, Refused, allows, refusal

_WRONG: Any = WrongPinRow.__table__


def by_code(session: Session, code: str) -> Invitation | None:
    """Return the invitation that has a code, open or not."""
    return _found(session, "code", code)


def by_pin(session: Session, pin: str) -> Invitation | None:
    """Return the invitation that has a PIN."""
    return _found(session, "pin", pin)


def _found(session: Session, column: str, value: str) -> Invitation | None:
    found = (
        invitation
        for kind in LINKS.values()
        for invitation in _read(session, kind, kind.invited.table.c[column] == value)
    )
    return next(found, None)


def not_ended(session: Session, link: AnyLink) -> list[Invitation]:
    """Return the invitations to the place of a link that nobody has ended, the first one first."""
    kind = LINKS[link.kind]
    return _read(session, kind, kind.invited == link.stream_id, kind.invited.table.c.ended_at.is_(None))


def _read(session: Session, kind: LinkTable[Any], *conditions: sa.ColumnElement[bool]) -> list[Invitation]:
    place = kind.invited
    found = sa.select(place.table, place.label("stream_id")).where(*conditions, place.is_not(None))
    return [
        Invitation(
            id=row.id,
            code=row.code,
            pin=row.pin,
            kind=kind.kind,
            stream_id=row.stream_id,
            role=row.role,
            expires_at=utc(row.expires_at),
            ended_at=utc(row.ended_at) if row.ended_at else None,
        )
        for row in session.execute(found.order_by(place.table.c.id))
    ]


def open_pins(session: Session) -> Mapping[int, int]:
    """Return how many PINs of each length are taken, over all kinds of places."""
    taken = Counter[int]()
    for table in _tables():
        letters = sa.func.length(table.c.pin)
        found = sa.select(letters, sa.func.count()).where(_has_pin(table)).group_by(letters)
        taken.update({length: pins for length, pins in session.execute(found)})
    return taken


def _tables() -> list[sa.Table]:
    return list(dict.fromkeys(kind.invited.table for kind in LINKS.values()))


def _has_pin(table: sa.Table) -> sa.ColumnElement[bool]:
    # Written so that the index of the PINs is used, which has few rows that are not empty.
    return table.c.pin > ""


def add(session: Session, link: AnyLink, **values: Any) -> None:
    """Insert an invitation to the place of a link."""
    place = LINKS[link.kind].invited
    session.execute(sa.insert(place.table), {place.name: link.stream_id, **values})


def renew(session: Session, invitation: Invitation, until: datetime) -> None:
    """Move the end of an invitation."""
    table = LINKS[invitation.kind].invited.table
    session.execute(sa.update(table).where(table.c.id == invitation.id).values(expires_at=until))


def end(session: Session, link: AnyLink, roles: Iterable[str], now: datetime) -> None:
    """End the invitations to the place of a link in some roles; their PINs are free again."""
    place = LINKS[link.kind].invited
    _end(session, place.table, place == link.stream_id, roles, now)


def end_by_book(session: Session, book_link_id: int, roles: Iterable[str], now: datetime) -> None:
    """End the invitations in some roles to the places that were opened by a link to a book."""
    for kind in tables_from_books():
        theirs = kind.invited.in_(kind.places_from(book_link_id))
        _end(session, kind.invited.table, theirs, roles, now)


def _end(session: Session, table: sa.Table, which: sa.ColumnElement[bool], roles: Iterable[str], now: datetime) -> None:
    ended = which, table.c.role.in_(list(roles)), table.c.ended_at.is_(None)
    session.execute(sa.update(table).where(*ended).values(ended_at=now, pin=None))


def free_pins(session: Session, now: datetime) -> None:
    """Free the PINs of invitations that have expired."""
    for table in _tables():
        session.execute(sa.update(table).where(_has_pin(table), table.c.expires_at <= now).values(pin=None))


def wrong_pins_of(session: Session, network: str) -> list[tuple[int, datetime]]:
    """Return the numbers and the times of a network's wrong PINs, the first one first."""
    found = sa.select(_WRONG.c.seq, _WRONG.c.at).where(_WRONG.c.network == network).order_by(_WRONG.c.seq)
    return [(row.seq, utc(row.at)) for row in session.execute(found)]


def add_wrong_pin(session: Session, network: str, seq: int, at: datetime) -> None:
    """Insert a wrong PIN; raises `IntegrityError` where another one was inserted at the same moment."""
    session.execute(sa.insert(_WRONG), {"network": network, "seq": seq, "at": at})


def forget_wrong_pins(session: Session, before: datetime) -> None:
    """Delete the wrong PINs from up to a moment."""
    session.execute(sa.delete(_WRONG).where(_WRONG.c.at <= before))


def bring_back_wrong_pins(session: Session, network: str, now: datetime) -> None:
    """Move wrong PINs that are in the future, as the clock went back since, to this moment."""
    session.execute(sa.update(_WRONG).where(_WRONG.c.network == network, _WRONG.c.at > now).values(at=now))


OPEN_FOR = timedelta(hours=12)
OFFERED = (WATCHER, SCORER)
MIN_LETTERS, MAX_LETTERS = 6, 10
WRONG_A_DAY = 30
"""The limit of wrong PINs from one network in any 24 hours."""
SAFETY = 1000
"""A stranger who types all of these hits a PIN on fewer than one in this many days, however many PINs are open."""
ALPHABET = "ACFHKMRTXY"
"""No two of these look or sound alike; and with one vowel among them they spell next to nothing.

Left out for what they look like: B (8 and R), D, O and Q (0), E (F), G (C), I, J and L (1), P (R), S (5), U and V (Y),
W (M, from across the table), Z (2). Left out for what they sound like: B, D, E, G, P, V and Z (T), J (K), N (M), S (F).
"""
WRONG_A_DAY_AT_HOME = 10 * WRONG_A_DAY
"""The limit for all home addresses together, of which one phone may have any number."""
DAY = timedelta(days=1)
FREE_WRONG = 10
"""The number of wrong PINs a day without any wait: guests who mistype may share one network."""
MAX_WAIT = timedelta(hours=1)
_MAX_ENTRIES = 2 * WRONG_A_DAY
_HOME = "home"
"""The budget of all home addresses."""
_HOME_NETWORKS = tuple(
    map(
        ip_network,
        (
            *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "127.0.0.0/8"),
            *("::1/128", "fc00::/7", "fe80::/10"),
        ),
    )
)
"""Networks of the addresses that a house or a club gives out itself."""


class NoInvitation(Exception):
    """There is no such code or PIN, or it has expired."""


def invite(session: Session, place: Linked[AnyLink], role: str) -> Invitation:
    """Open an invitation to watch, or to score as well, and commit; one that is open already is renewed.

    Raises `Refused` where no PIN is left.
    """
    for _ in range(MAX_TRIES):
        try:
            _invite(session, place, role)
            session.commit()
        except IntegrityError:  # another one has this PIN
            session.rollback()
            continue
        if invitation := open_invitations(session, place).get(role):
            return invitation
    raise _no_pin_left()


def _invite(session: Session, place: Linked[AnyLink], role: str) -> None:
    now = datetime.now(UTC)
    until = now + OPEN_FOR
    LINKS[place.link.kind].hold(session, place.link.stream_id)
    if invitation := open_invitations(session, place).get(role):
        renew(session, invitation, until)
        return
    free_pins(session, now)
    letters = letters_of_next(open_pins(session))
    if letters is None:
        session.rollback()
        raise _no_pin_left()
    pin = new_pin(letters)
    if by_pin(session, pin):
        return
    end(session, place.link, [role], now)
    values = {"role": role, "created_at": now, "expires_at": until}
    add(session, place.link, code=new_code(), pin=pin, **values)


def _no_pin_left() -> Refused:
    return refusal("", "No PIN is free right now. Try again later, or close a code that nobody needs.")


def open_invitations(session: Session, place: Linked[AnyLink]) -> Mapping[str, Invitation]:
    """Return the invitations that let phones in to a match, a book or a night, by role."""
    now = datetime.now(UTC)
    found = reversed(not_ended(session, place.link))
    by_role = {invitation.role: invitation for invitation in found if invitation.is_open(now) and invitation.pin}
    return {role: by_role[role] for role in OFFERED if role in by_role}


def close(session: Session, place: Linked[AnyLink], role: str) -> None:
    """End the invitation to this role, and commit."""
    end(session, place.link, [role], datetime.now(UTC))
    session.commit()


def end_invitations(session: Session, link: AnyLink, now: datetime, *, above: str | None = None) -> None:
    """End every invitation to the place of a link, or those that allow more than the role `above`; does not commit.

    For a link to a book, those to the matches and nights that were opened by that link end as well.
    """
    roles = [role for role in RANKS if above is None or not allows(above, role)]
    end(session, link, roles, now)
    if link.kind == "book":
        end_by_book(session, link.id, roles, now)


def invitation_of_code(session: Session, code: str, *kinds: Kind) -> Invitation:
    """Return the open invitation to a place of some kind that has a code; raises `NoInvitation`."""
    found = _checked(by_code(session, code))
    if found.kind not in kinds:
        raise NoInvitation
    return found


def invitation_of_pin(session: Session, typed: str) -> Invitation:
    """Return the open invitation that has a PIN, however it was typed; raises `NoInvitation`."""
    return _checked(by_pin(session, read_pin(typed)))


def _checked(found: Invitation | None) -> Invitation:
    if found is None or not found.is_open(datetime.now(UTC)):
        raise NoInvitation
    return found


def new_pin(letters: int) -> str:
    """Return a new PIN; no letter is in it three times in a row, which would be hard to count when read out."""
    while True:
        pin = "".join(secrets.choice(ALPHABET) for _ in range(letters))
        if not any(letter * 3 in pin for letter in ALPHABET):
            return pin


def read_pin(typed: str) -> str:
    """Return a typed PIN in capitals, without the characters between its letters."""
    return "".join(letter for letter in typed.upper() if letter.isalnum())


def how_many(letters: int) -> int:
    """Return how many PINs of a length there are."""
    # A PIN ends with one letter after a PIN that is one shorter, or with the same letter twice after one two shorter.
    before, pins = 1, len(ALPHABET)
    for length in range(2, letters + 1):
        before, pins = pins, len(ALPHABET) ** 2 if length == 2 else (len(ALPHABET) - 1) * (before + pins)
    return pins


def most_open(letters: int) -> int:
    """Return how many PINs of a length may be open at once."""
    return how_many(letters) // (WRONG_A_DAY * SAFETY)


def letters_of_next(open_pins: Mapping[int, int]) -> int | None:
    """Return how many letters a new PIN has, given how many of each length are open; `None` where there is no room."""
    lengths = range(MIN_LETTERS, MAX_LETTERS + 1)
    return next((letters for letters in lengths if open_pins.get(letters, 0) < most_open(letters)), None)


class TooManyWrongPins(Exception):
    """This network has to wait: `until` is when it may try again."""

    def __init__(self, until: datetime) -> None:
        super().__init__("Too many wrong PINs.")
        self.until = until


def network_of(address: str) -> str:
    """Return the network that an address counts for: its IPv6 /64, its private IPv4 address, or its public IPv4 /24."""
    ip = parsed_address(address)
    if ip is None:
        return address[:NETWORK_LENGTH]
    if ip.version == 4 and _is_home(ip):
        return str(ip)
    return str(ip_network((ip, 24 if ip.version == 4 else 64), strict=False))


def _is_home(ip: IPv4Address | IPv6Address) -> bool:
    return any(ip in network for network in _HOME_NETWORKS)


def _budgets_of(address: str) -> dict[str, int]:
    """Return the limit of wrong PINs a day for each network that an address counts for."""
    budgets, ip = {network_of(address): WRONG_A_DAY}, parsed_address(address)
    return {**budgets, _HOME: WRONG_A_DAY_AT_HOME} if ip is None or _is_home(ip) else budgets


def wait_after(wrong: int) -> timedelta:
    """Return the wait after a number of wrong PINs in a day: a minute after the tenth, then twice as long each time."""
    if wrong < FREE_WRONG:
        return timedelta()
    return min(timedelta(minutes=2 ** (wrong - FREE_WRONG)), MAX_WAIT)


def blocked_until(wrong: Sequence[datetime], now: datetime, a_day: int = WRONG_A_DAY) -> datetime | None:
    """Return when a network with a limit of `a_day` wrong PINs may try again; `None` where it may now.

    Its wrong PINs are in order of time. With a higher limit, waits begin later in proportion.
    """
    today = [at for at in wrong if now - at < DAY]
    if not today:
        return None
    until = today[-1] + wait_after(len(today) * WRONG_A_DAY // a_day)
    if len(today) >= a_day:
        until = max(until, today[-a_day] + DAY)
    return until if until > now else None


def enter_pin(session: Session, typed: str, address: str) -> Invitation:
    """Return the open invitation that has a PIN; raises `NoInvitation`, which counts, and `TooManyWrongPins`."""
    budgets = _budgets_of(address)
    for _ in range(_MAX_ENTRIES):
        now = datetime.now(UTC)
        numbers = {network: _refuse_blocked(session, network, a_day, now) for network, a_day in budgets.items()}
        try:
            # It counts before it is looked up: of many that are sent at once none is free.
            for network, number in numbers.items():
                add_wrong_pin(session, network, number, now)
            invitation = invitation_of_pin(session, typed)
        except IntegrityError:  # another one at the same moment: look again
            session.rollback()
            continue
        except NoInvitation:
            forget_wrong_pins(session, now - DAY)
            session.commit()
            raise
        session.rollback()
        return invitation
    raise TooManyWrongPins(now + MAX_WAIT)


def _refuse_blocked(session: Session, network: str, a_day: int, now: datetime) -> int:
    """Return the number of a network's next wrong PIN; raises `TooManyWrongPins`."""
    wrong = wrong_pins_of(session, network)
    if any(at > now for _, at in wrong):
        # The clock went back: no time has passed since then, and the wait begins now.
        bring_back_wrong_pins(session, network, now)
        session.commit()
        wrong = [(seq, min(at, now)) for seq, at in wrong]
    if until := blocked_until([at for _, at in wrong], now, a_day):
        raise TooManyWrongPins(until)
    return wrong[-1][0] + 1 if wrong else 1
