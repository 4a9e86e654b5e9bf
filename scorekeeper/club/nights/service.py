"""Start, load and change a ladder night, and keep score at its tables in matches."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from secrets import SystemRandom

from sqlalchemy.orm import Session

from scorekeeper.access.links import MATCH_LINKS, device_digest
from scorekeeper.access.roles import Link
from scorekeeper.book.book_matches import begin_book, link_to_chosen_book
from scorekeeper.book.books import book_of_id
from scorekeeper.book.fold import Book
from scorekeeper.club.nights import store as nights
from scorekeeper.club.nights.deleted_names import blank_deleted_names, number_nameless_players
from scorekeeper.club.nights.events import (
    EntrantArrived,
    GameWon,
    MatchKept,
    NightChange,
    NightRestored,
    NightStarted,
    PartnersDrawn,
    ResultReported,
    RoundStarted,
)
from scorekeeper.club.nights.night import (
    MAX_ROUNDS,
    MAX_SCORE,
    MAX_SIDE_SIZE,
    PAIRS,
    PROGRESSIVE,
    Game,
    Night,
    NightPlanned,
)
from scorekeeper.club.nights.store import NIGHT_EVENTS, NIGHT_LINKS, NightSetup, entrant_uid_of
from scorekeeper.club.nights.table_moves import PLAYERS_PER_TABLE, count_times_paired, draw_partners, rarest_partners
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
"""The random source for everything that is drawn by lot."""
MAX_NIGHTS_OF_DEVICE = 12
"""The most nights that a phone's home page lists."""
USUAL_SIDE_SIZE = 2
"""The size of sides on the empty form of a new night, and the only one if partners are drawn."""


class DeletedNight(Exception):
    """A page of a deleted night was requested; `code` is the code of the link that was used."""

    def __init__(self, code: str) -> None:
        super().__init__("This night was deleted.")
        self.code = code


@dataclass(frozen=True, slots=True)
class NightAccess:
    """A night with its setup, and the link by which it was loaded, which need not be stored."""

    setup: NightSetup
    link: Link
    night: Night

    @property
    def code(self) -> str:
        """The code of the link."""
        return self.link.code

    @property
    def entrant_uid(self) -> int:
        """The uid of the entrant that holds the link's phone; 0 if none does."""
        return entrant_uid_of(self.link)

    @property
    def log(self) -> Night:
        """The same as `night`, under the name by which `append_event` takes the log of a stream."""
        return self.night

    @property
    def written_at(self) -> datetime:
        """When the last event of the night was written; without events, when the night began."""
        return self.night.events[-1].at if self.night.events else self.setup.created_at

    def is_changed_by(self, event: Event) -> bool:
        """Return whether an event changes anything; raises `Refused` or `NotAllowed` if it must not be appended."""
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
        """Return a copy of the night with one more event, which is not stored."""
        return replace(self, night=self.setup.fold((*self.night.events, event)))

    def store(self, session: Session, _before: "NightAccess") -> None:
        """Insert the night's last event without a commit; raises `IntegrityError` if another phone has appended one."""
        event = self.night.events[-1]
        match_id = event.data.match if isinstance(event.data, MatchKept) else None
        NIGHT_EVENTS.add(session, self.setup.id, [event], match_id=match_id)

    def as_of(self, version: int) -> "NightAccess":
        """Return a copy of the night as it stood at an earlier version."""
        return replace(self, night=self.setup.fold(self.night.events[:version]))


def refuse_invalid_night(setup: NightSetup, plan: NightPlanned) -> None:
    """Raise `Refused` if a night cannot start with these settings; its game and house options are not checked."""
    refuse_any(remark_faults(setup.title))
    plan.changes_anything(setup.fold(()))
    if plan.mode != PAIRS and setup.size != USUAL_SIDE_SIZE:
        raise refusal("size", "Partners are drawn for two. Choose 2, or pairs.")
    if not 1 <= setup.rounds <= MAX_ROUNDS:
        raise refusal("rounds", f"A night has 1 to {MAX_ROUNDS} rounds.")
    if not 1 <= setup.size <= MAX_SIDE_SIZE:
        raise refusal("size", f"1 to {MAX_SIDE_SIZE} play together.")


