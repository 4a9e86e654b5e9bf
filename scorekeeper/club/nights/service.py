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
"""The number of players on a side in the empty form of a new night, and in every night with drawn partners."""


class DeletedNight(Exception):
    """A page of a deleted night was requested. `code` is the code of the link in its URL."""

    def __init__(self, code: str) -> None:
        super().__init__("This night was deleted.")
        self.code = code


@dataclass(frozen=True, slots=True)
class NightAccess:
    """A night with its setup and the link by which it was loaded.

    For a task of the program, the link is made up: it has the id 0 and an empty code.
    """

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
        """The night, under the name by which `append_event` finds the log of any stream."""
        return self.night

    @property
    def written_at(self) -> datetime:
        """When the last event of the night was written or, without events, when the night began."""
        return self.night.events[-1].at if self.night.events else self.setup.created_at

    def is_changed_by(self, event: Event) -> bool:
        """Return whether an event changes anything in the night.

        Raises `Refused` or `NotAllowed` if the event must not be appended.
        """
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
        """Insert the night's last event without a commit.

        Raises `IntegrityError` if another phone has inserted an event with the same `seq`.
        """
        event = self.night.events[-1]
        match_id = event.data.match if isinstance(event.data, MatchKept) else None
        NIGHT_EVENTS.add(session, self.setup.id, [event], match_id=match_id)

    def as_of(self, version: int) -> "NightAccess":
        """Return a copy with the night as it was at an earlier version."""
        return replace(self, night=self.setup.fold(self.night.events[:version]))


def refuse_invalid_night(setup: NightSetup, plan: NightPlanned) -> None:
    """Raise `Refused` if a night cannot start with this setup and plan.

    The caller checks the game and its house options.
    """
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

    A form that is sent twice starts one night. The night is put into the book that the phone chose last, or into a new
    book; `setup.book_id` is ignored. Raises `Refused`.
    """
    writer = Writer(idempotency_key)
    refuse_invalid_night(setup, plan)

    def insert_night() -> str:
        code, digest = new_code(), device_digest(device)
        book_id = (link_to_chosen_book(session, digest) or begin_book(session, digest)).stream_id
        night_id = nights.add_night(session, replace(setup, book_id=book_id), idempotency_key)
        NIGHT_LINKS.add(session, night_id, code, OWNER, setup.created_at, device=digest)
        if plan != NightPlanned():
            NIGHT_EVENTS.add(session, night_id, [writer.event(1, plan)])
        return code

    # The phone may begin its first book elsewhere at the same moment.
    return add_once(session, lambda: NIGHT_LINKS.code_by_form_key(session, idempotency_key), insert_night)


def load_night(session: Session, code: str) -> NightAccess:
    """Return the night of the link with a code, even if the night was deleted; raises `UnknownCode` and `LinkEnded`.

    Each name that the night's book has deleted is replaced by a name like "Player 3".
    """
    return ladder_night_of_link(session, NIGHT_LINKS.head_in_force(session, code).link)


def ladder_night_of_link(session: Session, link: Link, *, may_be_unreadable: bool = False) -> NightAccess:
    """Return the night of a link, which may be made up; each deleted name is replaced by a name like "Player 3".

    If an event of the night cannot be read, raises `UnreadableEvent` or, with `may_be_unreadable`, returns the night as
    it began.
    """
    setup = nights.setup_by_id(session, link.stream_id)
    load_events = nights.readable_events if may_be_unreadable else NIGHT_EVENTS.load
    night = setup.fold(load_events(session, setup.id))
    if setup.book_id is not None:
        night = number_deleted_names(book_of_id(session, setup.book_id), setup, night)
    return NightAccess(setup, link, night)


def number_deleted_names(book: Book, setup: NightSetup, night: Night) -> Night:
    """Return a night with a name like "Player 3" in place of each name that `book` has deleted."""
    events = number_nameless_players(blank_deleted_names(night.events, book.has_deleted_name))
    return night if events == night.events else setup.fold(events)


def ladder_nights_of_device(session: Session, device: str) -> list[NightAccess]:
    """Return the nights that a device has links to, at most `MAX_NIGHTS_OF_DEVICE`; that of the newest link is first.

    Deleted nights and ended links are left out. A night that cannot be read is as it began.
    """
    links = nights.night_links_of_device(session, device_digest(device), 2 * MAX_NIGHTS_OF_DEVICE)
    accesses = [ladder_night_of_link(session, link, may_be_unreadable=True) for link in links]
    return [access for access in accesses if not access.night.is_deleted][:MAX_NIGHTS_OF_DEVICE]


def latest_nights(session: Session, max_count: int, before: int) -> tuple[list[NightAccess], int | None]:
    """Return up to `max_count` nights with ids below `before`, the highest id first, and the next value of `before`.

    That value is `None` if no nights follow. Deleted nights are among the nights; those that cannot be read are as they
    began. Each has an owner's link in force or, without one, a link with an empty code.
    """
    night_ids, next_before = NIGHT_LINKS.latest_stream_ids(session, max_count, before)
    owner_links = NIGHT_LINKS.oldest_owner_links(session, night_ids)
    links = (owner_links.get(night_id, Link(0, "", OWNER, night_id, "night")) for night_id in night_ids)
    return [ladder_night_of_link(session, link, may_be_unreadable=True) for link in links], next_before


def write_night(
    session: Session, code: str, change: NightChange, writer: Writer, *, version: int | None = None
) -> NightAccess:
    """Append the events of `change` to the night of a link, commit, and return the changed night.

    A form that is sent twice is applied once. Raises `UnknownCode`, `Refused` and `NotAllowed`, and `StaleStream` if
    `version` is given and the night is at another version.
    """
    return append_event(
        session,
        lambda: load_night(session, code),
        lambda access: change if isinstance(change, Event) else change(access.night),
        writer,
        expected_version=version,
    )


def add_entrants(session: Session, code: str, entrants: Sequence[Sequence[str]], writer: Writer) -> NightAccess:
    """Add entrants, all or none, commit, and return the changed night.

    Each entrant is given by the names of its players: `["Ann", "Cal"]`. Raises `UnknownCode`, `NotAllowed`,
    `StaleStream` and `Refused`, which names the refused entrant if there are several.
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
    """Return the event that starts the first round: who sits where and who sits out, or partners, drawn by lot."""
    if night.plan.mode != PAIRS:
        return _draw_partners(1, night)
    order = _chance.sample(night.present_uids, len(night.present_uids))
    sits_out = order.pop() if len(order) % 2 else None
    return NightStarted(tables=tuple(zip(order[::2], order[1::2], strict=True)), sits_out=sits_out)


