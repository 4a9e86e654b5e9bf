"""What the match page shows, its scoreboard, and what a match is called in lists and titles."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from scorekeeper.access.roles import HasRole
from scorekeeper.club.money.service import may_change_players
from scorekeeper.eventlog.roles import SCORER, allows
from scorekeeper.matches.describe import undo_words, undone_words
from scorekeeper.matches.fold import Match
from scorekeeper.matches.hand_draft import HandDraft
from scorekeeper.matches.house_rules.service import rules_to_keep
from scorekeeper.matches.log import LoggedHand
from scorekeeper.matches.notices import all_passed_words, dispute_notices, last_change
from scorekeeper.pages.hand.form import entry_of, going_words
from scorekeeper.pages.match.hands import MOST_BESIDE, last_hand, latest_hands, notes, paper_row
from scorekeeper.pages.match.more import chart, more_of, since
from scorekeeper.pitch.drawings.markers import SideView
from scorekeeper.pitch.drawings.race import RaceView, draw_race
from scorekeeper.pitch.rules.codes import encode
from scorekeeper.pitch.rules.house_rules import HouseRules, with_house
from scorekeeper.pitch.rules.phrases import listed, sentence
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.deciding_rules import deciding_options, holding_options
from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.match import HandResult, MatchState, sides_set
from scorekeeper.pitch.scoring.outlook import Outlook, bids_first, outlook
from scorekeeper.pitch.scoring.standing import Clause, has_reached_target, is_overtime, target_of
from scorekeeper.pitch.sheets.citations import Cited
from scorekeeper.pitch.text.endings import (
    Verdict,
    earlier_goal_words,
    ends_words,
    goal_words,
    held_back_words,
    lacking_ends,
    no_end_sentence,
    outcome_heading,
    verdict,
)
from scorekeeper.pitch.text.payments import owed_words, shown_amounts
from scorekeeper.pitch.text.phrases import PRONOUNS, score_text, sum_words
from scorekeeper.web.library import decided_by, library, rules_of, standard_rules
from scorekeeper.web.locale import date_style
from scorekeeper.web.match_views import side_views, title_of_page


class CardLine(NamedTuple):
    """What matters to a side, under its score."""

    text: str = ""
    """"needs", "18 + 3 =", "in the hole"."""
    end: str = ""
    """The end of it, in bold."""
    is_sum: bool = False
    is_set: bool = False
    """Whether it is the sum of a side that was set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCard:
    """The score of a side, as a card or a row."""

    side: SideView
    score: str
    """"53", "+$3", "13–14"."""
    line: CardLine
    won: Literal["", "win", "would-win"] = ""
    is_in_hole: bool = False
    is_range: bool = False
    """Whether it may be either end, or between."""


def sum_lines(state: MatchState) -> dict[SideId, CardLine]:
    """Return what the last hand that counts made of each score: "18 + 3 = 21"; after a match for money what is owed."""
    last = state.last_scored
    if last is None or last.scores != state.scores or state.ruleset.money.settles == "hand":
        return {side: CardLine("", _owed(state, side)) for side in state.scores}
    was_set, lines = sides_set(last), {}
    for side, change in last.deltas.items():
        score, owed = state.scores[side], _owed(state, side)
        total = sum_words(score - change, change)
        lines[side] = CardLine(
            f"{total} {score_text(score)}," if owed else total,
            owed or score_text(score),
            is_sum=True,
            is_set=side in was_set,
        )
    return lines


def _score_lines(match: Match) -> dict[SideId, CardLine]:
    """Return what matters to each side: what it needs, or once the match is over the sum of its score."""
    if match.state.outcome or match.log.is_stopped:
        return sum_lines(match.state)
    ahead = outlook(match.state)
    return {side: CardLine(*_score_line(match, side, ahead)) for side in match.state.scores}


def _score_cards(match: Match, lines: Mapping[SideId, CardLine]) -> tuple[ScoreCard, ...]:
    state, shown = match.state, shown_amounts(match.state)
    return tuple(
        ScoreCard(
            side=view,
            score=shown[side],
            line=lines[side],
            won="win" if side in state.winners else "",
            is_in_hole=state.scores[side] < 0,
        )
        for side, view in side_views(match).items()
    )


def _race_view(match: Match) -> RaceView | None:
    """Return the scores on the way to the target; `None` without a target, or with too many sides."""
    state, sides = match.state, side_views(match)
    target = target_of(state.ruleset)
    if target is None or len(sides) > MOST_BESIDE:
        return None
    places = sorted(((view, state.scores[side]) for side, view in sides.items()), key=lambda place: place[1])
    scores = ", ".join(f"{view.name} {score_text(score)}" for view, score in places)
    start = state.ruleset.winning.count_down_from or 0
    return draw_race(f"{scores}; the target is {target}", places, target=target, start=start)


def _next_hand(match: Match, dealer: str | None) -> Outlook | None:
    """Return what hangs on the next hand."""
    state = match.state
    if not state.goes_on:
        return None
    return replace(outlook(match.state), dealer=dealer, bids_first=bids_first(state._replace(dealer=dealer)))


