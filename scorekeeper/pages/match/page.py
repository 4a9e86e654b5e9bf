"""What the match page shows, its scoreboard, and what a match is called in lists and titles."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from scorekeeper.access.roles import HasRole
from scorekeeper.club.money.service import may_change_players
from scorekeeper.eventlog.roles import SCORER, allows
from scorekeeper.matches.change_log import LoggedEvent, changes_that_count
from scorekeeper.matches.describe import undo_words, undone_words
from scorekeeper.matches.fold import Match
from scorekeeper.matches.hand_draft import HandDraft
from scorekeeper.matches.house_rules.service import rules_to_keep
from scorekeeper.matches.log import LoggedHand
from scorekeeper.matches.notices import (
    dispute_notices,
    held_back_notice,
    last_change,
    last_hand_words,
)
from scorekeeper.matches.what_if import played_match
from scorekeeper.pages.hand.form import entry_of, going_words
from scorekeeper.pages.match.hands import (
    MOST_BESIDE,
    last_hand,
    latest_hands,
    notes,
    opened_hand,
    paper_row,
)
from scorekeeper.pitch.compare.alternatives import changing_alternatives
from scorekeeper.pitch.compare.sentences import alternative_sentence, ending_words
from scorekeeper.pitch.drawings.chart import ChartView, draw_chart
from scorekeeper.pitch.drawings.race import RaceView, draw_race
from scorekeeper.pitch.rules.codes import encode
from scorekeeper.pitch.rules.house_rules import HouseRules, with_house
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.phrases import digits, listed, sentence
from scorekeeper.pitch.rules.questions import QUESTIONS
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.match import HandResult, MatchState, score_histories
from scorekeeper.pitch.scoring.outlook import Outlook, bids_first, outlook
from scorekeeper.pitch.scoring.standing import Clause, has_reached_target, is_overtime, target_of
from scorekeeper.pitch.sheets.citations import Cited
from scorekeeper.pitch.text.endings import (
    changed_in_play,
    deciding_options,
    earlier_goal_words,
    ends_words,
    goal_words,
    held_back_words,
    lacking_ends,
    no_end_sentence,
)
from scorekeeper.pitch.text.hands import came_of_bid, remarks, set_sentence
from scorekeeper.pitch.text.payments import owed_words
from scorekeeper.pitch.text.phrases import PRONOUNS, bid_word, joined, score_text
from scorekeeper.pitch.text.rule_changes import changed_rules
from scorekeeper.web.context import budget
from scorekeeper.web.library import decided_by, library, rules_of, rules_of_hand, standard_rules
from scorekeeper.web.locale import date_style
from scorekeeper.web.match_views import (
    memoized,
    side_views,
    title_of_page,
)

MOST_CHANGES = 12
"""So many changes are told with the verdict; the change log has all."""
_MOST_NOT_ENDED = 2
"""So many hands are said to have ended nothing: the last of them."""


@memoized
def _score_lines(match: Match) -> dict[SideId, tuple[str, str]]:
    """Return what matters to each side, "needs", "did not bid", "in the hole", and the end of it, in bold."""
    return {side: _score_line(match, side, _outlook(match)) for side in match.state.scores}


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
    return replace(_outlook(match), dealer=dealer, bids_first=bids_first(state._replace(dealer=dealer)))


@memoized
def _outlook(match: Match) -> Outlook:
    return outlook(match.state)


def _dealing_side(match: Match, dealer: str | None) -> SideId | None:
    """Return the side that deals the next hand; there is none after the end."""
    return match.state.seats.side_of(dealer) if match.state.goes_on else None


def _score_line(match: Match, side: SideId, ahead: Outlook) -> tuple[str, str]:
    state = match.state
    if state.outcome:
        last = _last_hand(match, state.last_scored, side)
        return (f"{last}, " if last and state.money else last), _owed(state, side)
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


def _last_hand(match: Match, hand: HandResult | None, side: SideId) -> str:
    """Return what a side did in the hand that decided; a partner who was called took part in a bid and made none."""
    if hand is None or hand.score is None:
        return ""
    took = hand.score.points.get(side, 0)
    if hand.hand_sides is None or not hand.hand_sides.has_bidders:
        return f"took {took}"
    bidder, *partners = hand.hand_sides.bidders
    if side in partners:
        return f"with {match.names[bidder]}, took {took}"
    return f"bid {bid_word(hand.bid)}, took {took}" if side == bidder else "did not bid"


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
    kept: tuple[str, str] | None = None
    """What it has saved of the house rules of a match that is over, by its code and its name; empty for nothing."""


def match_page(match: Match, viewer: Viewer) -> dict[str, object]:
    """Return what template match/show.html shows to a phone.

    Its blocks are board, announcement, turn, history, chart and bottom_bar.
    """
    disputed, held_back = dispute_notices(match, viewer.disputes), held_back_notice(match)
    news = last_change(match) if viewer.is_news else None
    if disputed and news and news.kind == "dispute":
        news = None  # it is shown for as long as it holds
    return {
        **scoreboard(match, viewer.draft),
        **_bar(match),
        "viewer": viewer,
        "undo_note": undo_words(match),
        "undone": undone_words(match) if viewer.is_news and viewer.may_score else "",
        "page_title": title_of_page(match, date_style()),
        "next_step": _next_step(match),
        "asked_hand": _asked_hand(match),
        "may_change_players": may_change_players(match) and viewer.may_score and match.status == "in_progress",
        "has_new_role": bool(viewer.old_role) and allows(viewer.old_role, SCORER) != viewer.may_score,
        "notices": [notice for notice in (*disputed, held_back, news) if notice],
        "wrong": _may_be_called_wrong(match, viewer),
        "did": "" if news and news.kind in ("hand", "thrown_in") else last_hand_words(match),
        "deals_by": rules_of(match).rule("deal.next") if match.state.ruleset.play.next_dealer == "racehorse" else (),
        "held_back_by": rules_of(match).goes_on(match.state) if held_back else (),
        "ends": _ends(match),
        "earlier_goal": earlier_goal_words(match.state),
        "citations": rules_of(match),
        "lacks": listed(lacking_ends(match.state.ruleset)),
        "last": _deciding_hand(match),
        "cited": decided_by(match),
        "is_house_rule": _is_house_rule(match.state),
        "deciding_uid": _uid_of(match, _deciding_hand(match)),
        "agreed": [
            *(f"As printed before: {it}" for it in _standard_before(match)),
            *(f"At the start: {it}" for it in _agreed(match)),
            *([f"“{note}”"] if (note := match.occasion.note) else ()),
        ],
        "agreement": _agreement(match),
        "changed": _changed(match),
        "since": _since,
        "not_ended": _not_ended,
        "opened_hand": opened_hand,
        "other_rules": _other_rules(match),
        "hands": latest_hands(match, MOST_HANDS, match.version - 1 if viewer.is_news else viewer.since),
        "notes": notes,
        "last_hand": last_hand(match),
        "rules_code": encode(rules) if viewer.kept and (rules := house_rules(match)) else "",
        "paper": paper_row(match) if len(match.log.hands) <= MOST_HANDS else None,
        "columns": 2 + len(match.state.scores),
        "chart": _chart(match),
    }


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
        "lines": _score_lines(match),
        "dealing_side": _dealing_side(match, dealer),
        "race": None if is_over else _race_view(match),
        "ahead": _next_hand(match, dealer),
        "going": going_words(match, draft) if draft else None,
        "is_over": is_over,
    }


def _may_be_called_wrong(match: Match, viewer: Viewer) -> LoggedHand | None:
    """Return the hand that a phone may say is wrong: the last one, on a phone that only watches."""
    last = match.log.hands[-1] if match.log.hands else None
    has_said = last is not None and last.uid in viewer.disputes | viewer.has_answer
    return None if viewer.may_score or has_said else last


def _deciding_hand(match: Match) -> HandResult | None:
    """Return the hand that decided; `None` for a match that goes on, or that is won without one."""
    return match.state.last_scored if match.state.outcome else None


@memoized
def house_rules(match: Match) -> HouseRules | None:
    """Return the house rules that a match goes by now, as they would be saved."""
    return rules_to_keep(match, library())


@memoized
def _agreed(match: Match) -> tuple[str, ...]:
    """Return what the table agreed on at the start: what is not standard, now or before, and what it had to pick."""
    before, standard = _standard_before(match), standard_rules(match.rules)
    left_open = (name for name in standard.to_agree if name in options() and name not in match.rules.open_options)
    picked = (QUESTIONS[name].rule(match.rules) for name in left_open)
    return tuple(it for it in dict.fromkeys((*changed_rules(standard, match.rules), *picked)) if it not in before)


def _standard_before(match: Match) -> tuple[str, ...]:
    """Return the rules that are as they were standard once: a table that played by those never said so."""
    base, before = _as_before(match.rules)
    return changed_rules(standard_rules(match.rules), base) if before else ()


def _as_before(ruleset: Ruleset) -> tuple[Ruleset, Mapping[str, Any]]:
    """Return the standard rules with those answers of these that were standard once, and these answers."""
    standard = standard_rules(ruleset)
    before = {name: it for name, it in standard.sheet.formerly.items() if ruleset.answer(name) == it}
    return with_house(standard, before)[0] if before else standard, before


def _agreement(match: Match) -> tuple[str, str] | None:
    """Return in short what was agreed, and whether anything changed since; `None` where nobody would ask yet."""
    has_any = match.occasion.note or _agreed(match) or _standard_before(match) or _changed(match)
    if not (has_any or _deciding_hand(match)):
        return None
    own, since = len(_agreed(match)), len(_changed(match))
    agreed = digits(own, "house rule") if own else "the rules as printed"
    if not since:
        return f"Agreed: {agreed}", "nothing changed since"
    return f"Agreed: {agreed}", f"{digits(since, 'change')}{' or more' if since == MOST_CHANGES else ''} since"


@memoized
def _changed(match: Match) -> tuple[LoggedEvent, ...]:
    """Return the last changes of rules and of scores that had been written, the last at first."""
    return tuple(islice(changes_that_count(match), MOST_CHANGES))


@memoized
def _not_ended(match: Match) -> tuple[tuple[str, Cited], ...]:
    """Return why the last hands before the deciding one that had somebody at the target ended nothing.

    While a match goes on, only those are told that were played to another target or under another rule of winning.
    """
    last = match.state.last_scored
    earlier = (it for it in reversed(match.state.results) if last and it is not last and it.status == "scored")
    if last and not match.state.outcome:
        earlier = (it for it in earlier if it.ruleset.winning != last.ruleset.winning)
    at_target = (it for it in earlier if it.standing and it.standing.at_target)
    return tuple(_why_not_ended(match, it) for it in islice(at_target, _MOST_NOT_ENDED))[::-1]


def _why_not_ended(match: Match, result: HandResult) -> tuple[str, Cited]:
    """Return why somebody at the target did not win with a hand; the match is replayed up to it."""
    state = match.state_before(result.place + 1)._replace(ruleset=result.ruleset)
    names, sheet = match.names_in(result.place), rules_of_hand(result)
    lead, _ = held_back_words(state, names, hand="that hand")
    tied = next((it for it in remarks(result, names) if result.has_tied_game and "count.game_tie" in it.rules), None)
    lacked = "" if result.bid is None or came_of_bid(result) in lead else set_sentence(result, names)
    said = joined(f"Hand {result.number} did not end it: {lead}", lacked, tied.text if tied else "")
    return said, sheet.goes_on(state) + (sheet.rule(*tied.rules) if tied else ())


def _since(match: Match) -> Iterator[str]:
    """Yield which rules came in play, how a match had ended before the last change, and which hands came after it."""
    yield from changed_in_play(match.rules, match.state, date_style())
    for result in match.state.results:
        if result.standing and "target" in (result.hand.house or {}):
            was = match.state_before(result.place).ruleset
            names, scores = match.names_in(result.place), result.standing.before
            there = [it for it in scores if has_reached_target(result.ruleset, scores[it])]
            if there and not any(has_reached_target(was, scores[it]) for it in there):
                had = listed(f"{names[it]} had {score_text(scores[it])}" for it in there)
                yield f"{had} before that, which won nothing: a new target is looked at when a hand ends."
    before = match.before_last_change()
    if before and before.state.outcome and before.state.winners != match.state.winners:
        yield f"Before that: {ending_words(before.state, before.names)}."
    late = [str(result.number) for result in match.state.results if result.status == "after_end"]
    if late:
        came = "came after the end and do" if len(late) > 1 else "came after the end and does"
        yield f"Hand{'s' if len(late) > 1 else ''} {listed(late)} {came} not count."


@memoized
def _other_rules(match: Match) -> tuple[str, ...]:
    """Return by which other rules somebody else would have won, each in a sentence."""
    if match.state.last_scored is None or (match.state.goes_on and not match.state.standing.at_target):
        return ()
    found = changing_alternatives(played_match(match, standard_rules(match.rules)), budget())
    return tuple(alternative_sentence(it, match.names) for it in found)


@memoized
def _ends(match: Match) -> str:
    """Return how a match ends: "First to 21 at the end of a hand, and only on a made bid."."""
    ruleset = match.state.ruleset
    may_tie = bool(rules_of(match).rule("win.tie_rule"))
    return ends_words(ruleset, may_tie=may_tie) or no_end_sentence(ruleset)


def _is_house_rule(state: MatchState) -> bool:
    base, _ = _as_before(state.ruleset)
    return any(state.ruleset.answer(option) != base.answer(option) for option in deciding_options(state))


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


@memoized
def _chart(match: Match) -> ChartView | None:
    if match.state.ruleset.money.settles == "hand":
        return None  # there is no score to draw
    return draw_chart(score_histories(match.state), side_views(match), target=target_of(match.state.ruleset))
