"""Invitations, with which a phone gets its own link to a match, a book or a night.

The phone scans a QR code, or sends a PIN, which can be read out across a noisy table. Wrong PINs are counted in the
database, for the network from which they come.
"""

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, ip_network

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.access.links import LINK_TABLES, LinkTable, link_tables_of
from scorekeeper.access.networks import is_within, machine_key, parse_address
from scorekeeper.access.roles import Invitation, Kind, Link, Linked
from scorekeeper.database.rows import utc
from scorekeeper.database.tables import MAX_NETWORK_LENGTH, WrongPinRow
from scorekeeper.eventlog.store import MAX_RETRIES, retry_on_conflict
from scorekeeper.eventlog.stream import ROLE_RANKS, SCORER, WATCHER, allows, refusal
from scorekeeper.random_codes import new_code

_WRONG_PINS = WrongPinRow.__table__


def _find_invitation(session: Session, column: str, code_or_pin: str) -> Invitation | None:
    """Return the invitation with this code or PIN, open or not; `None` if there is none.

    `column` is "code" or "pin".
    """
    matching_invitations = (
        invitation
        for link_table in LINK_TABLES.values()
        for invitation in _select_invitations(session, link_table, link_table.invitations.c[column] == code_or_pin)
    )
    return next(matching_invitations, None)


def _select_invitations(
    session: Session, link_table: LinkTable, *conditions: sa.ColumnElement[bool]
) -> list[Invitation]:
    """Return the invitations to streams of one kind that fulfill the conditions, the oldest first."""
    table, stream = link_table.invitations, link_table.invited_stream
    query = sa.select(table, stream.label("stream_id")).where(*conditions, stream.is_not(None))
    return [
        Invitation(
            id=row.id,
            code=row.code,
            pin=row.pin,
            kind=link_table.kind,
            stream_id=row.stream_id,
            role=row.role,
            expires_at=utc(row.expires_at),
            ended_at=utc(row.ended_at) if row.ended_at else None,
        )
        for row in session.execute(query.order_by(table.c.id))
    ]


def _free_and_count_pins(session: Session, now: datetime) -> Counter[int]:
    """Free the PINs of expired invitations. Return how many PINs of each length are still taken, keyed by the length.

    Does not commit.
    """
    count_by_length = Counter[int]()
    for table in dict.fromkeys(link_table.invitations for link_table in LINK_TABLES.values()):
        # Written so that the index of the PINs is used, which has few rows that are not empty.
        has_pin = table.c.pin > ""
        session.execute(sa.update(table).where(has_pin, table.c.expires_at <= now).values(pin=None))
        count_by_length.update(map(len, session.execute(sa.select(table.c.pin).where(has_pin)).scalars()))
    return count_by_length


def _end_invitations_of_roles(
    session: Session,
    link_table: LinkTable,
    stream_ids: Sequence[int] | sa.Select[tuple[int]],
    roles: Sequence[str],
    now: datetime,
) -> None:
    """End the invitations to these streams in one of these roles, so that their PINs are free; does not commit."""
    table = link_table.invitations
    conditions = link_table.invited_stream.in_(stream_ids), table.c.role.in_(roles), table.c.ended_at.is_(None)
    session.execute(sa.update(table).where(*conditions).values(ended_at=now, pin=None))


