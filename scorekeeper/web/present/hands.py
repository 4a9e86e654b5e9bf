"""Hands in the list: one row each, and the lines that a row opens to."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from scorekeeper.engine.course import SET_REASONS, sides_set
from scorekeeper.engine.matches import HandResult
from scorekeeper.engine.words import line_words, plain, signed
from scorekeeper.engine.words.hands import award_words, bid_words, last_scored, outcome_of, shared_lines
from scorekeeper.services.actors import holder_of, is_same_phone
from scorekeeper.services.log import LoggedHand
from scorekeeper.web.contexts.match import HandCell, HandRow, HistoryView
from scorekeeper.web.contexts.parts import Action, LineView, SideView

__all__ = [
    "MOST_COLUMNS",
    "bid_words",
    "hand_lines",
    "hand_row",
    "history_view",
    "last_scored",
    "outcome_of",
    "when",
    "who",
]

MOST_COLUMNS = 3


def hand_row(
    sides: Mapping[str, SideView],
    result: HandResult,
    logged: LoggedHand,
    *,
    url: str = "",
    waits: str = "",
    earlier: Mapping[str, int] | None = None,
    lines: Sequence[LineView] = (),
    remarks: Sequence[str] = (),
    actions: Sequence[Action] = (),
    is_open: bool = False,
    is_new: bool = False,
) -> HandRow:
    """Make a hand's row.

    `earlier` are the totals that stood here before the last change, `waits` says why it does not count yet.
    """
    word, kind = outcome_of(result)
    set_sides = sides_set(result)
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
        waits=waits,
        end=end,
        is_end_set=kind == "set",
        lines=tuple(lines),
        remarks=tuple(remarks),
        actions=tuple(actions),
        is_open=is_open,
        is_new=is_new,
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
    for names, lines in shared_lines(result.score.lines).items():
        who = " & ".join(names)
        view = sides[names[0]]
        awards = [line for line in lines if line.award and line.award not in was]
        if awards:
            text = ", ".join(award_words(result, line) for line in awards)
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
                bad = line.reason in SET_REASONS
                text = line_words(result, line)
                views.append(LineView(side=view, text=text, points=f"{who} {signed(line.points)}", is_bad=bad))
    return tuple(views)


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


def who(actor: str, me: str, names: Mapping[str, str]) -> str:
    """Say who wrote something: by name where the phone is somebody's, else which phone it was."""
    if name := names.get(holder_of(actor) or ""):
        return name
    return "This phone" if is_same_phone(actor, me) else "Another phone"
