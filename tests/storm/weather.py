"""Random acts of the phones in a storm, each drawn by numbers alone."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from tests.storm.model import CUTTHROAT, NOBODY, OF_DISPUTES, PAIRS, PITCH, SHORT, SUITS, TAKEN, Hand, Kind, Table
from tests.storm.phones import Browser, Phone, fields_of
from tests.storm.storm import Storm

TABLES = (PITCH, SHORT, CUTTHROAT, PITCH, SHORT, PAIRS)
Draw = Callable[[int], int]
"""Draws a whole number below another one."""
Act = Callable[[Storm, Draw], None]


def random_hand(table: Table, draw: Draw) -> Hand:
    """Draw a hand; more often than not its bidder is of the side that took the most."""
    if draw(12) == 11:
        return Hand()
    if table.partners == 2 and draw(5) == 4:
        first, most = draw(4), 3 + draw(2)
        hand = Hand(points=(("s1", first), ("s2", most - first)))
    else:
        takers = {award: (*table.sides, *((NOBODY,) if award not in TAKEN else ())) for award in table.awards}
        hand = Hand(taken=tuple((award, who[draw(len(who))]) for award, who in takers.items()))
    counted = hand.counted(table)
    best = max(counted, key=lambda side: counted[side])
    able = [seat for seat in table.seats if table.side_of(seat) == best] if draw(3) else table.seats
    hand = replace(hand, bidder=able[draw(len(able))], bid=draw(table.most - 1) + 2, trump=("", *SUITS)[draw(5)])
    return with_auction(table, hand, draw) if hand.taken and draw(5) == 4 else hand


def with_auction(table: Table, hand: Hand, draw: Draw) -> Hand:
    """Draw who dealt: everybody else passed, or bid the least before the bidder did more."""
    dealer = draw(len(table.seats))
    order = [*table.seats[dealer + 1 :], *table.seats[: dealer + 1]]
    position = order.index(hand.bidder)
    calls = ["pass"] * len(order)
    calls[position] = str(hand.bid)
    if position and hand.bid > 2 and draw(2):
        calls[draw(position)] = "2"
    return replace(hand, dealer=order[-1], auction=tuple(zip(order, calls, strict=True)))


def open_page(storm: Storm, draw: Draw) -> None:
    """Open the page of a hand: the next one, one to be corrected, or one that was forgotten."""
    phone, kind, pick = _writer(storm, draw), draw(8), draw(60)
    rows = storm.match.state.rows
    if kind < 5 or not rows:
        phone.open_hand()
    elif kind < 7:
        phone.open_hand(str(rows[pick % len(rows)].uid))
    else:
        phone.open_hand(before=rows[pick % len(rows)].uid)


def save(storm: Storm, draw: Draw) -> None:
    """Save a hand on a page that lies open, or in the phone's memory."""
    phone = _writer(storm, draw)
    if not phone.pages and not phone.open_hand():
        return
    page, rows = phone.pages[draw(len(phone.pages))], storm.match.state.rows
    # Two phones may enter the same hand.
    hand = rows[-1].hand if rows and draw(6) == 5 else random_hand(storm.table, draw)
    phone.keep(page, hand)


def play(storm: Storm, draw: Draw) -> None:
    """Enter the next hand on a fresh page, and send it."""
    phone = _writer(storm, draw)
    if phone.open_hand():
        phone.keep(phone.pages[0], random_hand(storm.table, draw))
        storm.flush([phone], [False], [False])


def save_at_once(storm: Storm, draw: Draw) -> list[Phone]:
    """Save a hand on the page of each of two phones, and return them: they are about to send."""
    phones = [phone for phone in storm.phones if phone.role in ("owner", "scorer")]
    first = draw(len(phones))
    chosen = [*phones[first:], *phones[:first]][:2]
    for phone in chosen:
        if phone.open_hand():
            phone.keep(phone.pages[0], random_hand(storm.table, draw))
    return chosen


def tap(storm: Storm, draw: Draw) -> None:
    """Tap a part of a hand, which other phones see, or let go what was entered: neither is in the score."""
    phone, how = _writer(storm, draw), draw(6)
    if how >= 4:
        fields = {"csrf_token": phone.token, "do": ("clear", "discard")[how - 4]}
        storm.whisper(phone, "hands/new", fields)
    elif phone.pages or phone.open_hand():
        page, hand = phone.pages[draw(len(phone.pages))], random_hand(storm.table, draw)
        entered = [*fields_of(hand).items()][: draw(6) + 1]
        storm.whisper(phone, "hands/preview", {**page.fields, **dict(entered)})


def change(storm: Storm, draw: Draw) -> None:
    """Change a hand that waits."""
    phone = _writer(storm, draw)
    waiting = [entry for entry in phone.outbox if entry.state == "waiting"]
    if waiting:
        phone.change(waiting[draw(len(waiting))], random_hand(storm.table, draw))