def _dealing_side(match: Match, dealer: str | None) -> SideId | None:
    """Return the side that deals the next hand; there is none after the end."""
    return match.state.seats.side_of(dealer) if match.state.goes_on else None


def _score_line(match: Match, side: SideId, ahead: Outlook) -> tuple[str, str]:
    state = match.state
    if state.ruleset.money.settles == "hand":
        return "", ""
    if state.money is not None:
        return "", _owed(state, side)
    side_ahead = next(view for view in ahead.sides if view.side == side)
    needs = side_ahead.needs
    if needs is None:
        return "in the hole" if state.scores[side] < 0 else "", ""
    if state.question and side in state.question.winners:
        return "may have won", ""
    if has_reached_target(state.ruleset, state.scores[side]):
        return _needs(match.name(side)), _needed(state, side)
    is_in_the_hole = state.scores[side] < 0 and not state.ruleset.winning.count_down_from
    on_a_bid = " on a made bid" if side_ahead.needs_bid else ""
    hole = "in the hole, " if is_in_the_hole else ""
    return f"{hole}{_needs(match.name(side))}", f"{score_text(needs)}{on_a_bid}"


def _needs(name: str) -> str:
    return "need" if name in PRONOUNS else "needs"


def _needed(state: MatchState, side: SideId) -> str:
    """Return what a side at the target needs to win."""
    missing = next(it.missing for it in state.standing.sides if it.side == side)
    if Clause.LEAD in missing and Clause.MADE_BID not in missing:
        return f"a lead of {state.ruleset.winning.win_by}"
    if is_overtime(state.ruleset, state.best_of_two) or state.ruleset.winning.win_rule == "made_bid":
        return "a made bid"
    return "another hand"


def _owed(state: MatchState, side: SideId) -> str:
    """Return what a side is owed if the table settles now; empty where nobody pays."""
    return owed_words(state.money[side]) if state.money is not None else ""


MOST_HANDS = 12
"""On the match page; the history has them all."""


@dataclass(frozen=True, slots=True)
class Viewer(HasRole):
    """All that the match page depends on of the phone that looks: the page itself is given no link."""

    role: str
    seat: str | None
    disputes: frozenset[int] = frozenset()
    """The hands, by their uids, that it says are wrong."""
    has_answer: frozenset[int] = frozenset()
    """Those that it said are wrong until somebody confirmed them."""
    since: int | None = None
    """The version that the phone has on its screen."""
    old_role: str = ""
    """The role that it has there."""
    is_news: bool = False
    """Whether it has just written the last change, and reads it aloud as the page opens."""
    can_take_back: bool = False
    """Whether it may undo the change of players that began the match."""
    drafts: int = 0
    """How often the next hand was written down before it was saved, by which a poll knows of a new one."""
    draft: HandDraft | None = None
    """The hand in progress."""
    tonight: tuple[tuple[SideId, int], ...] = ()
    """How many matches each side has won on the same evening, the most first."""
    late: tuple[str, str] | None = None
    """What its ladder night says of a match that ended after the next round had started."""
    is_open: bool = False
    """Whether it has opened more than the verdict."""
    kept: tuple[str, str] | None = None
    """What it has saved of the house rules of a match that is over, by its code and its name; empty for nothing."""


def match_page(match: Match, viewer: Viewer) -> dict[str, object]:
    """Return what template match/show.html shows to a phone.

    Its blocks are board, announcement, turn, history, chart and bottom_bar.
    """
    disputed = dispute_notices(match, viewer.disputes)
    shown, cited = verdict_of(match), _cited(match)
    news = last_change(match) if viewer.is_news else None
    if disputed and news and news.kind == "dispute":
        news = None  # it is shown for as long as it holds
    if shown and news and news.kind in ("hand", "thrown_in") and match.state.results[-1] is match.state.last_scored:
        news = None  # the verdict says what it did
    goes_on, may_score = match.state.goes_on and not match.log.is_stopped, viewer.may_score
    board = scoreboard(match, viewer.draft)
    return {
        **board,
        **_bar(match),
        "cards": _score_cards(match, sum_lines(match.state)) if shown and goes_on else board["cards"],
        "heading": "Play on" if shown and goes_on else board["heading"],
        "race": None if shown else board["race"],
        "viewer": viewer,
        "undo_note": undo_words(match),
        "undone": undone_words(match) if viewer.is_news and may_score else "",
        "page_title": title_of_page(match, date_style()),
        "next_step": _next_step(match),
        "asked_hand": _asked_hand(match),
        "may_change_players": may_change_players(match) and may_score and match.status == "in_progress",
        "has_new_role": bool(viewer.old_role) and allows(viewer.old_role, SCORER) != may_score,
        "notices": [notice for notice in (*disputed, news) if notice],
        "wrong": _may_be_called_wrong(match, viewer),
        "all_passed": all_passed_words(match),
        "deals_by": rules_of(match).rule("deal.next") if match.state.ruleset.play.next_dealer == "racehorse" else (),
        "verdict": shown,
        "more": more_of(match) if shown and viewer.is_open else None,
        "ends": _ends(match),
        "earlier_goal": earlier_goal_words(match.state),
        "citations": rules_of(match),
        "lacks": listed(lacking_ends(match.state.ruleset)),
        "last": _deciding_hand(match),
        "cited": cited,
        "is_house_rule": _is_house_rule(match.state),
        "deciding_uid": _uid_of(match, _deciding_hand(match)),
        "since": () if shown else since(match),
        "hands": ()
        if shown
        else latest_hands(match, MOST_HANDS, match.version - 1 if viewer.is_news else viewer.since),
        "notes": notes,
        "last_hand": None if shown else last_hand(match),
        "rules_code": encode(rules) if viewer.kept and (rules := house_rules(match)) else "",
        "paper": paper_row(match) if len(match.log.hands) <= MOST_HANDS else None,
        "columns": 2 + len(match.state.scores),
        "chart": None if shown else chart(match),
    }


