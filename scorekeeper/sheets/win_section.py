"""How a match ends, who has won it, and what is paid then."""

from collections.abc import Iterator

from scorekeeper.engine.outlook import tie_rule_decides
from scorekeeper.rules import phrases
from scorekeeper.rules.awards import TurnedUp
from scorekeeper.rules.questions import has_end
from scorekeeper.sheets.parts import BLANK, Rule, Section
from scorekeeper.sheets.sheet_writer import SheetWriter, money_or_blank


def win_section(writer: SheetWriter) -> Section:
    """Return how the match ends."""
    return Section("win", "Win", rules=writer.with_own("win", *_end(writer), *_money(writer), *_stakes(writer)))


def _end(writer: SheetWriter) -> Iterator[Rule]:
    ruleset, winning = writer.ruleset, writer.ruleset.winning
    if winning.length == "hands":
        yield _by_hands(writer)
    elif has_end(ruleset):
        yield _who_goes_out(writer)
        yield from _turned(writer)
        if winning.win_rule == "made_bid" and not winning.count_down_from:
            text = "Points that you take against another’s bid count, but nobody goes out on them."
            yield writer.rule("win.defending", text, "win_rule")
        yield from writer.unusual("win", "win_by")
        if writer.differs("tie_rule") or tie_rule_decides(ruleset):
            yield writer.answer("win.tie_rule", "tie_rule", "win_rule")
        yield from writer.unusual("win", "defenders_stop_at_one", "defenders_stop_short")
    elif not ruleset.pays:
        yield writer.answer("win.target", "target")
    yield from writer.unusual("win", "set_limit", "four_points_win_game")


def _who_goes_out(writer: SheetWriter) -> Rule:
    winning, side = writer.ruleset.winning, phrases.side_word(writer.ruleset)
    if down := winning.count_down_from:
        start, goal = f"Scores start at {down} and go down. ", "0 or less"
    else:
        start, goal = "", f"{winning.target or BLANK} or more"
    match winning.win_rule:
        case "made_bid":
            its = writer.words["its"]
            who = f"A {side} wins only at the end of a hand in which {its} own bid was made, with {goal}."
        case "first_to_target":
            who = f"The first {side} with {goal} at the end of a hand wins."
        case None:
            who = f"A {side} with {goal} wins; who may go out is up to you."
    return writer.rule("win.target", start + who, "win_rule", "target", "count_down_from")


def _turned(writer: SheetWriter) -> Iterator[Rule]:
    """Yield that a card turned up may win, as the engine ends such a hand."""
    ruleset, winning = writer.ruleset, writer.ruleset.winning
    turned = [award_id for award_id in ruleset.in_play if isinstance(ruleset.kinds[award_id], TurnedUp)]
    if turned and winning.win_rule == "first_to_target":
        goal = "0" if winning.count_down_from else str(winning.target or BLANK)
        side = phrases.side_word(ruleset)
        text = f"A {side} that a card turned up brings to {goal} wins at once: do not play the hand."
        yield writer.rule("win.turned", text, *turned, "target")


def _by_hands(writer: SheetWriter) -> Rule:
    winning = writer.ruleset.winning
    count = "lowest" if winning.count_down_from else "highest"
    level = "play another hand" if winning.plays_on_when_tied else "they share the win"
    text = f"After {phrases.several(winning.hands or 0, 'hand')} the {count} score wins; if it is tied, {level}."
    return writer.rule("win.hands", text, "length", "hands", "tie_rule", "count_down_from")


def _money(writer: SheetWriter) -> Iterator[Rule]:
    """Yield who pays whom when the match is settled."""
    money = writer.ruleset.money
    if money.settles == "hand":
        yield writer.rule("win.pay_hand", "Pay after every hand. You may stop after any of them.")
    elif money.cents_per_point:
        if money.settles == "average":
            yield writer.rule("win.settle", "No score ends the match: settle up whenever someone joins or leaves.")
        each = phrases.money(money.cents_per_point)
        above = f"Everyone above the average of the scores gets {each} for each point above it"
        text = f"{above}; everyone below it pays {each} for each point below."
        yield writer.rule("win.average", text, "cents_per_point")


def _stakes(writer: SheetWriter) -> Iterator[Rule]:
    ruleset, money = writer.ruleset, writer.ruleset.money
    parts = []
    pays_for_sets = bool(money.set_stake_cents or "set_stake_cents" in ruleset.open_options)
    if pays_for_sets:
        twice = " (twice for a failed moon)" if ruleset.moon.moon == "to_minus_four" else ""
        parts.append(f"{money_or_blank(money.set_stake_cents or None)} for each time that player was set{twice}")
    if money.game_stake_cents or "game_stake_cents" in ruleset.open_options:
        parts.append(f"{money_or_blank(money.game_stake_cents or None)} for the match")
    if parts:
        text = f"The winner gets from each other player {phrases.listed(parts)}."
        yield writer.rule("win.stakes", text, "game_stake_cents", "set_stake_cents")
