"""A ladder night: how it starts, is loaded and written into, and the matches that are kept at its tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from secrets import SystemRandom

from sqlalchemy.orm import Session

from scorekeeper.access.links import MATCH_LINKS, device_digest
from scorekeeper.book.book_matches import begin_book, link_to_chosen_book
from scorekeeper.book.books import book_of_id
from scorekeeper.book.fold import Book
from scorekeeper.club.nights import store as nights
from scorekeeper.club.nights.deleted_names import blank_deleted_names, number_nameless_players
from scorekeeper.club.nights.events import (
    GameWon,
    MatchKept,
    NightChange,
    NightRestored,
    NightStarted,
    PairArrived,
    PartnersDrawn,
    ResultReported,
    RoundStarted,
)
from scorekeeper.club.nights.night import (
    MAX_IN_PAIR,
    MAX_ROUNDS,
    MAX_SCORE,
    PAIRS,
    PROGRESSIVE,
    Game,
    Night,
    NightPlanned,
)
from scorekeeper.club.nights.store import NIGHT_EVENTS, NIGHT_LINKS, NightLink, NightSetup
from scorekeeper.club.nights.table_moves import PLAYERS_PER_TABLE, draw_partners, rarest_partners, times_together
from scorekeeper.eventlog.store import Writer, add_once, append_event, append_uncommitted
from scorekeeper.eventlog.stream import OWNER, SCORER, Event, NotAllowed, Refused, StoredEvent, refusal, refuse_any
from scorekeeper.matches.fold import Match
from scorekeeper.matches.start import start_match
from scorekeeper.pitch.records.record import Record
from scorekeeper.pitch.rules.entered_text import remark_faults
from scorekeeper.pitch.rules.groups.winning import has_end
from scorekeeper.pitch.rules.house_rules import Variants, with_house
from scorekeeper.pitch.rules.schema import Table
from scorekeeper.pitch.scoring.seats import NAME_SEPARATOR
from scorekeeper.random_codes import new_code

_chance = SystemRandom()
MAX_NIGHTS_OF_DEVICE = 12
USUAL_PAIR_SIZE = 2


class DeletedNight(Exception):
    """The link leads to a night that was deleted; `code` is that of the link."""

    def __init__(self, code: str) -> None:
        super().__init__("This night was deleted.")
        self.code = code


@dataclass(frozen=True, slots=True)
class NightAccess:
    """A night with the link that led to it."""

    setup: NightSetup
    link: NightLink
    night: Night

    @property
    def code(self) -> str:
        """The code of the link that led here."""
        return self.link.code

    @property
    def log(self) -> Night:
        """The log of the night's events, which is the night itself."""
        return self.night

    @property
    def written_at(self) -> datetime:
        """When the last event of the night was written; without any, when it began."""
        return self.night.events[-1].at if self.night.events else self.setup.created_at

    def accepts(self, event: Event) -> bool:
        """Return whether an event changes anything; raises `Refused` and `NotAllowed` where it cannot be written."""
        if not event.changes_anything(self.night):
            return False
        if not self.night.may_write(self.link.role, event):
            raise NotAllowed
        if isinstance(event, ResultReported) and event.phone != self.link.id:
            raise NotAllowed
        if self.night.is_deleted and not isinstance(event, NightRestored):
            raise refusal("", "This night was deleted. Restore it first.")
        return True

    def with_event(self, event: StoredEvent) -> "NightAccess":
        """Return the night with one more event."""
        return replace(self, night=self.setup.fold((*self.night.events, event)))

    def store(self, session: Session, _before: "NightAccess") -> None:
        """Insert the last event, without committing; raises `IntegrityError` where another phone was first."""
        event = self.night.events[-1]
        match_id = event.data.match if isinstance(event.data, MatchKept) else None
        NIGHT_EVENTS.add(session, self.setup.id, [event], match_id=match_id)

    def as_of(self, version: int) -> "NightAccess":
        """Return the night as it stood after one of its events."""
        return replace(self, night=self.setup.fold(self.night.events[:version]))


