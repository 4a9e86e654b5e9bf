"""The form of a hand in a match: which hand it is of, the events that save the hand, and its result."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from scorekeeper.eventlog.stream import Refused
from scorekeeper.matches.drafts import HandDraft
from scorekeeper.matches.events import Event, HandAdded, HandCorrected, MatchStream, Resumed, Undeleted
from scorekeeper.matches.fold import Match
from scorekeeper.matches.notices import side_views
from scorekeeper.matches.service import preview_change
from scorekeeper.pages.hand.in_progress import HandInProgress
from scorekeeper.pages.hand.input import HandInput
from scorekeeper.pitch.drawings.markers import SideView
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.scoring.hand import BIDDERS, DEFENDERS, SideId
from scorekeeper.pitch.scoring.match import HandResult
from scorekeeper.pitch.scoring.seats import NAME_SEPARATOR
from scorekeeper.pitch.text.hands import result_words
from scorekeeper.pitch.text.phrases import SUIT_SIGNS, bid_word, join_nonempty, name_with_verb, scores_text

REOPENING_EVENTS: Mapping[str, Event] = {"resume": Resumed(), "restore": Undeleted()}
"""The events that resume a stopped match or restore a deleted one, by the action of the tapped button."""
_DELTA_PATTERN = re.compile(r"(\S+):(-?[0-9]{1,6})(?!\S)")
"""The pattern of one side's change of score in a posted result: "s1:-3"."""


