"""What holds of every rule sheet, whatever is played. Each law yields what is wrong with a sheet, as sentences."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import count

from scorekeeper.pitch.rules.awards import OWN_AWARD_IDS, OffTrump, OneTrump
from scorekeeper.pitch.rules.phrases import NUMBER_WORDS
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.sources import SHEET_SECTIONS
from scorekeeper.pitch.sheets.parts import BLANK, BidRow, Rule
from scorekeeper.pitch.sheets.rule_sheet import RuleSheet, rule_sheet
from scorekeeper.pitch.sheets.sections_before_play import deck_sizes


@dataclass(frozen=True)
class Made:
    """A sheet with the rules that it is made from, and the book's version of them."""

    ruleset: Ruleset
    base: Ruleset

    @cached_property
    def sheet(self) -> RuleSheet:
        """The sheet."""
        return rule_sheet(self.ruleset, self.base)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule and every bid, in order."""
        return self.sheet.rules

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids of all rules, with those of the awards that share one."""
        return tuple(id_ for rule in self.rules for id_ in (rule.id, *rule.also))

    @cached_property
    def texts(self) -> tuple[tuple[str, str], ...]:
        """Every text on the sheet with where it stands, but for the house frame, which names what is not played."""
        sheet = self.sheet
        found = [("aim", sheet.aim)]
        found += [("glance", figure.caption) for figure in sheet.glance]
        found += [("trumps", face.rank) for face in sheet.trumps.other_awards]
        found += [(rule.id, words_of(rule)) for rule in self.rules]
        # What the house dropped may be argued about.
        found += [
            ("argue", f"{question.question} {question.answer}")
            for question in sheet.argued_questions
            if question.mark != "house"
        ]
        for hand in (*sheet.hands, *([sheet.spare_hand] if sheet.spare_hand else [])):
            texts = (hand.title, *hand.story, *hand.sides, *(row.label for row in hand.rows), hand.result)
            found += [("hand", text) for text in texts]
        return tuple(found)

    @cached_property
    def events(self) -> frozenset[tuple[str, str, str]]:
        """The ids, worths and words of all rules."""
        return frozenset(event for rule in self.rules for event in events_of(rule))

    @cached_property
    def house_rules(self) -> frozenset[str]:
        """The ids of the rules that the house changed."""
        return frozenset(rule.id for rule in self.rules if rule.origin.changed or rule.origin.agreed)


def words_of(rule: Rule) -> str:
    """Return all words of a rule."""
    if isinstance(rule, BidRow):
        return f"{rule.bid}: {rule.needs}; {rule.made}; {rule.cost}"
    return f"{rule.lead} {rule.text}".strip()


def events_of(rule: Rule) -> set[tuple[str, str, str]]:
    """Return a rule's id, worth and words; several awards that share a sentence give one entry each."""
    if isinstance(rule, BidRow) or not rule.lead:
        return {(rule.id, "", words_of(rule))}
    worths, ids = rule.lead.removesuffix(":").split(", "), (rule.id, *rule.also)
    if len(worths) == 1:  # of cards that are alike
        worths *= len(ids)
    return {(id_, worth, rule.text) for id_, worth in zip(ids, worths, strict=True)}


Law = Callable[[Made], Iterator[str]]


def every_rule_has_an_origin(made: Made) -> Iterator[str]:
    """A rule comes from the source, a reading, what was agreed, or the house."""
    for rule in made.rules:
        if not rule.origin.is_known:
            yield f"{rule.id} comes from nowhere: {words_of(rule)}"
    for offer in made.sheet.house_frame.offers:
        if not offer.origin.references:
            yield f"an offer comes from nowhere: {offer.text}"


def a_changed_rule_is_the_house_s(made: Made) -> Iterator[str]:
    """What is not as in the book is marked, and nothing in the book is."""
    book = Made(made.base, made.base).events
    for rule in made.rules:
        is_changed = bool(rule.origin.changed or rule.origin.agreed)
        if not is_changed and not events_of(rule) <= book:
            yield f"{rule.id} is not the book's, and not marked: {words_of(rule)}"
        if is_changed and made.ruleset == made.base:
            yield f"{rule.id} is the book's, and marked: {words_of(rule)}"