def refuse_wrong_night(setup: NightSetup, plan: NightPlanned) -> None:
    """Raise `Refused` where a night cannot start with these settings."""
    refuse_any(remark_faults(setup.title))
    plan.changes_anything(setup.fold(()))
    if plan.mode != PAIRS and setup.size != USUAL_PAIR_SIZE:
        raise refusal("size", "Partners are drawn for two. Choose 2, or pairs.")
    if not 1 <= setup.rounds <= MAX_ROUNDS:
        raise refusal("rounds", f"A night has 1 to {MAX_ROUNDS} rounds.")
    if not 1 <= setup.size <= MAX_IN_PAIR:
        raise refusal("size", f"1 to {MAX_IN_PAIR} play together.")


def start_night(session: Session, device: str, setup: NightSetup, plan: NightPlanned, idempotency_key: str) -> str:
    """Start a night without pairs, commit, and return the code of its owner's link; raises `Refused`.

    It is in the book that the phone chose last; a phone without one begins a book.
    """
    writer = Writer(idempotency_key)
    refuse_wrong_night(setup, plan)

    def add() -> str:
        code, digest = new_code(), device_digest(device)
        book_id = (link_to_chosen_book(session, digest) or begin_book(session, digest, idempotency_key)).stream_id
        night_id = nights.add_night(session, replace(setup, book_id=book_id), idempotency_key)
        NIGHT_LINKS.add(session, night_id, code, OWNER, setup.created_at, device=digest)
        if plan != NightPlanned():
            NIGHT_EVENTS.add(session, night_id, [writer.event(1, plan)])
        return code

    # The phone may begin its first book elsewhere at the same moment.
    return add_once(session, lambda: NIGHT_LINKS.code_of_form(session, idempotency_key), add)


def load_night(session: Session, code: str) -> NightAccess:
    """Return the night that a link leads to; raises `UnknownCode`."""
    return night_of_link(session, NIGHT_LINKS.head_in_force(session, code).link)


def night_of_link(session: Session, link: NightLink) -> NightAccess:
    """Return the night of a link, without names that its book has deleted; the link need not be in the database."""
    setup = nights.setup_by_id(session, link.stream_id)
    night = setup.fold(NIGHT_EVENTS.load(session, setup.id))
    if setup.book_id is not None:
        night = number_deleted_names(book_of_id(session, setup.book_id), setup, night)
    return NightAccess(setup, link, night)


def number_deleted_names(book: Book, setup: NightSetup, night: Night) -> Night:
    """Return a night with "Player 3" in place of each name that its book has deleted."""
    events = number_nameless_players(blank_deleted_names(night.events, book.has_deleted))
    return night if events == night.events else setup.fold(events)


def nights_of_device(session: Session, device: str) -> list[NightAccess]:
    """Return the nights that a device has a link to and that are not deleted, by link, the latest link first."""
    mine = nights.nights_of_device(session, device_digest(device), 2 * MAX_NIGHTS_OF_DEVICE)
    found = [night_of_link(session, link) for link in mine]
    return [kept for kept in found if not kept.night.is_deleted][:MAX_NIGHTS_OF_DEVICE]


def latest_nights(session: Session, at_most: int, before: int) -> tuple[list[NightAccess], int | None]:
    """Return the nights with the highest ids below `before`, and the `before` of the next page; `None` at the end.

    Each has the owner's first link, whose code is empty where only a book leads to the night.
    """
    more = nights.latest_nights(session, before, at_most + 1)
    owners = NIGHT_LINKS.owner_links(session, more)
    links = (owners.get(night_id, NightLink(0, "", OWNER, night_id)) for night_id in more[:at_most])
    listed = [night_of_link(session, link) for link in links]
    return listed, more[at_most - 1] if len(more) > at_most else None


def write_night(
    session: Session,
    code: str,
    change: NightChange,
    writer: Writer,
    *,
    version: int | None = None,
) -> NightAccess:
    """Write a change into the night of a link, commit, and return the night with it; raises as `append_event` does."""
    return append_event(
        session,
        lambda: load_night(session, code),
        lambda access: change if isinstance(change, Event) else change(access.night),
        writer,
        expected_version=version,
    )


