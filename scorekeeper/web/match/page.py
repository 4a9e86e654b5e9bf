"""What the match page shows, its scoreboard, and what a match is called in lists and titles."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.match import HandResult, MatchState, score_histories
from scorekeeper.engine.outlook import Outlook, outlook
from scorekeeper.engine.readings import rule_on, winners_of
from scorekeeper.engine.standing import Clause, has_reached_target, is_overtime, target_of
from scorekeeper.graphics.chart import ChartView, draw_chart
from scorekeeper.graphics.markers import SideView
from scorekeeper.graphics.race_and_strip import RaceView, draw_race
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.place import MatchPlace
from scorekeeper.ledger.roles import SCORER, AnyLink, Link, allows
from scorekeeper.narration.dates import DateStyle
from scorekeeper.narration.endings import (
    deciding_options,
    deciding_rule,
    ends_words,
    final_score,
    goal_words,
    no_end_sentence,
    outcome_heading,
    verdict_sentence,
)
from scorekeeper.narration.hands import bid_line
from scorekeeper.narration.notices import announcement, held_back_notice, last_change, waiting_notice
from scorekeeper.narration.outlook import outlook_sentence
from scorekeeper.narration.payments import owed_words, shown_amounts, standing_text, sums, transfers
from scorekeeper.narration.phrases import bid_word, named, opponents, score_text
from scorekeeper.narration.readings import ending_words
from scorekeeper.narration.rule_changes import rules_notice
from scorekeeper.rules.phrases import listed
from scorekeeper.services.match_list import ListedMatch
from scorekeeper.services.money_nights import may_change_players
from scorekeeper.sheets.citations import CitedRule
from scorekeeper.web.match.hands import correction_words, latest_hands, line_views, made_or_set_by, turned_on
from scorekeeper.web.shared.library import earlier_rules, library, rules_of, rules_of_hand
from scorekeeper.web.shared.match_views import ReadingsView, memoized, readings_view, side_views
from scorekeeper.web.shared.named_rules import standard_rules
from scorekeeper.web.shared.reader import date_style, plain_day
from scorekeeper.web.shared.widgets import LineView

MOST_CARDS = 3
"""More sides than these stand in rows on a phone, in two rows of cards on a TV, and have no race."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreView:
    """A side's card on the scoreboard."""

    side: SideView
    score: str
    line: str
    """"needs", "did not bid", "in the hole"; what follows in bold is `strong`."""
    strong: str
    is_negative: bool
    is_winner: bool
    if_accepted: str
    """The score with the hands that wait for another side; empty where it is the same."""
    is_dealer: bool

    @property
    def width(self) -> str:
        """The class that makes room for long numbers."""
        return "n4" if len(self.score) > 3 else "n3" if len(self.score) > 2 else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnView:
    """Who deals the next hand, who bids first, and whether anybody can go out."""

    number: int
    dealer: str
    """Empty where it is not known."""
    bids_first: str
    outlook: str
    """"Either side can go out by making a bid."."""
    is_if_accepted: bool
    """Whether that holds only if the hands that wait are accepted."""


def score_views(match: Match) -> tuple[ScoreView, ...]:
    """Return every side's card."""
    ahead = _outlook(match)
    return tuple(_score(match, side, view, ahead) for side, view in side_views(match).items())


def race_view(match: Match) -> RaceView | None:
    """Return the scores on the way to the target; `None` without a target, or with too many sides."""
    state, sides = match.counted, side_views(match)
    target = target_of(state.ruleset)
    if target is None or len(sides) > MOST_CARDS:
        return None
    places = sorted(((view, state.scores[side]) for side, view in sides.items()), key=lambda place: place[1])
    scores = ", ".join(f"{view.name} {score_text(score)}" for view, score in places)
    start = state.ruleset.winning.count_down_from or 0
    return draw_race(f"{scores}; the target is {target}", places, target=target, start=start)


def turn_view(match: Match) -> TurnView | None:
    """Return what hangs on the next hand, which follows on all that is written, whether it counts yet or not."""
    if not match.state.goes_on:
        return None
    is_all = match.state is match.counted
    ahead = _outlook(match) if is_all else outlook(match.state)
    return TurnView(
        number=match.state.next_number,
        dealer=match.names[ahead.dealer] if ahead.dealer else "",
        bids_first=match.names[ahead.bids_first] if ahead.bids_first else "",
        outlook=outlook_sentence(match.state, match.names, ahead.sides),
        is_if_accepted=not is_all,
    )


@memoized
def _outlook(match: Match) -> Outlook:
    return outlook(match.counted)


