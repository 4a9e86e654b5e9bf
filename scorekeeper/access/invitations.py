"""Invitations, by which a phone gets its own link to a match, a book or a night.

It scans a QR code, or sends a PIN, which can be read out across a noisy table. Wrong PINs are counted in the database,
for the network that sends them.
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


def _find_invitation(session: Session, column: str, value: str) -> Invitation | None:
    """Return the invitation with this code or PIN, even an ended one.

    `column` is "code" or "pin".
    """
    matching = (
        invitation
        for link_table in LINK_TABLES.values()
        for invitation in _select_invitations(session, link_table, link_table.invitations.c[column] == value)
    )
    return next(matching, None)


def _select_invitations(
    session: Session, link_table: LinkTable, *conditions: sa.ColumnElement[bool]
) -> list[Invitation]:
    """Return the invitations of a kind that fulfill the conditions, in the order in which they were made."""
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
    """Free the PINs of expired invitations, and return how many of each length are still taken.

    Does not commit.
    """
    taken = Counter[int]()
    for table in dict.fromkeys(link_table.invitations for link_table in LINK_TABLES.values()):
        # Written so that the index of the PINs is used, which has few rows that are not empty.
        has_pin = table.c.pin > ""
        session.execute(sa.update(table).where(has_pin, table.c.expires_at <= now).values(pin=None))
        taken.update(map(len, session.execute(sa.select(table.c.pin).where(has_pin)).scalars()))
    return taken


def _end_invitations_of_roles(
    session: Session,
    link_table: LinkTable,
    streams: Sequence[int] | sa.Select[tuple[int]],
    roles: Sequence[str],
    now: datetime,
) -> None:
    """End the invitations to these streams in these roles, which frees their PINs; does not commit."""
    table = link_table.invitations
    conditions = link_table.invited_stream.in_(streams), table.c.role.in_(roles), table.c.ended_at.is_(None)
    session.execute(sa.update(table).where(*conditions).values(ended_at=now, pin=None))


INVITATION_LIFETIME = timedelta(hours=12)
"""How long an invitation is valid after it was made or renewed."""
OFFERED_ROLES = (WATCHER, SCORER)
"""The roles to which a phone can be invited."""
MIN_PIN_LETTERS, MAX_PIN_LETTERS = 6, 10
"""The limits of the length of a new PIN."""
MAX_WRONG_PINS_A_DAY = 30
"""The most wrong PINs from one network in any 24 hours."""
SAFETY_DAYS = 1000
"""How many days of `MAX_WRONG_PINS_A_DAY` guesses it takes, on average, to find a PIN in use."""
# Left out for their looks: B (8 and R), D, O and Q (0), E (F), G (C), I, J and L (1), P (R), S (5), U and V (Y),
# W (M, from across the table), Z (2). Left out for their sound: B, D, E, G, P, V and Z (T), J (K), N (M), S (F).
PIN_ALPHABET = "ACFHKMRTXY"
"""The letters of PINs: no two look or sound alike, and with only one vowel they hardly form words."""
MAX_WRONG_PINS_A_DAY_AT_HOME = 10 * MAX_WRONG_PINS_A_DAY
"""The most wrong PINs a day from all home addresses together: one phone may use any number of these addresses."""
DAY = timedelta(days=1)
FIRST_WRONG_PIN_WITH_WAIT = 10
"""The number of wrong PINs a day that brings the first wait: guests who mistype may share one network."""
MAX_WAIT = timedelta(hours=1)
"""The longest wait after a wrong PIN while the daily limit is not reached."""
_HOME_KEY = "home"
"""The network name under which all home addresses are counted together."""
_HOME_NETWORKS = tuple(
    ip_network(network)
    for network in (
        *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "127.0.0.0/8"),
        *("::1/128", "fc00::/7", "fe80::/10"),
    )
)
"""The networks of private addresses, such as those in a house, in a club, or of this machine."""


class NoInvitation(Exception):
    """No open invitation has this code or PIN."""


def invite(session: Session, linked: Linked, role: str) -> Invitation:
    """Open or renew the invitation to one of the `OFFERED_ROLES`, and commit.

    A renewed invitation keeps its code and PIN. Raises `Refused` if no PIN is free.
    """
    link_table, stream_id = LINK_TABLES[linked.link.kind], linked.link.stream_id
    table = link_table.invitations

    def open_or_renew() -> Invitation:
        link_table.lock(session, stream_id)
        now = datetime.now(UTC)
        expires_at = now + INVITATION_LIFETIME
        if invitation := invitations_in_force(session, linked).get(role):
            session.execute(sa.update(table).where(table.c.id == invitation.id).values(expires_at=expires_at))
        else:
            length = next_pin_length(_free_and_count_pins(session, now))
            pins = (new_pin(length) for _ in range(MAX_RETRIES) if length)
            pin = next((pin for pin in pins if not _find_invitation(session, "pin", pin)), None)
            if pin is None:
                raise refusal("", "No PIN is free right now. Try again later, or close a code that nobody needs.")
            _end_invitations_of_roles(session, link_table, [stream_id], [role], now)
            values = {"code": new_code(), "pin": pin, "role": role, "created_at": now, "expires_at": expires_at}
            session.execute(sa.insert(table), {link_table.invited_stream.name: stream_id, **values})
        opened = invitations_in_force(session, linked)[role]
        session.commit()
        return opened

    return retry_on_conflict(session, open_or_renew)  # another one may get this PIN


def invitations_in_force(session: Session, linked: Linked) -> Mapping[str, Invitation]:
    """Return the open invitations by role, in the order of `OFFERED_ROLES`."""
    now, link_table = datetime.now(UTC), LINK_TABLES[linked.link.kind]
    conditions = link_table.invited_stream == linked.link.stream_id, link_table.invitations.c.ended_at.is_(None)
    invitations = _select_invitations(session, link_table, *conditions)
    by_role = {
        invitation.role: invitation for invitation in invitations[::-1] if invitation.is_open(now) and invitation.pin
    }
    return {role: by_role[role] for role in OFFERED_ROLES if role in by_role}


def close_invitation(session: Session, linked: Linked, role: str) -> None:
    """End the invitation to this role, if there is one, and commit."""
    _end_invitations_of_roles(
        session, LINK_TABLES[linked.link.kind], [linked.link.stream_id], [role], datetime.now(UTC)
    )
    session.commit()


def end_invitations(session: Session, link: Link, now: datetime, *, above: str | None = None) -> None:
    """End the invitations by which a link's phone could join again, without a commit.

    With `above`, only invitations to higher roles end. Invitations to the rest of a money night end as well; for a link
    to a book, so do those to the matches and nights opened by it.
    """
    roles = [role for role in ROLE_RANKS if above is None or not allows(above, role)]
    own_table, *tables_by_book = link_tables_of(link)
    _end_invitations_of_roles(session, own_table, own_table.group.streams(session, link.stream_id), roles, now)
    for link_table in tables_by_book:
        _end_invitations_of_roles(session, link_table, link_table.stream_ids_from(link), roles, now)


def invitation_of_code(session: Session, code: str, *kinds: Kind) -> Invitation:
    """Return the open invitation of one of these kinds that has a code; raises `NoInvitation`."""
    invitation = _find_open_invitation(session, "code", code)
    if invitation.kind not in kinds:
        raise NoInvitation
    return invitation


def _find_open_invitation(session: Session, column: str, value: str) -> Invitation:
    """Return the open invitation with this code or PIN; raises `NoInvitation`.

    `column` is "code" or "pin".
    """
    invitation = _find_invitation(session, column, value)
    if invitation is None or not invitation.is_open(datetime.now(UTC)):
        raise NoInvitation
    return invitation


def new_pin(length: int) -> str:
    """Return a random PIN; no letter comes three times in a row, which is hard to read out."""
    while True:
        pin = "".join(secrets.choice(PIN_ALPHABET) for _ in range(length))
        if not any(letter * 3 in pin for letter in PIN_ALPHABET):
            return pin


def normalize_pin(typed: str) -> str:
    """Return a typed PIN in capitals, with its letters and digits alone."""
    return "".join(letter for letter in typed.upper() if letter.isalnum())


def count_possible_pins(length: int) -> int:
    """Return how many different PINs of this length `new_pin` can return."""
    # A PIN ends with one letter after a PIN that is one shorter, or with the same letter twice after one two shorter.
    shorter, pins = 1, len(PIN_ALPHABET)
    for letters in range(2, length + 1):
        shorter, pins = pins, len(PIN_ALPHABET) ** 2 if letters == 2 else (len(PIN_ALPHABET) - 1) * (shorter + pins)
    return pins


def max_open_pins(length: int) -> int:
    """Return how many PINs of a length may be in use at once.

    With so few, guessing one takes `SAFETY_DAYS`.
    """
    return count_possible_pins(length) // (MAX_WRONG_PINS_A_DAY * SAFETY_DAYS)


def next_pin_length(open_counts: Mapping[int, int]) -> int | None:
    """Return the shortest length that has room for a new PIN; `None` if all are full.

    `open_counts` is how many PINs of each length are open.
    """
    lengths = range(MIN_PIN_LETTERS, MAX_PIN_LETTERS + 1)
    return next((length for length in lengths if open_counts.get(length, 0) < max_open_pins(length)), None)


class TooManyWrongPins(Exception):
    """A network has to wait until the time in `until` before it may try another PIN."""

    def __init__(self, until: datetime) -> None:
        super().__init__("Too many wrong PINs.")
        self.until = until


def network_of(address: str) -> str:
    """Return the network in which an address is counted: an IPv6 /64, a private IPv4 address alone, or a public /24.

    A text that is no address is its own network, cut to `MAX_NETWORK_LENGTH`.
    """
    ip = parse_address(address)
    if isinstance(ip, IPv4Address) and not _is_home_address(address):
        return str(ip_network((ip, 24), strict=False))
    return machine_key(address)[:MAX_NETWORK_LENGTH]


def _is_home_address(address: str) -> bool:
    """Return whether an address is private; true for a text that is no address."""
    return parse_address(address) is None or is_within(address, _HOME_NETWORKS)


def _daily_limits_of_wrong_pins(address: str) -> dict[str, int]:
    """Return the limit of wrong PINs a day for each network in which an address is counted."""
    limits = {network_of(address): MAX_WRONG_PINS_A_DAY}
    return {**limits, _HOME_KEY: MAX_WRONG_PINS_A_DAY_AT_HOME} if _is_home_address(address) else limits


def wait_after_wrong_pins(wrong_count: int) -> timedelta:
    """Return the wait after this many wrong PINs in a day: a minute after the tenth, then twice as long each time.

    There is none before the tenth, and none is longer than `MAX_WAIT`.
    """
    if wrong_count < FIRST_WRONG_PIN_WITH_WAIT:
        return timedelta()
    return min(timedelta(minutes=2 ** (wrong_count - FIRST_WRONG_PIN_WITH_WAIT)), MAX_WAIT)


def blocked_until(wrong_pin_times: Sequence[datetime], now: datetime, daily_limit: int) -> datetime | None:
    """Return when a network may try another PIN; `None` if it may now.

    Only the `wrong_pin_times` of the last 24 hours count; they are in order. `daily_limit` is the most wrong PINs a
    day: the higher it is, the later the waits begin.
    """
    in_last_day = [at for at in wrong_pin_times if now - at < DAY]
    if not in_last_day:
        return None
    until = in_last_day[-1] + wait_after_wrong_pins(len(in_last_day) * MAX_WRONG_PINS_A_DAY // daily_limit)
    if len(in_last_day) >= daily_limit:
        until = max(until, in_last_day[-daily_limit] + DAY)
    return until if until > now else None


def enter_pin(session: Session, typed: str, address: str) -> Invitation:
    """Return the open invitation with the typed PIN; otherwise count a wrong PIN, and raise `NoInvitation`.

    Raises `TooManyWrongPins` while the address has to wait. Commits the count, and rolls the session back for a right
    PIN.
    """
    limits = _daily_limits_of_wrong_pins(address)

    def count_and_find() -> Invitation:
        now = datetime.now(UTC)
        # Counted before the lookup, so that of many PINs sent at once each one counts.
        rows = [
            {"network": network, "seq": _next_wrong_pin_number(session, network, daily_limit, now), "at": now}
            for network, daily_limit in limits.items()
        ]
        session.execute(sa.insert(_WRONG_PINS), rows)
        try:
            invitation = _find_open_invitation(session, "pin", normalize_pin(typed))
        except NoInvitation:
            session.execute(sa.delete(_WRONG_PINS).where(_WRONG_PINS.c.at <= now - DAY))
            session.commit()
            raise
        session.rollback()
        return invitation

    return retry_on_conflict(session, count_and_find)  # another one may be counted at the same moment


def _next_wrong_pin_number(session: Session, network: str, daily_limit: int, now: datetime) -> int:
    """Return the `seq` of a network's next wrong PIN; raises `TooManyWrongPins` if it has to wait.

    Commits if it finds times in the future, after the clock was set back.
    """
    of_network = _WRONG_PINS.c.network == network
    rows = session.execute(sa.select(_WRONG_PINS.c.seq, _WRONG_PINS.c.at).where(of_network).order_by(_WRONG_PINS.c.seq))
    wrong_pins = [(row.seq, utc(row.at)) for row in rows]
    if any(at > now for _, at in wrong_pins):
        # The clock went back: no time has passed since then, and the wait begins now.
        session.execute(sa.update(_WRONG_PINS).where(of_network, _WRONG_PINS.c.at > now).values(at=now))
        session.commit()
        wrong_pins = [(seq, min(at, now)) for seq, at in wrong_pins]
    if until := blocked_until([at for _, at in wrong_pins], now, daily_limit):
        raise TooManyWrongPins(until)
    return wrong_pins[-1][0] + 1 if wrong_pins else 1