def add_pairs(session: Session, code: str, pairs: Sequence[Sequence[str]], writer: Writer) -> NightAccess:
    """Add pairs to a night, all of them or none, and commit; raises `Refused`, naming the pair if there are several."""

    players: Sequence[str] = ()

    def make_arrivals(_night: Night) -> Iterator[PairArrived]:
        nonlocal players
        for players in pairs:
            yield PairArrived(players=tuple(players))

    try:
        return write_night(session, code, make_arrivals, writer)
    except Refused as refused:
        if len(pairs) == 1:
            raise
        raise refusal("roster", f"{NAME_SEPARATOR.join(players)}: {refused.reasons[0].message}") from None


def draw_first_round(night: Night) -> NightStarted | PartnersDrawn:
    """Draw the first round by lot: who sits where, and who sits out where not all fill the tables."""
    if night.plan.mode != PAIRS:
        return _draw_partners(1, night)
    order = _chance.sample(night.present, len(night.present))
    sits_out = order.pop() if len(order) % 2 else None
    return NightStarted(tables=tuple(zip(order[::2], order[1::2], strict=True)), sits_out=sits_out)


def _draw_partners(number: int, night: Night) -> PartnersDrawn:
    """Draw partners for a round: among everybody, or for the four whom the ladder brings to each table."""
    before = night.drawn
    out: Sequence[int] = []
    if night.plan.mode == PROGRESSIVE and before:
        order = list(night.order)
        while may := night.bye_candidates_in(order):
            order.remove(_chance.choice(may))
        out = [uid for uid in night.order if uid not in order]
        had = times_together(before)
        fours = (order[at : at + PLAYERS_PER_TABLE] for at in range(0, len(order), PLAYERS_PER_TABLE))
        tables = [rarest_partners((*_chance.sample(four[:2], 2), *four[2:]), had) for four in fours]
    else:
        drawn, out = draw_partners(_chance.sample(night.present, len(night.present)), before)
        sides = _chance.sample(drawn, len(drawn))
        tables = list(zip(sides[::2], sides[1::2], strict=True))
    return PartnersDrawn(round=number, partners=tuple(tables), out=tuple(out))


def draw_round(number: int, night: Night) -> RoundStarted | PartnersDrawn:
    """Return the event that starts a round; who sits out is drawn by lot where not all fill the tables."""
    if night.plan.mode != PAIRS:
        return _draw_partners(number, night)
    may = night.bye_candidates
    return RoundStarted(round=number, sits_out=_chance.choice(may) if may else None)


def can_seat_pairs(table: Table, size: int) -> bool:
    """Return whether a game seats two sides of this size against each other."""
    return table.partners.get(2 * size) == 2 or (size == 1 and table.fewest <= 2 <= table.most)


def can_keep_matches(rulesets: Variants, setup: NightSetup) -> bool:
    """Return whether the app can keep score at a night's tables: its game seats the pairs, and a match ends.

    It cannot where a night of an earlier version has no answers about its game.
    """
    if setup.variant not in rulesets:
        return False
    ruleset, faults = with_house(rulesets[setup.variant], setup.house)
    ends = has_end(ruleset) and "target" not in ruleset.open_options
    return ends and not faults and can_seat_pairs(ruleset.table, setup.size)


def start_match_at_table(
    session: Session,
    rulesets: Variants,
    code: str,
    table: int,
    writer: Writer,
    in_transaction: Callable[[int], None] = lambda _match_id: None,
) -> str:
    """Start a match of the pairs at a table by the night's rules, commit, and return its code; raises `Refused`.

    One transaction writes the match, its table on the night, and what `in_transaction` writes.
    """
    if (sent := MATCH_LINKS.code_of_form(session, writer.idempotency_key)) is not None:
        return sent
    access = load_night(session, code)
    night, setup, number = access.night, access.setup, len(access.night.rounds)
    game = night.game(number, table)
    if game is None or not can_keep_matches(rulesets, setup):
        raise refusal("", "No match can be kept here. Tap who won.")
    # Partners sit across from each other, so that the first pair has the first seat. Where a game may be played with
    # partners or alone, only the sides say that they are partners.
    record = Record(
        variant=setup.variant,
        house=setup.house,
        sides=tuple(
            (night.name(pair), tuple(player for uid in night.members(pair) for player in night.pairs[uid].players))
            for pair in game.pairs
        ),
        title=f"Round {number}, table {table}",
    )

    def write_match_kept(match_id: int) -> None:
        now = load_night(session, code)
        present = now.night.game(number, table) if number == len(now.night.rounds) else None
        if present is None or present.pairs != game.pairs:
            raise refusal("", f"Others sit at table {table} now. Check the night again.")
        if present.has_begun:
            raise refusal("", f"Table {table} has a match or a result already.")
        append_uncommitted(session, now, MatchKept(round=number, table=table, match=match_id), writer)
        in_transaction(match_id)

    return start_match(session, rulesets, record, writer, in_transaction=write_match_kept).code


