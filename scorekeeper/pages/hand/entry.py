"""A hand being entered: its index in the match, the events that it appends, and its score."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from scorekeeper.eventlog.stream import Refused
from scorekeeper.matches.drafts import HandDraft
from scorekeeper.matches.events import Event, HandAdded, HandCorrected, MatchStream, Resumed, Undeleted
from scorekeeper.matches.fold import Match
from scorekeeper.matches.notices import side_views
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
"""The event that reopens a stopped or deleted match, by the button's action."""
_POINTS = re.compile(r"-?[0-9]{1,6}")


@dataclass(frozen=True)
class HandEntry:
    """A hand being entered, at its index in the match."""

    match: Match
    input: HandInput
    uid: int | None = None
    """The uid of the hand that is corrected; `None` for a new hand."""
    insert_before: int | None = None
    """The uid of the hand before which a forgotten hand is inserted."""
    action: str = ""
    """The action of the tapped button; empty for a form that was not posted."""

    @cached_property
    def index(self) -> int:
        """The position in the list of hands, from 1."""
        at = self.insert_before if self.uid is None else self.uid
        return self.match.log.hand_position(at) or len(self.match.log.hands) + 1

    @cached_property
    def hand(self) -> HandInProgress:
        """The hand in progress; its auction is not entered call by call if the rules have none."""
        match, logged = self.match, self.match.log.hand(self.uid) if self.uid is not None else None
        before = match.state_before(self.index) if self.uid is None else match.state_at(self.index)
        hand = HandInProgress(before, self.input, logged.hand if logged else None)
        if self.input.by_auction and not hand.may_call:
            return replace(hand, input=replace(self.input, by_auction=False, by_counts=False))
        return hand

    @property
    def reopens(self) -> str:
        """The action, `resume` or `restore`, if it reopens the stopped or deleted match; else empty."""
        return self.action if self.action in REOPENINGS and self.match.closed() else ""

    @property
    def is_next(self) -> bool:
        """Whether it is the next hand, neither a correction nor a forgotten hand."""
        return self.uid is None and self.insert_before is None

    @property
    def closed(self) -> str:
        """Why the match accepts no such hand: `deleted`, `over` or `stopped`; empty where it does."""
        if self.uid is not None:
            return "deleted" if self.match.log.is_deleted else ""
        return self.match.closed(self.insert_before)

    @property
    def number(self) -> int:
        """The number of the hand as the table counts: a hand that is dealt again has none."""
        return self.hand.before.next_number

    def number_at(self, index: int | None) -> int:
        """Return the number of the hand at an index, if this entry were saved."""
        hands = [logged.hand.is_redealt for logged in self.match.log.hands]
        hands[self.index - 1 : self.index - (self.uid is None)] = [bool(self.input.thrown_in)]
        return 1 + hands[: (index or 1) - 1].count(False)

    @property
    def _seated_in(self) -> int:
        """The index of the hand whose players play this one: an inserted hand has the players of the hand before it."""
        return self.index if self.insert_before is None else self.index - 1

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The names of sides and players in this hand, by id."""
        return self.match.names_in(self._seated_in)

    def name(self, who: str) -> str:
        """Return the name of a side or a player in this hand, given the id."""
        return self.names.get(who, who)

    @cached_property
    def sides(self) -> Mapping[SideId, SideView]:
        """The sides with their markers in this hand, by id."""
        return side_views(self.match, self.match.names_in(self._seated_in))

    def side_of(self, who: str) -> SideView:
        """Return the side of a player, with its marker."""
        return self.sides[self.hand.before.seats.side_of(who) or who]

    @cached_property
    def columns(self) -> Mapping[str, SideView]:
        """The columns that can take a point, by their values in the form: each a side, the bidders or the defenders."""
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
        """The names of players, sides and columns, by id."""
        return {**self.names, **{who: view.name for who, view in self.columns.items()}}

    # ---- The events, and the result

    def reopening(self) -> Sequence[Event]:
        """Return the events that reopen a deleted or stopped match; an added hand also resumes it."""
        if not self.reopens:
            return ()
        return (REOPENINGS[self.reopens], *((Resumed(),) if self.uid is None else ()))

    def change(self, _stream: MatchStream) -> Sequence[Event]:
        """Return the events that record the hand; raises `HandRefused`."""
        hand = self.hand.hand()
        if self.uid is None:
            return (*self.reopening(), HandAdded(hand=hand, before=self.insert_before))
        return (*self.reopening(), HandCorrected(uid=self.uid, hand=hand))

    @cached_property
    def match_after(self) -> Match | Refused:
        """The match with the hand, or why the hand is refused; raises `MatchClosed`."""
        try:
            return preview(self.match, self.change)
        except Refused as refused:
            return refused

    @property
    def result(self) -> HandResult | None:
        """The result of the hand; `None` where it is refused. Raises `MatchClosed`."""
        return self.match_after.state.results[self.index - 1] if isinstance(self.match_after, Match) else None

    def differing_result(self, shown: str) -> Fault | None:
        """Return a fault if the result of the hand is not the one that its form has `shown`; else `None`."""
        result = self.result if shown and not self.input.thrown_in else None
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
        """Return a fault if the cards, entered later for a hand with points, make other points; else `None`."""
        state = self.match.state
        last = state.last_scored
        if not (state.question and last and last.score and last.position == self.index and self.hand.corrects):
            return None
        now = self.result.score if self.result and self.result.hand.taken is not None else None
        if now is None or now.points == last.score.points:
            return None
        make, were = scores_text(now.points, self.names), scores_text(last.score.points, self.names)
        why = f"These cards make {make}, and the points were {were}. Change the cards, or correct the points first."
        return Fault("taken", "against_the_count", why)


def shown_result(result: HandResult) -> str:
    """Return the changes of the scores as the form posts them: "s1:1 s2:3"."""
    return " ".join(f"{side}:{points}" for side, points in result.deltas.items())


# ---------- the next hand, on other pages ----------


def drafted_entry(match: Match, draft: HandDraft) -> HandEntry:
    """Return the entry of the next hand with what its draft has so far."""
    return HandEntry(match, HandInput.parse(dict(draft.fields), match.setup.ids))


def describe_draft(match: Match, draft: HandDraft) -> tuple[SideView, str]:
    """Return the bid of the hand in progress, after the side that made it: "Ann bid 3 ♥"."""
    entry = drafted_entry(match, draft)
    bidder, suit = entry.hand.contract.bidder or "", SUIT_SIGNS.get(entry.input.trump, "")
    return entry.side_of(bidder), joined(f"{entry.name(bidder)} bid {bid_word(entry.hand.contract.bid)}", suit)