@dataclass(frozen=True)
class HandForm:
    """The form of a hand: of the next one, of a forgotten one inserted before another, or of a corrected one.

    It has the match, the input so far, and the tapped button.
    """

    match: Match
    input: HandInput
    """The input as posted; `hand.input` has it in a mode that this match allows."""
    uid: int | None = None
    """The uid of the corrected hand; `None` if this is no correction."""
    insert_before: int | None = None
    """The uid of the hand before which a forgotten hand is inserted; else `None`."""
    action: str = ""
    """The action of the tapped button, such as `save`; empty without one."""

    @cached_property
    def position(self) -> int:
        """The position of the hand, from 1, among the hands in force, which include those dealt again."""
        uid = self.insert_before if self.uid is None else self.uid
        return self.match.log.hand_position(uid) or len(self.match.log.hands) + 1

    @cached_property
    def hand(self) -> HandInProgress:
        """The hand in progress with this input; not call by call where calls cannot be entered."""
        match, logged = self.match, self.match.log.hand(self.uid) if self.uid is not None else None
        before = match.state_before(self.position) if self.uid is None else match.state_at(self.position)
        hand = HandInProgress(before, self.input, logged.hand if logged else None)
        if self.input.by_auction and not hand.can_enter_calls:
            return replace(hand, input=replace(self.input, by_auction=False, by_points=False))
        return hand

    @property
    def reopening_action(self) -> str:
        """The tapped action `resume` or `restore`; empty if another was tapped or the match is not closed."""
        return self.action if self.action in REOPENING_EVENTS and self.match.closed_reason() else ""

    @property
    def is_next(self) -> bool:
        """Whether this is the next hand of the match, rather than a correction or a forgotten hand."""
        return self.uid is None and self.insert_before is None

    @property
    def closed_reason(self) -> str:
        """Why the match is closed to this hand; empty if it is not.

        `deleted`, `over`, `stopped`, or `asks` if the cards that decide the winner have to be entered. Only a deleted
        match is closed to corrections.
        """
        if self.uid is not None:
            return "deleted" if self.match.log.is_deleted else ""
        return self.match.closed_reason(self.insert_before)

    @property
    def number(self) -> int:
        """The number of the hand as players count, who skip hands that were dealt again."""
        return self.hand.before.next_number

    def number_of_hand_at(self, position: int) -> int:
        """Return the number that players give the hand at `position`, from 1, once this form is saved."""
        redealt = [result.is_redealt for result in self.match.state.results]
        redealt[self.position - 1 : self.position - (self.uid is None)] = [self.hand.to_hand().is_redealt]
        return 1 + redealt[: position - 1].count(False)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The names of sides and players in this hand, by id; an inserted hand has those of the hand before it."""
        return self.match.names_in(self.position - (self.insert_before is not None))

    def name(self, who: str) -> str:
        """Return the name of the side or player with this id in this hand, or the id if it is unknown."""
        return self.names.get(who, who)

    @property
    def deals(self) -> str:
        """Who deals the hand, "Ann deals"; empty if that is not known."""
        return name_with_verb(self.names[self.hand.dealer], "deal") if self.hand.dealer else ""

    @cached_property
    def sides(self) -> Mapping[SideId, SideView]:
        """The sides with their markers in this hand, by id."""
        return side_views(self.match, self.names)

    def side_of(self, who: str) -> SideView:
        """Return the side of this player or with this id, with its marker."""
        return self.sides[self.hand.before.seats.side_of(who) or who]

    @cached_property
    def columns(self) -> Mapping[str, SideView]:
        """The views of the columns that can take points, by their ids: the sides, or `bidders` and `defenders`."""
        if not self.hand.has_roles:
            return {side: self.sides[side] for side in self.hand.columns}
        bidders = SideView(side_id=BIDDERS, name="The bidders", shape=1, letter="B")
        if self.hand.bidding_sides:
            lead, *partners = (self.sides[side] for side in self.hand.bidding_sides)
            bidders = replace(lead, side_id=BIDDERS)
            if partners:
                people = NAME_SEPARATOR.join(side.name for side in (lead, *partners))
                bidders = replace(bidders, name=people, people=people)
        others_shape = 5 if bidders.shape != 5 else 1
        return {
            BIDDERS: bidders,
            DEFENDERS: SideView(side_id=DEFENDERS, name="The others", shape=others_shape, letter="O"),
        }

    @property
    def names_including_columns(self) -> Mapping[str, str]:
        """The names in this hand, within a sentence, of players, sides, and columns such as `bidders`, by id."""
        return {**self.names, **{who: view.name for who, view in self.columns.items()}, DEFENDERS: "the others"}

    # ---- The events, and the result

    def reopening_events(self) -> Sequence[Event]:
        """Return the events that reopen the closed match for this hand, if that was tapped; else none."""
        if not self.reopening_action:
            return ()
        return (REOPENING_EVENTS[self.reopening_action], *((Resumed(),) if self.uid is None else ()))

    def events_to_append(self, _stream: MatchStream) -> Sequence[Event]:
        """Return the events that record the hand, after those that reopen a closed match; raises `HandRefused`."""
        hand = self.hand.to_hand()
        if self.uid is None:
            return (*self.reopening_events(), HandAdded(hand=hand, before=self.insert_before))
        return (*self.reopening_events(), HandCorrected(uid=self.uid, hand=hand))

    @cached_property
    def match_after(self) -> Match | Refused:
        """The match as this hand would make it, or the refusal of the hand; raises `MatchClosed`."""
        try:
            return preview_change(self.match, self.events_to_append)
        except Refused as refused:
            return refused

    @property
    def result(self) -> HandResult | None:
        """The result of the hand if it were saved now; `None` if it is refused. Raises `MatchClosed`."""
        return self.match_after.state.results[self.position - 1] if isinstance(self.match_after, Match) else None

    def changed_result_fault(self, posted_result: str) -> Fault | None:
        """Return a fault if the result is not the one that the save button showed; else `None`.

        There is no fault without a result to compare. Raises `MatchClosed`.
        """
        result = self.result if posted_result and not self.input.thrown_in else None
        if result is None or posted_result == encode_result(result):
            return None
        deltas = {side: int(points) for side, points in _DELTA_PATTERN.findall(posted_result)}
        current_words = f"this hand now comes to {result_words(result, self.names)}. Check it, then tap Save again."
        if deltas.keys() != result.deltas.keys():
            return Fault("", "differs", f"This is not what the button said: {current_words}")
        posted_words = result_words(result._replace(status="scored", deltas=deltas), self.names)
        return Fault("", "differs", f"The button said {posted_words}, but {current_words}")

    def contradicted_points_fault(self) -> Fault | None:
        """Return a fault if the cards entered to decide the winner contradict the stored points; else `None`.

        Raises `MatchClosed`.
        """
        state = self.match.state
        last = state.last_scored
        if not (state.question and last and last.score and last.position == self.position and self.hand.corrected_hand):
            return None
        score = self.result.score if self.result and self.result.hand.taken is not None else None
        if score is None or score.points == last.score.points:
            return None
        points, stored = scores_text(score.points, self.names), scores_text(last.score.points, self.names)
        why = f"These cards make {points}, and the points were {stored}. Change the cards, or correct the points first."
        return Fault("taken", "against_the_count", why)


def encode_result(result: HandResult) -> str:
    """Return the changes of the sides' scores in a result as the text of a form field: "s1:1 s2:3"."""
    return " ".join(f"{side}:{points}" for side, points in result.deltas.items())


# ---------- the next hand, on other pages ----------


def form_from_draft(match: Match, draft: HandDraft) -> HandForm:
    """Return the form of the next hand, filled in from its draft."""
    return HandForm(match, HandInput.parse(dict(draft.fields), match.setup.ids))


def describe_draft(match: Match, draft: HandDraft) -> tuple[SideView, str]:
    """Return the bidding side of a draft, and its bid in words: "Ann bid 3 ♥"."""
    form = form_from_draft(match, draft)
    bidder, suit = form.hand.contract.bidder or "", SUIT_SIGNS.get(form.input.trump, "")
    return form.side_of(bidder), join_nonempty(f"{form.name(bidder)} bid {bid_word(form.hand.contract.bid)}", suit)