def codes_of_kept_matches(session: Session, access: NightAccess, device: str) -> Mapping[int, str]:
    """Return the codes of a phone's own links to the matches of the current round, by match id."""
    digest, games = device_digest(device), access.night.current.games
    return {
        game.match: link.code
        for game in games
        if game.match and (link := MATCH_LINKS.link_of_last_visit(session, digest, game.match))
    }


def night_code_of_match(session: Session, device: str, match_id: int) -> str:
    """Return the code of a phone's link to the night at whose table a match is kept; empty where it has none."""
    mine = (
        NIGHT_LINKS.own_link(session, device_digest(device), night_id)
        for night_id in nights.nights_of_match(session, match_id)
    )
    return next((link.code for link, is_in_force in filter(None, mine) if is_in_force), "")


def has_title_of_night(session: Session, match: Match) -> bool:
    """Return whether a match still has the title of its table at a night, which does not fit the next match."""
    return match.title == match.setup.title and bool(nights.nights_of_match(session, match.id))


def write_verdict_into_night(session: Session, before: Match | None, after: Match) -> None:
    """Write who won a match into the night at whose table it is kept, unless refused there; does not commit.

    Raises `IntegrityError` where another phone wrote into the night at the same moment.
    """
    if before is not None and before.ending == after.ending:
        return
    for access, number, game in _games_of_match(session, after.id):
        winner = _winning_pair(after, game)
        scores = _scores_by_pair(after) if winner is not None else None
        late = number < len(access.night.rounds) or None
        event = GameWon(round=number, table=game.table, winner=winner, match=after.id, scores=scores, late=late)
        with suppress(Refused):  # the round is over, and the match is not: the host has entered who won
            append_uncommitted(session, access, event, Writer(f"match-{after.id}-{after.version}"))


def night_of_late_match(session: Session, match: Match) -> Night | None:
    """Return the night whose next round had started when a match at its tables ended; `None` where none had."""
    return next((access.night for access, _, game in _games_of_match(session, match.id) if game.is_late), None)


def _games_of_match(session: Session, match_id: int) -> Iterator[tuple[NightAccess, int, Game]]:
    """Yield each night, not deleted, at one of whose tables a match is kept, with the round and the game there."""
    for night_id in nights.nights_of_match(session, match_id):
        access = night_of_link(session, NightLink(0, "", SCORER, night_id))
        for round_ in access.night.rounds if not access.night.is_deleted else ():
            yield from ((access, round_.number, game) for game in round_.games if game.match == match_id)


def _winning_pair(match: Match, game: Game) -> int | None:
    """Return the pair that won a match at a table; `None` where there is not exactly one winner."""
    ending = match.ending
    if ending is None or ending.status != "over" or len(ending.winners) != 1:
        return None
    return game.pairs[[side.id for side in match.setup.sides].index(ending.winners[0]) % 2]


def _scores_by_pair(match: Match) -> tuple[int, int] | None:
    """Return the scores of an ended match in the order of its pairs; `None` where they do not fit a night."""
    scores = [match.state.scores[side.id] for side in match.setup.sides]
    has_room = len(scores) == 2 and max(map(abs, scores)) <= MAX_SCORE
    return (scores[0], scores[1]) if has_room else None


def set_pair_of_phone(session: Session, access: NightAccess, pair: int) -> None:
    """Store which pair holds the phone of a link, and commit; 0 is nobody. Raises `Refused`."""
    if pair:
        access.night.pair(pair)  # raises `Refused`
    NIGHT_LINKS.change(session, access.link, pair=pair or None)
    session.commit()
