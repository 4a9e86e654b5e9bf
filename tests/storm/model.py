"""What a match has to be after some posts, worked out a second time: nothing here knows the code of the product.

A match is the list of its events, each a post that was written. A hand is known by the number of the event that added
it, as on its pages.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache

NOBODY = "nobody"
SUITS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
FOUR = {"high": 1, "low": 1, "jack": 1, "game": 1}
TEN = FOUR | {"off_jack": 1, "high_joker": 1, "low_joker": 1, "trey": 3}
TAKEN = ("high", "low")
"""Somebody always has them: every other card may have stayed out, and Game may be tied."""


class Kind(StrEnum):
    """What a post would do."""

    NEW = "new"
    CORRECTION = "correction"
    REMOVAL = "removal"
    RETURN = "return"
    UNDO = "undo"
    REDO = "redo"
    RENAME = "rename"
    SIT_IN = "sit in"
    DEAL = "deal"
    RULES = "rules"
    STOP = "stop"
    RESUME = "resume"
    DELETE = "delete"
    RESTORE = "restore"
    DISPUTE = "wrong"
    WITHDRAW = "withdrawn"
    CONFIRM = "confirmed"


OF_OWNERS = {Kind.RENAME, Kind.RULES, Kind.DELETE, Kind.RESTORE}
OF_WATCHERS = {Kind.DISPUTE, Kind.WITHDRAW}
"""No undo takes them back, nor do they end a redo: a phone that watches has a button of its own for that."""
OF_DISPUTES = {*OF_WATCHERS, Kind.CONFIRM}
MAX_DISPUTES = 100
OF_HANDS = {Kind.NEW, Kind.CORRECTION}
ON_TOP = {Kind.UNDO, Kind.REDO, Kind.SIT_IN, Kind.DEAL, Kind.RULES, Kind.REMOVAL}
"""They are written only on the version that their page showed."""
FROM_NEXT_HAND = {Kind.SIT_IN, Kind.DEAL, Kind.RULES}


@dataclass(frozen=True)
class Hand:
    """What was tapped of a hand, by cards or by points; a misdeal has no bid."""

    bidder: str = ""
    bid: int = 0
    trump: str = ""
    taken: tuple[tuple[str, str], ...] = ()
    """Who took each award, by the id of the side."""
    points: tuple[tuple[str, int], ...] = ()
    """What each side counted, where that was typed instead."""
    auction: tuple[tuple[str, str], ...] = ()
    """Every call, where they were tapped, from the left of the `dealer`."""
    dealer: str = ""

    @property
    def is_misdeal(self) -> bool:
        """Whether it was not played."""
        return not self.bidder

    def counted(self, table: "Table") -> dict[str, int]:
        """Return how many points each side took."""
        worth = table.awards
        return dict(self.points) or {
            side: sum(worth[award] for award, taker in self.taken if taker == side) for side in table.sides
        }

    def scores(self, table: "Table") -> dict[str, int]:
        """Return what each side scores: as many points as it took, or what its bid costs it."""
        if self.is_misdeal:
            return {}
        took, side = self.counted(table), table.side_of(self.bidder)
        return {**took, side: took[side] if took[side] >= self.bid else -self.bid}


@dataclass(frozen=True)
class Table:
    """Who plays which game: partners, who sit across, or everybody alone."""

    game: str
    players: tuple[str, ...]
    partners: int = 2
    """How many sides partners make; with 0 everybody scores alone."""
    awards: Mapping[str, int] = field(default_factory=lambda: FOUR, hash=False)
    """What each counts."""
    target: int = 500
    """A side with as much after a hand in which it made its bid has won."""

    @property
    def seats(self) -> list[str]:
        """The ids of the seats."""
        return [f"p{number}" for number in range(1, len(self.players) + 1)]

    @property
    def sides(self) -> list[str]:
        """The ids of what scores."""
        return [f"s{number}" for number in range(1, self.partners + 1)] or self.seats

    @property
    def most(self) -> int:
        """The highest bid."""
        return sum(self.awards.values())

    def side_of(self, seat: str) -> str:
        """Return the side of a seat."""
        return self.sides[self.seats.index(seat) % len(self.sides)]


PITCH = Table("partnership-pitch", ("Ann", "Bea", "Cal", "Dan"))
CUTTHROAT = Table("cutthroat-pitch", PITCH.players, partners=0)
SHORT = replace(PITCH, target=7)
PAIRS = Table("oklahoma-ten-point", (*PITCH.players, "Eve", "Flo"), partners=3, awards=TEN, target=11)


@dataclass(frozen=True)
class Post:
    """What a phone sends."""

    key: str
    phone: str
    role: str
    kind: Kind
    version: int = 0
    """Of the page that it was entered on; of a dispute the event that made the hand what it was there."""
    index: int = 1
    """Which of all hands a new one was, on that page."""
    before: int | None = None
    uid: int = 0
    hand: Hand = Hand()
    who: str = ""
    text: str = ""
    """A name, a dealer or an answer to a house option."""
    replaces: frozenset[str] = frozenset()

    def __str__(self) -> str:
        what = [f"{name} {value}" for name, value in self._details().items() if value]
        return f"{self.phone}, {self.key[-8:]}: {self.kind} on {self.version} {', '.join(what)}"

    def _details(self) -> dict[str, object]:
        details = {"before": self.before, "hand": self.uid, "of": self.who, "is": self.text}
        if self.kind in OF_HANDS:
            details |= {"index": self.index, "is": f"{self.hand.bidder}:{self.hand.bid} {self.hand.trump}"}
        return {**details, "replaces": " ".join(sorted(self.replaces))}


@dataclass(frozen=True)
class Event:
    """A post that was written; `target` is what an undo or a redo is about."""

    seq: int
    post: Post
    target: int = 0


@dataclass(frozen=True)
class Row:
    """A hand in the list, in force or gone."""

    uid: int
    hand: Hand
    is_gone: bool = False
    settings: tuple[Event, ...] = ()
    """The events between the hand before it and this one: substitutions, dealers and changed rules."""
    made: Event | None = None
    """What made it as it is: neither an undo nor a redo does."""
    disputes: frozenset[str] = frozenset()
    """The phones that dispute it as it is."""
    settled: frozenset[str] = frozenset()
    """The phones that disputed it until it was confirmed."""


@dataclass(frozen=True)
class State:
    """A match after some events."""

    table: Table
    version: int
    every: tuple[Row, ...]
    names: Mapping[str, tuple[str, ...]]
    """Who has sat in each seat, in order."""
    is_stopped: bool
    is_deleted: bool
    in_force: tuple[int, ...]
    redoable: tuple[tuple[int, int], ...]
    """Each undo that a redo would take back, with what it undid."""
    touched: Mapping[int, Event]
    """The last event about each hand."""
    hands_of: Mapping[int, frozenset[str]]
    """The phones that wrote something about each hand."""
    keys: Mapping[str, int]
    pending: tuple[Event, ...]
    """The substitutions, dealers and changed rules since the last hand."""
    dealer: str
    """The seat that was chosen to deal the next hand."""

    @property
    def rows(self) -> list[Row]:
        """The hands in force."""
        return [row for row in self.every if not row.is_gone]

    def row(self, uid: int) -> Row:
        """Return a hand."""
        return next(row for row in self.every if row.uid == uid)

    def numbers(self) -> list[int]:
        """Return what the table calls each hand, and the next: one that is dealt again keeps its number."""
        numbers = [1]
        for row in self.rows:
            numbers.append(numbers[-1] + (not row.hand.is_misdeal))
        return numbers

    def name_in(self, uid: int, seat: str) -> str:
        """Return who sat in a seat when a hand was played."""
        sat = 0
        for row in self.rows:
            sat += sum(event.post.kind is Kind.SIT_IN and event.post.who == seat for event in row.settings)
            if row.uid == uid:
                break
        return self.names[seat][sat]

    @property
    def winner(self) -> str:
        """Who has won, if somebody has."""
        return self._played[1]

    @property
    def played(self) -> int:
        """How many hands were played until somebody had won: what comes after does not count."""
        return len(self._played[0])

    def score(self) -> dict[str, int]:
        """Return the score."""
        return self.totals()[-1] if self.rows else dict.fromkeys(self.table.sides, 0)

    def totals(self) -> list[dict[str, int]]:
        """Return the score after each hand; where somebody has won, it stays."""
        totals = self._played[0]
        return [*totals, *(totals[-1:] * (len(self.rows) - len(totals)))]

    @cached_property
    def _played(self) -> tuple[list[dict[str, int]], str]:
        sums, totals = dict.fromkeys(self.table.sides, 0), list[dict[str, int]]()
        for row in self.rows:
            scores = row.hand.scores(self.table)
            sums = {side: sums[side] + scores.get(side, 0) for side in sums}
            totals.append(sums)
            bidder = self.table.side_of(row.hand.bidder) if row.hand.bidder else ""
            if bidder and scores[bidder] >= row.hand.bid and sums[bidder] >= self.table.target:
                return totals, bidder
        return totals, ""

    def named_scores(self) -> dict[str, int]:
        """Return the score by the names that a record gives the sides."""
        names = self.side_names() or {seat: names[-1] for seat, names in self.names.items()}
        return {names[side]: points for side, points in self.score().items()}

    def record(self) -> list[dict[str, object]]:
        """Return the hands as a download has them, without who dealt."""
        first = {seat: names[0] for seat, names in self.names.items()}
        sides = self.side_names()
        now, sat = dict(first), dict.fromkeys(first, 0)
        hands = []
        for hand, events in [*((row.hand, row.settings) for row in self.rows), (None, self.pending)]:
            changes: dict[str, object] = {}
            substitutes: dict[str, str] = {}
            before = dict(now)
            for event in events:
                if event.post.kind is Kind.SIT_IN:
                    who = event.post.who
                    sat[who] += 1
                    now[who] = self.names[who][sat[who]]
                    substitutes[before[who]] = now[who]
                elif event.post.kind is Kind.RULES:
                    house = changes.get("house", {})
                    changes["house"] = {**house, event.post.who: event.post.text}  # type: ignore[dict-item]
            if substitutes:
                changes["sits_in"] = substitutes
            if hand or changes:
                hands.append({**changes, **(_of_record(hand, now, {**now, **sides, NOBODY: None}) if hand else {})})
        return hands

    def side_names(self) -> dict[str, str]:
        """Return what a record calls partners: by those who began the match."""
        together: dict[str, list[str]] = {}
        for seat, names in self.names.items():
            together.setdefault(self.table.side_of(seat), []).append(names[0])
        return {side: " & ".join(names) for side, names in together.items() if self.table.partners}


def _of_record(hand: Hand, now: Mapping[str, str], sides: Mapping[str, str | None]) -> dict[str, object]:
    if hand.is_misdeal:
        return {"thrown_in": "misdeal"}
    found: dict[str, object] = {"bidder": now[hand.bidder], "bid": hand.bid}
    if hand.auction:
        calls = [[now[who], int(call) if call.isdigit() else call] for who, call in hand.auction]
        found = {"auction": calls}
    if hand.trump:
        found["trump"] = hand.trump
    if hand.points:
        found["points"] = {sides[side]: count for side, count in hand.points}
    else:
        found["taken"] = {award: sides[side] for award, side in hand.taken}
    return found


@lru_cache(2000)
def fold(events: tuple[Event, ...], table: Table) -> State:
    """Fold events, in order, into a match."""
    by_seq = {event.seq: event for event in events}
    in_force: list[int] = []
    redoable: list[tuple[int, int]] = []
    touched: dict[int, Event] = {}
    hands_of: dict[int, frozenset[str]] = {}
    for event in events:
        if event.post.kind is Kind.UNDO:
            in_force.remove(event.target)
            redoable.append((event.seq, event.target))
        elif event.post.kind is Kind.REDO:
            undo, target = redoable.pop()
            assert undo == event.target
            in_force.append(target)
        elif event.post.kind not in OF_WATCHERS:
            in_force.append(event.seq)
            redoable.clear()
        if (uid := _hand_of(event, by_seq)) is not None:
            touched[uid] = event
            hands_of[uid] = hands_of.get(uid, frozenset()) | {event.post.phone}
    order: list[int | Event] = []
    hands: dict[int, Row] = {}
    names = {f"p{number}": [name] for number, name in enumerate(table.players, 1)}
    is_stopped = is_deleted = False
    dealer = ""
    for event in events:
        post, is_on = event.post, event.seq in in_force or event.post.kind in OF_WATCHERS
        if post.kind is Kind.NEW:
            order.insert(_index_in(order, post.before), event.seq)
            hands[event.seq] = Row(event.seq, post.hand, is_gone=not is_on, made=event)
        if not is_on:
            continue
        match post.kind:
            case Kind.CORRECTION | Kind.REMOVAL | Kind.RETURN:
                row = hands[post.uid]
                hand = post.hand if post.kind is Kind.CORRECTION else row.hand
                hands[post.uid] = Row(post.uid, hand, is_gone=post.kind is Kind.REMOVAL, made=event)
            case Kind.DISPUTE | Kind.WITHDRAW | Kind.CONFIRM:
                hands[post.uid] = _disputed(hands[post.uid], post)
            case Kind.RENAME:
                names[post.who][-1] = post.text
            case Kind.SIT_IN:
                names[post.who].append(post.text)
            case Kind.STOP | Kind.RESUME:
                is_stopped = post.kind is Kind.STOP
            case Kind.DELETE | Kind.RESTORE:
                is_deleted = post.kind is Kind.DELETE
            case _:
                pass
        if post.kind in FROM_NEXT_HAND:
            order.append(event)
    every, settings = [], list[Event]()
    for entry in order:
        if isinstance(entry, Event):
            settings.append(entry)
            continue
        row = hands[entry]
        every.append(row if row.is_gone else replace(row, settings=tuple(settings)))
        if not row.is_gone:
            settings = []
    for event in settings:
        dealer = event.post.text if event.post.kind is Kind.DEAL else dealer
    return State(
        table=table,
        version=len(events),
        every=tuple(every),
        names={seat: tuple(called) for seat, called in names.items()},
        is_stopped=is_stopped,
        is_deleted=is_deleted,
        in_force=tuple(in_force),
        redoable=tuple(redoable),
        touched=touched,
        hands_of=hands_of,
        keys={event.post.key: event.seq for event in events},
        pending=tuple(settings),
        dealer=dealer,
    )


def _disputed(row: Row, post: Post) -> Row:
    """Return a hand after a phone has disputed or confirmed it, or withdrawn that, as its page showed the hand."""
    if not row.made or row.made.seq != post.version:
        return row
    match post.kind:
        case Kind.DISPUTE:
            return replace(row, disputes=row.disputes | {post.phone})
        case Kind.WITHDRAW:
            return replace(row, disputes=row.disputes - {post.phone})
        case _:
            return replace(row, disputes=frozenset(), settled=row.settled | row.disputes)


def _index_in(order: Sequence[int | Event], before: int | None) -> int:
    if before is None:
        return len(order)
    index = order.index(before)
    while index and isinstance(order[index - 1], Event):
        index -= 1
    return index


def _hand_of(event: Event, by_seq: Mapping[int, Event]) -> int | None:
    """Return the hand that an event is about, if it is about one."""
    match event.post.kind:
        case Kind.NEW:
            return event.seq
        case Kind.CORRECTION | Kind.REMOVAL | Kind.RETURN:
            return event.post.uid
        case Kind.UNDO | Kind.REDO:
            return _hand_of(by_seq[event.target], by_seq)
        case _:
            return None


class Fate(StrEnum):
    """What has to become of a post."""

    WRITTEN = "written"
    KNOWN = "written before"
    SAME = "nothing new"
    QUESTION = "a question which hand counts"
    LOST = "a question about what the server no longer has"
    REFUSED = "refused"


@dataclass(frozen=True)
class Outcome:
    """What has to become of a post at some moment."""

    fate: Fate
    seq: int = 0
    """The event that it made, or had made before."""
    about: Row | None = None
    """The hand in the question."""
    number: int = 0
    """The number of its hand, as the table counts."""


@dataclass(frozen=True)
class Match:
    """A match as it has to be."""

    table: Table
    events: tuple[Event, ...] = ()

    @property
    def state(self) -> State:
        """How it stands."""
        return fold(self.events, self.table)

    def after(self, post: Post) -> "Match":
        """Return the match once a post is written."""
        target = 0
        if post.kind is Kind.UNDO:
            target = self.state.in_force[-1]
        elif post.kind is Kind.REDO:
            target = self.state.redoable[-1][0]
        return Match(self.table, (*self.events, Event(len(self.events) + 1, post, target)))

    def outcome(self, post: Post) -> Outcome:
        """Return what has to become of a post now."""
        now = self.state
        if not self._may(post):
            return Outcome(Fate.REFUSED)
        if post.key in now.keys:
            return Outcome(Fate.KNOWN, now.keys[post.key])
        written = Outcome(Fate.WRITTEN, now.version + 1)
        if post.kind in OF_HANDS:
            return self._outcome_of_hand(post, written)
        if post.kind in ON_TOP and post.version != now.version:
            return Outcome(Fate.REFUSED)
        match post.kind:
            case Kind.UNDO | Kind.REDO:
                return written if (now.in_force if post.kind is Kind.UNDO else now.redoable) else Outcome(Fate.REFUSED)
            case Kind.RESTORE:
                is_new = now.is_deleted
            case Kind.DELETE:
                is_new = not now.is_deleted
            case Kind.STOP | Kind.RESUME:
                is_new = now.is_stopped == (post.kind is Kind.RESUME)
            case Kind.REMOVAL | Kind.RETURN:
                is_new = now.row(post.uid).is_gone == (post.kind is Kind.RETURN)
            case Kind.RENAME:
                is_new = now.names[post.who][-1] != post.text
            case Kind.DEAL:
                is_new = now.dealer != post.text
            case Kind.DISPUTE | Kind.WITHDRAW | Kind.CONFIRM:
                if self._refuses_dispute(post):
                    return Outcome(Fate.REFUSED)
                row = now.row(post.uid)
                is_new = not row.is_gone and _disputed(row, post) != row
            case _:
                is_new = True
        if not is_new:
            return Outcome(Fate.SAME)
        if now.is_deleted and post.kind is not Kind.RESTORE:
            return Outcome(Fate.REFUSED)
        if now.is_stopped and post.kind in (Kind.SIT_IN, Kind.DEAL):
            return Outcome(Fate.REFUSED)
        if now.winner and post.kind in (Kind.SIT_IN, Kind.DEAL, Kind.RULES, Kind.STOP):
            return Outcome(Fate.REFUSED)
        return written

    def _may(self, post: Post) -> bool:
        """Return whether a phone may write, and undo or redo what that would undo or redo."""
        if post.role == "owner" or (post.kind in OF_DISPUTES and post.role != "gone"):
            return True
        if post.role != "scorer" or post.kind in OF_OWNERS:
            return False
        target = 0
        if post.kind is Kind.UNDO and self.state.in_force:
            target = self.state.in_force[-1]
        elif post.kind is Kind.REDO and self.state.redoable:
            target = self.state.redoable[-1][1]
        is_first = post.key not in self.state.keys and post.version == self.state.version
        if not target or not is_first:
            return True
        return self.events[target - 1].post.kind not in OF_OWNERS

    def _refuses_dispute(self, post: Post) -> bool:
        """Return whether a dispute, its withdrawal or a confirmation is refused."""
        row = self.state.row(post.uid)
        if post.kind is Kind.CONFIRM:
            return post.role == "watcher"
        if post.kind is Kind.WITHDRAW:
            return False
        is_as_seen = row.made and row.made.seq == post.version and not row.is_gone
        is_new = post.phone not in row.disputes
        disputes = sum(event.post.kind is Kind.DISPUTE for event in self.events)
        return not is_as_seen or post.phone in row.settled or (is_new and disputes >= MAX_DISPUTES)

    # ---------- a hand, on a page that may be old ----------

    def _outcome_of_hand(self, post: Post, written: Outcome) -> Outcome:
        now, is_new = self.state, post.kind is Kind.NEW
        is_of_gone = not is_new and any(row.uid == post.uid and row.is_gone for row in now.every)
        if post.version > now.version and not is_of_gone:
            is_refused = now.is_deleted or (now.is_stopped and is_new)
            return Outcome(Fate.REFUSED if is_refused else Fate.LOST)
        about = self._question(post)
        if now.is_deleted and (is_new or about or now.row(post.uid).hand != post.hand):
            return Outcome(Fate.REFUSED)
        # One that goes before the hand that won is a correction.
        is_over = now.winner and self._count_before(post) >= now.played
        if is_new and (now.is_stopped or is_over) and (about is None or about.is_gone):
            return Outcome(Fate.REFUSED)
        if about is None:
            return Outcome(Fate.SAME) if not is_new and now.row(post.uid).hand == post.hand else written
        if about.hand == post.hand and not about.is_gone:
            return Outcome(Fate.SAME, about=about)
        return Outcome(Fate.QUESTION, about=about, number=self._number(post, about))

    def _count_before(self, post: Post) -> int:
        """Return how many hands are in force before the place of one."""
        beside, every = post.before if post.kind is Kind.NEW else post.uid, self.state.every
        index = next((index for index, row in enumerate(every) if row.uid == beside), len(every))
        return sum(not row.is_gone for row in every[:index])

    def has_seen(self, post: Post, uid: int) -> bool:
        """Return whether a phone knew a hand as it is now when it entered another: from its page, or by itself."""
        event = self.state.touched[uid]
        is_own = event.post.phone == post.phone and event.post.key not in post.replaces
        return event.seq <= post.version or is_own

    def _question(self, post: Post) -> Row | None:
        """Return the hand of another phone that stands in the place of one."""
        if post.kind is Kind.CORRECTION:
            row = self.state.row(post.uid)
            return row if row.is_gone or not self.has_seen(post, row.uid) else None
        here = list(self._here(post))
        for row in (*(row for row in here if not row.is_gone), *(row for row in here if row.is_gone)):
            if row.uid == post.before or not self.has_seen(post, row.uid):
                return row
        return None

    def _here(self, post: Post) -> Iterator[Row]:
        """Yield the hands between the two that its page showed around a new hand; at the end, those from its index on.

        The hand that it goes before is among them where that is gone.
        """
        every = self.state.every
        end = next((index for index, row in enumerate(every) if row.uid == post.before), len(every))
        shown = {row.uid for row in fold(self.events[: post.version], self.table).rows}
        begin = end
        while begin and (every[begin - 1].is_gone or every[begin - 1].uid not in shown):
            begin -= 1
        # Of several that were entered on one page, each is about what came in its own place behind those it showed.
        ahead = 0 if post.before is not None else max(post.index - 1 - len(shown), 0)
        for row in every[begin:end]:
            if ahead and (not row.is_gone or (row.uid > post.version and self.has_seen(post, row.uid))):
                ahead -= 1
                if not row.is_gone:
                    continue
            yield row
        if end < len(every) and every[end].is_gone:
            yield every[end]

    def behind(self, post: Post) -> Iterator[Row]:
        """Yield the hands of other phones, newer than its page, behind which a new hand would go in at the end.

        One that was deleted on the page, and restored since, is no newer.
        """
        shown = {row.uid for row in fold(self.events[: post.version], self.table).rows}
        for row in reversed(self.state.rows):
            # What was inserted before a hand that the phone knows is not about the next one.
            if row.uid in shown or post.phone in self.state.hands_of[row.uid]:
                return
            if row.uid > post.version:
                yield row

    def _number(self, post: Post, about: Row) -> int:
        """Return the number of the place in question: of the hand there, or of where the one that is gone would be."""
        numbers = self.state.numbers()
        if not about.is_gone:
            return numbers[[row.uid for row in self.state.rows].index(about.uid)]
        return numbers[self._count_before(post)]
