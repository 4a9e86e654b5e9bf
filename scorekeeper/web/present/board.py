"""The match page: the scores on the felt, whose deal it is, and how it ended."""

from collections.abc import Mapping

from flask import url_for

from scorekeeper.engine.course import courses
from scorekeeper.engine.matches import HandResult, MatchState
from scorekeeper.engine.outcome import is_there, target_of, worth
from scorekeeper.engine.outlook import Outlook, outlook
from scorekeeper.engine.words import because, bid_word, listed, plain
from scorekeeper.engine.words.ends import crown_words, deciding_rule, ends_at
from scorekeeper.printing.chart import ChartView, draw_chart
from scorekeeper.rules.words import money
from scorekeeper.services.load import LoadedMatch
from scorekeeper.web.contexts.drawing import RaceView, draw_race
from scorekeeper.web.contexts.match import HandRow, MatchPage, ScoreView, TurnView, VerdictView
from scorekeeper.web.contexts.parts import Action, BarView, Notice, SideView
from scorekeeper.web.present.agreement import row_words
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
    ahead = _ahead(match)
    every_hand = url_for("history.show", code=code)
    rows = latest_rows(match, MOST_ROWS, since=since, every_hand=every_hand)
    more = Action(label="Every hand", url=every_hand) if rows else None
    verdict = _verdict(match, sides) if state.outcome or match.log.is_stopped else None
    return MatchPage(
        title=match_title(match),
        bar=_bar(match),
        board_url=url_for("matches.board", code=code, v=match.version),
        scores=tuple(_score(match, view, ahead) for view in sides.values()),
        history=history_view(sides, rows, more=more),
        main=_main(match, key),
        is_rows=len(sides) > MOST_CARDS,
        race=None if verdict or len(sides) > MOST_CARDS else _race(state, sides),
        turn=None if verdict else _turn(match),
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


@once
def _ahead(match: LoadedMatch) -> Outlook:
    return outlook(match.counted)


def _chart_note(match: LoadedMatch) -> str:
    """Say that the chart ends where the hands do that count."""
    counted = match.log.counted
    return "" if counted == len(match.log.hands) else f"Drawn up to hand {counted}: what follows waits."


@once
def _chart(match: LoadedMatch) -> ChartView | None:
    sides = tuple(side_views(match).values())
    return draw_chart(courses(match.counted), sides, target=target_of(match.counted.ruleset))


def _bar(match: LoadedMatch) -> BarView:
    menu = url_for("settings.show", code=match.code)
    return BarView(
        title=match_title(match),
        sub=f"{match.state.ruleset.name}, {ends_at(match.state.ruleset)}",
        back_url=url_for("home.index"),
        tools=(
            Action(label="Show it to other phones", url=f"{menu}#share", icon="share", is_icon_only=True),
            Action(label="Menu", url=menu, icon="menu", is_icon_only=True),
        ),
    )


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


def _score(match: LoadedMatch, view: SideView, ahead: Outlook) -> ScoreView:
    state = match.counted
    score = state.scores[view.name]
    would_be = match.state.scores[view.name]
    line, strong = _score_line(match, view.name, ahead)
    return ScoreView(
        side=view,
        score=plain(score),
        line=line,
        strong=strong,
        is_negative=score < 0,
        is_winner=bool(state.outcome and view.name in state.outcome.winners),
        waiting="" if would_be == score else f"{plain(would_be)} if accepted",
        is_dealer=match.state.dealer is not None and state.seats.side_of(match.state.dealer) == view.name,
    )


def _score_line(match: LoadedMatch, name: str, ahead: Outlook) -> tuple[str, str]:
    """Say under a score what matters to that side, the end of it in bold."""
    state = match.counted
    if state.outcome:
        return _what_it_did(last_scored(state), name), ""
    if state.money is not None:
        cents = state.money[name]
        if cents:
            return ("gets" if cents > 0 else "owes"), money(abs(cents))
        return "even", ""
    needs = next(side.needs for side in ahead.sides if side.side == name)
    if needs is None:
        return "in the hole" if state.scores[name] < 0 else "", ""
    if is_there(state.ruleset, state.scores[name]):
        return "needs", "a made bid" if state.ruleset.winning.win_rule == "made_bid" else "another hand"
    hole = "in the hole, " if state.scores[name] < 0 and not state.ruleset.winning.count_down_from else ""
    return f"{hole}needs", plain(needs)


def _what_it_did(hand: HandResult | None, name: str) -> str:
    if hand is None or hand.score is None:
        return ""
    took = hand.score.points.get(name, 0)
    if hand.camps and hand.camps.has_bidders:
        if name in hand.camps.groups[0]:
            return f"bid {bid_word(hand.bid)}, took {took}"
        return "did not bid"
    return f"took {took}"


def _race(state: MatchState, sides: Mapping[str, SideView]) -> RaceView | None:
    target = target_of(state.ruleset)
    if target is None:
        return None
    places = sorted(((view, state.scores[name]) for name, view in sides.items()), key=lambda place: place[1])
    said = ", ".join(f"{view.name} {plain(score)}" for view, score in places)
    start = state.ruleset.winning.count_down_from or 0
    return draw_race(f"{said}; the target is {target}", places, target=target, start=start)


def _turn(match: LoadedMatch) -> TurnView | None:
    """Look ahead to the next hand, which follows on all that is written, whether it counts yet or not."""
    if match.state.outcome:
        return None
    ahead = outlook(match.state) if match.state is not match.counted else _ahead(match)
    number = len(match.state.hands) + 1
    return TurnView(
        deals=f"{ahead.dealer} deals hand {number}." if ahead.dealer else f"Hand {number} is next.",
        speaks=f"{ahead.speaks_first} speaks first." if ahead.speaks_first else "",
        out=ahead.sentence if match.state is match.counted else f"If all is accepted: {ahead.sentence}",
        move_url=url_for("deal.show", code=match.code),
    )


def _verdict(match: LoadedMatch, sides: Mapping[str, SideView]) -> VerdictView:
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
