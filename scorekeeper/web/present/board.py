"""The match page: the scores on the felt, whose deal it is, and how it ended."""

from collections.abc import Mapping

from flask import url_for

from scorekeeper.engine.course import courses
from scorekeeper.engine.matches import HandResult, MatchState
from scorekeeper.engine.outcome import target_of, worth
from scorekeeper.engine.words import because, listed, plain
from scorekeeper.engine.words.ends import crown_words, deciding_rule, ends_at
from scorekeeper.printing.chart import ChartView, draw_chart
from scorekeeper.services.load import LoadedMatch
from scorekeeper.web.contexts.match import HandRow, MatchPage, VerdictView
from scorekeeper.web.contexts.parts import Action, BarView, Notice, SideView
from scorekeeper.web.present.agreement import row_words
from scorekeeper.web.present.felt import race_view, score_views, turn_view
from scorekeeper.web.present.hands import (
    bid_words,
    hand_lines,
    hand_row,
    history_view,
    last_scored,
    outcome_of,
)
from scorekeeper.web.present.notices import redo_action, undo_action
from scorekeeper.web.present.once import once
from scorekeeper.web.present.sides import side_views
from scorekeeper.web.present.told import told

MOST_ROWS = 12
"""Hands on the match page; the history has them all."""
MOST_CARDS = 3
SUIT_SIGNS = {"spades": "♠", "hearts": "♥", "diamonds": "♦", "clubs": "♣"}


def match_title(match: LoadedMatch) -> str:
    """Call a match by its title, or by who plays it."""
    return match.title or listed(match.state.seats.names)


def match_page(
    match: LoadedMatch,
    *,
    notices: tuple[Notice, ...] = (),
    key: str,
    since: int | None = None,
    is_news: bool = False,
) -> MatchPage:
    """Fill the match page; `key` marks the forms on it, so that a post that comes twice counts once.

    What was written after `since` is new to whoever looks.
    """
    state, code = match.counted, match.code
    sides = side_views(match)
    every_hand = url_for("history.show", code=code)
    rows = latest_rows(match, MOST_ROWS, since=since, every_hand=every_hand)
    more = Action(label="Every hand", url=every_hand) if rows else None
    verdict = verdict_view(match, sides) if state.outcome or match.log.is_stopped else None
    return MatchPage(
        title=match_title(match),
        bar=_bar(match),
        board_url=url_for("matches.board", code=code, v=match.version, role=match.link.role),
        scores=score_views(match),
        history=history_view(sides, rows, more=more),
        main=_main(match, key) if match.link.may_score else None,
        looks_on=looks_on(match),
        is_rows=len(sides) > MOST_CARDS,
        race=None if verdict or len(sides) > MOST_CARDS else race_view(state, sides),
        turn=None if verdict else turn_view(match),
        chart=_chart(match),
        chart_note=_chart_note(match),
        verdict=verdict,
        undo=undo_action(match, key),
        redo=redo_action(match, key),
        notices=notices,
        told=told(match),
        is_news=is_news,
        menu=()
        if verdict
        else (Action(label="Rule sheet", url=url_for("sheets.match_rules", code=code), icon="book"),),
    )


def latest_rows(
    match: LoadedMatch, at_most: int, *, since: int | None = None, every_hand: str = ""
) -> tuple[HandRow, ...]:
    """Give the last hands, the latest first; what was written after `since` is new."""
    sides, seen = side_views(match), match.version if since is None else since
    latest = zip(match.state.hands[-at_most:], match.log.hands[-at_most:], strict=True)
    rows = (
        hand_row(
            sides,
            result,
            logged,
            url=f"{every_hand}#hand-{logged.uid}" if every_hand else "",
            waits=row_words(match, result.number - 1),
            is_new=max(logged.uid, *(it.stamp.seq for it in logged.corrections), 0) > seen,
        )
        for result, logged in latest
    )
    return tuple(reversed(tuple(rows)))


def _chart_note(match: LoadedMatch) -> str:
    """Say that the chart ends where the hands do that count."""
    counted = match.log.counted
    return "" if counted == len(match.log.hands) else f"Drawn up to hand {counted}: what follows waits."


@once
def _chart(match: LoadedMatch) -> ChartView | None:
    sides = tuple(side_views(match).values())
    return draw_chart(courses(match.counted), sides, target=target_of(match.counted.ruleset))


def _bar(match: LoadedMatch) -> BarView:
    code = match.code
    share = Action(
        label="Show it to other phones", url=url_for("room.show", code=code), icon="share", is_icon_only=True
    )
    menu = Action(label="Menu", url=url_for("settings.show", code=code), icon="menu", is_icon_only=True)
    return BarView(
        title=match_title(match),
        sub=f"{match.state.ruleset.name}, {ends_at(match.state.ruleset)}",
        back_url=url_for("home.index"),
        tools=(share, menu) if match.link.is_owner else (menu,),
    )


def looks_on(match: LoadedMatch) -> str:
    """Say who looks on, on a phone that has no pencil."""
    name = match.names.get(match.link.seat or "", "")
    return f"{name}’s phone looks on." if name else "This phone looks on."


def _main(match: LoadedMatch, key: str) -> Action:
    if match.counted.outcome:
        return Action(label="Play again", url=url_for("new.again", code=match.code), icon="again")
    if match.log.is_stopped:
        go_on = url_for("matches.resume", code=match.code)
        return Action(label="Go on", url=go_on, icon="again", is_post=True, fields=(("client_key", key),))
    if match.state.outcome:
        # Won as it is written, and not yet as it counts: there is no hand to record before it is accepted.
        return Action(label="Every hand", url=url_for("history.show", code=match.code), icon="cards")
    return Action(label="Record hand", url=url_for("hands.new", code=match.code), icon="pencil")


def verdict_view(match: LoadedMatch, sides: Mapping[str, SideView]) -> VerdictView:
    """Say who won and why, or that the match is stopped."""
    state = match.counted
    outcome, last = state.outcome, last_scored(state)
    why = because(state, stopped=match.log.is_stopped)
    sheet = url_for("sheets.match_rules", code=match.code)
    actions = (
        Action(label="Score sheet", url=url_for("prints.choose", match=match.code), icon="print"),
        Action(label="Rule sheet", url=sheet, icon="book"),
        Action(label="Every hand", url=url_for("history.show", code=match.code), icon="cards"),
    )
    if outcome is None:
        return VerdictView(crown="Stopped", eyebrow="before there was a winner", why=why, actions=actions, is_won=False)
    return VerdictView(
        crown=crown_words(state, stopped=False),
        eyebrow=f"{_standing(state)}, and this is why",
        why=why,
        rule=deciding_rule(state),
        rule_link=Action(label="Rule sheet, “Winning”", url=f"{sheet}#winning"),
        hand_heading=f"Hand {last.number}" if last else "",
        hand_bid=_bid_line(last) if last else "",
        lines=hand_lines(sides, last) if last else (),
        actions=actions,
    )


def _standing(state: MatchState) -> str:
    """Write the scores, the winners' first: "21 to 25"."""
    winners = state.outcome.winners if state.outcome else ()
    others = [name for name in state.seats.names if name not in winners]
    others.sort(key=lambda name: -worth(state.ruleset, state.scores[name]))
    return " to ".join(plain(state.scores[name]) for name in (*winners, *others))


def _bid_line(hand: HandResult) -> str:
    suit = SUIT_SIGNS.get(hand.hand.trump or "", "")
    return " ".join(part for part in (bid_words(hand), suit, outcome_of(hand)[0]) if part)