INVITATION_LIFETIME = timedelta(hours=12)
"""How long an invitation is valid after it was opened or renewed."""
OFFERED_ROLES = (WATCHER, SCORER)
"""The roles to which a phone can be invited."""
MIN_PIN_LETTERS, MAX_PIN_LETTERS = 6, 10
"""The limits of the length of a new PIN."""
MAX_WRONG_PINS_A_DAY = 30
"""The most wrong PINs that one network may send in any 24 hours."""
MIN_DAYS_TO_GUESS_PIN = 1000
"""The days that it takes on average to guess a PIN in use, with `MAX_WRONG_PINS_A_DAY` guesses a day."""
# Left out for their looks: B (8 and R), D, O and Q (0), E (F), G (C), I, J and L (1), P (R), S (5), U and V (Y),
# W (M, from across the table), Z (2). Left out for their sound: B, D, E, G, P, V and Z (T), J (K), N (M), S (F).
PIN_ALPHABET = "ACFHKMRTXY"
"""The letters of PINs. No two look or sound alike, and with A as the only vowel they hardly form words."""
MAX_WRONG_PINS_A_DAY_AT_HOME = 10 * MAX_WRONG_PINS_A_DAY
"""The most wrong PINs that all home addresses together may send in any 24 hours.

One phone may use any number of home addresses.
"""
DAY = timedelta(days=1)
FIRST_WRONG_PIN_WITH_WAIT = 10
"""The number of the first wrong PIN in 24 hours after which a network has to wait.

It is not the first one, as guests who mistype may share one network.
"""
MAX_WRONG_PIN_WAIT = timedelta(hours=1)
"""The longest wait after a wrong PIN, unless the daily limit is reached."""
_HOME_NETWORK_NAME = "home"
"""The name under which the table of wrong PINs counts all home addresses together."""
_HOME_NETWORKS = tuple(
    ip_network(network)
    for network in (
        *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "127.0.0.0/8"),
        *("::1/128", "fc00::/7", "fe80::/10"),
    )
)
"""The networks of private addresses: those in a house or a club, and those of this machine."""


class NoInvitation(Exception):
    """No open invitation has this code or PIN."""


def invite(session: Session, linked_stream: Linked, role: str) -> Invitation:
    """Open the invitation to a stream in one of the `OFFERED_ROLES`, or renew it if it is open; commit, and return it.

    A renewed invitation keeps its code and its PIN. Raises `Refused` if no PIN is free.
    """
    link_table, stream_id = LINK_TABLES[linked_stream.link.kind], linked_stream.link.stream_id
    table = link_table.invitations

    def open_or_renew() -> Invitation:
        link_table.lock(session, stream_id)
        now = datetime.now(UTC)
        expires_at = now + INVITATION_LIFETIME
        if invitation := invitations_in_force(session, linked_stream).get(role):
            session.execute(sa.update(table).where(table.c.id == invitation.id).values(expires_at=expires_at))
        else:
            pin_length = next_pin_length(_free_and_count_pins(session, now))
            random_pins = (new_pin(pin_length) for _ in range(MAX_RETRIES) if pin_length)
            pin = next((pin for pin in random_pins if not _find_invitation(session, "pin", pin)), None)
            if pin is None:
                raise refusal("", "No PIN is free right now. Try again later, or close a code that nobody needs.")
            _end_invitations_of_roles(session, link_table, [stream_id], [role], now)
            values = {"code": new_code(), "pin": pin, "role": role, "created_at": now, "expires_at": expires_at}
            session.execute(sa.insert(table), {link_table.invited_stream.name: stream_id, **values})
        opened_invitation = invitations_in_force(session, linked_stream)[role]
        session.commit()
        return opened_invitation

    return retry_on_conflict(session, open_or_renew)  # another one may get this PIN


def invitations_in_force(session: Session, linked_stream: Linked) -> Mapping[str, Invitation]:
    """Return the open invitations to a stream, keyed by role, in the order of `OFFERED_ROLES`."""
    now, link_table = datetime.now(UTC), LINK_TABLES[linked_stream.link.kind]
    conditions = link_table.invited_stream == linked_stream.link.stream_id, link_table.invitations.c.ended_at.is_(None)
    invitations = _select_invitations(session, link_table, *conditions)
    invitation_by_role = {
        invitation.role: invitation for invitation in invitations[::-1] if invitation.is_open(now) and invitation.pin
    }
    return {role: invitation_by_role[role] for role in OFFERED_ROLES if role in invitation_by_role}


def close_invitation(session: Session, linked_stream: Linked, role: str) -> None:
    """End the open invitation to a stream in this role, if there is one, and commit."""
    _end_invitations_of_roles(
        session, LINK_TABLES[linked_stream.link.kind], [linked_stream.link.stream_id], [role], datetime.now(UTC)
    )
    session.commit()


