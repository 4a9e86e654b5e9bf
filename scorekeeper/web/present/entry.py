"""The hand entry: the questions that this table's rules ask, with what has been tapped so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from scorekeeper.engine.camps import Camps, camps_of
from scorekeeper.engine.contract import Contract
from scorekeeper.engine.hand import BIDDERS, DEFENDERS, TAKE_SET, Bid
from scorekeeper.engine.matches import MatchState
from scorekeeper.engine.scoring import needs_tricks
from scorekeeper.engine.taken import CARD_POINTS_IN_PACK
from scorekeeper.engine.words import bid_word
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.schema import Award, Ruleset
from scorekeeper.services.load import LoadedMatch
from scorekeeper.web.contexts.hand import (
    AwardRow,
    BidCell,
    BidRow,
    BidView,
    CardFace,
    CardPointField,
    CardPointsView,
    CountsView,
    ExtrasView,
    RestColumn,
    TickCell,
    TicksView,
    TrumpView,
)
from scorekeeper.web.contexts.parts import CheckView, Choice, FaultsView, FaultView, QuestionView, SideView
from scorekeeper.web.forms.hand import ALONE, AWARD_FIELD, COUNT_FIELD, COUNTS, NOBODY, PILE_FIELD, HandDraft
from scorekeeper.web.present.sides import camp_view, side_views

WIDEST_BOARD = 5
"""Steps of a ladder that still fit beside a name."""
MOST_ON_BOARD = 6
"""People whose rows still leave room for the cards."""
MOST_COLUMNS = 3
CALLED_RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")


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
    def sides(self) -> dict[str, SideView]:
        """The sides' markers, by name."""
        return side_views(self.match)

    @property
    def by_counts(self) -> bool:
        """Whether only the counts are entered."""
        return self.draft.by == COUNTS

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
        return self.name(self.draft.dealer) or self.before.dealer

    def name(self, who: str) -> str | None:
        """Give the name that an id stands for now."""
        return self.match.names.get(who)

    def id(self, name: str) -> str:
        """Give the id of a name."""
        return self.match.ids.get(name, name)

    @cached_property
    def contract(self) -> Contract:
        """What the bidding came to, as far as it has been tapped."""
        return Contract(self.name(self.draft.bidder), self.draft.bid_value)

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
        return f"{'tricks' if self.needs_tricks else ''}|{roles}"

    @property
    def needs_tricks(self) -> bool:
        """Whether the bid asks for every trick."""
        return needs_tricks(self.ruleset, self.contract)


def _unlike(mark: int) -> int:
    return 5 if mark != 5 else 1


def bid_view(entry: Entry, faults: Mapping[str, str]) -> BidView | None:
    """Ask who bid, and how much: one tap for both where the ladder is short."""
    ladder = entry.ruleset.ladder
    if not ladder:
        return None
    question = "Who bid, and how much?"
    fault = faults.get("bid") or faults.get("bidder") or ""
    if len(ladder) <= WIDEST_BOARD and len(entry.people) <= MOST_ON_BOARD:
        rows = tuple(_bid_row(entry, who, ladder) for who in entry.people)
        return BidView(question=question, rows=rows, fault=fault)
    people = tuple(
        Choice(value=entry.id(who), label=who, is_chosen=entry.draft.bidder == entry.id(who), side=_side(entry, who))
        for who in entry.people
    )
    has_moon = "moon" in ladder
    return BidView(
        question=question,
        people=people,
        steps=tuple(_step(entry, bid) for bid in ladder),
        hint="moon" if has_moon else "",
        hint_icon="moon" if has_moon else "",
        fault=fault,
    )


def _bid_row(entry: Entry, who: str, ladder: Sequence[Bid]) -> BidRow:
    cells = tuple(
        BidCell(
            value=f"{entry.id(who)}:{bid}",
            label=bid_word(bid),
            spoken=f"{who} {bid_word(bid)}",
            is_word=isinstance(bid, str),
            icon=_MOONS.get(str(bid), ""),
            is_chosen=entry.draft.bidder == entry.id(who) and entry.draft.bid == str(bid),
        )
        for bid in ladder
    )
    return BidRow(name=who, side=_side(entry, who), cells=cells, note="deals" if who == entry.dealer else "")


_MOONS = {"moon": "moon", "double_moon": "moons"}


