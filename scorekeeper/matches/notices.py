"""The texts on the page of a match: title, sides, last change, disputes, rule changes and the next dealer."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from scorekeeper.matches.change_log import describe_event, new_winner_words, phone_words
from scorekeeper.matches.events import HandAdded, HandRemoved
from scorekeeper.matches.fold import Match
from scorekeeper.matches.log import LoggedHand
from scorekeeper.pitch.drawings.markers import SideView, mark_sides
from scorekeeper.pitch.rules.phrases import capitalize, digits, join_words
from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.match import HandResult, MatchState
from scorekeeper.pitch.scoring.outlook import Outlook
from scorekeeper.pitch.text.endings import (
    goal_words,
    held_back_verdict,
    outcome_heading,
    verdict_text,
)
from scorekeeper.pitch.text.hands import (
    bid_words,
    outcome_word,
    redeal_words,
    result_words,
)
from scorekeeper.pitch.text.phrases import (
    DateStyle,
    Names,
    bid_word,
    changes_text,
    group_by_key,
    join_nonempty,
    name_with_verb,
    opponents_text,
)
from scorekeeper.pitch.text.rule_changes import changed_rule_sentences
from scorekeeper.pitch.text.standing import hand_payment_sentences, opening_verb, standing_text


def side_views(match: Match, names: Names | None = None) -> Mapping[SideId, SideView]:
    """Return the name and marker of every side, keyed by side id; `names` defaults to `match.names`."""
    return mark_sides(match.state.seats, names or match.names, match.markers)


def side_view_of(match: Match, who: str) -> SideView | None:
    """Return the side with the id `who`, or that of the seat with this id; `None` if there is neither."""
    return side_views(match).get(match.setup.side_of(who))


def match_title(match: Match) -> str:
    """Return the title of a match or, without one, the names of its sides: "Ann & Cal v. Bea & Dan"."""
    return match.title or opponents_text(match.state.seats.ids, match.names)


def rules_words(state: MatchState) -> str:
    """Return the name of the rules and their goal: "Partnership Pitch, to 21"."""
    return f"{state.ruleset.name}, {goal_words(state.ruleset)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A notice above the scores; its icon and its buttons follow from its kind."""

    kind: str
    """What the notice is about: the kind of the last event, "removal", or another word, "thrown_in", "disputed"."""
    lead: str
    """The first sentence, which stands out: "Hand 6 is saved."."""
    text: str
    """The sentences after `lead`; may be empty."""
    uid: int = 0
    """The uid of the hand that its buttons are about; 0 for none."""
    version: int = 0
    """In the notice of a dispute, the `seq` of the last event about the disputed hand; else 0."""


def last_change_notice(match: Match) -> Notice | None:
    """Return the notice of the last event; `None` without events, or for an event that has no notice."""
    if not match.log.events:
        return None
    event = match.log.events[-1]
    data = event.data
    if isinstance(data, HandAdded):
        return _saved_hand_notice(match, event.seq)
    texts = describe_event(match, event, match.log)
    text = texts.second_sentence
    if texts.is_about_scores:
        before = match.before_last_change()
        new_winner = new_winner_words(before.state, match.state, match.names) if before else ""
        text = join_nonempty(f"Score: {standing_text(match.state, match.names)}.", new_winner)
    removed_uid = data.uid if isinstance(data, HandRemoved) else 0
    return Notice(kind=data.kind, lead=texts.sentence, text=text, uid=removed_uid) if texts.sentence else None


def all_passed_words(match: Match) -> str:
    """Return sentences on the last hand if everyone passed in it and nothing was scored; else an empty text.

    Empty as well once the match has ended.
    """
    last = match.state.results[-1] if match.state.results and match.state.goes_on else None
    if not last or last.status != "thrown_in" or last.changes_scores or last.hand.thrown_in in ("misdeal", "ran_out"):
        return ""
    return "Everyone passed. Nobody has to bid here, and nothing is scored."


def _saved_hand_notice(match: Match, uid: int) -> Notice | None:
    """Return the notice that a hand was saved or thrown in; `None` if it is not in force."""
    result = match.result(uid)
    if result is None:
        return None
    names = match.names_in(result.position)
    if result.ended_unplayed:
        text = f"{result_words(result, names)}."
        return Notice(kind="thrown_in", lead=f"{bid_words(result, names)}.", text=text)
    if result.status == "thrown_in":
        return Notice(kind="thrown_in", lead="Redeal.", text=f"{capitalize(redeal_words(result, names))}.")
    payments_text = "; ".join(hand_payment_sentences(result, names))
    return Notice(
        kind="hand", lead=f"Hand {result.number} is saved.", text=f"{payments_text}." if payments_text else ""
    )