def _score(match: Match, side: SideId, view: SideView, ahead: Outlook) -> ScoreView:
    state = match.counted
    score, if_accepted = state.scores[side], match.state.scores[side]
    line, strong = _score_line(match, side, ahead)
    return ScoreView(
        side=view,
        score=shown_amounts(state)[side],
        line=line,
        strong=strong,
        is_negative=score < 0,
        is_winner=bool(state.outcome and side in state.outcome.winners),
        if_accepted="" if if_accepted == score else score_text(if_accepted),
        is_dealer=_is_dealer(match, side),
    )


def _is_dealer(match: Match, side: SideId) -> bool:
    """Return whether a side deals the next hand; there is none after the end."""
    state = match.state
    return state.goes_on and state.dealer is not None and state.seats.side_of(state.dealer) == side


def _score_line(match: Match, side: SideId, ahead: Outlook) -> tuple[str, str]:
    """Return what matters to a side, the end of it in bold."""
    state = match.counted
    if state.outcome:
        last = _last_hand(match, state.last_scored, side)
        return (f"{last}, " if last and state.money else last), _owed(state, side)
    if state.ruleset.money.settles == "hand":
        return "", ""
    if state.money is not None:
        return "", _owed(state, side)
    needs = next(it.needs for it in ahead.sides if it.side == side)
    if needs is None:
        return "in the hole" if state.scores[side] < 0 else "", ""
    if state.question and side in state.question.winners:
        return "may have won", ""
    if has_reached_target(state.ruleset, state.scores[side]):
        return "needs", _needed(state, side)
    is_in_the_hole = state.scores[side] < 0 and not state.ruleset.winning.count_down_from
    return f"{'in the hole, ' if is_in_the_hole else ''}needs", score_text(needs)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictView:
    """How a match ended, or who leads where it was stopped."""

    heading: str
    """"Us win", "Stopped"."""
    score: str
    """"21 to 25", the winners' first; empty where nobody has won."""
    why: str
    corrections: tuple[tuple[str, datetime], ...]
    """Which hands that count were corrected: "Hand 9 was corrected by Bea: bid 3 → 4", and when."""
    since: tuple[str, ...]
    """What became of it since: how it had ended before, hands after the end."""
    rule: str
    cited: tuple[CitedRule, ...]
    """Where that rule stands on the sheet."""
    earlier_rules: int | None
    """A hand on whose page the rules of the hand that decided are, where the match has others by now."""
    is_house_rule: bool
    """Whether the table plays that rule otherwise than the standard game."""
    hand_number: int | None
    """The hand that decided; its bid and its lines follow."""
    hand_bid: str
    """"Cal 3 ♥ made"."""
    hand_cited: tuple[CitedRule, ...]
    """By which rule it was made or set."""
    lines: tuple[LineView, ...]
    turned_on: tuple[CitedRule, ...]
    """The rules that this hand turned on, besides the one that decided."""

    @property
    def is_won(self) -> bool:
        """Whether somebody has won."""
        return self.score != ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndsView:
    """How the match ends, and the rules that a score turns on."""

    sentence: str
    """"First to 21 at the end of a hand, and only on a made bid."; empty where no score ends it."""
    terms: tuple[CitedRule, ...]
    lacks_target: bool
    """Whether the table may still pick one."""
    was: str
    """"Until hand 5 it was to 42.", where the match had another target."""
    payments: tuple[str, ...]
    """Who pays whom if the table settles now: "Bob pays Ann 17 cents"."""
    paid_by: tuple[CitedRule, ...]
    """What a point, a set and the match pay."""
    sums: tuple[str, ...]
    """How each comes to what they owe or get."""


@dataclass(frozen=True, slots=True)
class Viewer(AnyLink):
    """All that the match page depends on of the phone that looks: the page itself is given no link."""

    role: str
    seat: str | None
    seat_since: int = 0
    actor: str = ""
    """What the phone signs with, where that matters: it does once hands wait to be accepted."""
    phones: frozenset[str] = frozenset()
    """The sides that have one, where hands wait."""
    since: int | None = None
    """The version that the phone has on its screen."""
    old_role: str = ""
    """The role that it has there."""
    is_news: bool = False
    """Whether it has just written the last change, and reads it aloud as the page opens."""
    can_take_back: bool = False
    """Whether it may undo the change of players that began the match."""

    def sees(self, match: Match) -> Match:
        """Return a match with a link that says no more than this."""
        return replace(match, link=Link(0, match.code, self.role, match.id, self.seat, self.seat_since))