def _step(entry: Entry, bid: Bid) -> Choice:
    return Choice(
        value=str(bid),
        label=bid_word(bid),
        is_chosen=entry.draft.bid == str(bid),
        icon=_MOONS.get(str(bid), ""),
        spoken=bid_word(bid) if isinstance(bid, str) else "",
    )


def _side(entry: Entry, who: str) -> SideView:
    return entry.sides[entry.before.seats.side_of(who) or who]


def trump_view(entry: Entry, faults: Mapping[str, str]) -> TrumpView:
    """Ask for the suit, which may stay open."""
    return TrumpView(chosen=entry.draft.trump, fault=faults.get("trump", ""))


def questions(entry: Entry, faults: Mapping[str, str]) -> tuple[QuestionView, ...]:
    """Ask what else this game, or this bid, needs."""
    asked = []
    if entry.needs_partner:
        asked += [_called(entry, faults), _partner(entry, faults)]
    if entry.needs_tricks:
        asked.append(_tricks(entry, faults))
    return tuple(asked)


def _called(entry: Entry, faults: Mapping[str, str]) -> QuestionView:
    ranks = [rank for rank in CALLED_RANKS if rank in entry.ruleset.cards.ranks.split()]
    return QuestionView(
        field="called",
        question="Which card was called?",
        note="or skip it",
        choices=tuple(Choice(value=rank, label=rank, is_chosen=entry.draft.called == rank) for rank in ranks),
        fault=faults.get("called", ""),
    )


def _partner(entry: Entry, faults: Mapping[str, str]) -> QuestionView:
    others = [who for who in entry.people if entry.id(who) != entry.draft.bidder]
    choices = [
        Choice(value=entry.id(who), label=who, is_chosen=entry.draft.partner == entry.id(who), side=_side(entry, who))
        for who in others
    ]
    alone = Choice(value=ALONE, label="nobody: alone", is_chosen=entry.draft.partner == ALONE)
    return QuestionView(
        field="partner", question="Who held it?", choices=(*choices, alone), fault=faults.get("partner", "")
    )


def _tricks(entry: Entry, faults: Mapping[str, str]) -> QuestionView:
    who = entry.bidding_column[1].name if entry.bidding_column else "the bidders"
    return QuestionView(
        field="all_tricks",
        question=f"Did {who} take every trick?",
        choices=(
            Choice(value="yes", label="yes, every one", is_chosen=entry.draft.all_tricks == "yes"),
            Choice(value="no", label="no", is_chosen=entry.draft.all_tricks == "no"),
        ),
        fault=faults.get("all_tricks", ""),
    )


def ticks_view(entry: Entry, faults: Mapping[str, str]) -> TicksView:
    """Ask who took what, card by card."""
    heads = tuple(RestColumn(value=value, label=view.name, side=view) for value, view in entry.columns)
    return TicksView(
        rows=tuple(_award_row(entry, award_id, award, faults) for award_id, award in entry.ruleset.in_play.items()),
        columns=(*heads, RestColumn(value=NOBODY, label="Nobody")),
        is_chips=len(entry.columns) > MOST_COLUMNS,
        card_points=_card_points(entry, faults),
    )


def _award_row(entry: Entry, award_id: str, award: Award, faults: Mapping[str, str]) -> AwardRow:
    taker = entry.draft.took.get(award_id, "")
    cells = tuple(
        TickCell(value=value, spoken=view.name, side=view, word=view.name, is_chosen=taker == value)
        for value, view in entry.columns
    )
    nobody = TickCell(value=NOBODY, spoken="nobody", word="nobody", is_chosen=taker == NOBODY)
    worth = f"{award.points} points" if award.points > 1 else ""
    return AwardRow(
        award_id=award_id,
        field=f"{AWARD_FIELD}{award_id}",
        label=award.name,
        spoken=f"{award.name}, {worth or '1 point'}",
        cells=(*cells, nobody),
        note=worth,
        card=_face(award),
        fault=faults.get(f"taken.{award_id}", ""),
    )


def _face(award: Award) -> CardFace:
    match award.card:
        case "high joker" | "joker":
            return CardFace(icon="hij")
        case "low joker":
            return CardFace(icon="loj")
        case "spade":
            return CardFace(rank="A", suit="spades")
        case "count" | "trick":
            return CardFace(icon="cards")
        case card if card.startswith("off "):
            return CardFace(rank=card.removeprefix("off "), suit="off")
        case card:
            return CardFace(rank=card, suit="trump")