def end_invitations(session: Session, link: Link, now: datetime, *, above: str | None = None) -> None:
    """End the invitations with which the phone of a link could join again; does not commit.

    With `above`, only invitations to roles higher than `above` end. With a match of a money night, those to its other
    matches end too; with a book, those to the matches and nights that the phone opened by the book.
    """
    roles = [role for role in ROLE_RANKS if above is None or not allows(above, role)]
    own_link_table, *other_link_tables = link_tables_of(link)
    _end_invitations_of_roles(
        session, own_link_table, own_link_table.group.find_stream_ids(session, link.stream_id), roles, now
    )
    for link_table in other_link_tables:
        _end_invitations_of_roles(session, link_table, link_table.stream_ids_from(link), roles, now)


def invitation_of_code(session: Session, code: str, *kinds: Kind) -> Invitation:
    """Return the open invitation with a code, to a stream of one of these kinds; raises `NoInvitation`."""
    invitation = _find_open_invitation(session, "code", code)
    if invitation.kind not in kinds:
        raise NoInvitation
    return invitation


def _find_open_invitation(session: Session, column: str, code_or_pin: str) -> Invitation:
    """Return the open invitation with this code or PIN; raises `NoInvitation`.

    `column` is "code" or "pin".
    """
    invitation = _find_invitation(session, column, code_or_pin)
    if invitation is None or not invitation.is_open(datetime.now(UTC)):
        raise NoInvitation
    return invitation


def new_pin(length: int) -> str:
    """Return a random PIN of this length. No letter is in it three times in a row, which would be hard to read out."""
    while True:
        pin = "".join(secrets.choice(PIN_ALPHABET) for _ in range(length))
        if not any(letter * 3 in pin for letter in PIN_ALPHABET):
            return pin


def normalize_pin(typed_pin: str) -> str:
    """Return the letters and digits of a typed PIN in capitals: "ACHKFM" for "ach-kfm"."""
    return "".join(letter for letter in typed_pin.upper() if letter.isalnum())


def count_possible_pins(length: int) -> int:
    """Return how many different PINs of a length `new_pin` can return."""
    # A PIN ends with one letter after a PIN that is one shorter, or with the same letter twice after one two shorter.
    prior, count = 1, len(PIN_ALPHABET)
    for letters in range(2, length + 1):
        prior, count = count, len(PIN_ALPHABET) ** 2 if letters == 2 else (len(PIN_ALPHABET) - 1) * (prior + count)
    return count


def max_open_pins(length: int) -> int:
    """Return how many PINs of a length may be in use at once, so that guessing one takes `MIN_DAYS_TO_GUESS_PIN`."""
    return count_possible_pins(length) // (MAX_WRONG_PINS_A_DAY * MIN_DAYS_TO_GUESS_PIN)


def next_pin_length(open_count_by_length: Mapping[int, int]) -> int | None:
    """Return the shortest length with room for another PIN; `None` if every length is full.

    `open_count_by_length` is how many PINs of each length are in use.
    """
    pin_lengths = range(MIN_PIN_LETTERS, MAX_PIN_LETTERS + 1)
    return next((length for length in pin_lengths if open_count_by_length.get(length, 0) < max_open_pins(length)), None)


class TooManyWrongPins(Exception):
    """A network sent too many wrong PINs, and may not try another one before `until`."""

    def __init__(self, until: datetime) -> None:
        super().__init__("Too many wrong PINs.")
        self.until = until


def network_of(address: str) -> str:
    """Return the network for which wrong PINs from an address are counted: "203.0.113.0/24".

    It is the /24 network of a public IPv4 address, a private IPv4 address itself, or the /64 network of an IPv6
    address. For a text that is no address it is the text, cut to `MAX_NETWORK_LENGTH`.
    """
    ip = parse_address(address)
    if isinstance(ip, IPv4Address) and not _is_home_address(address):
        return str(ip_network((ip, 24), strict=False))
    return machine_key(address)[:MAX_NETWORK_LENGTH]


def _is_home_address(address: str) -> bool:
    """Return whether an address is private. A text that is no address counts as private."""
    return parse_address(address) is None or is_within(address, _HOME_NETWORKS)