def start_night(session: Session, device: str, setup: NightSetup, plan: NightPlanned, idempotency_key: str) -> str:
    """Start a night without entrants, commit, and return the code of its owner's link.

    A form that is sent twice starts one night. The night is in the book that the phone chose last, or in a new one,
    whatever `setup` says. Raises `Refused`.
    """
    writer = Writer(idempotency_key)
    refuse_invalid_night(setup, plan)

    def add() -> str:
        code, digest = new_code(), device_digest(device)
        book_id = (link_to_chosen_book(session, digest) or begin_book(session, digest)).stream_id
        night_id = nights.add_night(session, replace(setup, book_id=book_id), idempotency_key)
        NIGHT_LINKS.add(session, night_id, code, OWNER, setup.created_at, device=digest)
        if plan != NightPlanned():
            NIGHT_EVENTS.add(session, night_id, [writer.event(1, plan)])
        return code

    # The phone may begin its first book elsewhere at the same moment.
    return add_once(session, lambda: NIGHT_LINKS.code_by_form_key(session, idempotency_key), add)


def load_night(session: Session, code: str) -> NightAccess:
    """Return the night of a link, even a deleted night; raises `UnknownCode` and `LinkEnded`.

    Names that its book has deleted are replaced by "Player 3" or the like.
    """
    return ladder_night_of_link(session, NIGHT_LINKS.head_in_force(session, code).link)


def ladder_night_of_link(session: Session, link: Link, *, may_be_unreadable: bool = False) -> NightAccess:
    """Return the night of a link, which need not be stored; raises `UnreadableEvent`, unless `may_be_unreadable`.

    Names that its book has deleted are replaced by "Player 3" or the like.
    """
    setup = nights.setup_by_id(session, link.stream_id)
    load = nights.readable_events if may_be_unreadable else NIGHT_EVENTS.load
    night = setup.fold(load(session, setup.id))
    if setup.book_id is not None:
        night = number_deleted_names(book_of_id(session, setup.book_id), setup, night)
    return NightAccess(setup, link, night)


def number_deleted_names(book: Book, setup: NightSetup, night: Night) -> Night:
    """Return a night with "Player 3" or the like in place of each name that `book` has deleted."""
    events = number_nameless_players(blank_deleted_names(night.events, book.has_deleted_name))
    return night if events == night.events else setup.fold(events)


def ladder_nights_of_device(session: Session, device: str) -> list[NightAccess]:
    """Return the nights of a device, at most `MAX_NIGHTS_OF_DEVICE`, the newest link's first.

    Deleted nights, and those to which the link has ended, are left out. An unreadable one is as it began.
    """
    links = nights.night_links_of_device(session, device_digest(device), 2 * MAX_NIGHTS_OF_DEVICE)
    accesses = [ladder_night_of_link(session, link, may_be_unreadable=True) for link in links]
    return [access for access in accesses if not access.night.is_deleted][:MAX_NIGHTS_OF_DEVICE]


def latest_nights(session: Session, at_most: int, before: int) -> tuple[list[NightAccess], int | None]:
    """Return a page of nights, the latest first, and `before` for the next page; `None` on the last page.

    Deleted nights are among them, and unreadable ones as they began. Each has an owner's link in force or, without one,
    a link with an empty code.
    """
    ids, older = NIGHT_LINKS.latest_stream_ids(session, at_most, before)
    owner_links = NIGHT_LINKS.owner_links(session, ids)
    links = (owner_links.get(night_id, Link(0, "", OWNER, night_id, "night")) for night_id in ids)
    return [ladder_night_of_link(session, link, may_be_unreadable=True) for link in links], older


def write_night(
    session: Session, code: str, change: NightChange, writer: Writer, *, version: int | None = None
) -> NightAccess:
    """Append what `change` gives to the night of a link, commit, and return the new night.

    A form that is sent twice is applied once. `version`, if given, has to be the version of the night. Raises
    `UnknownCode`, `Refused`, `NotAllowed` and `StaleStream`.
    """
    return append_event(
        session,
        lambda: load_night(session, code),
        lambda access: change if isinstance(change, Event) else change(access.night),
        writer,
        expected_version=version,
    )


def add_entrants(session: Session, code: str, entrants: Sequence[Sequence[str]], writer: Writer) -> NightAccess:
    """Add entrants, all or none, commit, and return the new night.

    Each entrant is given by its players' names. Raises `UnknownCode`, `NotAllowed`, `StaleStream`, and `Refused` with
    the names of the refused entrant.
    """

    players: Sequence[str] = ()

    def make_arrivals(_night: Night) -> Iterator[EntrantArrived]:
        nonlocal players
        for players in entrants:
            yield EntrantArrived(players=tuple(players))

    try:
        return write_night(session, code, make_arrivals, writer)
    except Refused as refused:
        if len(entrants) == 1:
            raise
        raise refusal("roster", f"{NAME_SEPARATOR.join(players)}: {refused.reasons[0].message}") from None