def _card_points(entry: Entry, faults: Mapping[str, str]) -> CardPointsView | None:
    if "game" not in entry.ruleset.in_play or entry.ruleset.how_won("game") != "card_points":
        return None
    fault = next((text for field, text in faults.items() if field.startswith("card_points")), "")
    return CardPointsView(
        label="Count for Game",
        fields=tuple(
            CardPointField(
                field=f"{PILE_FIELD}{value}",
                spoken=f"Card points of {view.name}",
                value=entry.draft.piles.get(value, ""),
                side=view,
            )
            for value, view in entry.columns
        ),
        of=f"of {CARD_POINTS_IN_PACK}",
        is_open=bool(entry.draft.piles),
        fault=fault,
    )


def counts_view(entry: Entry, faults: Mapping[str, str]) -> CountsView:
    """Ask only for how many points each took."""
    worth = entry.ruleset.on_offer
    fault = next((text for field, text in faults.items() if field.startswith("points")), "")
    columns = entry.columns
    if entry.ruleset.only_bidder_counts and entry.bidding_column:
        columns = (entry.bidding_column,)
    rows = tuple(
        QuestionView(
            field=f"{COUNT_FIELD}{value}",
            question=view.name,
            choices=tuple(
                Choice(value=str(n), label=str(n), is_chosen=entry.draft.counts.get(value) == str(n), side=None)
                for n in range(worth + 1)
            ),
            fault=fault if i == 0 else "",
        )
        for i, (value, view) in enumerate(columns)
    )
    return CountsView(heading="How many points did each take?", rows=rows, note=f"{worth} in a hand")


def extras_view(entry: Entry) -> ExtrasView:
    """Offer what happens seldom."""
    ruleset, bidding = entry.ruleset, entry.ruleset.bidding
    chairs = entry.before.seats.chairs
    dealer = QuestionView(
        field="dealer",
        question="Who dealt?",
        choices=tuple(
            Choice(value=entry.id(who), label=who, is_chosen=who == entry.dealer, side=_side(entry, who))
            for who in chairs
        ),
    )
    thrown = [Choice(value="misdeal", label="Misdeal")]
    if bidding.auction and bidding.all_pass in ("redeal", None):
        thrown.append(Choice(value="all_passed", label="All passed, deal again"))
    if bidding.auction and bidding.all_pass == "may_take_set" and entry.before.seats.players:
        thrown.append(Choice(value=TAKE_SET, label=f"All passed: {entry.dealer or 'the dealer'} takes the set"))
    pitched = CheckView(
        field="overtook_pitch",
        label="The dealer took the bid over a led card",
        is_checked=entry.draft.overtook_pitch,
    )
    words = ["misdeal", "another dealer"] + (["a led card overtaken"] if bidding.pitching else [])
    return ExtrasView(
        summary=f"Something else: {', '.join(words)}",
        questions=(dealer,),
        checks=(pitched,) if ruleset.bidding.pitching else (),
        thrown_in=tuple(thrown),
        is_open=entry.draft.overtook_pitch
        or bool(entry.draft.dealer and entry.name(entry.draft.dealer) != entry.before.dealer),
    )


def by_field(faults: Sequence[Fault]) -> dict[str, str]:
    """Give the first sentence said about each place of the hand."""
    said: dict[str, str] = {}
    for fault in faults:
        said.setdefault(fault.field, fault.message)
    return said


def faults_view(entry: Entry, faults: Sequence[Fault]) -> FaultsView | None:
    """Say what is to be put right, each with the way to it."""
    if not faults:
        return None
    things = {1: "one thing", 2: "two things", 3: "three things"}.get(len(faults), f"{len(faults)} things")
    items = tuple(FaultView(text=fault.message, target=_target(entry, fault.field)) for fault in faults)
    return FaultsView(heading=f"Not saved yet: {things} to put right", items=items)


def _target(entry: Entry, field: str) -> str:
    """Name the element that a fault is about."""
    head, _, rest = field.partition(".")
    match head:
        case "taken" if rest in entry.ruleset.in_play:
            return f"row-{rest}"
        case "card_points":
            return "card-points"
        case "points":
            return f"{COUNT_FIELD}{entry.columns[0][0]}"
        case "bid" | "bidder" | "auction":
            return "q-bid" if entry.ruleset.ladder else ""
        case "trump" | "partner" | "called" | "dealer":
            return head
        case "all_tricks":
            return "all_tricks" if entry.needs_tricks else ""
        case _:
            return ""
