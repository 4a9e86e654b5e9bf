"""Hands in the list: one row each, and the lines that a row opens to."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from scorekeeper.engine.matches import HandResult, MatchState
from scorekeeper.engine.scoring import Reason, ScoreLine
from scorekeeper.engine.words import bid_word, line_words, plain, signed
from scorekeeper.services.log import LoggedHand, Stamp
from scorekeeper.web.contexts.match import HandCell, HandRow, HistoryView
from scorekeeper.web.contexts.parts import Action, LineView, SideView

MOST_COLUMNS = 3
_SET = (Reason.WENT_SET, Reason.TOOK_SET, Reason.MOON_LOSES, Reason.MOON_TO_MINUS_FOUR)


def bid_words(result: HandResult) -> str:
    """Say who bid what: "Dan 2", "Cleo 7 with Ann", "Misdeal"."""
    if result.status == "thrown_in":
        return "Misdeal" if result.hand.thrown_in == "misdeal" else "All passed"
    if result.set_taken_by:
        return f"{result.set_taken_by} took the set"
    if result.bidder is None:
        return "Played"
    said = f"{result.bidder} {bid_word(result.bid)}" if result.bid is not None else result.bidder
    if result.hand.partner:
        return f"{said} with {result.hand.partner}"
    return f"{said} alone" if result.hand.alone else said


def outcome_of(result: HandResult) -> tuple[str, str]:
    """Give the word for what came of a bid, and its kind."""
    if result.status == "after_end":
        return "after the end", ""
    if result.status in ("bid", "bidding"):
        return "not finished", ""
    if result.score is None or result.score.made is None:
        return "", ""
    return ("made", "made") if result.score.made else ("set", "set")


def hand_row(
    sides: Mapping[str, SideView],
    result: HandResult,
    logged: LoggedHand,
    *,
    url: str = "",
    earlier: Mapping[str, int] | None = None,
    lines: Sequence[LineView] = (),
    remarks: Sequence[str] = (),
    actions: Sequence[Action] = (),
    is_open: bool = False,
) -> HandRow:
    """Make a hand's row; `earlier` are the totals that stood here before the last change."""
    word, kind = outcome_of(result)
    set_sides = {line.side for line in result.score.lines if line.reason in _SET} if result.score else set()
    earlier = earlier or {}
    cells = tuple(
        HandCell(
            points=signed(result.deltas[name]) if result.status == "scored" else "",
            total=plain(result.scores[name]),
            old_total=plain(earlier[name]) if name in earlier and earlier[name] != result.scores[name] else "",
            is_set=name in set_sides,
            is_negative=result.scores[name] < 0,
        )
        for name in sides
    )
    end, others = _in_short(result)
    return HandRow(
        hand_id=str(logged.uid),
        number=str(result.number),
        url=url,
        bid=bid_words(result),
        suit=result.hand.trump or "",
        outcome=word,
        outcome_kind=kind,
        cells=cells,
        marks=_marks(result, sides),
        small=others if len(sides) > MOST_COLUMNS else "",
        end=end,
        is_end_set=kind == "set",
        lines=tuple(lines),
        remarks=tuple(remarks),
        actions=tuple(actions),
        is_open=is_open,
    )


def _marks(result: HandResult, sides: Mapping[str, SideView]) -> tuple[SideView, ...]:
    if result.camps is None or not result.camps.has_bidders:
        return ()
    return tuple(sides[name] for name in result.camps.groups[0] if name in sides)


def _in_short(result: HandResult) -> tuple[str, str]:
    """Say in a few words what a hand moved: for the bidding side, and for the others."""
    if result.status != "scored":
        return "", ""
    bidders = result.camps.groups[0] if result.camps and result.camps.has_bidders else ()
    ours = [result.deltas[name] for name in bidders]
    end = (signed(ours[0]) + (" each" if len(ours) > 1 else "")) if len(set(ours)) == 1 else ""
    others = {name: points for name, points in result.deltas.items() if name not in bidders}
    if len(set(others.values())) == 1 and len(others) > 1:
        return end, f"the others {signed(next(iter(others.values())))} each"
    return end, ", ".join(f"{name} {signed(points)}" for name, points in others.items() if points)


def hand_lines(
    sides: Mapping[str, SideView], result: HandResult, was: Mapping[str, str | None] | None = None
) -> tuple[LineView, ...]:
    """Give what a hand scored, side by side and award by award; `was` names who had an award before a correction."""
    if result.score is None:
        return ()
    was = was or {}
    views: list[LineView] = []
    for names, lines in _shared(result.score.lines).items():
        who = " & ".join(names)
        view = sides[names[0]]
        awards = [line for line in lines if line.award and line.award not in was]
        if awards:
            text = ", ".join(_award_words(result, line) for line in awards)
            views.append(LineView(side=view, text=text, points=f"{who} {signed(sum(a.points for a in awards))}"))
        for line in lines:
            if line.award in was and line.award:
                before = was[line.award] or "nobody"
                views.append(
                    LineView(
                        side=view, text=line_words(result, line), points=f"{who} {signed(line.points)}", was=before
                    )
                )
            elif not line.award:
                bad = line.reason in _SET
                text = line_words(result, line)
                views.append(LineView(side=view, text=text, points=f"{who} {signed(line.points)}", is_bad=bad))
    return tuple(views)


def _shared(lines: Sequence[ScoreLine]) -> dict[tuple[str, ...], list[ScoreLine]]:
    """Put together the sides whose lines are the same."""
    by_side: dict[str, list[ScoreLine]] = {}
    for line in lines:
        by_side.setdefault(line.side, []).append(line)
    together: dict[tuple[object, ...], list[str]] = {}
    for side, own in by_side.items():
        together.setdefault(tuple((line.points, line.reason, line.award) for line in own), []).append(side)
    return {tuple(names): by_side[names[0]] for names in together.values()}


def _award_words(result: HandResult, line: ScoreLine) -> str:
    words = line_words(result, line)
    if line.award == "game" and result.hand.card_points:
        return f"{words}, {' to '.join(str(n) for n in sorted(result.hand.card_points.values(), reverse=True))}"
    return words


def history_view(
    sides: Mapping[str, SideView],
    rows: Sequence[HandRow],
    *,
    more: Action | None = None,
    empty: str = "No hand yet.",
) -> HistoryView:
    """Lay the rows out: a table up to three sides, a list beyond."""
    return HistoryView(
        sides=tuple(sides.values()), rows=tuple(rows), is_table=len(sides) <= MOST_COLUMNS, more=more, empty=empty
    )


def when(moment: datetime, now: datetime) -> str:
    """Say at what time something was written, by the clock of the machine that keeps the score."""
    there, here = moment.astimezone(), now.astimezone()
    clock = there.strftime("%H:%M")
    return clock if there.date() == here.date() else f"{there.day} {there.strftime('%b')}, {clock}"


def who(stamp: Stamp, me: str) -> str:
    """Say which phone wrote something."""
    return "This phone" if stamp.actor == me else "Another phone"


def last_scored(state: MatchState) -> HandResult | None:
    """Give the last hand that counted."""
    return next((hand for hand in reversed(state.hands) if hand.status == "scored"), None)