def verdict_of(match: Match) -> Verdict | None:
    """Return why a match is over, or why nobody who is at the target has won; `None` while nobody would ask."""
    if match.state.outcome or match.log.is_stopped:
        return verdict(match.state, match.names, stopped=match.log.is_stopped)
    waiting = held_back_words(match.state, match.names)
    return waiting if waiting.sentence else None


def _cited(match: Match) -> Cited:
    """Return the rules that decided, or by which nobody who is at the target has won."""
    if match.log.is_stopped and not match.state.outcome:
        return ()
    return decided_by(match) or rules_of(match).goes_on(match.state)


def _bar(match: Match) -> dict[str, str]:
    """Return the game, and what it goes to; under what the family called the match, both."""
    ruleset, last = match.state.ruleset, _deciding_hand(match)
    goal = goal_words(ruleset)
    if match.title:
        return {"bar_title": match.title, "bar_sub": f"{ruleset.name}, {goal}"}
    made = ", only on a made bid" if ruleset.winning.win_rule == "made_bid" else ""
    return {"bar_title": ruleset.name, "bar_sub": sentence(f"{goal}, hand {last.number}" if last else f"{goal}{made}")}


def scoreboard(match: Match, draft: HandDraft | None) -> dict[str, Any]:
    """Return what the match page and the TV show alike, by the names in their templates, with the hand in progress."""
    sides, is_over = side_views(match), bool(match.state.outcome or match.log.is_stopped)
    dealer = entry_of(match, draft).dealer if draft else match.state.dealer
    return {
        "match": match,
        "sides": sides,
        "is_beside": len(sides) <= MOST_BESIDE,
        "cards": _score_cards(match, _score_lines(match)),
        "dealing_side": _dealing_side(match, dealer),
        "race": None if is_over else _race_view(match),
        "ahead": _next_hand(match, dealer),
        "going": going_words(match, draft) if draft else None,
        "is_over": is_over,
        "heading": outcome_heading(match.state, match.names, stopped=match.log.is_stopped),
    }


def _may_be_called_wrong(match: Match, viewer: Viewer) -> LoggedHand | None:
    """Return the hand that a phone may say is wrong: the last one, on a phone that only watches."""
    last = match.log.hands[-1] if match.log.hands else None
    has_said = last is not None and last.uid in viewer.disputes | viewer.has_answer
    return None if viewer.may_score or has_said else last


def _deciding_hand(match: Match) -> HandResult | None:
    """Return the hand that decided; `None` for a match that goes on, or that is won without one."""
    return match.state.last_scored if match.state.outcome else None


def house_rules(match: Match) -> HouseRules | None:
    """Return the house rules that a match goes by now, as they would be saved."""
    return rules_to_keep(match, library())


def _ends(match: Match) -> str:
    """Return how a match ends: "First to 21 at the end of a hand, and only on a made bid."."""
    ruleset = match.state.ruleset
    may_tie = bool(rules_of(match).rule("win.tie_rule"))
    return ends_words(ruleset, may_tie=may_tie) or no_end_sentence(ruleset)


def _as_before(ruleset: Ruleset) -> Ruleset:
    """Return the standard rules with those answers of these that were standard once."""
    standard = standard_rules(ruleset)
    before = {name: answer for name, answer in standard.sheet.formerly.items() if ruleset.answer(name) == answer}
    return with_house(standard, before)[0] if before else standard


def _is_house_rule(state: MatchState) -> bool:
    base = _as_before(state.ruleset)
    deciding = deciding_options(state) or holding_options(state)
    return any(state.ruleset.answer(option) != base.answer(option) for option in deciding)


def _asked_hand(match: Match) -> int:
    return _uid_of(match, match.state.last_scored) if match.state.question else 0


def _uid_of(match: Match, result: HandResult | None) -> int:
    return match.log.hands[result.place - 1].uid if result else 0


def _next_step(match: Match) -> str:
    if match.state.outcome:
        return "again"
    if match.log.is_stopped:
        # A match for money that is settled up may have gone on in the next: the money night knows.
        return "night" if match.state.ruleset.pays else "resume"
    return "cards" if match.state.question else "record"