def _draw_partners(round_number: int, night: Night) -> PartnersDrawn:
    """Return the event that starts round `round_number`, with partners and byes drawn by lot.

    Two players who were seldom partners are preferred, and byes go to players who had few. After the first round of a
    `PROGRESSIVE` night, partners are drawn among the four players at each table.
    """
    earlier_rounds = night.drawn_rounds
    sitting_out: Sequence[int] = []
    if night.plan.mode == PROGRESSIVE and earlier_rounds:
        order = night.seating_order_after_byes(_chance.choice)
        sitting_out = [uid for uid in night.next_seating_order if uid not in order]
        times_paired = count_times_paired(earlier_rounds)
        fours = (order[start : start + PLAYERS_PER_TABLE] for start in range(0, len(order), PLAYERS_PER_TABLE))
        tables = [rarest_partners((*_chance.sample(four[:2], 2), *four[2:]), times_paired) for four in fours]
    else:
        drawn_pairs, sitting_out = draw_partners(
            _chance.sample(night.present_uids, len(night.present_uids)), earlier_rounds
        )
        pairs = _chance.sample(drawn_pairs, len(drawn_pairs))
        tables = list(zip(pairs[::2], pairs[1::2], strict=True))
    return PartnersDrawn(round=round_number, partners=tuple(tables), out=tuple(sitting_out))


def draw_lots_for_round(round_number: int, night: Night) -> RoundStarted | PartnersDrawn:
    """Return the event that starts a round after the first, with any bye and any partners drawn by lot."""
    if night.plan.mode != PAIRS:
        return _draw_partners(round_number, night)
    candidates = night.bye_candidates
    return RoundStarted(round=round_number, sits_out=_chance.choice(candidates) if candidates else None)


def can_seat_sides(table: Table, size: int) -> bool:
    """Return whether a game can be played by two sides of `size` players; `table` says how many it seats."""
    return table.partners.get(2 * size) == 2 or (size == 1 and table.fewest <= 2 <= table.most)