def dispute_notices(match: Match, own_uids: Collection[int]) -> tuple[Notice, ...]:
    """Return a notice of each hand that this phone disputes; `own_uids` are the uids of these hands.

    If this phone disputes none, return a notice of the first hand that any phone disputes.
    """
    disputed_hands = match.log.disputed_hands
    own_disputed_hands = [hand for hand in disputed_hands if hand.uid in own_uids]
    return tuple(
        _dispute_notice(match, hand, is_own=bool(own_disputed_hands))
        for hand in own_disputed_hands or disputed_hands[:1]
    )


def _dispute_notice(match: Match, hand: LoggedHand, *, is_own: bool) -> Notice:
    """Return the notice of a disputed hand; `is_own` is whether the viewer's phone disputes it."""
    result = match.result(hand.uid)
    assert result is not None
    names, outcome = match.names_of(hand), outcome_word(result)
    bid = f"{bid_words(result, names)}{': ' + outcome if outcome else ''}."
    changes = f"{changes_text(result.deltas, names)}." if result.changes_scores else ""
    return Notice(
        kind="withdraw" if is_own else "disputed",
        lead="You said: That’s wrong." if is_own else dispute_words(match, hand),
        text=join_nonempty(f"Hand {result.number}: {bid}", changes),
        uid=hand.uid,
        version=hand.latest.seq,
    )


def dispute_words(match: Match, hand: LoggedHand) -> str:
    """Return which phones dispute a hand: "Mia’s phone: That’s wrong."; empty if none does."""
    if not hand.disputes:
        return ""
    phone_names = [phone_words(match, stamp) for stamp in hand.disputes]
    named_phones, nameless_count = dict.fromkeys(filter(None, phone_names)), phone_names.count("")
    nameless_phones = "a watching phone" if nameless_count == 1 else f"{nameless_count} watching phones"
    return f"{capitalize(join_words([*named_phones, *([nameless_phones] if nameless_count else [])]))}: That’s wrong."


def announcement(match: Match) -> str:
    """Return sentences for a screen reader: the last change, the scores, and who has won and why.

    After a new hand, they also say why a side at the target has not won. Empty without events.
    """
    if not match.log.events:
        return ""
    state, names, event = match.state, match.names, match.log.events[-1]
    result = match.result(event.seq) if isinstance(event.data, HandAdded) else None
    if result:
        change = _spoken_hand(result, match.names_in(result.position))
    else:
        notice = last_change_notice(match)
        change = notice.lead if notice else ""
    heading, reason = outcome_heading(state, names, stopped=False), verdict_text(state, names)
    waiting_verdict = held_back_verdict(state, names) if result and not match.log.is_stopped else ()
    return join_nonempty(
        change,
        f"{standing_text(state, names)}.",
        *waiting_verdict,
        f"{heading}. {reason}" if state.outcome else "",
    )


def share_text(match: Match, title: str) -> str:
    """Return a text to share: a title, the rules and the scores of a match, and who won and why.

    Without a winner, it says how many hands were played.
    """
    state, names = match.state, match.names
    scores = f"{standing_text(state, names)}."
    if not state.outcome:
        hands = f"{digits(state.hands_scored, 'hand')} played" if state.hands_scored else "no hands yet"
        return f"{title}\n{rules_words(state)}: {hands}.\n{scores}"
    heading, reason = outcome_heading(state, names, stopped=False), verdict_text(state, names)
    return f"{title}\n{heading}: {scores}\n{reason}\n{rules_words(state)}."