def match_page(match: Match, viewer: Viewer) -> dict[str, object]:
    """Return what template match/show.html shows to a phone.

    Its blocks are board, announcement, turn, history, chart and bottom_bar.
    """
    dates, seen, verdict = date_style(), viewer.sees(match), verdict_view(match)
    notices = (
        waiting_notice(seen, viewer.actor, viewer.phones),
        held_back_notice(match),
        last_change(match) if viewer.is_news else None,
    )
    hands = latest_hands(match, MOST_HANDS, match.version - 1 if viewer.is_news else viewer.since)
    return {
        "match": match,
        "viewer": viewer,
        "title": match_title(match),
        "page_title": title_of_page(match, dates),
        "rules": rules_words(match.state),
        "next_step": _next_step(match),
        "asked_hand": _asked_hand(match),
        "may_change_players": may_change_players(match) and viewer.may_score and match.status == "in_progress",
        "can_undo": can_undo(seen, viewer.actor),
        "can_redo": can_redo(seen, viewer.actor),
        "has_new_role": bool(viewer.old_role) and allows(viewer.old_role, SCORER) != viewer.may_score,
        "notices": [notice for notice in notices if notice],
        "rules_notice": rules_notice(match, dates),
        "announcement": announcement(match),
        "scores": score_views(match),
        "is_rows": len(hands.sides) > MOST_CARDS,
        "race": None if verdict else race_view(match),
        "held_back_by": _held_back_by(match),
        "ends": ends_view(match),
        "turn": None if verdict else turn_view(match),
        "verdict": verdict,
        "readings": _readings(match) if match.counted.outcome else None,
        "hands": hands,
        "chart": _chart(match),
        "chart_ends": match.counted.next_number - 1 if match.log.counted < len(match.log.hands) else None,
    }


def match_title(match: Match) -> str:
    """Return a match's title, or who plays it: "Ann & Cal v. Bea & Dan"."""
    return match.title or opponents(match.state.seats.ids, match.names)


def title_of_page(match: Match, dates: DateStyle) -> str:
    """Return what a browser's tab calls a match: "Thursday: Ann & Cal v. Bea & Dan", or its players and its day."""
    people = opponents(match.state.seats.ids, match.names)
    if match.title:
        return f"{match.title}: {people}"
    played_on = match.setup.played_on or match.setup.created_at.astimezone().date().isoformat()
    return f"{people}, {plain_day(played_on, dates)}"


def rules_words(state: MatchState) -> str:
    """Return which game is played, and how far: "Partnership Pitch, to 21"."""
    return f"{state.ruleset.name}, {goal_words(state.ruleset)}"


def can_undo(match: Match, actor: str) -> bool:
    """Return whether the phone that signs as `actor` may undo what was written last."""
    return MatchPlace(match.setup, match.log, match.link, actor).may_undo()


def can_redo(match: Match, actor: str) -> bool:
    """Return whether the phone that signs as `actor` may bring back what the last undo took."""
    return MatchPlace(match.setup, match.log, match.link, actor).may_redo()


def verdict_view(match: Match) -> VerdictView | None:
    """Return who won and why, or that the match is stopped; `None` for one that goes on."""
    state = match.counted
    if not state.outcome and not match.log.is_stopped:
        return None
    last = state.last_scored if state.outcome else None
    cited = _cited(match)
    return VerdictView(
        heading=outcome_heading(state, match.names, stopped=True),
        score=final_score(state),
        why=verdict_sentence(state, match.names, stopped=match.log.is_stopped),
        corrections=tuple(_corrections(match)) if last else (),
        since=tuple(_since(match)) if last else (),
        rule=deciding_rule(state),
        cited=cited,
        earlier_rules=earlier_rules(match, last.ruleset) if last else None,
        is_house_rule=_is_house_rule(state),
        hand_number=last.number if last else None,
        hand_bid=bid_line(last, match.names_in(last.place)) if last else "",
        hand_cited=made_or_set_by(last) if last else (),
        lines=line_views(match, last) if last else (),
        turned_on=tuple(rule for rule in turned_on(last) if rule not in cited) if last else (),
    )


def _corrections(match: Match) -> Iterator[tuple[str, datetime]]:
    """Yield which of the hands that count were corrected."""
    for result, logged in zip(match.counted.results, match.log.hands, strict=False):
        if logged.corrections and result.status == "scored":
            text = f"Hand {result.number} was {correction_words(match, result, logged)}"
            yield text, logged.corrections[-1].stamp.at


