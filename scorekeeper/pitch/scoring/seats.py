"""The seats and sides of a match, the sides that count together in a hand, and the next dealer.

In a file of records, the ids of players and sides are their names.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import zip_longest

from scorekeeper.pitch.rules.entered_text import is_visible, normalize_spaces, visible_text
from scorekeeper.pitch.rules.faults import Fault, Refusal
from scorekeeper.pitch.rules.phrases import digits
from scorekeeper.pitch.rules.schema import Ruleset, Table
from scorekeeper.pitch.scoring.hand import BIDDERS, DEFENDERS, Calls, SideId, SideIds

_MAX_NAME_LENGTH_IN_RECORD = 60
"""The most letters in the name of a player or side in a record."""
Groups = tuple[int, ...]
"""Some groups of a hand, each an index of `HandSides.groups`: `(0, 2)`."""
PointsByGroup = tuple[int, ...]
"""The points of each group of a hand, in the order of `HandSides.groups`."""
NAME_SEPARATOR = " & "
"""What stands between players' names in the name of a side that was not named itself: "Ann & Cal"."""


@dataclass(frozen=True, slots=True)
class Side:
    """Partners who share one score, or one player who scores alone."""

    id: SideId
    seats: tuple[str, ...] = ()
    """The ids of the seats of the side's players; empty where no players were entered."""


@dataclass(frozen=True)
class Seats:
    """The sides of a match and, where players were entered, their seats in clockwise order."""

    sides: tuple[Side, ...]
    players: tuple[str, ...] = ()
    """The ids of the players' seats, clockwise; empty where no players were entered."""

    @cached_property
    def ids(self) -> SideIds:
        """The ids of the sides, in seat order."""
        return tuple(side.id for side in self.sides)

    @property
    def chairs(self) -> tuple[str, ...]:
        """The ids of those who deal in turn, clockwise: the players, or the sides where no players were entered."""
        return self.players or self.ids

    def side_of(self, who: str | None) -> SideId | None:
        """Return the id of the side of a player, or of the side itself; `None` for an unknown id."""
        return self._side_by_id.get(who)

    @cached_property
    def _side_by_id(self) -> Mapping[str | None, SideId]:
        """The id of the side of each player and of each side, keyed by the id of the player or side."""
        # Reversed, so that the first side wins where an id is in several.
        return {who: side.id for side in reversed(self.sides) for who in (side.id, *side.seats)}

    def side(self, side_id: SideId) -> Side:
        """Return the side with an id; raises `KeyError` if there is none."""
        return {side.id: side for side in reversed(self.sides)}[side_id]

    def left_of(self, who: str) -> str | None:
        """Return the next player, or side, clockwise; `None` for an unknown id."""
        return self._neighbor(who, 1)

    def right_of(self, who: str) -> str | None:
        """Return the next player, or side, counterclockwise; `None` for an unknown id."""
        return self._neighbor(who, -1)

    def _neighbor(self, who: str, step: int) -> str | None:
        """Return the player or side that sits `step` seats clockwise from `who`; `None` for an unknown id."""
        chairs = self.chairs if who in self.chairs else self.ids
        if who not in chairs:
            return None
        return chairs[(chairs.index(who) + step) % len(chairs)]


def clockwise_after(chairs: tuple[str, ...], who: str | None) -> tuple[str, ...]:
    """Return all `chairs` clockwise from the one after `who`, with `who` last.

    For an unknown `who`, they stay as they are.
    """
    index = chairs.index(who) + 1 if who in chairs else 0
    return (*chairs[index:], *chairs[:index])


def unknown_player_fault(field: str, who: str) -> Refusal:
    """Return the fault of an id that no player and no side of the match has."""
    return Refusal(field, "unknown_player", "Nobody at this table is named {0}.", (who,))


def name_key(name: str) -> str:
    """Return a key that is the same for names that read alike, such as "Ann" and " ANN"."""
    # Normalized twice, because folding case may leave a character that composes with the next.
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible_text(name)).casefold())
    return normalize_spaces(folded)


