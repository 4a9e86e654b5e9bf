"""How a match ends, who has won it, and what is paid then."""

from scorekeeper.rules import phrases
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.parts import BLANK, Line, Section
from scorekeeper.sheets.sheet_writer import SheetWriter, money_or_blank


def winning_section(writer: SheetWriter) -> Section:
    """Return how the match ends, with an example where that may surprise."""
    return Section("Winning", lines=(*_end(writer), *_sudden(writer), *_money(writer)))


def _end(writer: SheetWriter) -> tuple[Line, ...]:
    ruleset = writer.ruleset
    if ruleset.winning.length == "hands":
        return _by_hands(writer)
    if ruleset.winning.target is None and not ruleset.winning.count_down_from and "target" not in writer.open_options:
        return ()
    lines = [_who_goes_out(writer)]
    if ruleset.winning.win_rule == "made_bid" and not ruleset.winning.count_down_from:
        lines.append(writer.line("Points taken against another’s bid count, but do not go out.", "win_rule"))
    lines += writer.answer_unless("win_by", None)
    if ruleset.winning.win_rule != "made_bid" or ruleset.table.called or writer.differs("tie_rule"):
        lines.append(writer.answer("tie_rule"))
    lines += writer.answer_unless("defenders_stop_at_one", False)
    return (*lines, *_example(writer))


def _goal(ruleset: Ruleset) -> str:
    if ruleset.winning.count_down_from:
        return "0 or less"
    return f"{ruleset.winning.target or BLANK} or more"


def _who_goes_out(writer: SheetWriter) -> Line:
    ruleset = writer.ruleset
    side, goal = phrases.side_word(ruleset), _goal(ruleset)
    its = writer.words["its"]
    decided_by = ("win_rule", "target", "count_down_from")
    start = ""
    if ruleset.winning.count_down_from:
        start = f"Scores start at {ruleset.winning.count_down_from} and count down. "
    match ruleset.winning.win_rule:
        case "made_bid":
            who = f"A {side} wins only at the end of a hand in which {its} own bid was made, with {goal}."
        case "first_to_target":
            who = f"The first {side} with {goal} at the end of a hand wins."
        case None:
            who = f"A {side} with {goal} wins; who may go out is agreed below."
    return writer.line(start + who, *decided_by)


def _by_hands(writer: SheetWriter) -> tuple[Line, ...]:
    hands = writer.ruleset.winning.hands or 0
    count = "lowest" if writer.ruleset.winning.count_down_from else "highest"
    again = writer.ruleset.winning.tie_rule == "another_hand"
    level = "level at the top, another hand decides" if again else "level at the top, they share it"
    return (
        writer.line(
            f"After {phrases.several(hands, 'hand')} the {count} score wins; {level}.", "length", "hands", "tie_rule"
        ),
    )


def _sudden(writer: SheetWriter) -> tuple[Line, ...]:
    """Return what ends a match besides the score."""
    return (*writer.answer_unless("set_limit", None), *writer.answer_unless("four_points_win_game", False))


def _example(writer: SheetWriter) -> tuple[Line, ...]:
    """Return an example of a lower score that wins, where that can be."""
    ruleset = writer.ruleset
    target = ruleset.winning.target
    if not target or not ruleset.bidding.auction or ruleset.winning.win_by:
        return ()
    us, them = ("Us", "Them") if ruleset.table.partners else ("Ann", "Bea")
    wins = "win" if ruleset.table.partners else "wins"
    have = "have" if ruleset.table.partners else "has"
    if ruleset.winning.win_rule == "made_bid":
        text = f"{us} made the bid and {have} {target}, {them} {have} {target + ruleset.points_per_hand}: {us} {wins}."
        return (writer.line(text, is_optional=True),)
    if ruleset.winning.win_rule == "first_to_target" and ruleset.winning.tie_rule in (
        "bidder_first",
        "bidder_or_play_on",
    ):
        ahead = ruleset.points_per_hand - ruleset.bottom_number - 1
        if ahead > 0:
            text = f"{us} bid, made it and {have} {target}, {them} {have} {target + ahead}: {us} {wins}."
            return (writer.line(text, is_optional=True),)
    return ()


def _money(writer: SheetWriter) -> tuple[Line, ...]:
    """Return who pays whom when the match is settled."""
    ruleset = writer.ruleset
    lines = []
    if ruleset.money.settles != "hand" and (cents := ruleset.money.cents_per_point):
        if ruleset.money.settles == "average":
            lines.append(writer.line("No score ends the match: settle up whenever somebody comes or goes."))
        each = phrases.money(cents)
        lines.append(
            writer.line(
                f"Each point above the average of the scores gets {each}, each point below it pays {each}.",
                "cents_per_point",
            )
        )
    if ruleset.money.settles == "hand":
        lines.append(writer.line("Every hand is paid at once: stop whenever you like."))
    return (*lines, *_stakes(writer))


def _stakes(writer: SheetWriter) -> tuple[Line, ...]:
    ruleset, money = writer.ruleset, writer.ruleset.money
    parts = []
    if money.game_stake_cents or "game_stake_cents" in writer.open_options:
        parts.append(money_or_blank(money.game_stake_cents or None))
    pays_for_sets = bool(money.set_stake_cents or "set_stake_cents" in writer.open_options)
    if pays_for_sets:
        parts.append(f"{money_or_blank(money.set_stake_cents or None)} for each time that they were set")
    if not parts:
        return ()
    twice = " (a failed moon counts twice)" if pays_for_sets and ruleset.moon.moon == "to_minus_four" else ""
    text = f"The winner gets from each other player {phrases.listed(parts)}{twice}."
    return (writer.line(text, "game_stake_cents", "set_stake_cents"),)