def can_keep_matches(rulesets: Variants, setup: NightSetup) -> bool:
    """Return whether the games of a night can be scored as matches.

    The night needs a variant that seats two of its sides and whose matches end, and valid house options.
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
    """Start a match between the two sides at a table, commit, and return the code of the match's owner's link.

    A form that is sent twice starts one match. `in_transaction` is called before the commit, with the id of the match.
    Raises `UnknownCode`, `Refused` and `NotAllowed`.
    """
    if (existing_code := MATCH_LINKS.code_by_form_key(session, writer.idempotency_key)) is not None:
        return existing_code
    access = load_night(session, code)
    night, setup, round_number = access.night, access.setup, len(access.night.rounds)
    game = night.game_at(round_number, table)
    if game is None or not can_keep_matches(rulesets, setup):
        raise refusal("", "No match can be kept here. Tap who won.")
    # Partners sit across from each other, so that the first side has the first seat. Where a game may be played with
    # partners or alone, only the sides say that they are partners.
    record = Record(
        variant=setup.variant,
        house=setup.house,
        sides=tuple(
            (
                night.name(side),
                tuple(player for uid in night.entrant_uids(side) for player in night.entrants[uid].players),
            )
            for side in game.sides
        ),
        title=f"Round {round_number}, table {table}",
    )

    def write_match_kept(match_id: int) -> None:
        access_now = load_night(session, code)
        game_now = access_now.night.game_at(round_number, table)
        if game_now is None or round_number != len(access_now.night.rounds) or game_now.sides != game.sides:
            raise refusal("", f"Others sit at table {table} now. Check the night again.")
        if game_now.has_begun:
            raise refusal("", f"Table {table} has a match or a result already.")
        append_uncommitted(session, access_now, MatchKept(round=round_number, table=table, match=match_id), writer)
        in_transaction(match_id)

    return start_match(session, rulesets, record, writer, in_transaction=write_match_kept).code


def codes_of_kept_matches(session: Session, access: NightAccess, device: str) -> Mapping[int, str]:
    """Return the code of a phone's link to each match of the current round, keyed by the match's id.

    A match that the phone has not opened, or to which its link has ended, is left out.
    """
    digest, games = device_digest(device), access.night.current_round.games
    return {
        game.match_id: link.code
        for game in games
        if game.match_id and (link := MATCH_LINKS.link_of_last_visit(session, digest, game.match_id))
    }


def ladder_night_code_of_match(session: Session, device: str, match_id: int) -> str:
    """Return the code of a phone's link to the night in which a match keeps the score of a game.

    Empty if there is no such night, if the night was deleted, or if the phone has no link in force to it.
    """
    links = (
        NIGHT_LINKS.own_link(session, device_digest(device), access.setup.id)
        for access, *_ in _games_of_match(session, match_id)
    )
    return next((link.code for link in links if link and not link.ended_at), "")


def has_title_from_ladder_night(session: Session, match: Match) -> bool:
    """Return whether a match still has the title that a night gave it: "Round 2, table 3"."""
    return match.title == match.setup.title and bool(nights.tables_of_match(session, match.id))


def write_result_into_ladder_night(session: Session, before: Match | None, after: Match) -> None:
    """Append the result of a match to its ladder night without a commit, if the ending of the match has changed.

    Nothing is appended to a deleted night, or if the night refuses the event. `before` is `None` if the match could not
    be scored before. Raises `IntegrityError` if another phone wrote first.
    """
    if before is not None and before.ending == after.ending:
        return
    for access, round_number, game in _games_of_match(session, after.id):
        winner = _winning_side(after, game)
        scores = _scores_in_order_of_sides(after) if winner is not None else None
        # A match that ends so late moves nobody: its scorekeeper does not see the tables.
        late = round_number < len(access.night.rounds) or None
        event = GameWon(round=round_number, table=game.table, winner=winner, match=after.id, scores=scores, late=late)
        with suppress(Refused):  # as for a match without a winner in a round that is over: the host entered who won
            append_uncommitted(session, access, event, Writer(f"match-{after.setup.uid}-{after.version}"))


def ladder_night_of_late_match(session: Session, match: Match) -> Night | None:
    """Return the night to which a match gave its result too late, after the next round had started.

    `None` if the match gave its result in time or gave none, or if somebody has entered another result since.
    """
    return next((access.night for access, _, game in _games_of_match(session, match.id) if game.has_late_result), None)


def _games_of_match(session: Session, match_id: int) -> Iterator[tuple[NightAccess, int, Game]]:
    """Yield each game whose score is kept in a match, with its night and the number of its round.

    The night is loaded with a scorer's rights. Games of deleted and of unreadable nights are left out.
    """
    for night_id, round_number, table in nights.tables_of_match(session, match_id):
        access = ladder_night_of_link(session, Link(0, "", SCORER, night_id, "night"), may_be_unreadable=True)
        game = access.night.game_at(round_number, table)
        if game and game.match_id == match_id and not access.night.is_deleted:
            yield access, round_number, game


def _winning_side(match: Match, game: Game) -> int | None:
    """Return the uid of the side of a game that won its match; `None` unless the match is over with one winner."""
    ending = match.ending
    if ending is None or ending.status != "over" or len(ending.winners) != 1:
        return None
    return game.sides[[side.id for side in match.setup.sides].index(ending.winners[0]) % 2]


def _scores_in_order_of_sides(match: Match) -> tuple[int, int] | None:
    """Return the scores of a match, the first side's first: `(21, 15)`.

    `None` if the match has more than two sides, or a score is beyond `MAX_SCORE`.
    """
    scores = [match.state.scores[side.id] for side in match.setup.sides]
    return (scores[0], scores[1]) if len(scores) == 2 and max(map(abs, scores)) <= MAX_SCORE else None


def store_entrant_of_phone(session: Session, access: NightAccess, uid: int) -> None:
    """Store which entrant holds a link's phone, and commit; a `uid` of 0 stands for none.

    Raises `Refused` for an unknown entrant.
    """
    if uid:
        access.night.entrant_or_refuse(uid)  # raises `Refused`
    NIGHT_LINKS.change(session, access.link, pair=uid or None)
    session.commit()