def _spoken_hand(result: HandResult, names: Names) -> str:
    """Return a sentence on a hand for a screen reader: "Hand 8: Dan bid 3, made."."""
    if result.bidder is None or result.bid is None or result.set_taken_by or result.status == "thrown_in":
        bid = bid_words(result, names)
    else:
        bid = f"{names[result.bidder]} bid {bid_word(result.bid)}"
    outcome = outcome_word(result)
    return f"Hand {result.number}: {bid}{', ' + outcome if outcome else ''}."


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A change of rules from one hand of a match on, with sentences on the new rules."""

    number: int
    """The number by which people call the first hand with the new rules."""
    position: int
    """The position of that hand in the match, from 1; redealt hands count as well."""
    on: str | None
    """The day of the change in ISO 8601; `None` if none was entered."""
    sentences: tuple[str, ...]
    is_on_paper: bool = False
    """Whether the change is an agreed rule that no option covers, so that it changes no score."""

    @property
    def words(self) -> str:
        """The sentences on the new rules, marked if they are on paper only."""
        return " ".join((*self.sentences, "(on paper only)") if self.is_on_paper else self.sentences)

    def sentence(self, dates: DateStyle) -> str:
        """Return the change with its hand and day: "From hand 5 on, Nov 20, 2026: The match is played to 15."."""
        day = f", {dates.full_day(date.fromisoformat(self.on))}" if self.on else ""
        return f"From hand {self.number} on{day}: {self.words}"


def rule_changes(match: Match) -> tuple[RuleChange, ...]:
    """Return the rule changes of a match in order, including rules on paper and changes for the next hand."""
    changes, before, state, log = [], match.rules, match.state, match.log
    hands = [(hand.number, hand.hand.house_on, hand.ruleset) for hand in state.results]
    hands.append((state.next_number, log.pending.house_on, state.ruleset))
    paper_rules = [*(hand.pending.on_paper for hand in log.hands), log.pending.on_paper]
    for position, ((number, day, ruleset), on_paper) in enumerate(zip(hands, paper_rules, strict=True), 1):
        if ruleset is not before and (sentences := changed_rule_sentences(before, ruleset)):
            changes.append(RuleChange(number, position, day, sentences))
        changes += (RuleChange(number, position, rule.on, (rule.text,), is_on_paper=True) for rule in on_paper)
        before = ruleset
    return tuple(changes)


def rule_changes_by_position(match: Match) -> dict[int, list[RuleChange]]:
    """Return the rule changes of a match, keyed by the position of the first hand with the new rules."""
    return group_by_key((change.position, change) for change in rule_changes(match))


def paper_rule_sentences(match: Match, dates: DateStyle) -> list[str]:
    """Return a sentence for each rule on paper: "From hand 5 on, Nov 20, 2026: No talking. (on paper only)"."""
    return [rule.sentence(dates) for rule in rule_changes(match) if rule.is_on_paper]


def rule_change_notices(match: Match, dates: DateStyle) -> Iterator[Notice]:
    """Yield a notice of the rule changes for the next hand; once the match has ended, yield one of all rule changes."""
    changes = rule_changes(match)
    next_hand_changes = [change.words for change in changes if change.position > len(match.state.results)]
    if changes and (match.state.outcome or match.log.is_stopped):
        hands = join_words([f"hand {number}" for number in dict.fromkeys(change.number for change in changes)])
        sentences = " ".join(change.sentence(dates) for change in changes)
        yield Notice(kind="new_rules", lead=f"The rules changed with {hands}.", text=sentences)
    elif next_hand_changes:
        yield Notice(kind="new_rules", lead="New from this hand on:", text=" ".join(next_hand_changes))


_SEAT_WORDS = ("You", "Left of you", "Your partner", "Right of you")
"""What the player in the first seat calls each of four seats without names, clockwise."""


def dealer_words(match: Match, prospects: Outlook) -> tuple[str, str]:
    """Return who deals the present or next hand, and who bids or leads first: ("Ann deals hand 8.", "Bea bids first.").

    If the dealer is not known, the first is "Hand 8 is next.". The second may be empty.
    """
    number, first_verb = match.state.current_number, opening_verb(match.state.ruleset)
    if prospects.dealer is None:
        return f"Hand {number} is next.", ""
    if (dealing_seat := _find_dealing_seat(match, prospects.dealer)) is None:
        opening_sentence = (
            f"{match.names[prospects.first_bidder]} {first_verb}s first." if prospects.first_bidder else ""
        )
        return f"{name_with_verb(match.names[prospects.dealer], 'deal')} hand {number}.", opening_sentence
    deals, opens = (
        f"{_SEAT_WORDS[seat]} {verb}{'s' if seat else ''}"
        for seat, verb in ((dealing_seat, "deal"), ((dealing_seat + 1) % 4, first_verb))
    )
    return f"{deals} hand {number}.", f"{opens} first."


def _find_dealing_seat(match: Match, dealer: str) -> int | None:
    """Return the index of the seat that deals next, where four players without names sit in two sides.

    `dealer` is the id of the side that deals next. `None` at any other table, or if the first dealer is not known.
    """
    first_chair = next((side.unnamed for side in match.setup.sides if side.id == match.setup.first_dealer), 0)
    partner_table_sizes = [players for players, sides in match.state.ruleset.table.partners.items() if sides == 2]
    if match.pronouns != "we" or not first_chair or partner_table_sizes != [4]:
        return None
    # Only sides are known: each change of the dealing side means that the deal has passed one seat to the left.
    dealers = [match.setup.first_dealer, *(result.dealer for result in match.state.results), dealer]
    return (first_chair - 1 + sum(side != next_side for side, next_side in pairwise(dealers))) % 4
