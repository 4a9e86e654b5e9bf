"""The figures at the head of the sheet: players, pack, deal, points, and what ends the match."""

from scorekeeper.rules import words
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.sheet.telling import Telling
from scorekeeper.rules.sheet.values import Figure


def glance(telling: Telling) -> tuple[Figure, ...]:
    """Give the figures, from left to right."""
    return (
        _players(telling.ruleset),
        _pack(telling),
        _dealt(telling.ruleset),
        _points(telling),
        _end(telling),
    )


def _players(ruleset: Ruleset) -> Figure:
    table = ruleset.table
    if table.called:
        return Figure(_span(table.fewest, table.most), "players; the bidder calls a partner")
    numbers = sorted(table.partners)
    if table.open:
        return Figure(
            _span(min([*numbers, table.fewest or 8]), max([*numbers, table.most])), "players, in sides as agreed"
        )
    if not numbers:
        return Figure(_span(table.fewest, table.most), "players, each alone")
    if table.most:
        together = words.listed([words.number(number) for number in numbers], "or")
        return Figure(
            _span(min(*numbers, table.fewest), max(*numbers, table.most)),
            f"players, each alone; {together} may pair up",
        )
    return Figure(words.listed(map(str, numbers), "or"), f"players, {_partners(table.partners)}")


def _partners(partners: dict[int, int]) -> str:
    """Say how partners fall: opposite each other, three pairs, or three against three."""
    (players, sides), *more = sorted(partners.items())
    each = players // sides
    if more:
        return "partners opposite, in pairs"
    if each > 2:
        return f"{' against '.join([words.number(each)] * sides)}"
    return "partners opposite" if sides == 2 else f"{words.number(sides)} pairs, partners opposite"


def _span(fewest: int, most: int) -> str:
    if fewest == most:
        return str(most)
    return f"{fewest} or {most}" if most == fewest + 1 else f"{fewest}–{most}"


def _pack(telling: Telling) -> Figure:
    ruleset = telling.ruleset
    ranks = ruleset.cards.ranks.split()
    jokers = ruleset.points.jokers
    with_jokers = ("", ", one joker", ", both jokers")[jokers]
    short = f": {' '.join(ranks)}" if len(ranks) < 13 else ""
    return Figure(str(4 * len(ranks) + jokers), f"cards{with_jokers}{short}", telling.differs("jokers"))


def _dealt(ruleset: Ruleset) -> Figure:
    cards = ruleset.cards
    if cards.dealt is None:
        return Figure("", "cards each, as agreed")
    packets = f", by {words.number(cards.packets)}s" if cards.packets else ""
    if cards.dealt_six:
        return Figure(f"{cards.dealt}", f"cards each; {cards.dealt_six} if six play")
    if cards.face_down:
        return Figure(str(cards.dealt), f"cards each, {words.number(cards.face_down)} of them face down")
    return Figure(str(cards.dealt), f"cards each{packets}")


def _points(telling: Telling) -> Figure:
    changed = telling.changed_awards or telling.differs("game_rule")
    return Figure(str(telling.ruleset.on_offer), "points in a hand", bool(changed))


def _end(telling: Telling) -> Figure:
    """Say what ends the match, or what is paid where nothing does."""
    ruleset = telling.ruleset
    winning, money = ruleset.winning, ruleset.money
    if winning.length == "hands":
        return Figure(str(winning.hands), "hands in a match", telling.differs("length", "hands"))
    if winning.count_down_from:
        return Figure(str(winning.count_down_from), "down to 0 wins", telling.differs("count_down_from"))
    if winning.target:
        return Figure(str(winning.target), "ends the match", telling.differs("target"))
    if "target" not in telling.is_open and money.cents_per_point:
        what = "for each point bid" if money.settles == "hand" else "for each point"
        return Figure(short_money(money.cents_per_point), what, telling.differs("cents_per_point"))
    return Figure("", "ends the match, as agreed" if "target" in telling.is_open else "No score ends it")


def short_money(cents: int) -> str:
    """Write an amount in as few signs as there are: "10¢", "$1"."""
    return f"{cents}¢" if cents < 100 else words.money(cents)