def unique_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return each different name once, as it was spelled first.

    Names with the same `name_key` are the same name.
    """
    first_spellings: dict[str, str] = {}
    for name in names:
        first_spellings.setdefault(name_key(name), name)
    return tuple(first_spellings.values())


def person_keys(tables: Iterable[Sequence[str]]) -> dict[str, str]:
    """Return the key of the person that each name is of, keyed by name: all spellings of one name have the same key.

    `tables` are the names at each table. If two names at one table have the same `name_key`, each is its own key.
    """
    tables = tuple(tables)
    # Two people share a key only at a table that was seated before keys of names were compared.
    shared_keys = {key for names in tables for key, count in Counter(map(name_key, names)).items() if count > 1}
    return {name: name if (key := name_key(name)) in shared_keys else key for names in tables for name in names}


def seat_table(
    ruleset: Ruleset,
    players: Sequence[str] | None,
    sides: Sequence[tuple[str, Sequence[str]]] | None,
    *,
    is_new: bool = True,
) -> tuple[Seats | None, list[Fault]]:
    """Return the seats of players and sides, whose ids are their names, or `None` and the faults.

    At a table that `is_new`, names that merely read alike are faults, too.
    """
    faults = table_faults(players or (), sides or (), is_new=is_new)
    if faults:
        return None, faults
    if sides is not None:
        return _seat_sides(ruleset.table, players, sides)
    if players:
        return _seat_players(ruleset.table, players, is_new=is_new)
    return None, [Fault("players", "nobody", "Enter who plays: players or sides.")]


def table_faults(
    players: Sequence[str], sides: Sequence[tuple[str, Sequence[str]]], *, is_new: bool = True
) -> list[Fault]:
    """Return the faults of the names of players and sides: invalid, repeated, or with a meaning of their own.

    At a table that `is_new`, names that read alike are repeated; at a stored one, only equal names are. A side may have
    the name of its only player.
    """
    faults = []
    key_of = name_key if is_new else str
    name_by_key: dict[str, str] = {}
    for index, name in enumerate(players):
        faults += _name_faults(f"players.{index}", name, key_of(name), name_by_key, is_new=is_new)
    name_by_key = {}
    seated_name_by_key: dict[str, str] = {}
    for index, (name, members) in enumerate(sides):
        faults += _name_faults(f"sides.{index}.name", name, key_of(name), name_by_key, is_new=is_new)
        for member_index, member in enumerate(members):
            if member not in players:
                faults += _name_faults(
                    f"sides.{index}.players.{member_index}", member, key_of(member), seated_name_by_key, is_new=is_new
                )
        other_people = {
            other_member
            for other_index, (_, other_members) in enumerate(sides)
            for other_member in other_members
            if other_index != index or len(other_members) > 1
        } | (set(players) - set(members) if len(members) <= 1 else set(players))
        if namesake := {key_of(who): who for who in other_people}.get(key_of(name)):
            faults.append(Fault(f"sides.{index}.name", "repeated_name", _side_and_player_message(name, namesake)))
    return faults


def _name_faults(field: str, name: str, key: str, name_by_key: dict[str, str], *, is_new: bool) -> list[Fault]:
    """Return the faults of a name. A name without faults is added to `name_by_key`.

    If `is_new`, a name has to have a visible character.
    """
    if not (is_visible(name) if is_new else name.strip()) or len(name) > _MAX_NAME_LENGTH_IN_RECORD:
        return [Fault(field, "bad_name", f"A name has 1 to {_MAX_NAME_LENGTH_IN_RECORD} letters.")]
    if name in (BIDDERS, DEFENDERS):
        return [Fault(field, "reserved_name", f"{name!r} already means something here. Choose another name.")]
    if key in name_by_key:
        first_text, second_text = (
            unicodedata.normalize("NFC", visible_text(alike_name)) for alike_name in (name_by_key[key], name)
        )
        problem = (
            f"{name_by_key[key]} is there twice"
            if first_text == second_text
            else f"{name_by_key[key]} and {name} are the same name"
        )
        return [Fault(field, "repeated_name", f"{problem}. Give each a different name.")]
    name_by_key[key] = name
    return []


def _side_and_player_message(side: str, player: str) -> str:
    """Return the message that a side and a player have the same name."""
    return f"The side {side} and the player {player} have the same name. Give each a different name."


def _seat_players(table: Table, players: Sequence[str], *, is_new: bool) -> tuple[Seats | None, list[Fault]]:
    """Return the seats of players without named sides, or `None` and the faults.

    Each scores alone where so many may; if not, partners sit opposite. At a table that `is_new`, names that merely read
    alike are faults.
    """
    if table.fewest <= len(players) <= table.most:
        single_sides = tuple(Side(name, (name,)) for name in players)
        return Seats(single_sides, tuple(players)), []
    if len(players) in table.partners:
        side_count = table.partners[len(players)]
        teams = [tuple(players[i::side_count]) for i in range(side_count)]
        sides = tuple(Side(NAME_SEPARATOR.join(team), team) for team in teams)
        faults = side_name_faults(players, [side.id for side in sides], is_new=is_new)
        return None if faults else Seats(sides, tuple(players)), faults
    return None, [
        Fault("players", "wrong_number", f"{digits(len(players), 'player')} can’t play: {seats_phrase(table)}.")
    ]


def side_name_faults(players: Sequence[str], sides: Iterable[str], *, is_new: bool = True) -> list[Fault]:
    """Return a fault for each player who has the name of a side.

    If `is_new`, names that read alike are the same.
    """
    key_of = name_key if is_new else str
    index_by_key = {key_of(name): index for index, name in enumerate(players)}
    return [
        Fault(f"players.{index}", "repeated_name", _side_and_player_message(side, players[index]))
        for side in sides
        if (index := index_by_key.get(key_of(side))) is not None
    ]


def _seat_sides(
    table: Table, players: Sequence[str] | None, sides: Sequence[tuple[str, Sequence[str]]]
) -> tuple[Seats | None, list[Fault]]:
    """Return the seats of named sides and their players, or `None` and the faults.

    Sides that were entered without players are one player each, or share `players` out in turn, or stay without.
    """
    side_sizes = {len(members) for _, members in sides}
    if 0 in side_sizes and side_sizes != {0}:
        return None, [Fault("sides", "half_seated", "Say the players of every side, or of none.")]
    side_count = len(sides)
    are_teams = side_sizes == {0} and side_count in table.partners.values() and len(players or ()) != side_count
    are_alone = table.most and not are_teams and side_sizes <= {0, 1} and table.fewest <= side_count <= table.most
    if are_alone:
        sides = [(name, members or (name,)) for name, members in sides]
    elif side_sizes == {0} and players and len(players) % side_count == 0:
        sides = [(name, players[i::side_count]) for i, (name, _) in enumerate(sides)]
        side_sizes = {len(players) // side_count}
    player_count = sum(len(members) for _, members in sides)
    if player_count:
        fits_partners = table.partners.get(player_count) == side_count and len(side_sizes) == 1
        fits_count = player_count in table.partners or table.fewest <= player_count <= table.most
    else:
        fits_partners = side_count in table.partners.values()
        fits_count = side_count <= table.most
    if not (are_alone or fits_partners or (table.open and side_count >= 2 and fits_count)):
        return None, [Fault("sides", "wrong_number", f"These sides do not fit: {seats_phrase(table)}.")]
    # Partners sit opposite: the first of each side, then the second of each.
    players_in_turn = [
        who
        for players_of_round in zip_longest(*(members for _, members in sides))
        for who in players_of_round
        if who is not None
    ]
    if players is not None and sorted(players) != sorted(players_in_turn):
        return None, [
            Fault(field, "other_people", "players and sides name different people.") for field in ("players", "sides")
        ]
    return Seats(tuple(Side(name, tuple(members)) for name, members in sides), tuple(players or players_in_turn)), []


def seats_phrase(table: Table) -> str:
    """Return the possible numbers of players of a game, as the end of a sentence.

    An example is "this game seats 4 players in 2 sides, or 3 players, each alone".
    """
    phrases = [f"{player_count} players in {side_count} sides" for player_count, side_count in table.partners.items()]
    if table.most:
        player_range = str(table.fewest) if table.fewest == table.most else f"{table.fewest} to {table.most}"
        phrases.append(f"{player_range} players, each alone")
    return "this game seats " + ", or ".join(phrases)


def dealer_by_calls(seats: Seats, calls: Calls) -> str | None:
    """Return the player on the right of the first to call, who dealt; `None` if unknown."""
    return seats.right_of(calls[0][0]) if calls and calls[0][0] in seats.players else None


def next_dealer(
    ruleset: Ruleset, seats: Seats, dealer: str | None, bidder: str | None, *, made: bool | None
) -> str | None:
    """Return the player or side that deals after a scored hand; `None` if unknown.

    In most games it is the next in turn. In Racehorse (`002`), the bidder deals after a made bid, and the player on the
    bidder's right after a set.
    """
    if ruleset.play.next_dealer == "racehorse" and bidder is not None:
        return bidder if made else seats.right_of(bidder)
    return dealer_after(ruleset, seats, dealer)


def dealer_after(ruleset: Ruleset, seats: Seats, dealer: str | None) -> str | None:
    """Return the player or side that deals next in turn; `None` for an unknown dealer."""
    if dealer is None:
        return None
    return seats.right_of(dealer) if ruleset.play.next_dealer == "counterclockwise" else seats.left_of(dealer)


@dataclass(frozen=True)
class HandSides:
    """The sides of a hand, in groups that count their points together.

    If there was a bid, the first group is that of the bidder.
    """

    groups: tuple[SideIds, ...]
    has_bidders: bool
    """Whether there was a bid, so that the first group is that of the bidder."""

    def group_of(self, side: SideId) -> int:
        """Return the index of a side's group; raises `KeyError` for an unknown side."""
        return self._group_indexes[side]

    @cached_property
    def _group_indexes(self) -> dict[SideId, int]:
        """The index of each side's group, keyed by side."""
        return {side: index for index, group in enumerate(self.groups) for side in group}

    @property
    def bidders(self) -> SideIds:
        """The bidding side, then the side of a called partner; empty if nobody bid."""
        return self.groups[0] if self.has_bidders else ()


