"""Who sits where, and who scores with whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from scorekeeper.engine.hand import BIDDERS, DEFENDERS, SideId
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.schema import Ruleset, Table

LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Side:
    """Whoever shares a score: a team, or one player alone."""

    name: SideId
    players: tuple[str, ...] = ()
    plural: bool = True
    """Whether the name takes a plural verb: Us win, Ann wins."""


@dataclass(frozen=True)
class Seats:
    """The sides of a match and, where it is known, the players clockwise."""

    sides: tuple[Side, ...]
    players: tuple[str, ...] = ()

    @cached_property
    def names(self) -> tuple[SideId, ...]:
        """The names of the sides, in order."""
        return tuple(side.name for side in self.sides)

    @property
    def chairs(self) -> tuple[str, ...]:
        """Whoever deals in turn: the players, or the sides where the table did not say."""
        return self.players or self.names

    def side_of(self, who: str) -> SideId | None:
        """Give the side that a player, or a side's own name, belongs to."""
        return self._belongs.get(who)

    @cached_property
    def _belongs(self) -> Mapping[str, SideId]:
        belongs: dict[str, SideId] = {}
        for side in self.sides:
            for who in (side.name, *side.players):
                belongs.setdefault(who, side.name)
        return belongs

    def side(self, name: SideId) -> Side:
        """Give the side of that name; raises `KeyError` where there is none."""
        for side in self.sides:
            if side.name == name:
                return side
        raise KeyError(name)

    def left_of(self, who: str) -> str | None:
        """Give the next clockwise, or `None` where it cannot be known."""
        return self._neighbour(who, 1)

    def right_of(self, who: str) -> str | None:
        """Give the next against the clock, or `None` where it cannot be known."""
        return self._neighbour(who, -1)

    def _neighbour(self, who: str, step: int) -> str | None:
        chairs = self.chairs if who in self.chairs else self.names
        if who not in chairs:
            return None
        return chairs[(chairs.index(who) + step) % len(chairs)]


def seat(
    ruleset: Ruleset, players: Sequence[str] | None, sides: Sequence[tuple[str, Sequence[str]]] | None
) -> tuple[Seats | None, list[Fault]]:
    """Seat a table by the variant's rule, or say what does not fit."""
    faults = _name_faults(players or (), sides or ())
    if faults:
        return None, faults
    if sides is not None:
        return _seat_sides(ruleset.table, players, sides)
    if players:
        return _seat_players(ruleset.table, players)
    return None, [Fault("players", "nobody", "Say who plays: players, or sides.")]


def _name_faults(players: Sequence[str], sides: Sequence[tuple[str, Sequence[str]]]) -> list[Fault]:
    faults = []
    named: set[str] = set()
    for i, name in enumerate(players):
        faults += _one_name(f"players.{i}", name, named)
    named = set()
    seated: set[str] = set()
    for i, (name, members) in enumerate(sides):
        faults += _one_name(f"sides.{i}.name", name, named)
        for j, member in enumerate(members):
            faults += _one_name(f"sides.{i}.players.{j}", member, seated)
        others = {m for k, (_, theirs) in enumerate(sides) for m in theirs if k != i or len(theirs) > 1} | (
            set(players) - set(members) if len(members) <= 1 else set(players)
        )
        if name in others:
            faults.append(Fault(f"sides.{i}.name", "repeated_name", f"{name} is a player's name as well."))
    return faults


def _one_name(field: str, name: str, seen: set[str]) -> list[Fault]:
    if not name.strip() or len(name) > LONGEST_NAME:
        return [Fault(field, "bad_name", f"A name has 1 to {LONGEST_NAME} letters.")]
    if name in (BIDDERS, DEFENDERS):
        return [Fault(field, "reserved_name", f"{name!r} has a meaning of its own here. Choose another name.")]
    if name in seen:
        return [Fault(field, "repeated_name", f"{name} is there twice. Give each a name of their own.")]
    seen.add(name)
    return []


def _seat_players(table: Table, players: Sequence[str]) -> tuple[Seats | None, list[Fault]]:
    if table.fewest <= len(players) <= table.most:
        alone = tuple(Side(name, (name,), plural=False) for name in players)
        return Seats(alone, tuple(players)), []
    if len(players) in table.partners:
        number = table.partners[len(players)]
        teams = [tuple(players[i::number]) for i in range(number)]
        faults = [
            Fault(f"players.{players.index(name)}", "repeated_name", f"{name} is what a side is called as well.")
            for name in (" & ".join(team) for team in teams)
            if name in players
        ]
        return None if faults else Seats(tuple(Side(" & ".join(team), team) for team in teams), tuple(players)), faults
    return None, [Fault("players", "wrong_number", f"{len(players)} players do not fit: {seats_wanted(table)}.")]


def _seat_sides(
    table: Table, players: Sequence[str] | None, sides: Sequence[tuple[str, Sequence[str]]]
) -> tuple[Seats | None, list[Fault]]:
    sizes = {len(members) for _, members in sides}
    if 0 in sizes and sizes != {0}:
        return None, [Fault("sides", "half_seated", "Say the players of every side, or of none.")]
    number = len(sides)
    paired = sizes == {0} and number in table.partners.values() and len(players or ()) != number
    if table.most and not paired and sizes <= {0, 1} and table.fewest <= number <= table.most:
        sides = [(name, members or (name,)) for name, members in sides]
        alone = tuple(Side(name, tuple(members), plural=False) for name, members in sides)
        return _with_players(alone, players)
    if sizes == {0} and players and len(players) % number == 0:
        sides = [(name, players[i::number]) for i, (name, _) in enumerate(sides)]
        sizes = {len(players) // number}
    in_all = sum(len(members) for _, members in sides)
    if in_all:
        fits = table.partners.get(in_all) == number and len(sizes) == 1
        seats_them = in_all in table.partners or table.fewest <= in_all <= table.most
    else:
        fits = number in table.partners.values()
        seats_them = number <= table.most
    if not fits and not (table.open and number >= 2 and seats_them):
        return None, [Fault("sides", "wrong_number", f"These sides do not fit: {seats_wanted(table)}.")]
    return _with_players(tuple(Side(name, tuple(members)) for name, members in sides), players)


def _with_players(sides: tuple[Side, ...], players: Sequence[str] | None) -> tuple[Seats | None, list[Fault]]:
    """Seat sides as the players sit, or in turn where the players alone were not named."""
    if players is None:
        return Seats(sides, _round_the_table(sides)), []
    if sorted(players) != sorted(member for side in sides for member in side.players):
        return None, [
            Fault(field, "other_people", "players and sides name different people.") for field in ("players", "sides")
        ]
    return Seats(sides, tuple(players)), []


def _round_the_table(sides: Sequence[Side]) -> tuple[str, ...]:
    """Seat partners opposite: the first of each side, then the second of each."""
    longest = max((len(side.players) for side in sides), default=0)
    return tuple(side.players[i] for i in range(longest) for side in sides if i < len(side.players))


def seats_wanted(table: Table) -> str:
    """Say how many may sit down."""
    ways = [f"{players} players in {sides} sides" for players, sides in table.partners.items()]
    if table.most:
        span = str(table.fewest) if table.fewest == table.most else f"{table.fewest} to {table.most}"
        ways.append(f"{span} players, each alone")
    return "this game seats " + ", or ".join(ways)
