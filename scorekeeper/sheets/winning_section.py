"""How a match ends, who has won it, and what is paid then."""

from collections.abc import Iterator

from scorekeeper.rules import phrases
from scorekeeper.rules.questions import has_end
from scorekeeper.sheets.parts import BLANK, Line, Section
from scorekeeper.sheets.sheet_writer import SheetWriter, money_or_blank


def winning_section(writer: SheetWriter) -> Section:
    """Return how the match ends, with an example where that may surprise."""
    return Section("Winning", lines=(*_end(writer), *_money(writer), *_stakes(writer)))


def _end(writer: SheetWriter) -> Iterator[Line]:
    ruleset, winning = writer.ruleset, writer.ruleset.winning
    if winning.length == "hands":
        yield _by_hands(writer)
    elif has_end(ruleset):
        yield _who_goes_out(writer)
        if winning.win_rule == "made_bid" and not winning.count_down_from:
            yield writer.line("Points taken against another’s bid count, but nobody goes out on them.", "win_rule")
        yield from writer.unusual("win_by")
        if winning.win_rule != "made_bid" or ruleset.table.called or writer.differs("tie_rule"):
            yield writer.answer("tie_rule")
        yield from writer.unusual("defenders_stop_at_one")
        yield from _example(writer)
    yield from writer.unusual("set_limit", "four_points_win_game")


def _who_goes_out(writer: SheetWriter) -> Line:
    winning, side = writer.ruleset.winning, phrases.side_word(writer.ruleset)
    if down := winning.count_down_from:
        start, goal = f"Scores start at {down} and count down. ", "0 or less"
    else:
        start, goal = "", f"{winning.target or BLANK} or more"
    match winning.win_rule:
        case "made_bid":
            its = writer.words["its"]
            who = f"A {side} wins only at the end of a hand in which {its} own bid was made, with {goal}."
        case "first_to_target":
            who = f"The first {side} with {goal} at the end of a hand wins."
        case None:
            who = f"A {side} with {goal} wins; agree below on who may go out."
    return writer.line(start + who, "win_rule", "target", "count_down_from")


def _by_hands(writer: SheetWriter) -> Line:
    winning = writer.ruleset.winning
    count = "lowest" if winning.count_down_from else "highest"
    level = "another hand decides" if winning.tie_rule == "another_hand" else "they share the win"
    text = f"After {phrases.several(winning.hands or 0, 'hand')} the {count} score wins; if tied, {level}."
    return writer.line(text, "length", "hands", "tie_rule")


def _example(writer: SheetWriter) -> Iterator[Line]:
    """Yield an example of a lower score that wins, where that can be."""
    ruleset, winning = writer.ruleset, writer.ruleset.winning
    if not winning.target or not ruleset.bidding.auction or winning.win_by:
        return
    us, them, win, have = ("we", "they", "win", "have") if ruleset.table.partners else ("Ann", "Bea", "wins", "has")
    if winning.win_rule == "made_bid":
        bid, ahead = f"{us} made the bid and", ruleset.points_per_hand
    elif winning.win_rule == "first_to_target" and winning.tie_rule in ("bidder_first", "bidder_or_play_on"):
        bid, ahead = f"{us} bid, made it and", ruleset.points_per_hand - ruleset.bottom_number - 1
    else:
        return
    if ahead > 0:
        text = f"{bid} {have} {winning.target}, {them} {have} {winning.target + ahead}: {us} {win}."
        yield writer.line(phrases.sentence(text), is_optional=True)


def _money(writer: SheetWriter) -> Iterator[Line]:
    """Yield who pays whom when the match is settled."""
    money = writer.ruleset.money
    if money.settles == "hand":
        yield writer.line("Pay after every hand; stop whenever you like.")
    elif money.cents_per_point:
        if money.settles == "average":
            yield writer.line("No score ends the match: settle up whenever someone comes or goes.")
        each = phrases.money(money.cents_per_point)
        text = f"Each point above the average of the scores gets {each}, each point below it pays {each}."
        yield writer.line(text, "cents_per_point")


def _stakes(writer: SheetWriter) -> Iterator[Line]:
    ruleset, money = writer.ruleset, writer.ruleset.money
    parts = []
    if money.game_stake_cents or "game_stake_cents" in ruleset.open_options:
        parts.append(money_or_blank(money.game_stake_cents or None))
    pays_for_sets = bool(money.set_stake_cents or "set_stake_cents" in ruleset.open_options)
    if pays_for_sets:
        parts.append(f"{money_or_blank(money.set_stake_cents or None)} for each set")
    if parts:
        twice = " (a failed moon counts twice)" if pays_for_sets and ruleset.moon.moon == "to_minus_four" else ""
        text = f"The winner gets from each other player {phrases.listed(parts)}{twice}."
        yield writer.line(text, "game_stake_cents", "set_stake_cents")
