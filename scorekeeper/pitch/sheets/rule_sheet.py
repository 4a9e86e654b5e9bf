"""The rule sheet: numbered rules in the order of play, below a head of figures and a row of trumps.

The page of the rules and the printed sheet both show a `RuleSheet`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from scorekeeper.pitch.rules import phrases
from scorekeeper.pitch.rules.awards import (
    CARD_POINTS,
    JOKERS_BY_NUMBER,
    RANK_NAMES,
    AwardId,
    CaughtTrump,
    GamePoint,
    HighestTrump,
    Joker,
    LowestTrump,
    OffTrump,
    Trump,
    TrumpCard,
    trump_name,
)
from scorekeeper.pitch.rules.groups.winning import has_end
from scorekeeper.pitch.rules.library import SOURCES_BY_NUMBER
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.share_codes import fingerprint
from scorekeeper.pitch.rules.sources import Citation, parse_citations
from scorekeeper.pitch.sheets.house_frame import argued_questions, house_frame, mark_changes
from scorekeeper.pitch.sheets.parts import (
    ArguedQuestion,
    Figure,
    HouseFrame,
    Rule,
    Section,
    SectionId,
    SheetWriter,
    TrumpFace,
    TrumpPicture,
    WorkedHand,
    has_interpretations,
    money_or_blank,
)
from scorekeeper.pitch.sheets.sections_before_play import (
    bid_rules,
    deal_rules,
    deck_sizes,
    has_draw_or_kitty,
    players_rules,
    trump_rules,
)
from scorekeeper.pitch.sheets.sections_of_play import count_rules, play_rules, win_rules
from scorekeeper.pitch.sheets.worked_hands import spare_hand, worked_hands

_SECTIONS: tuple[tuple[SectionId, str, Callable[[SheetWriter], Iterator[Rule]]], ...] = (
    ("players", "Players and cards", players_rules),
    ("deal", "Deal", deal_rules),
    ("bid", "Bid", bid_rules),
    ("trump", "Trump and draw", trump_rules),
    ("play", "Play", play_rules),
    ("count", "Count", count_rules),
    ("win", "Win", win_rules),
    ("argue", "Where tables argue", lambda _: iter(())),  # its rules are all in the data
)
"""The sections in order: the id, the title, and the function that yields the rules.

