"""The figures at the head of the sheet: players, deck, deal, points, and what ends the match."""

from scorekeeper.rules import phrases
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.parts import Figure
from scorekeeper.sheets.sheet_writer import SheetWriter


def key_figures(writer: SheetWriter) -> tuple[Figure, ...]:
    """Return the figures from left to right."""
    return _players(writer.ruleset), _deck(writer), _dealt(writer.ruleset), _points(writer), _end(writer)


def _players(ruleset: Ruleset) -> Figure:
    table = ruleset.table
    numbers = sorted(table.partners)
    span = _span(table.fewest, table.most)
    if table.called:
        return Figure(span, "players; the bidder calls a partner")
    if table.open:
        span = _span(min([*numbers, table.fewest or 8]), max([*numbers, table.most]))
        return Figure(span, "players, you pick the sides")
    if not numbers:
        return Figure(span, "players, each alone")
    if table.most:
        together = phrases.listed([phrases.number(number) for number in numbers], "or")
        span = _span(min(*numbers, table.fewest), max(*numbers, table.most))
        if not any(table.fewest <= number <= table.most for number in numbers):
            return Figure(span, f"players, each alone; {together} in pairs")
        return Figure(span, f"players, each alone; {together} may pair up")
    return Figure(phrases.listed(map(str, numbers), "or"), f"players, {_partners(table.partners)}")


def _partners(partners: dict[int, int]) -> str:
    """Return who plays with whom: partners opposite each other, three pairs, or three against three."""
    (players, sides), *more = sorted(partners.items())
    each = players // sides
    if more:
        return "partners opposite, in pairs"
    if each > 2:
        return f"{' against '.join([phrases.number(each)] * sides)}"
    return "partners opposite" if sides == 2 else f"{phrases.number(sides)} pairs, partners opposite"


def _span(fewest: int, most: int) -> str:
    if fewest == most:
        return str(most)
    return f"{fewest} or {most}" if most == fewest + 1 else f"{fewest}–{most}"


def _deck(writer: SheetWriter) -> Figure:
    ruleset = writer.ruleset
    ranks = ruleset.cards.deck_ranks
    jokers = ruleset.points.jokers
    with_jokers = ("", ", one joker", ", both jokers")[jokers]
    short = f": {' '.join(ranks)}" if len(ranks) < 13 else ""
    return Figure(str(4 * len(ranks) + jokers), f"cards{with_jokers}{short}", writer.differs("jokers"))


def _dealt(ruleset: Ruleset) -> Figure:
    cards = ruleset.cards
    if cards.dealt is None:
        return Figure("", "cards each, up to you")
    if cards.dealt_six:
        note = f"; {cards.dealt_six} if six play"
    elif cards.face_down:
        note = f", {phrases.number(cards.face_down)} of them face down"
    else:
        note = f", by {phrases.number(cards.packets)}s" if cards.packets else ""
    return Figure(str(cards.dealt), f"cards each{note}")


def _points(writer: SheetWriter) -> Figure:
    changed = writer.changed_awards or writer.differs("game_rule")
    ruleset = writer.ruleset
    if not ruleset.given_awards:
        return Figure(str(ruleset.points_per_hand), "points in a hand", bool(changed))
    # The points of the deal hardly ever come together; those of the play depend on a card that may be caught.
    most = ruleset.points_per_hand - sum(map(ruleset.worth, ruleset.given_awards))
    fewest = sum(award.points for award_id, award in ruleset.in_play.items() if award_id not in ruleset.seldom_awards)
    return Figure(_span(fewest, most), "points in the play, more in the deal", bool(changed))


def _end(writer: SheetWriter) -> Figure:
    """Return what ends the match, or what is paid where nothing does."""
    ruleset = writer.ruleset
    winning, money = ruleset.winning, ruleset.money
    if winning.length == "hands":
        return Figure(str(winning.hands), "hands in a match", writer.differs("length", "hands"))
    if winning.count_down_from:
        return Figure(str(winning.count_down_from), "down to 0 wins", writer.differs("count_down_from"))
    if winning.target:
        return Figure(str(winning.target), "ends the match", writer.differs("target"))
    if "target" not in writer.ruleset.open_options and money.cents_per_point:
        what = "for each point bid" if money.settles == "hand" else "for each point"
        return Figure(_short_money(money.cents_per_point), what, writer.differs("cents_per_point"))
    return Figure("", "ends the match, up to you" if "target" in writer.ruleset.open_options else "No score ends it")


def _short_money(cents: int) -> str:
    """Return an amount in as few characters as possible: "10¢", "$1"."""
    return f"{cents}¢" if cents < 100 else phrases.money(cents)