def divide_sides(
    ruleset: Ruleset, seats: Seats, bidder: str | None, partner: str | None, *, pools_defenders: bool = False
) -> HandSides:
    """Return the sides of a match in groups that count together in one hand.

    `bidder` and `partner` are ids of players or sides. `pools_defenders` is whether the table entered all defenders
    together, which matters only where just the bidders' points count.
    """
    pools_defenders = ruleset.pools_defenders or (pools_defenders and ruleset.only_bidder_counts)
    return _group_sides(seats.ids, seats.side_of(bidder), seats.side_of(partner), pools_defenders)


@lru_cache(maxsize=1024)  # a table has few groupings, and each comes again in many hands
def _group_sides(
    sides: SideIds, bidding_side: SideId | None, partner_side: SideId | None, pools_defenders: bool
) -> HandSides:
    """Return the bidding group, and then the defenders: all as one group, or each alone. Cached.

    If nobody bid, each side is a group.
    """
    if bidding_side is None:
        return HandSides(tuple((side,) for side in sides), has_bidders=False)
    bidders = (bidding_side,) if partner_side in (None, bidding_side) else (bidding_side, partner_side)
    defending_sides = tuple(side for side in sides if side not in bidders)
    defending_groups = (defending_sides,) if pools_defenders else tuple((side,) for side in defending_sides)
    return HandSides((bidders, *defending_groups), has_bidders=True)