def draw_lots_for_first_round(night: Night) -> NightStarted | PartnersDrawn:
    """Return the event that starts the first round, drawn by lot: who sits where, and who sits out."""
    if night.plan.mode != PAIRS:
        return _draw_partners(1, night)
    order = _chance.sample(night.present_uids, len(night.present_uids))
    sits_out = order.pop() if len(order) % 2 else None
    return NightStarted(tables=tuple(zip(order[::2], order[1::2], strict=True)), sits_out=sits_out)


def _draw_partners(number: int, night: Night) -> PartnersDrawn:
    """Return the event that starts round `number`, with partners and byes drawn by lot.

    Players who were seldom partners are preferred, and byes go to those who had few. After the first round of a ladder,
    partners are drawn at each table.
    """
    earlier_rounds = night.drawn_rounds
    sitting_out: Sequence[int] = []
    if night.plan.mode == PROGRESSIVE and earlier_rounds:
        order = night.seating_order_after_byes(_chance.choice)
        sitting_out = [uid for uid in night.next_seating_order if uid not in order]
        times_paired = count_times_paired(earlier_rounds)
        fours = (order[at : at + PLAYERS_PER_TABLE] for at in range(0, len(order), PLAYERS_PER_TABLE))
        tables = [rarest_partners((*_chance.sample(four[:2], 2), *four[2:]), times_paired) for four in fours]
    else:
        drawn, sitting_out = draw_partners(_chance.sample(night.present_uids, len(night.present_uids)), earlier_rounds)
        pairs = _chance.sample(drawn, len(drawn))
        tables = list(zip(pairs[::2], pairs[1::2], strict=True))
    return PartnersDrawn(round=number, partners=tuple(tables), out=tuple(sitting_out))


def draw_lots_for_round(number: int, night: Night) -> RoundStarted | PartnersDrawn:
    """Return the event that starts a round after the first, with any byes and partners drawn by lot."""
    if night.plan.mode != PAIRS:
        return _draw_partners(number, night)
    candidates = night.bye_candidates
    return RoundStarted(round=number, sits_out=_chance.choice(candidates) if candidates else None)


def can_seat_sides(table: Table, size: int) -> bool:
    """Return whether two sides of `size` players each can play a game, given how many players it seats."""
    return table.partners.get(2 * size) == 2 or (size == 1 and table.fewest <= 2 <= table.most)


def can_keep_matches(rulesets: Variants, setup: NightSetup) -> bool:
    """Return whether the games of a night can be scored as matches.

    The night needs a game that seats two of its sides and has an end, and valid house options.
    """
    if setup.variant not in rulesets:
        return False
    ruleset, faults = with_house(rulesets[setup.variant], setup.house)
    # An earlier version allowed a night to leave the option `target` open.
    do_matches_end = has_end(ruleset) and "target" not in ruleset.open_options
    return do_matches_end and not faults and can_seat_sides(ruleset.table, setup.size)


def start_match_at_table(
    session: Session,
    rulesets: Variants,
    code: str,
    table: int,
    writer: Writer,
    in_transaction: Callable[[int], None] = lambda _match_id: None,
) -> str:
    """Start a match between the sides at a table, commit, and return the code of its owner's link.

    A form that is sent twice starts one match. `in_transaction` is called before the commit, with the id of the match.
    Raises `UnknownCode`, `Refused` and `NotAllowed`.
    """
    if (existing_code := MATCH_LINKS.code_by_form_key(session, writer.idempotency_key)) is not None:
        return existing_code
    access = load_night(session, code)
    night, setup, number = access.night, access.setup, len(access.night.rounds)
    game = night.game(number, table)
    if game is None or not can_keep_matches(rulesets, setup):
        raise refusal("", "No match can be kept here. Tap who won.")
    # Partners sit across from each other, so that the first side has the first seat. Where a game may be played with
    # partners or alone, only the sides say that they are partners.
    record = Record(
        variant=setup.variant,
        house=setup.house,
        sides=tuple(
            (night.name(side), tuple(player for uid in night.members(side) for player in night.entrants[uid].players))
            for side in game.sides
        ),
        title=f"Round {number}, table {table}",
    )

    def write_match_kept(match_id: int) -> None:
        access_now = load_night(session, code)
        game_now = access_now.night.game(number, table) if number == len(access_now.night.rounds) else None
        if game_now is None or game_now.sides != game.sides:
            raise refusal("", f"Others sit at table {table} now. Check the night again.")
        if game_now.has_begun:
            raise refusal("", f"Table {table} has a match or a result already.")
        append_uncommitted(session, access_now, MatchKept(round=number, table=table, match=match_id), writer)
        in_transaction(match_id)

    return start_match(session, rulesets, record, writer, in_transaction=write_match_kept).code


