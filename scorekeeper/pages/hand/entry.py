"""A hand that is entered, in its match: its place, the events that it appends, and how it is scored."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from scorekeeper.eventlog.stream import Refused
from scorekeeper.matches.drafts import HandDraft
from scorekeeper.matches.events import Event, HandAdded, HandCorrected, MatchStream, Resumed, Undeleted
from scorekeeper.matches.fold import Match
from scorekeeper.matches.notices import side_views_in
from scorekeeper.matches.service import preview
from scorekeeper.pages.hand.in_progress import HandInProgress
from scorekeeper.pages.hand.input import HandInput
from scorekeeper.pitch.drawings.markers import SideView
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.scoring.hand import BIDDERS, DEFENDERS, SideId
from scorekeeper.pitch.scoring.match import HandResult
from scorekeeper.pitch.scoring.seats import NAMES_JOINED
from scorekeeper.pitch.text.hands import result_words
from scorekeeper.pitch.text.phrases import SUIT_SIGNS, bid_word, joined, scores_text

REOPENINGS: Mapping[str, Event] = {"resume": Resumed(), "restore": Undeleted()}
"""The event that each button appends first, where the match was stopped or deleted."""
_POINTS = re.compile(r"-?[0-9]{1,6}")


@dataclass(frozen=True)
class HandEntry:
    """A hand that is entered, and where it goes in its match."""

    match: Match
    hand: HandInProgress
    index: int
    """The position in the list of hands, from 1."""
    uid: int | None = None
    """The hand that is being corrected."""
    insert_before: int | None = None
    """The hand that this one goes before."""
    reopens: str = ""
    """The button's action where the match was stopped or deleted, `resume` or `restore`; else empty."""

    @property
    def is_next(self) -> bool:
        """Whether it is the next hand, not a corrected or a forgotten one."""
        return self.uid is None and self.insert_before is None

    @property
    def closed(self) -> str:
        """Why the match does not take this hand: `deleted`, `over` or `stopped`; empty where it may."""
        if self.uid is not None:
            return "deleted" if self.match.log.is_deleted else ""
        return self.match.closed(self.insert_before)

    @property
    def number(self) -> int:
        """The hand's number as the table counts."""
        return self.hand.before.next_number

    def number_at(self, index: int | None) -> int:
        """Return the number that the hand at an index would have if this one were saved."""
        hands = [logged.hand.is_redealt for logged in self.match.log.hands]
        hands[self.index - 1 : self.index - (self.uid is None)] = [bool(self.hand.input.thrown_in)]
        return 1 + hands[: (index or 1) - 1].count(False)

    @property
    def _seated_in(self) -> int:
        """The hand whose players play this one: one that goes before another is played by those before that one."""
        return self.index if self.insert_before is None else self.index - 1

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Everybody's name, by id, as they sit in this hand."""
        return self.match.names_in(self._seated_in)

    def name(self, who: str) -> str:
        """Return the name that an id stands for in this hand."""
        return self.names.get(who, who)

    @cached_property
    def sides(self) -> Mapping[SideId, SideView]:
        """Every side with its marker, by its id, as it sits in this hand."""
        return side_views_in(self.match, self._seated_in)

    def side_of(self, who: str) -> SideView:
        """Return the marker of the side that somebody plays for."""
        return self.sides[self.hand.before.seats.side_of(who) or who]

    @cached_property
    def columns(self) -> Mapping[str, SideView]:
        """Every column that can take a point with its marker, by what the form posts."""
        if not self.hand.has_roles:
            return {side: self.sides[side] for side in self.hand.columns}
        bidders = SideView(side_id=BIDDERS, name="The bidders", mark=1, letter="B")
        if self.hand.bidding_sides:
            lead, *partners = (self.sides[side] for side in self.hand.bidding_sides)
            bidders = replace(lead, side_id=BIDDERS)
            if partners:
                people = NAMES_JOINED.join(side.name for side in (lead, *partners))
                bidders = SideView(side_id=BIDDERS, name=people, mark=lead.mark, letter=lead.letter, people=people)
        others_mark = 5 if bidders.mark != 5 else 1
        return {
            BIDDERS: bidders,
            DEFENDERS: SideView(side_id=DEFENDERS, name="The others", mark=others_mark, letter="O"),
        }

    @property
    def label_names(self) -> Mapping[str, str]:
        """The names of everybody and of every column."""
        return {**self.names, **{who: view.name for who, view in self.columns.items()}}

    # ---- The events, and the result

    def reopening(self) -> Sequence[Event]:
        """Return the events that reopen the match for the hand; an added hand also resumes a match that was stopped."""
        if not self.reopens:
            return ()
        return (REOPENINGS[self.reopens], *((Resumed(),) if self.uid is None else ()))

    @property
    def closed_when_reopened(self) -> str:
        """Why the match would not take one more hand once it is reopened; empty where it may."""
        return preview(self.match, lambda _: self.reopening()).closed(self.insert_before)

    def change(self, _stream: MatchStream) -> Sequence[Event]:
        """Return the events that record the hand; raises `HandRefused`."""
        hand = self.hand.hand()
        if self.uid is None:
            return (*self.reopening(), HandAdded(hand=hand, before=self.insert_before))
        return (*self.reopening(), HandCorrected(uid=self.uid, hand=hand))

    def match_after(self) -> Match | Refused:
        """Return the match with the hand, or why the hand is refused; raises `MatchClosed`."""
        try:
            return preview(self.match, self.change)
        except Refused as refused:
            return refused

    def result_in(self, after: Match | Refused) -> HandResult | None:
        """Return the hand's result in a match that has it; `None` where it is refused."""
        return after.state.results[self.index - 1] if isinstance(after, Match) else None

    def differing_result(self, shown: str) -> Fault | None:
        """Return why a hand is not saved yet: its result differs from the one that its form has `shown`, if any."""
        if not shown or self.hand.input.thrown_in:
            return None
        result = self.result_in(self.match_after())
        if result is None or shown == shown_result(result):
            return None
        words = (word.rpartition(":") for word in shown.split())
        deltas = {side: int(points) for side, _, points in words if _POINTS.fullmatch(points)}
        now = f"this hand now comes to {result_words(result, self.names)}. Check it, then tap Save again."
        if deltas.keys() != result.deltas.keys():
            return Fault("", "differs", f"This is not what the button said: {now}")
        was = result_words(result._replace(status="scored", deltas=deltas), self.names)
        return Fault("", "differs", f"The button said {was}, but {now}")

    def against_the_points(self) -> Fault | None:
        """Return why the cards of a hand that waits for them are not saved: they make other points than entered."""
        state = self.match.state
        last = state.last_scored
        if not (state.question and last and last.score and last.position == self.index and self.hand.corrects):
            return None
        result = self.result_in(self.match_after())
        now = result.score if result and result.hand.taken is not None else None
        if now is None or now.points == last.score.points:
            return None
        make, were = scores_text(now.points, self.names), scores_text(last.score.points, self.names)
        why = f"These cards make {make}, and the points were {were}. Change the cards, or correct the points first."
        return Fault("taken", "against_the_count", why)


def shown_result(result: HandResult) -> str:
    """Return by how much a hand changes each score, as its form posts it: "s1:1 s2:3"."""
    return " ".join(f"{side}:{points}" for side, points in result.deltas.items())


# ---------- the next hand, on other pages ----------


def drafted_entry(match: Match, draft: HandDraft) -> HandEntry:
    """Return the next hand as far as it has been entered."""
    hand = HandInProgress(match.state, HandInput.parse(dict(draft.fields), match.setup.ids))
    return HandEntry(match, hand, len(match.log.hands) + 1)


def describe_draft(match: Match, draft: HandDraft) -> tuple[SideView, str]:
    """Return which side's bid the next hand has, and what it is: "Ann bid 3 ♥"."""
    entry = drafted_entry(match, draft)
    bidder, suit = entry.hand.contract.bidder or "", SUIT_SIGNS.get(entry.hand.input.trump, "")
    return entry.side_of(bidder), joined(f"{entry.name(bidder)} bid {bid_word(entry.hand.contract.bid)}", suit)
