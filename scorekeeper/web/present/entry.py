"""A hand while it is being entered: where the match stands, and what has been tapped so far."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from scorekeeper.engine.camps import Camps, camps_of
from scorekeeper.engine.contract import Contract
from scorekeeper.engine.hand import BIDDERS, DEFENDERS
from scorekeeper.engine.matches import MatchState
from scorekeeper.engine.scoring import needs_tricks
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.load import LoadedMatch
from scorekeeper.web.contexts.parts import SideView
from scorekeeper.web.forms.calls import Calls, as_said, calls_text
from scorekeeper.web.forms.hand import AUCTION, HandDraft
from scorekeeper.web.present.bidding import Bidding, Spoken, first_dealer, folded
from scorekeeper.web.present.sides import camp_view, side_views


@dataclass(frozen=True)
class Entry:
    """A hand while it is being entered: where the match stood before it, and what has been tapped."""

    match: LoadedMatch
    before: MatchState
    number: int
    draft: HandDraft
    uid: int | None = None
    """The hand that is being corrected."""
    insert_before: int | None = None
    """The hand that this one goes before."""

    @property
    def ruleset(self) -> Ruleset:
        """The rules in force in this hand."""
        return self.before.ruleset

    @cached_property
    def sides(self) -> Mapping[str, SideView]:
        """The sides' markers, by name."""
        return side_views(self.match)

    def side_of(self, who: str) -> SideView:
        """Give the marker of the side that somebody plays for."""
        return self.sides[self.before.seats.side_of(who) or who]

    @property
    def by_counts(self) -> bool:
        """Whether only the counts are entered."""
        return self.draft.by_counts

    @property
    def may_call(self) -> bool:
        """Whether there is a bidding here that can be told call by call."""
        return self.ruleset.bidding.auction and bool(self.before.seats.players)

    @property
    def by_auction(self) -> bool:
        """Whether the bidding is entered call by call."""
        return self.draft.by == AUCTION and self.may_call

    @cached_property
    def calls(self) -> Spoken:
        """The calls that were tapped, by name."""
        return tuple((self.name(who) or who, as_said(said)) for who, said in self.draft.calls)

    @cached_property
    def bidding(self) -> Bidding | None:
        """Where the calls leave the bidding; `None` where there are none to be had, or nobody knows who deals."""
        return folded(self.ruleset, self.before.seats, self.dealer, self.calls) if self.may_call else None

    @property
    def standing_calls(self) -> Calls:
        """The calls as they were tapped, without a last one that may not be made.

        Where more than the last cannot have been, another dealer was said: they stay, in case it was not so.
        """
        calls = self.draft.calls
        is_last = self.bidding is not None and len(self.bidding.calls) == len(calls) - 1
        return calls[:-1] if is_last else calls

    @property
    def is_bidding(self) -> bool:
        """Whether somebody is still to speak, so that nothing after the bidding can be asked."""
        return self.by_auction and not (self.bidding and self.bidding.auction.is_over)

    @property
    def ended_unplayed(self) -> bool:
        """Whether the calls leave nothing to play."""
        return self.by_auction and self.bidding is not None and self.bidding.ended_unplayed

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Who may bid, from the dealer's left: players, or sides where nobody said who sits where."""
        chairs = self.before.seats.chairs
        if self.dealer not in chairs:
            return chairs
        at = chairs.index(self.dealer) + 1
        return (*chairs[at:], *chairs[:at])

    @property
    def dealer(self) -> str | None:
        """Who deals this hand, by name."""
        return self.name(self.draft.dealer) or self.dealer_by_calls or self.before.dealer

    @property
    def knows_dealer(self) -> bool:
        """Whether it is known which player deals, without asking."""
        return (self.dealer_by_calls or self.before.dealer) in self.before.seats.players

    @property
    def dealer_by_calls(self) -> str | None:
        """Which player dealt, as whoever spoke first tells, where nothing else does."""
        seats = self.before.seats
        return None if self.before.dealer in seats.players else first_dealer(seats, self.calls)

    def name(self, who: str) -> str | None:
        """Give the name that an id stands for now."""
        return self.match.names.get(who)

    def id(self, name: str) -> str:
        """Give the id of a name."""
        return self.match.ids.get(name, name)

    @cached_property
    def contract(self) -> Contract:
        """What the bidding came to, as far as it has been tapped."""
        if self.by_auction:
            return self.called
        return Contract(self.name(self.draft.bidder), self.draft.bid_value)

    @cached_property
    def called(self) -> Contract:
        """What the calls came to."""
        if self.bidding is None or not self.bidding.has_bidder:
            return Contract()
        auction = self.bidding.auction
        return Contract(auction.bidder, auction.bid, auction.overtook_pitch)

    @cached_property
    def camps(self) -> Camps:
        """Who counts together in this hand."""
        seats = self.before.seats
        return camps_of(self.ruleset, seats, self.contract.bidder, self.name(self.draft.partner))

    @property
    def has_roles(self) -> bool:
        """Whether points go to the bidders or to all the others, rather than to a side."""
        return self.ruleset.two_camps and len(self.before.seats.sides) > 2

    @cached_property
    def columns(self) -> tuple[tuple[str, SideView], ...]:
        """Who can take a point: what the form posts, and how it looks."""
        if not self.has_roles:
            return tuple((view.side_id, view) for view in self.sides.values())
        if not self.camps.has_bidders:
            blank = SideView(side_id=BIDDERS, name="The bidders", mark=1, letter="B")
            return (BIDDERS, blank), (DEFENDERS, SideView(side_id=DEFENDERS, name="The others", mark=5, letter="O"))
        bidders = camp_view(self.camps.groups[0], self.sides, BIDDERS)
        others = SideView(side_id=DEFENDERS, name="The others", mark=_unlike(bidders.mark), letter="O")
        return (BIDDERS, bidders), (DEFENDERS, others)

    @property
    def bidding_column(self) -> tuple[str, SideView] | None:
        """The column of whoever won the bidding; `None` as long as nobody has."""
        if not self.camps.has_bidders:
            return None
        if self.has_roles:
            return self.columns[0]
        view = self.sides[self.camps.groups[0][0]]
        return view.side_id, view

    @property
    def unplaced(self) -> tuple[str, ...]:
        """The awards that nobody has been given yet; Game is left to the count where there is one."""
        counted = len(self.draft.piles) >= len(self.columns) and self.ruleset.how_won("game") == "card_points"
        return tuple(
            award
            for award in self.ruleset.in_play
            if award not in self.draft.took and not (award == "game" and counted)
        )

    @property
    def needs_partner(self) -> bool:
        """Whether a partner is called in this game."""
        return self.ruleset.table.called

    @property
    def asks(self) -> str:
        """What decides which questions are on the page: a phone that shows others needs the form anew."""
        roles = "/".join(view.name for _, view in self.columns) if self.has_roles else ""
        way = self.draft.by + (f" {self.dealer} {calls_text(self.standing_calls)}" if self.by_auction else "")
        return f"{way}|{'tricks' if self.needs_tricks else ''}|{roles}"

    @property
    def needs_tricks(self) -> bool:
        """Whether the bid asks for every trick."""
        return needs_tricks(self.ruleset, self.contract)


def _unlike(mark: int) -> int:
    return 5 if mark != 5 else 1