A variant may add rules of its own to each.
"""
_MAX_OTHER_NAMES_LENGTH = 50
"""The most characters of the game's other names, which share one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSheet:
    """The rule sheet of a ruleset, for the screen and for paper."""

    title: str
    other_names: str
    """Other names of the game, as many as fit on a line: "Setback, High-Low-Jack"."""
    based_on: str
    """The name of the published game, if the house rules have a name of their own; else empty."""
    aim: str
    """The aim of the game in one sentence."""
    glance: tuple[Figure, ...]
    """The figures at the head of the sheet."""
    trumps: TrumpPicture
    sections: tuple[Section, ...]
    """The sections on the game itself, in the order of play; `disputes` is apart."""
    hands: tuple[WorkedHand, ...]
    """The worked hands: a usual one, then one that shows the most surprising rule; either may be missing."""
    spare_hand: WorkedHand | None
    """One more worked hand, printed if the page has room."""
    tally: tuple[str, ...]
    """The column heads of a small table to keep score in: `("Bidder", "Bid", "", "")`, with "" for each side."""
    argued_questions: tuple[ArguedQuestion, ...]
    disputes: Section
    """The section of rules for disputes, with a blank where the sources are silent."""
    house_frame: HouseFrame
    house_number: int = len(_SECTIONS) + 1
    """The number of the section on house rules, which is the last one."""
    sources: tuple[Citation, ...]
    """The documents that the rules are from, the main source first."""
    fingerprint: str
    """Eight characters that are equal for equal rules: "7KQ2-MX4D"."""

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules of the sheet in its order, including those in `disputes`."""
        return _rules_in((*self.sections, self.disputes))

    @property
    def has_interpretations(self) -> bool:
        """Whether a rule, a question or an offer is an interpretation."""
        return has_interpretations(self.rules) or self.house_frame.has_interpretations


def rule_sheet(ruleset: Ruleset, base: Ruleset | None = None) -> RuleSheet:
    """Return the rule sheet of a ruleset; differences from `base`, its published version, are marked."""
    base = base or ruleset
    writer = SheetWriter(ruleset, base)
    sections = _write_sections(writer)
    if writer.changed:
        sections = mark_changes(sections, _write_sections(SheetWriter(base, base)), writer)
    *of_the_game, disputes = _number_sections(sections)
    return RuleSheet(
        title=ruleset.name,
        other_names=_other_names(ruleset),
        based_on=base.name if ruleset.name != base.name else "",
        aim=_aim_sentence(ruleset),
        glance=(
            _players_figure(ruleset),
            _deck_figure(writer),
            _dealt_figure(ruleset),
            _points_figure(writer),
            _end_figure(writer),
        ),
        trumps=_trump_picture(writer),
        sections=tuple(of_the_game),
        hands=(hands := worked_hands(ruleset)),
        spare_hand=spare_hand(ruleset, hands),
        tally=(*(("Bidder", "Bid") if ruleset.has_bidding else ("Dealer",)), *[""] * ruleset.table.max_sides),
        argued_questions=argued_questions(writer, _rules_in(of_the_game)),
        disputes=disputes,
        house_frame=house_frame(writer),
        sources=parse_citations(base.source, SOURCES_BY_NUMBER),
        fingerprint=fingerprint(ruleset),
    )


def numbered_rules(ruleset: Ruleset, base: Ruleset) -> tuple[Rule, ...]:
    """Return all rules of a ruleset's sheet, in order and with their numbers; `base` is its published version.

    Unlike on a whole sheet, `mark_changes` has added nothing to their origins.
    """
    return _rules_in(_number_sections(_write_sections(SheetWriter(ruleset, base))))


def _write_sections(writer: SheetWriter) -> tuple[Section, ...]:
    """Return all sections with their rules, before `_number_sections` numbers them."""
    sections: list[Section] = []
    for section_id, title, write_rules in _SECTIONS:
        earlier_ids = {rule_id for rule in _rules_in(sections) for rule_id in (rule.id, *rule.also)}
        title = "Trump" if section_id == "trump" and not has_draw_or_kitty(writer.ruleset) else title
        sections.append(
            Section(section_id, title, writer.with_added_rules(section_id, write_rules(writer), earlier_ids))
        )
    return tuple(sections)


def _rules_in(sections: Iterable[Section]) -> tuple[Rule, ...]:
    """Return all rules of `sections`, in order."""
    return tuple(rule for section in sections for rule in section.all_rules)


def _number_sections(sections: Iterable[Section]) -> Iterator[Section]:
    """Yield the sections numbered from 1, and the rules in each numbered "1.1", "1.2"."""
    for number, section in enumerate(sections, 1):
        rules = (replace(rule, number=f"{number}.{position}") for position, rule in enumerate(section.all_rules, 1))
        yield replace(section, number=number, all_rules=tuple(rules))


def _other_names(ruleset: Ruleset) -> str:
    """Return as many other names of the game as fit on a line, separated by commas."""
    names = list(ruleset.also)
    while names and len(", ".join(names)) > _MAX_OTHER_NAMES_LENGTH:
        names.pop()
    return ", ".join(names)


def _aim_sentence(ruleset: Ruleset) -> str:
    points = phrases.count_words(ruleset.points_per_hand, "point")
    if not ruleset.has_bidding or ruleset.given_awards:
        many = "many points" if ruleset.given_awards else f"many of the {points}"
        return f"Take as {many} in each hand as you can, and {_win_phrase(ruleset)}."
    who = "you"
    if ruleset.table.called:
        who = "you and the partner you call"
    elif ruleset.table.partners:
        who = f"{'you or ' if ruleset.table.most else ''}your {phrases.side_word(ruleset)}"
    bid = f"Bid how many of the {points} in a hand {who} will take"
    if ruleset.pays_by_hand:
        each = money_or_blank(ruleset.money.cents_per_point)
        paid = f"each other player pays you {each} a point bid if you do, and you pay each of them if you do not"
        return f"{bid}: {paid}."
    return f"{bid}, take at least that many, and {_win_phrase(ruleset)}."


def _win_phrase(ruleset: Ruleset) -> str:
    """Return how to win the match, as the end of the aim: "be the first side to reach 21"."""
    winning, side = ruleset.winning, phrases.side_word(ruleset)
    if winning.length == "hands":
        best_score = "lowest" if winning.count_down_from else "highest"
        return f"have the {best_score} score after {phrases.count_words(winning.hands or 0, 'hand')}"
    if ruleset.money.settles == "average":
        return "end above the average score: every point is paid in money"
    if not has_end(ruleset):
        return "have the highest score"
    goal_words = f"reach {winning.target or 'the agreed score'}"
    if winning.count_down_from:
        goal_words = f"go from {winning.count_down_from} down to 0"
    if winning.win_rule == "made_bid":
        whose = f"your own {side} makes" if ruleset.table.partners else "you yourself make"
        return f"{goal_words} on a bid that {whose}"
    return f"be the first {side} to {goal_words}" if winning.win_rule else goal_words


def _players_figure(ruleset: Ruleset) -> Figure:
    """Return the figure on how many play and how they form sides: "4", "players, partners opposite"."""
    table = ruleset.table
    paired_counts = sorted(table.partners)
    range_text = _range_text(table.fewest, table.most)
    if table.called:
        return Figure(range_text, "players; the bidder calls a partner")
    if table.open:
        range_text = _range_text(min([*paired_counts, table.fewest or 8]), max([*paired_counts, table.most]))
        return Figure(range_text, "players, you pick the sides")
    if not paired_counts:
        return Figure(range_text, "players, each alone")
    if table.most:
        counts_in_pairs = phrases.join_words([phrases.number_word(number) for number in paired_counts], "or")
        range_text = _range_text(min(*paired_counts, table.fewest), max(*paired_counts, table.most))
        if range_text == str(table.most):
            return Figure(range_text, "players, each alone or in pairs")
        if not any(table.fewest <= number <= table.most for number in paired_counts):
            return Figure(range_text, f"players, each alone, but {counts_in_pairs} in pairs")
        return Figure(range_text, f"players, each alone; {counts_in_pairs} may pair up")
    return Figure(phrases.join_words(map(str, paired_counts), "or"), f"players, {_partners_words(table.partners)}")


def _partners_words(side_counts: dict[int, int]) -> str:
    """Return how players form sides: "partners opposite", "three against three".

    `side_counts` has the number of sides, keyed by the number of players: `{4: 2}`.
    """
    (players, sides), *other_side_counts = sorted(side_counts.items())
    side_size = players // sides
    if side_size > 2 and not other_side_counts:
        return " against ".join([phrases.number_word(side_size)] * sides)
    pairs_words = "in pairs, " if other_side_counts else "" if sides == 2 else f"{phrases.number_word(sides)} pairs, "
    return f"{pairs_words}partners opposite"


def _range_text(lowest: int, highest: int) -> str:
    """Return a range of numbers as text: "4", "4 or 5", "4–8"."""
    if lowest == highest:
        return str(highest)
    return f"{lowest} or {highest}" if highest == lowest + 1 else f"{lowest}–{highest}"


def _count_figure(count: str, noun: str, where: str, is_changed: bool) -> Figure:
    """Return the figure on how many things there are somewhere: "4", "points in a hand"; "1", "hand in a match"."""
    return Figure(count, f"{noun}{'' if count == '1' else 's'} {where}", is_changed)


def _deck_figure(writer: SheetWriter) -> Figure:
    """Return the figure on how many and which cards the deck has: "54", "cards, both jokers"."""
    ruleset, sizes = writer.ruleset, deck_sizes(writer.ruleset).values()
    with_jokers = ("", ", one joker", ", both jokers")[ruleset.points.jokers]
    ranks = ruleset.cards.deck_ranks
    ranks_text = f": {' '.join(ranks)}" if len(ranks) < len(RANK_NAMES) else ""
    if ruleset.cards.lowest:
        ranks_text = ", by how many play"
    return Figure(_range_text(min(sizes), max(sizes)), f"cards{with_jokers}{ranks_text}", writer.has_changed("jokers"))


def _dealt_figure(ruleset: Ruleset) -> Figure:
    """Return the figure on how many cards each player is dealt: "6", "cards each, by threes"."""
    cards = ruleset.cards
    if cards.dealt is None:
        return Figure("", "cards each, up to you")
    dealing_note = f", by {phrases.number_word(cards.packets)}s" if cards.packets else ""
    if cards.dealt_six:
        dealing_note = f"; {cards.dealt_six} if six play"
    elif cards.face_down:
        dealing_note = f", {phrases.number_word(cards.face_down)} of them face down"
    return Figure(str(cards.dealt), f"cards each{dealing_note}")


def _points_figure(writer: SheetWriter) -> Figure:
    """Return the figure on how many points a hand has: "4", "points in a hand".

    In a game that also scores before the play, it is on the points of the play.
    """
    ruleset, is_changed = writer.ruleset, bool(writer.changed_awards) or writer.has_changed("game_rule")
    if not ruleset.given_awards:
        return _count_figure(str(ruleset.points_per_hand), "point", "in a hand", is_changed)
    # The points of the deal hardly ever come together; those of the play depend on a card that may be caught.
    most_points = ruleset.points_per_hand - sum(map(ruleset.worth, ruleset.given_awards))
    fewest_points = sum(map(ruleset.worth, ruleset.usual_awards))
    return _count_figure(_range_text(fewest_points, most_points), "point", "in the play, more in the deal", is_changed)


def _end_figure(writer: SheetWriter) -> Figure:
    """Return the figure on how the match ends: "21", "ends the match".

    In a game that no score ends, it is on the money paid for a point.
    """
    ruleset = writer.ruleset
    winning, money = ruleset.winning, ruleset.money
    if winning.length == "hands":
        return _count_figure(str(winning.hands), "hand", "in a match", writer.has_changed("length", "hands"))
    if winning.count_down_from:
        return Figure(str(winning.count_down_from), "down to 0 wins", writer.has_changed("count_down_from"))
    if winning.target:
        return Figure(str(winning.target), "ends the match", writer.has_changed("target"))
    if "target" in ruleset.open_options:
        return Figure("", "ends the match, up to you")
    if cents := money.cents_per_point:
        caption = "for each point bid" if money.settles == "hand" else "for each point"
        amount = f"{cents}¢" if cents < 100 else phrases.money_text(cents)
        return Figure(amount, caption, writer.has_changed("cents_per_point"))
    return Figure("No", "score ends it", writer.has_changed("target"))


TRUMP_SIGN, OFF_SUIT_SIGN = "♠", "♣"
"""The signs of the suit that is trump in the picture, and of the other black suit."""
HIGH_JOKER_SIGN, LOW_JOKER_SIGN = "★", "☆"


def _trump_picture(writer: SheetWriter) -> TrumpPicture:
    """Return the picture of the trumps with their points, of what else scores, and of what counts toward Game."""
    ruleset, game_award = writer.ruleset, writer.ruleset.card_points_award
    cards = [_trump_face(writer, card) for card in _trumps_high_to_low(ruleset)]
    other_awards = tuple(
        TrumpFace(
            phrases.award_row_name(ruleset, award_id),
            "",
            phrases.award_row_worth(ruleset, award_id),
            award_id in writer.changed_awards,
        )
        for award_id in ruleset.award_rows
        if _trump_of_award(ruleset, award_id) is None
    )
    card_points = ", ".join(
        f"{rank} {points}" for rank, points in CARD_POINTS.items() if rank in ruleset.cards.deck_ranks
    )
    caught_sentences = (
        f"{ruleset.in_play[award].name}: {ruleset.worth(award)} for {trump_name(kind.card)} taken from the other side."
        for award in ruleset.replaced_award_by_caught
        if isinstance(kind := ruleset.kinds[award], CaughtTrump)
    )
    return TrumpPicture(
        cards=tuple(reversed(cards) if ruleset.points.reverse else cards),
        other_awards=other_awards,
        card_points=card_points if game_award else "",
        card_points_award=ruleset.game_name,
        caught=" ".join(caught_sentences),
    )


def _trumps_high_to_low(ruleset: Ruleset) -> Iterator[TrumpCard]:
    """Yield the trumps from the highest to the lowest, as in a game that does not reverse them."""
    award_cards = {_trump_of_award(ruleset, award_id) for award_id in ruleset.in_play}
    for rank in ruleset.cards.deck_ranks:
        yield Trump(rank)
        if OffTrump(rank) in award_cards:
            yield OffTrump(rank)
        if rank == (ruleset.cards.deck_ranks[-1] if ruleset.has_lowest_jokers else "J"):
            yield from JOKERS_BY_NUMBER[ruleset.points.jokers]


def _trump_of_award(ruleset: Ruleset, award_id: AwardId) -> TrumpCard | None:
    """Return the trump that an award is for; `None` if that is no fixed card, as for High."""
    kind = ruleset.kinds[award_id]
    if isinstance(kind, GamePoint) and ruleset.points.game_rule == "ten_of_trumps":
        return Trump("10")
    return None if isinstance(kind, HighestTrump | LowestTrump) else ruleset.trump_by_award[award_id]


def _trump_face(writer: SheetWriter, card: TrumpCard) -> TrumpFace:
    """Return the face of a trump in the picture, with the points that the card scores."""
    ruleset, base = writer.ruleset, writer.base
    awards = [award_id for award_id in ruleset.in_play if _trump_of_award(ruleset, award_id) == card]
    published_awards = [award_id for award_id in base.in_play if _trump_of_award(base, award_id) == card]
    rank, sign = _rank_and_sign(card)
    is_changed = not writer.changed_awards.isdisjoint((*awards, *published_awards))
    return TrumpFace(rank, sign, _worth_text(ruleset, awards), is_changed)


def _worth_text(ruleset: Ruleset, awards: Sequence[AwardId]) -> str:
    """Return the points of a card's awards, then those for catching the card if they differ: "1, 3".

    The text is empty for a card that scores nothing.
    """
    caught_card_awards = {
        award_id: ruleset.replaced_award_by_caught[award_id]
        for award_id in awards
        if award_id in ruleset.replaced_award_by_caught
    }
    worth = sum(ruleset.worth(award_id) for award_id in awards if award_id not in caught_card_awards)
    caught_worths = [
        worth - ruleset.worth(card_award) + ruleset.worth(award_id)
        for award_id, card_award in caught_card_awards.items()
    ]
    worth_texts = dict.fromkeys(map(str, (worth, *caught_worths)))
    return ", ".join(worth_texts) if worth or any(caught_worths) else ""


def _rank_and_sign(card: TrumpCard) -> tuple[str, str]:
    """Return the rank and the sign of a trump for the picture: `("J", "♠")`, or `("Hi", "★")` for a joker."""
    match card:
        case Trump(rank):
            return rank, TRUMP_SIGN
        case OffTrump(rank):
            return rank, OFF_SUIT_SIGN
        case Joker.HIGH:
            return "Hi", HIGH_JOKER_SIGN
        case Joker.LOW:
            return "Lo", LOW_JOKER_SIGN
        case Joker.ONLY:
            return "Jo", HIGH_JOKER_SIGN