def numbers_are_in_order(made: Made) -> Iterator[str]:
    """Sections count from 1, their rules from 1.1; no id stands twice; an id begins with its section's."""
    if [section.number for section in made.sheet.sections] != [*range(1, 8)]:
        yield f"the sections are {[section.number for section in made.sheet.sections]}"
    if tuple(section.id for section in made.sheet.sections) != SHEET_SECTIONS[:7]:
        yield f"the sections are {[section.id for section in made.sheet.sections]}"
    if (made.sheet.disputes.number, made.sheet.disputes.id) != (8, SHEET_SECTIONS[7]):
        yield f"tables argue in the section {made.sheet.disputes.number}, {made.sheet.disputes.id}"
    for section in (*made.sheet.sections, made.sheet.disputes):
        numbers = count(1)
        for rule in section.all_rules:
            expected = f"{section.number}.{next(numbers)}"
            if rule.number != expected:
                yield f"{rule.id} is {rule.number}, not {expected}"
            if not rule.id.startswith(f"{section.id}."):
                yield f"{rule.id} is in the section {section.id}"
    yield from (f"{id_} stands {times} times" for id_, times in Counter(made.ids).items() if times > 1)


def the_cards_go_around(made: Made) -> Iterator[str]:
    """No deal takes more cards than the deck has, and where a draw would, the sheet has a rule for it."""
    ruleset, cards = made.ruleset, made.ruleset.cards
    if cards.dealt is None:
        return
    dealing = " ".join(words_of(rule) for rule in made.rules if rule.id.startswith("deal."))
    drawing = " ".join(words_of(rule) for rule in made.rules if rule.id.startswith("trump."))
    for players, deck in deck_sizes(ruleset).items():
        dealt = players * (cards.dealt_six if players == 6 and cards.dealt_six else cards.dealt)
        if dealt > deck:
            is_on_sheet = f"too few cards for {NUMBER_WORDS[players]} players" in dealing
            if made.ruleset == made.base or not is_on_sheet:  # only a house may take cards out that a deal needs
                yield f"{players} players are dealt {dealt} of {deck} cards"
            continue
        needed = _most_drawn(ruleset, players, dealt, deck)
        left = deck - dealt
        if needed and not left and f"{NUMBER_WORDS[players]} players" not in drawing.lower():
            yield f"with {players} players none of the cards is left to draw: {drawing}"
        if needed and not left and "nobody draws" not in drawing:
            yield f"with {players} players nobody draws: {drawing}"
        if 0 < left < needed and "as far as" not in drawing:
            yield f"{players} players may need {needed} cards of {left}: {drawing}"


def _most_drawn(ruleset: Ruleset, players: int, dealt: int, deck: int) -> int:
    """Return how many cards all players together draw at the most."""
    match ruleset.play.draw:
        case "none" | "discard_two":
            return 0
        case "up_to_three" | "discard_three":
            return 3 * (players - (ruleset.cards.trumps_out == "dealer"))  # a dealer who takes the rest draws none
        case "up_to_four":
            return 4 * players
        case "fill_to_six":
            off = sum(
                isinstance(kind, OneTrump) and isinstance(kind.card, OffTrump)
                for award_id, kind in ruleset.kinds.items()
                if award_id in ruleset.in_play
            )
            trumps = len(ruleset.cards.deck_ranks) + ruleset.points.jokers + off
            return 6 * players - max(0, dealt - (deck - trumps))


def every_award_is_explained_once(made: Made) -> Iterator[str]:
    """Each award in play has one rule that names it with its worth; the picture of trumps adds up to the hand."""
    ids = Counter(made.ids)
    for award_id, award in made.ruleset.in_play.items():
        if ids[f"count.{award_id}"] != 1:
            yield f"{award.name} is explained {ids[f'count.{award_id}']} times"
        explained = [
            words_of(rule)
            for rule in made.rules
            if not isinstance(rule, BidRow) and f"count.{award_id}" in (rule.id, *rule.also)
        ]
        if not any(re.search(rf"\b{award.name} {award.points}\b", text) for text in explained):
            yield f"{award.name} is not named with its {award.points}: {explained}"
    others = {f"count.{award_id}" for award_id in made.ruleset.awards if award_id not in made.ruleset.in_play}
    yield from (f"{id_} explains what is not in play" for id_ in made.ids if id_ in others)
    picture = made.sheet.trumps
    faces = [face.value for face in (*picture.cards, *picture.other_awards) if face.value]
    rows = made.ruleset.award_rows.items()
    several = {f"{made.ruleset.awards[award_id].points} each": len(row) for award_id, row in rows if len(row) > 1}
    # A card that may be caught shows both values.
    total = sum(max(map(int, re.findall(r"\d+", value))) * several.get(value, 1) for value in faces)
    if total != made.ruleset.points_per_hand:
        yield f"the trumps show {total} of {made.ruleset.points_per_hand} points"


def _is_alone(ruleset: Ruleset) -> bool:
    return not ruleset.table.partners and not ruleset.table.called and not ruleset.pools_defenders