def sums_by_group(
    seats: Seats, hand_sides: HandSides, numbers: Mapping[str, int], path: str = ""
) -> tuple[dict[int, int], list[Refusal]]:
    """Return the sum of the numbers entered for each group, keyed by group, and the faults in them.

    `numbers` are keyed by player, side or a word such as `BIDDERS`, and `path` is where they are in a hand's entries. A
    group without a number is left out.
    """
    sum_by_group: dict[int, int] = {}
    faults = []
    for who, number in numbers.items():
        group = find_group(seats, hand_sides, who, f"{path}.{who}")
        if isinstance(group, Refusal):
            faults.append(group)
        elif number < 0:
            faults.append(Refusal(f"{path}.{who}", "below_zero", "A count can’t be below zero."))
        else:
            sum_by_group[group] = sum_by_group.get(group, 0) + number
    return sum_by_group, faults


def find_group(seats: Seats, hand_sides: HandSides, who: str, field: str) -> int | Refusal:
    """Return the index of the group of a player, side or word such as `BIDDERS`, or else a fault at `field`."""
    if who == BIDDERS:
        if hand_sides.has_bidders:
            return 0
        return Refusal(field, "unknown_side", "Nobody bid in this hand, so there are no bidders.")
    if who == DEFENDERS:
        if hand_sides.has_bidders and len(hand_sides.groups) == 2:
            return 1
        return Refusal(field, "unknown_side", "More than one side defends here: say which.")
    side = seats.side_of(who)
    if side is None:
        return Refusal(field, "unknown_side", "Nobody at this table is named {0}.", (who,))
    return hand_sides.group_of(side)
