"""Typing a PIN: a wrong one counts for the network that it came from, in the database, and nobody else has to wait."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.ladder.roles import NightInvitation
from scorekeeper.services.invitations import AnyInvitation, NoInvitation, invitation_of_pin
from scorekeeper.services.night_phones import night_invitation_of_pin
from scorekeeper.services.pins import WRONG_A_DAY
from scorekeeper.store import wrong_pins
from scorekeeper.store.tables import NETWORK_LENGTH

DAY = timedelta(days=1)
FREE_WRONG = 10
"""So many wrong PINs a day make nobody wait: guests who mistype may share one network."""
LONGEST_WAIT = timedelta(hours=1)
_MOST_TRIES = 2 * WRONG_A_DAY
_HOME = tuple(
    map(
        ip_network,
        (
            *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "127.0.0.0/8"),
            *("::1/128", "fc00::/7", "fe80::/10"),
        ),
    )
)
"""Addresses that a house or a club gives out itself: each is one phone."""


class TooManyWrongPins(Exception):
    """This network has to wait: `until` is when it may try again."""

    def __init__(self, until: datetime) -> None:
        super().__init__("Too many wrong PINs.")
        self.until = until


def network_of(address: str) -> str:
    """Return what counts together: a private address alone, a public one with its /24, or with its /64 in IPv6."""
    try:
        ip = ip_address(address.partition("%")[0].strip("[]"))
    except ValueError:
        return address[:NETWORK_LENGTH]
    ip = (ip.ipv4_mapped if ip.version == 6 else None) or ip
    if any(ip in home for home in _HOME):
        return str(ip)
    return str(ip_network(f"{ip}/{24 if ip.version == 4 else 64}", strict=False))


def wait_after(wrong: int) -> timedelta:
    """Return how long to wait after so many wrong PINs in a day: a minute after the tenth, then twice as long."""
    if wrong < FREE_WRONG:
        return timedelta()
    return min(timedelta(minutes=2 ** (wrong - FREE_WRONG)), LONGEST_WAIT)


def blocked_until(wrong: Sequence[datetime], now: datetime) -> datetime | None:
    """Return when a network with these wrong PINs, the first one first, may try again; `None` where it may now."""
    today = [at for at in wrong if now - at < DAY]
    if not today:
        return None
    until = today[-1] + wait_after(len(today))
    if len(today) >= WRONG_A_DAY:
        until = max(until, today[-WRONG_A_DAY] + DAY)
    return until if until > now else None


def enter_pin(session: Session, typed: str, address: str) -> AnyInvitation | NightInvitation:
    """Return the open invitation that has a PIN; raises `NoInvitation`, which counts, and `TooManyWrongPins`."""
    network = network_of(address)
    for _ in range(_MOST_TRIES):
        now, number = _refuse_blocked(session, network)
        try:
            # It counts before it is looked for: of many that come together none is free.
            wrong_pins.add(session, network, number, now)
            invitation = _invitation_of(session, typed)
        except IntegrityError:  # another one at the same moment: look again
            session.rollback()
            continue
        except NoInvitation:
            wrong_pins.forget_before(session, now - DAY)
            session.commit()
            raise
        session.rollback()
        return invitation
    raise TooManyWrongPins(now + LONGEST_WAIT)


def _invitation_of(session: Session, typed: str) -> AnyInvitation | NightInvitation:
    try:
        return invitation_of_pin(session, typed)
    except NoInvitation:
        return night_invitation_of_pin(session, typed)


def _refuse_blocked(session: Session, network: str) -> tuple[datetime, int]:
    """Return this moment, and the number of the network's next wrong PIN; raises `TooManyWrongPins`."""
    now, wrong = datetime.now(UTC), wrong_pins.wrong_pins_of(session, network)
    if any(at > now for _, at in wrong):
        # The clock went back: no time has passed since then, and what is to be waited begins now.
        wrong_pins.bring_back(session, network, now)
        session.commit()
        wrong = [(seq, min(at, now)) for seq, at in wrong]
    if until := blocked_until([at for _, at in wrong], now):
        raise TooManyWrongPins(until)
    return now, wrong[-1][0] + 1 if wrong else 1