ABSENT: Mapping[str, Callable[[Ruleset], bool]] = {
    r"\bkitty\b": lambda ruleset: ruleset.play.kitty == "none",
    r"\bwidow\b": lambda ruleset: ruleset.play.kitty == ruleset.play.draw == "none",
    r"\bjokers?\b": lambda ruleset: ruleset.points.jokers == 0,
    r"\b(High|Low) Joker\b": lambda ruleset: ruleset.points.jokers < 2,
    r"\bmoons?\b": lambda ruleset: ruleset.moon.moon == "off",
    r"\bdouble moon\b": lambda ruleset: not ruleset.moon.double_moon,
    r"\bsmudge\b": lambda ruleset: not ruleset.bidding.smudge,
    r"\bpartners?\b": lambda ruleset: not ruleset.table.partners and not ruleset.table.called,
    r"\b(out)?bid(s|der|ders|ding)?\b": lambda ruleset: not ruleset.bidding.auction,
    r"\bburn(s|ed)?\b": lambda ruleset: ruleset.play.burn == "none",
    r"\bdraw(s|n)?\b": lambda ruleset: ruleset.play.draw == "none",
    r"\bsides?\b": _is_alone,
    r"\bteams?\b": lambda ruleset: True,
    r"(?-i:\b(Us|Them)\b)": lambda ruleset: True,
    r"\bcard points\b": lambda ruleset: ruleset.card_points_award is None,
    r"\bcents?\b|¢|\$": lambda ruleset: not ruleset.is_for_money,
    r"\bcount(s|ing)? down\b": lambda ruleset: ruleset.winning.count_down_from is None,
    r"\bin the hole\b": lambda ruleset: ruleset.winning.count_down_from is not None,
}
"""Words, and the rules under which there is no such thing."""
NOBODY_PHRASE = re.compile(r"\bnobody( (bids|discards|draws|burns|or)\b,?)+", re.IGNORECASE)
RULES_OF_ABSENCE = {"bid.none", "count.no_game", "bid.no_smudge", "bid.no_moon", "bid.no_double_moon"}
"""The rules that state that the game has no such thing."""


def nothing_absent_is_named(made: Made) -> Iterator[str]:
    """No sentence speaks of a card, a bid or a thing that this ruleset does not have."""
    called = [
        rf"(?<!\w){re.escape(award.name)}(?!\w)" for name in OWN_AWARD_IDS if (award := made.ruleset.in_play.get(name))
    ]
    for where, words in made.texts:
        is_own = where in made.base.sheet.sentences and made.ruleset != made.base
        if is_own or where in made.house_rules or where in RULES_OF_ABSENCE:
            continue  # a list of cards in the book's own words may hold one that the house took out
        text = re.sub("|".join(called), "·", words) if called else words  # a family may call its own points anything
        for pattern, is_absent in ABSENT.items():
            found = re.search(pattern, NOBODY_PHRASE.sub("", text), re.IGNORECASE)
            if found and is_absent(made.ruleset):
                yield f"{where} names “{found[0]}”: {text}"
        yield from (f"{where} names “{name}”: {text}" for name in _absent_awards(made.ruleset, text))
        yield from (f"{where} counts tricks: {text}" for _ in _wrong_tricks(made.ruleset, text))


def _absent_awards(ruleset: Ruleset, text: str) -> Iterator[str]:
    """Yield the awards that a text names and that are not in play: the longest names first, which hold others."""
    in_play = {award.name for award in ruleset.in_play.values()}
    in_play |= {"High Joker", "Low Joker"} if ruleset.points.jokers == 2 else set()
    names = {award.name: award_id in ("high", "low", "game") for award_id, award in ruleset.awards.items()}
    for name in sorted(names, key=len, reverse=True):
        pattern = rf"\b{name}\b" if names[name] else rf"\b[Tt]he {name}\b|\b{name} \d"
        if name not in in_play and re.search(pattern, text):
            yield name
        text = re.sub(rf"\b{name}\b", "·", text)


def _wrong_tricks(ruleset: Ruleset, text: str) -> Iterator[str]:
    """Yield numbers of tricks that are not those of a hand."""
    played = ruleset.cards.played or ruleset.cards.dealt
    for word in re.findall(r"\b(\w+) tricks\b", text):
        if word in NUMBER_WORDS and (NUMBER_WORDS.index(word) != played or ruleset.play.follow == "trump_only"):
            yield word


def no_sentence_stands_twice(made: Made) -> Iterator[str]:
    """The same sentence does not stand twice on a sheet."""
    rules = [rule for rule in made.rules if not isinstance(rule, BidRow)]
    sentences = Counter(sentence for rule in rules for sentence in re.split(r"(?<=[.?!]) ", words_of(rule)))
    yield from (f"said {times} times: {sentence}" for sentence, times in sentences.items() if times > 1)


