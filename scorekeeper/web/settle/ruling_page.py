"""What the page of a ruling shows: who won, why, the rule, the sums, and the other readings."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from scorekeeper.engine.match import HandResult, sides_set
from scorekeeper.engine.readings import Ruling
from scorekeeper.engine.seats import HandSides
from scorekeeper.graphics.markers import SideView
from scorekeeper.narration.endings import final_score, goal_words, outcome_heading
from scorekeeper.narration.hands import bid_words, made_or_set, not_counted_words
from scorekeeper.narration.phrases import Names, bid_word, joined, score_text, signed
from scorekeeper.narration.readings import (
    SideRuling,
    bid_sentence,
    money_words,
    payments_words,
    reason_words,
    side_rulings,
    undecided_lines,
    undecided_sentence,
)
from scorekeeper.rules.phrases import digits, sentence
from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.sheets.citations import Citations, CitedRule, citations
from scorekeeper.web.hand.entry import Entry
from scorekeeper.web.settle.citation import deciding_rules, rules_of_line
from scorekeeper.web.settle.form import SettledRules, SettleForm
from scorekeeper.web.settle.hand import Settled
from scorekeeper.web.settle.page import MOST_CARDS
from scorekeeper.web.shared.match_views import ReadingsView, readings_view
from scorekeeper.web.shared.widgets import HiddenFields


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterView:
    """A side's card: its score after the hand, and how it came to that."""

    side: SideView
    score: str
    before: str
    change: str
    """"+ 6"."""
    note: str
    """"bid made", "set", "no bid"."""
    is_set: bool
    is_winner: bool
    is_negative: bool

    @property
    def width(self) -> str:
        """The class that makes room for long numbers."""
        return "n4" if len(self.score) > 3 else "n3" if len(self.score) > 2 else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SumRow:
    """What a side scored in the hand, and for what."""

    side: SideView
    text: str
    """"Ace, Three, Ten, Off Jack"."""
    note: str
    """"took 6, bid 6"."""
    points: str
    way: str
    """"37 → 43"."""
    is_set: bool
    cited: tuple[CitedRule, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerLink:
    """An answer that the table may agree on, and the address of the hand under it."""

    label: str
    fields: HiddenFields


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRule:
    """A rule that the table has not agreed, with its answers."""

    question: str
    answers: tuple[AnswerLink, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingPage:
    """Template settle/ruling.html."""

    title: ClassVar[str] = "Who won?"
    rules: str
    """"Colorado Ten Point, to 42"."""
    fields: HiddenFields
    """The address of the hand."""
    ruleset_id: str
    share_code: str
    """The rules as a code, where they are not the variant's own."""
    heading: str
    sub: str
    is_won: bool
    cards: tuple[AfterView, ...]
    is_other_edition: bool
    undecided: str
    outcomes: tuple[tuple[str, str], ...]
    """What comes of the hand by each answer to what is not agreed."""
    open_rules: tuple[OpenRule, ...]
    why: str
    cited: tuple[CitedRule, ...]
    bid: str
    """"Us 6"."""
    suit: str
    outcome: str
    """made, set, or nothing."""
    sums: tuple[SumRow, ...]
    nobody_took: str
    money: str
    readings: ReadingsView | None
    """`None` for a hand that was not played."""

    @property
    def is_rows(self) -> bool:
        """Whether there are too many sides for cards."""
        return len(self.cards) > MOST_CARDS

    @property
    def text(self) -> str:
        """What is sent with the link."""
        lead = self.undecided or f"{self.heading}{f', {self.sub}' if self.sub else ''}."
        return "\n".join(filter(None, (self.rules, lead, self.why)))


def ruling_page(form: SettleForm, settled: Settled, ruling: Ruling) -> RulingPage:
    """Return the page of a ruling."""
    entry, ruleset = settled.entry, form.rules.ruleset
    names, result, state = entry.names, ruling.result, ruling.state
    left, rules = settled.nobody_took, citations(ruleset, form.rules.base)
    is_open = bool(ruling.undecided)
    return RulingPage(
        rules=f"{ruleset.name}, {goal_words(ruleset)}",
        fields=tuple(form.fields()),
        ruleset_id=form.rules.base.id,
        share_code=form.rules.share_code,
        heading="It depends" if is_open else _heading(ruling, names),
        sub=_scores(ruling),
        is_won=state.outcome is not None and not is_open,
        cards=tuple(_cards(entry, ruling)),
        is_other_edition=form.is_other_edition,
        undecided=undecided_sentence(ruling),
        outcomes=tuple(undecided_lines(ruling, names)),
        open_rules=tuple(_open_rules(form, ruling)),
        why=_why(ruling, names),
        cited=deciding_rules(ruling, rules),
        bid=_bid(result, names),
        suit=result.hand.trump or "",
        outcome=made_or_set(result),
        sums=tuple(_sums(entry, ruling, rules)),
        nobody_took=f"{digits(left, 'point')} nobody took." if left else "",
        money=_money(ruling, names),
        readings=readings_view(ruling, names, entry.sides) if result.status == "scored" else None,
    )


def _heading(ruling: Ruling, names: Names) -> str:
    return "Nobody yet" if ruling.state.goes_on else outcome_heading(ruling.state, names, stopped=False)


def _why(ruling: Ruling, names: Names) -> str:
    """Return what came of the bid, and who has won by it; a made bid that wins is in the reason already."""
    bid, reason = bid_sentence(ruling, names), reason_words(ruling.state, names)
    if ruling.undecided:
        return bid
    was_set = made_or_set(ruling.result) == "set" or ruling.result.set_taken_by
    return reason if ruling.state.outcome and not was_set else joined(bid, reason)


def _scores(ruling: Ruling) -> str:
    """Return the scores in a line, as far as anybody can follow one."""
    state = ruling.state
    if len(state.scores) > MOST_CARDS:
        return ""
    return final_score(state) or " to ".join(map(score_text, state.scores.values()))


def _bid(result: HandResult, names: Names) -> str:
    if result.set_taken_by:
        return bid_words(result, names)
    if result.bidder is None:
        return ""
    partner = f" with {names[result.hand.partner]}" if result.hand.partner else " alone" if result.hand.alone else ""
    return f"{names[result.bidder]} {bid_word(result.bid)}{partner}"


def _money(ruling: Ruling, names: Names) -> str:
    """Return who pays what; what was paid before the hand is not known here, so nothing is settled with it."""
    score, ruleset = ruling.result.score, ruling.result.ruleset
    if score and any((score.payments or {}).values()):
        return sentence(f"for this hand {payments_words(score.payments or {}, names)}.")
    if ruleset.moon.moon == "money" or ruleset.money.settles == "hand":
        settled = payments_words(ruling.state.money or {}, names)
        return f"Settled now, by points alone: {settled}." if settled else ""
    return money_words(ruling, names)


def _cards(entry: Entry, ruling: Ruling) -> Iterator[AfterView]:
    was_set = sides_set(ruling.result)
    winners = ruling.state.outcome.winners if ruling.state.outcome and not ruling.undecided else ()
    for it in side_rulings(ruling):
        change = it.after - it.before
        yield AfterView(
            side=entry.sides[it.side],
            score=score_text(it.after),
            before=score_text(it.before),
            change=f"{'+' if change >= 0 else '−'} {abs(change)}",
            note=_card_note(ruling.result, it.side),
            is_set=it.side in was_set,
            is_winner=it.side in winners,
            is_negative=it.after < 0,
        )


def _card_note(result: HandResult, side: str) -> str:
    if result.hand_sides is None or not result.hand_sides.has_bidders:
        return ""
    bidder, *partners = result.hand_sides.bidders
    if side == bidder:
        return "set" if made_or_set(result) == "set" else "bid made"
    return "called" if side in partners else "no bid"


def _sums(entry: Entry, ruling: Ruling, rules: Citations) -> Iterator[SumRow]:
    was_set = sides_set(ruling.result)
    for it in side_rulings(ruling):
        yield SumRow(
            side=entry.sides[it.side],
            text=", ".join(line.text for line in it.lines) or "nothing",
            note=_sum_note(entry, ruling.result, it),
            points=signed(it.after - it.before),
            way=f"{score_text(it.before)} → {score_text(it.after)}",
            is_set=it.side in was_set,
            cited=tuple(dict.fromkeys(rule for line in it.lines for rule in rules_of_line(ruling, line, rules))),
        )


def _sum_note(entry: Entry, result: HandResult, it: SideRuling) -> str:
    """Return what a side took and bid, where its line does not say so."""
    score, hand_sides = result.score, result.hand_sides
    if score is None or it.side not in score.points:
        return ""
    if any(line.is_set for line in it.lines):
        in_vain = not_counted_words(entry.before.seats, result)
        return f"does not count: {in_vain}" if in_vain else ""
    points = score.points[it.side]
    took = "" if not points or any(line.is_count for line in it.lines) else f"took {points}"
    return ", ".join(filter(None, (took, _role(hand_sides, result, it.side))))


def _role(hand_sides: HandSides | None, result: HandResult, side: str) -> str:
    """Return what a side was in the bidding."""
    if hand_sides is None or not hand_sides.has_bidders:
        return ""
    if side == hand_sides.bidders[0]:
        return f"bid {bid_word(result.bid)}"
    return "called as partner" if side in hand_sides.bidders else "did not bid"


def _open_rules(form: SettleForm, ruling: Ruling) -> Iterator[OpenRule]:
    """Yield each rule that is not agreed, with the address of the hand under each of its answers."""
    answers: dict[str, dict[object, SettledRules]] = {}
    for reading in ruling.undecided:
        for name, answer in reading.house.items():
            rules = form.rules.with_answer(name, answer)
            if rules is not None:
                answers.setdefault(name, {})[answer] = rules
    ruleset, address = form.rules.ruleset, form.fields()
    kept = [(name, text) for name, text in address if name not in ("r", "rules", "fp")]
    for name, found in answers.items():
        yield OpenRule(
            question=QUESTIONS[name].ask(ruleset),
            answers=tuple(
                AnswerLink(label=QUESTIONS[name].label(answer, ruleset), fields=(*rules.fields(), *kept))
                for answer, rules in found.items()
            ),
        )