def _since(match: Match) -> Iterator[str]:
    """Yield how a match had ended before the last change, and which hands came after its end."""
    before = match.before_last_change()
    if before and before.counted.outcome and before.counted.outcome.winners != winners_of(match.counted):
        yield f"Before that: {ending_words(before.counted, before.names)}."
    late = [str(result.number) for result in match.counted.results if result.status == "after_end"]
    if late:
        came = "came after the end and do" if len(late) > 1 else "came after the end and does"
        yield f"Hand{'s' if len(late) > 1 else ''} {listed(late)} {came} not count."


def _cited(match: Match) -> tuple[CitedRule, ...]:
    """Return where the rule that decided stands on the sheet of the hand that decided."""
    state, last = match.counted, match.counted.last_scored
    if state.outcome is None or last is None:
        return ()
    return rules_of_hand(last).decided(state.outcome.rule, deciding_options(state)[1:])


@memoized
def _readings(match: Match) -> ReadingsView | None:
    """Return the other readings of the hand that decided."""
    last = match.counted.last_scored
    if last is None:
        return None
    agreed = match.agreed(last.place)
    ruling = rule_on(match.state_at(last.place), last.hand, standard_rules(last.ruleset), agreed.keys())
    return readings_view(ruling, match.names, side_views(match)) if ruling.others else None


def _held_back_by(match: Match) -> tuple[CitedRule, ...]:
    rules, winning = rules_of(match), match.state.ruleset.winning
    if match.state.question:
        rule = rules.rule("win.tie_rule", "win.four_points_win_game")
    elif winning.win_rule == "made_bid":
        rule = rules.rule("win.target")
    else:
        rule = rules.rule("win.win_by" if winning.win_by else "win.tie_rule")
    return (rule,) if rule else ()


@memoized
def ends_view(match: Match) -> EndsView:
    """Return how a match ends under the rules in force."""
    rules = rules_of(match)
    sentence = ends_words(match.state.ruleset, may_tie=rules.rule("win.tie_rule") is not None)
    return EndsView(
        sentence=sentence or no_end_sentence(match.state.ruleset),
        terms=rules.terms(),
        lacks_target="target" in match.state.ruleset.to_agree and target_of(match.state.ruleset) is None,
        was=_earlier_goal(match),
        payments=transfers(match.counted.money or {}, match.names),
        paid_by=rules.paid() if match.state.ruleset.pays else (),
        sums=sums(match.counted, match.names),
    )


def _earlier_goal(match: Match) -> str:
    """Return what the match went to before the rules changed."""
    goals = [(hand.number, goal_words(hand.ruleset)) for hand in match.state.results]
    now = goal_words(match.state.ruleset)
    return next((f"Until hand {number} it was {goal}." for number, goal in reversed(goals) if goal != now), "")


def _is_house_rule(state: MatchState) -> bool:
    ruleset, variants = state.ruleset, library()
    base = variants[ruleset.id] if ruleset.id in variants else ruleset
    return any(ruleset.answer(option) != base.answer(option) for option in deciding_options(state))


def _asked_hand(match: Match) -> int:
    last = match.counted.last_scored
    return match.log.hands[last.place - 1].uid if match.counted.question and last else 0


def _next_step(match: Match) -> str:
    if match.counted.outcome:
        return "again"
    if match.log.is_stopped:
        # A match for money that is settled up may have gone on in the next: the money night knows.
        return "night" if match.state.ruleset.pays else "resume"
    # Won as it is written, and not yet as it counts: there is no hand to record before it is accepted.
    if match.counted.question:
        return "cards"
    return "record" if match.state.goes_on else "accept"


@memoized
def _chart(match: Match) -> ChartView | None:
    if match.counted.ruleset.money.settles == "hand":
        return None  # there is no score to draw
    return draw_chart(score_histories(match.counted), side_views(match), target=target_of(match.counted.ruleset))


def listed_title(item: ListedMatch) -> str:
    """Return a match's title, or who plays it, whether or not its rules still score it."""
    if item.match:
        return match_title(item.match)
    return item.title or opponents(item.setup.seating.ids, item.setup.shown_names(item.log.renamed))


def how_it_stands(item: ListedMatch) -> str:
    """Return a match's scores and stage: "Ann & Cal 21, Bea & Dan 17; hand 6"."""
    match = item.match
    if match is None:
        return "Scorekeeper can’t read its rules"
    return f"{standing_text(match.counted, match.names, best_first=True)}; {_stage(match)}"


def _stage(match: Match) -> str:
    if match.counted.outcome:
        return f"{listed(named(match.counted.outcome.winners, match.names))} won"
    return match.status if match.status in ("over", "stopped") else f"hand {match.state.next_number}"