UNCLEAN = re.compile(r"[{}]|\bNone\b|\bTrue\b|\bFalse\b|\w_\w|  |\s[.,;]|\.\.|^\s|\s$")
"""Words of the program, and what a gap in a sentence leaves behind."""


def every_text_is_clean(made: Made) -> Iterator[str]:
    """A rule ends as a sentence does, and shows no word of the program; a point of their own is called as they like."""
    own = [award.name for award_id, award in made.ruleset.awards.items() if award_id in OWN_AWARD_IDS]
    theirs = re.compile(BLANK + "".join(rf"|(?<!\w){re.escape(name)}(?!\w)" for name in own))
    for rule in made.rules:
        if not isinstance(rule, BidRow) and not re.search(r"[.?!”]$", rule.text):
            yield f"{rule.id} does not end: {rule.text}"
    for where, text in made.texts:
        if found := UNCLEAN.findall(theirs.sub("·", text)):
            yield f"{where} has {found}: {text}"


RULES_OF_QUESTIONS = {
    "a misdeal": ("deal.wrong_number", "deal.again", "argue.wrong_deal"),
    "a renege": ("play.renege", "argue.renege"),
    "a card out of turn": ("play.out_of_turn", "argue.out_of_turn"),
    "an exposed card": ("play.exposed", "argue.exposed"),
}
"""Questions that come up at every table, with the ids of the rules of which each sheet has exactly one."""


_OF_MISTAKES = ("play.renege", "play.look", "deal.wrong_number")
_PENALTY = re.compile(r"scores? (a|four|20) points?|loses the amount of the bid|stops one point short")
_WHOLE_DECK_OF_TWO = 26
"""The tricks of two players who draw until no card is left: then the deuce is always in play."""


def common_questions_are_answered_once(made: Made) -> Iterator[str]:
    """Each is in a rule of the game or in a line where tables argue, never both; an open one has a blank and a mark."""
    ruleset, low = made.ruleset, made.ruleset.awards["low"]
    expected = dict(RULES_OF_QUESTIONS)
    if ruleset.has_bidding:
        expected["a bid out of turn"] = ("bid.out_of_turn", "argue.bid_out_of_turn")
    bidding = ruleset.bidding
    if "smudge" in ruleset.special_bids and (bidding.dealer_steal, bidding.rounds) == ("yes", "one"):
        expected["a smudge stolen with a smudge"] = ("argue.smudge_steal",)
    if low.on and not ruleset.points.reverse and ruleset.cards.played != _WHOLE_DECK_OF_TWO:
        expected["Low without the deuce"] = ("argue.low_out",)
    if "win.target" in made.ids and any(rule.id in _OF_MISTAKES and _PENALTY.search(rule.text) for rule in made.rules):
        expected["when points for a mistake count"] = ("argue.mistakes",)
    for question, ids in expected.items():
        if len(found := [rule.id for rule in made.rules if not {rule.id, *rule.also}.isdisjoint(ids)]) != 1:
            yield f"{question} is answered {len(found)} times: {found}"
    known = {id_ for ids in expected.values() for id_ in ids}
    yield from (f"nobody asks about {rule.id}" for rule in made.sheet.disputes.all_rules if rule.id not in known)
    for rule in made.rules:
        if rule.origin.is_silent and (BLANK not in rule.text or rule.mark != "open" or rule.origin.references):
            yield f"{rule.id} has no blank, or a source: {rule.text}"


def the_parts_are_whole(made: Made) -> Iterator[str]:
    """One sentence of aim, an example, and questions that lead to a rule."""
    sheet = made.sheet
    if not re.fullmatch(r"[^.?!]+\.", sheet.aim):
        yield f"the aim is not one sentence: {sheet.aim}"
    if not 1 <= len(sheet.hands) <= 2:
        yield f"there are {len(sheet.hands)} worked hands"
    if sheet.spare_hand and sheet.spare_hand.title in {hand.title for hand in sheet.hands}:
        yield f"the spare hand is another of {sheet.spare_hand.title}"
    numbers = {rule.number for rule in made.rules}
    for argued in sheet.argued_questions:
        if argued.number not in numbers | {""}:
            yield f"there is no rule {argued.number}: {argued.question}"
    if len(sheet.argued_questions) > 4:
        yield f"tables argue about {len(sheet.argued_questions)} things"


LAWS: tuple[Law, ...] = (
    every_rule_has_an_origin,
    a_changed_rule_is_the_house_s,
    numbers_are_in_order,
    the_cards_go_around,
    every_award_is_explained_once,
    nothing_absent_is_named,
    no_sentence_stands_twice,
    every_text_is_clean,
    common_questions_are_answered_once,
    the_parts_are_whole,
)