def send(storm: Storm, draw: Draw) -> None:
    """Let one or several phones send."""
    number = len(storm.phones)
    first, how_many = draw(number), (1, 1, 2, 3)[draw(4)]
    phones = [storm.phones[(first + offset) % number] for offset in range(min(how_many, number))]
    fates = [draw(6) for _ in phones]
    storm.flush(phones, [fate in (0, 1) for fate in fates], [fate in (1, 2) for fate in fates])


def decide(storm: Storm, draw: Draw) -> None:
    """Answer a question, or discard what was refused; what stands behind it goes on."""
    phones = [phone for phone in storm.phones if any(entry.state == "asks" for entry in phone.outbox)]
    if not phones:
        return
    phone = phones[draw(len(phones))]
    entry = next(entry for entry in phone.outbox if entry.state == "asks")
    forms = phone.choices(entry)
    choice = draw(len(forms) + 1)
    if choice == len(forms):
        phone.discard(entry)
    else:
        phone.choose(entry, forms[choice])


def act(storm: Storm, draw: Draw) -> None:
    """Do something to the match as a whole, or to a hand in the list."""
    kinds = (
        *(Kind.UNDO, Kind.UNDO, Kind.UNDO, Kind.REDO, Kind.REDO, Kind.REMOVAL, Kind.RETURN, Kind.RENAME, Kind.SIT_IN),
        *(Kind.DEAL, Kind.RULES, Kind.STOP, Kind.RESUME, Kind.DELETE, Kind.RESTORE),
        *[Kind.DISPUTE] * 6,
    )
    kind = kinds[draw(len(kinds))]
    state = storm.match.state
    if any(row.disputes for row in state.rows) and draw(3):
        kind = (Kind.WITHDRAW, Kind.CONFIRM, Kind.CONFIRM)[draw(3)]
    if state.is_deleted and draw(3):
        kind = Kind.RESTORE
    elif state.is_stopped and draw(3):
        kind = Kind.RESUME
    phone = storm.owner if state.is_deleted else _writer(storm, draw)
    if kind in OF_DISPUTES:
        phone = storm.phones[draw(len(storm.phones))]
    storm.act(phone, kind, draw(60), is_lost=draw(4) == 0)


def collide(storm: Storm, draw: Draw) -> None:
    """Let several phones change something at the same moment, each on a page of the same version."""
    posts = []
    for phone in storm.phones[: 2 + draw(2)]:
        kind = (Kind.UNDO, Kind.REDO, Kind.REMOVAL, Kind.SIT_IN, Kind.DEAL, Kind.STOP, Kind.RENAME)[draw(7)]
        if made := storm.change_of(phone, kind, draw(60)):
            posts.append((phone, *made, draw(4) == 0))
    if posts:
        storm.deliver(posts)


def send_again(storm: Storm, draw: Draw) -> None:
    """Send again what was not answered."""
    storm.send_again(draw(60))


def again(storm: Storm, draw: Draw) -> None:
    """Play again where somebody has won, with as many phones as before."""
    state, others = storm.match.state, storm.phones[1:]
    if state.winner and not state.is_deleted:
        storm.play_again(is_twice=draw(2) == 1)
        for phone in others:
            storm.join("watcher" if phone.role == "watcher" else "scorer")


def rights(storm: Storm, draw: Draw) -> None:
    """Change what a phone may do."""
    phone = storm.phones[draw(len(storm.phones))]
    role = ("scorer", "scorer", "scorer", "watcher", "gone")[draw(5)]
    storm.give_role(phone, "back" if phone.role == "gone" else role)


ACTS: tuple[Act, ...] = (
    *(open_page, open_page, save, save, save, play, play, change, send, send, send, send, decide, decide),
    *(act, act, collide, send_again, tap, rights, again),
)


def _writer(storm: Storm, draw: Draw) -> Phone:
    """Draw a phone: one that scores, but for now and then."""
    scoring = [phone for phone in storm.phones if phone.role in ("owner", "scorer")]
    phones = storm.phones if draw(12) == 11 else scoring
    return phones[draw(len(phones))]


def evening(
    browser: Callable[[], Browser],
    seed: int,
    *,
    phones: int,
    posts: int,
    gust: Callable[[Storm, Random], None] = lambda _storm, _rng: None,
) -> Storm:
    """Play a match of so many phones until so many posts have gone out; a `gust` comes before each act."""
    rng, storm = Random(seed), Storm(browser, TABLES[seed % len(TABLES)])
    storm.begin()
    for _ in range(phones - 1):
        storm.join(rng.choice(("scorer", "scorer", "watcher")))
    while storm.steps < posts:
        act = rng.choice(ACTS)
        gust(storm, rng)
        act(storm, rng.randrange)
    return storm