def codes_of_kept_matches(session: Session, access: NightAccess, device: str) -> Mapping[int, str]:
    """Return the code of a phone's link to each match of the current round, by match id.

    A match that the phone has not opened, or to which its link has ended, is left out.
    """
    digest, games = device_digest(device), access.night.current_round.games
    return {
        game.match: link.code
        for game in games
        if game.match and (link := MATCH_LINKS.link_of_last_visit(session, digest, game.match))
    }


def ladder_night_code_of_match(session: Session, device: str, match_id: int) -> str:
    """Return the code of a phone's link to the night at whose table a match is played.

    Empty without a link in force, and if the night is deleted.
    """
    links = (
        NIGHT_LINKS.own_link(session, device_digest(device), access.setup.id)
        for access, *_ in _games_of_match(session, match_id)
    )
    return next((link.code for link in links if link and not link.ended_at), "")


def has_title_from_ladder_night(session: Session, match: Match) -> bool:
    """Return whether a match still has its title from a night, such as "Round 2, table 3"."""
    return match.title == match.setup.title and bool(nights.tables_of_match(session, match.id))


def write_result_into_ladder_night(session: Session, before: Match | None, after: Match) -> None:
    """Append the result of a match to its ladder night, if the match's ending has changed; does not commit.

    Nothing is appended if the night is deleted or refuses the event. `before` is `None` if the match could not be
    scored. Raises `IntegrityError` if another phone wrote first.
    """
    if before is not None and before.ending == after.ending:
        return
    for access, number, game in _games_of_match(session, after.id):
        winner = _winning_side(after, game)
        scores = _scores_by_side(after) if winner is not None else None
        # A match that ends so late moves nobody: its scorekeeper does not see the tables.
        late = number < len(access.night.rounds) or None
        event = GameWon(round=number, table=game.table, winner=winner, match=after.id, scores=scores, late=late)
        with suppress(Refused):  # as for a match without a winner in a round that is over: the host entered who won
            append_uncommitted(session, access, event, Writer(f"match-{after.setup.uid}-{after.version}"))


def ladder_night_of_late_match(session: Session, match: Match) -> Night | None:
    """Return the night to which a match gave its result too late: after the next round had started.

    `None` if the result was not late, or somebody has entered another since.
    """
    return next((access.night for access, _, game in _games_of_match(session, match.id) if game.is_late), None)


def _games_of_match(session: Session, match_id: int) -> Iterator[tuple[NightAccess, int, Game]]:
    """Yield each game whose score a match keeps, after its night and the number of its round.

    The night is loaded with a scorer's rights. Games of deleted and of unreadable nights are left out.
    """
    for night_id, number, table in nights.tables_of_match(session, match_id):
        access = ladder_night_of_link(session, Link(0, "", SCORER, night_id, "night"), may_be_unreadable=True)
        game = access.night.game(number, table)
        if game and game.match == match_id and not access.night.is_deleted:
            yield access, number, game


def _winning_side(match: Match, game: Game) -> int | None:
    """Return the uid of the side that won the match of a game; `None` unless one side alone has won."""
    ending = match.ending
    if ending is None or ending.status != "over" or len(ending.winners) != 1:
        return None
    return game.sides[[side.id for side in match.setup.sides].index(ending.winners[0]) % 2]


def _scores_by_side(match: Match) -> tuple[int, int] | None:
    """Return the scores of a match, the first side's first; `None` if a night cannot store them."""
    scores = [match.state.scores[side.id] for side in match.setup.sides]
    return (scores[0], scores[1]) if len(scores) == 2 and max(map(abs, scores)) <= MAX_SCORE else None


def store_entrant_of_phone(session: Session, access: NightAccess, uid: int) -> None:
    """Store the uid of the entrant that holds a link's phone, 0 for none, and commit.

    Raises `Refused` for an unknown entrant.
    """
    if uid:
        access.night.entrant_or_refuse(uid)  # raises `Refused`
    NIGHT_LINKS.change(session, access.link, pair=uid or None)
    session.commit()