def _daily_limit_by_network(address: str) -> dict[str, int]:
    """Return the most wrong PINs a day for an address, keyed by network.

    A home address is limited by itself, and again together with all home addresses.
    """
    limits = {network_of(address): MAX_WRONG_PINS_A_DAY}
    return {**limits, _HOME_NETWORK_NAME: MAX_WRONG_PINS_A_DAY_AT_HOME} if _is_home_address(address) else limits


def wait_after_wrong_pins(wrong_count: int) -> timedelta:
    """Return the wait after this many wrong PINs in 24 hours, at most `MAX_WRONG_PIN_WAIT`.

    Up to the ninth it is none. After the tenth it is a minute, and it doubles with each further one.
    """
    if wrong_count < FIRST_WRONG_PIN_WITH_WAIT:
        return timedelta()
    return min(timedelta(minutes=2 ** (wrong_count - FIRST_WRONG_PIN_WITH_WAIT)), MAX_WRONG_PIN_WAIT)


def blocked_until(wrong_pin_times: Sequence[datetime], now: datetime, daily_limit: int) -> datetime | None:
    """Return when a network may try another PIN; `None` if it may now.

    `wrong_pin_times` are in order, and those of the last 24 hours count. `daily_limit` is the most wrong PINs in 24
    hours; a higher one makes the waits begin later.
    """
    times_in_last_day = [wrong_at for wrong_at in wrong_pin_times if now - wrong_at < DAY]
    if not times_in_last_day:
        return None
    until = times_in_last_day[-1] + wait_after_wrong_pins(len(times_in_last_day) * MAX_WRONG_PINS_A_DAY // daily_limit)
    if len(times_in_last_day) >= daily_limit:
        until = max(until, times_in_last_day[-daily_limit] + DAY)
    return until if until > now else None


def enter_pin(session: Session, typed_pin: str, address: str) -> Invitation:
    """Return the open invitation with this PIN. For a wrong PIN, count it and raise `NoInvitation`.

    Raises `TooManyWrongPins` while the address has to wait. The count of a wrong PIN is committed; for a right PIN the
    session is rolled back.
    """
    limit_by_network = _daily_limit_by_network(address)

    def count_and_find() -> Invitation:
        now = datetime.now(UTC)
        # Counted before the lookup, so that of many PINs sent at once each one counts.
        rows = [
            {"network": network, "seq": _next_wrong_pin_number(session, network, daily_limit, now), "at": now}
            for network, daily_limit in limit_by_network.items()
        ]
        session.execute(sa.insert(_WRONG_PINS), rows)
        try:
            invitation = _find_open_invitation(session, "pin", normalize_pin(typed_pin))
        except NoInvitation:
            session.execute(sa.delete(_WRONG_PINS).where(_WRONG_PINS.c.at <= now - DAY))
            session.commit()
            raise
        session.rollback()
        return invitation

    return retry_on_conflict(session, count_and_find)  # another one may be counted at the same moment


def _next_wrong_pin_number(session: Session, network: str, daily_limit: int, now: datetime) -> int:
    """Return the `seq` of a network's next wrong PIN; raises `TooManyWrongPins` if the network has to wait.

    If the clock was set back, rows from the future get the present time, which is committed.
    """
    is_of_network = _WRONG_PINS.c.network == network
    rows = session.execute(
        sa.select(_WRONG_PINS.c.seq, _WRONG_PINS.c.at).where(is_of_network).order_by(_WRONG_PINS.c.seq)
    )
    seqs_and_times = [(row.seq, utc(row.at)) for row in rows]
    if any(at > now for _, at in seqs_and_times):
        # The clock went back: no time has passed since then, and the wait begins now.
        session.execute(sa.update(_WRONG_PINS).where(is_of_network, _WRONG_PINS.c.at > now).values(at=now))
        session.commit()
        seqs_and_times = [(seq, min(at, now)) for seq, at in seqs_and_times]
    if until := blocked_until([at for _, at in seqs_and_times], now, daily_limit):
        raise TooManyWrongPins(until)
    return seqs_and_times[-1][0] + 1 if seqs_and_times else 1
