"""The sentences of who won and why, read word by word and held against the scores that they speak of."""

import re
from collections.abc import Callable, Iterable, Iterator

from scorekeeper.pitch.rules.phrases import award_name
from scorekeeper.pitch.scoring.match import MatchState
from scorekeeper.pitch.scoring.order import counts_in_order
from scorekeeper.pitch.scoring.standing import comparable, has_reached_target, target_of
from scorekeeper.pitch.text.endings import verdict_sentence
from scorekeeper.pitch.text.phrases import Names

Check = Callable[..., bool]
NUMBER = r"([−]?\d+)"
WIN = "(?:win|wins)"
HAVE = "(?:have|has)"
WERE = "(?:were|was)"


def untrue(state: MatchState, names: Names, *, stopped: bool = False) -> Iterator[str]:
    """Yield what is not true of a verdict, or cannot be read."""
    said = verdict_sentence(state, names, stopped=stopped)
    rest, facts = said, _Facts(state, names)
    while rest:
        for pattern, check in facts.sentences():
            found = re.match(pattern, rest)
            if found:
                if not check(*found.groups()):
                    yield f"{found.group(0)!r} is not true in {said!r}"
                rest = rest[found.end() :].lstrip()
                break
        else:
            yield f"{rest!r} cannot be read in {said!r}"
            return


def number(text: str) -> int:
    return int(text.replace("−", "-"))


class _Facts:
    def __init__(self, state: MatchState, names: Names) -> None:
        self.state = state
        self.last = state.last_scored
        self.ruleset = self.last.ruleset if self.last and not state.goes_on else state.ruleset
        self.side = {names[side]: side for side in state.scores}
        self.target = target_of(self.ruleset)
        self.winners = {names[side] for side in state.outcome.winners} if state.outcome else set()
        self.names = names

    # --- what is true, told from the hands alone ---

    def score(self, name: str) -> int:
        return self.state.scores[self.side[name]]

    def before(self, name: str) -> int:
        assert self.last
        return self.last.scores[self.side[name]] - self.last.deltas[self.side[name]]

    def has_reached(self, score: int) -> bool:
        return has_reached_target(self.ruleset, score)

    @property
    def at_target(self) -> set[str]:
        return {name for name in self.side if self.has_reached(self.score(name))}

    @property
    def bidders(self) -> list[str]:
        sides = self.last.hand_sides if self.last else None
        return [self.names[side] for side in sides.bidders] if sides else []

    @property
    def made(self) -> bool | None:
        return self.last.score.made if self.last and self.last.score else None

    @property
    def may_win(self) -> set[str]:
        """Those for whom every clause holds."""
        return {name for name in self.at_target if not self.lacks(name)}

    def lacks(self, name: str) -> bool:
        winning, has_made = self.ruleset.winning, bool(self.made) and name in self.bidders
        set_sides = self.was_set
        return (
            (winning.win_rule == "made_bid" and not has_made)
            or (winning.defenders_stop_at_one and not has_made and not (set_sides and name not in set_sides))
            or (bool(winning.win_by) and self.leads_by(name) < (winning.win_by or 0))
        )

    @property
    def was_set(self) -> list[str]:
        if self.last and self.last.set_taken_by:
            side = self.state.seats.side_of(self.last.set_taken_by)
            return [name for name, it in self.side.items() if it == side]
        return self.bidders if self.made is False else []

    def leads_by(self, name: str) -> int:
        mine = comparable(self.ruleset, self.score(name))
        return min((mine - comparable(self.ruleset, self.score(it)) for it in self.side if it != name), default=10**6)

    def is_best(self, names: Iterable[str], among: Iterable[str]) -> bool:
        best = max(comparable(self.ruleset, self.score(name)) for name in among)
        return all(comparable(self.ruleset, self.score(name)) == best for name in names)

    def reached(self, name: str) -> bool:
        return name in self.at_target and not self.has_reached(self.before(name))

    def called(self, name: str) -> bool:
        calls = (self.last.hand.auction if self.last else None) or ()
        side_of = self.state.seats.side_of
        return any(call != "pass" and side_of(who) == self.side[name] for who, call in calls)

    def wins(self, text: str) -> bool:
        return set(self.listed(text)) == self.winners

    def listed(self, text: str) -> list[str]:
        found = re.findall(self.one, text)
        assert found, text
        return found

    @property
    def one(self) -> str:
        return f"(?:{'|'.join(re.escape(name) for name in sorted(self.side, key=len, reverse=True))})"

    @property
    def some(self) -> str:
        return f"({self.one}(?:, {self.one})*(?: and {self.one})?)"

    # --- the sentences ---

    def sentences(self) -> list[tuple[str, Check]]:
        """Return every sentence with what has to hold of the words in it."""
        one, some, so_wins = f"({self.one})", self.some, rf"so {self.some} {WIN}"
        so = rf"{so_wins} with {NUMBER}\."
        had = r"(?:\d+ or more|0 or less)"
        bid = r"(\w+(?: \w+)?)"
        return [
            (rf"{some} bid {bid}, .+?, and {HAVE} {NUMBER}\.", self.is_winning_bid),
            (rf"{some} {WERE} on the side that bid {bid} and made it, and {HAVE} {NUMBER}\.", self.is_winning_partner),
            (
                rf"{one} bid {bid}, made it, and {HAVE} {NUMBER}: the bidder wins before anyone else\.",
                self.is_winning_bid,
            ),
            (rf"{one} {HAVE} {NUMBER},? but ([^,.]+)\.(?! Play on)", self.is_held_back),
            (rf"{some} {HAVE} {NUMBER} to [^:]+: a lead of (\d+) wins, {so_wins}\.", self.is_lead),
            (
                rf"{some} {HAVE} {NUMBER} and {WIN}: nobody else has (reached )?{NUMBER}(?: or more| or less)?\.",
                self.is_alone,
            ),
            (rf"{some} {HAVE} {NUMBER} and {WIN}\.", lambda who, n: self.wins(who) and self.has(who, n)),
            (
                rf"{some} did not (?:bid this hand|win the bidding), and did not need to: points alone win here\.",
                lambda who: (
                    not set(self.listed(who)) & set(self.bidders) and not self.ruleset.winning.win_rule == "made_bid"
                ),
            ),
            (
                rf"{some} did not (?:bid this hand|win the bidding), and {WIN} because the bid of {one} failed\.",
                lambda who, bidder: (
                    self.wins(who) and not set(self.listed(who)) & set(self.bidders) and [bidder] == self.was_set[:1]
                ),
            ),
            (rf"{some} reached {NUMBER} on the same hand\.", self.is_same_hand),
            (rf"{some} had {had} before this hand(?:, and {some} reached it in this hand)?\.", self.is_earlier),
            (rf"{some} won the bidding, {so}", lambda who, *w: self.is_bidder_first(who) and self.is_win(*w)),
            (
                rf"{some} made the bid, {so}",
                lambda who, *w: (
                    self.is_bidder_first(who) and self.is_win(*w) and not all(map(self.reached, self.may_win))
                ),
            ),
            (
                rf"The bidding side comes first, {so}",
                lambda *w: bool(self.made) and w[0] in self.bidders and self.is_win(*w),
            ),
            (rf"{some} {HAVE} the best score of them, {so}", lambda who, *w: self.is_better(who) and self.is_win(*w)),
            (
                rf"Their scores are tied, and {some} had the bid, {so}",
                lambda who, *w: bool(self.made) and set(self.listed(who)) <= set(self.bidders) and self.is_better(w[0]),
            ),
            (
                rf"{some} {WERE} set, so the better score wins: {some}, with {NUMBER}\.",
                lambda lost, *w: self.is_set(lost) and self.is_better(w[0]) and self.is_win(*w),
            ),
            (rf"The better score wins, {so}", lambda *w: self.is_better(w[0]) and self.is_win(*w)),
            (rf"Counted in order: (.+?)\. {some} {WERE} first to reach {NUMBER}\.", self.is_first),
            (
                rf"Counted in order: (.+?)\. {some} (?:{WERE} first to reach|reach) {NUMBER}(?: together)?, "
                rf"and the better score wins, {so_wins}\.",
                lambda steps, who, n, w: self.is_first(steps, who, n) and self.wins(w),
            ),
            (
                rf"Counted in order, {some} (?:reach|reaches) {NUMBER} first, whoever took which point\.",
                lambda who, n: self.wins(who) and number(n) == self.target,
            ),
            (
                rf"Counted in order, nobody reaches {NUMBER} before {some}, and the better score wins, {so}",
                lambda n, who, *w: number(n) == self.target and self.wins(who) and self.is_win(*w),
            ),
            (
                rf"{some} {HAVE} a better score than whoever reached {NUMBER} first, counted in order, {so}",
                lambda who, n, *w: number(n) == self.target and self.wins(who) and self.is_win(*w),
            ),
            (
                rf"{one} had {NUMBER} and reached {NUMBER} with a card turned up, whoever took which point: "
                r"that wins at once, before the hand is played\.",
                lambda who, n, m: self.wins(who) and self.before(who) == number(n) and number(m) == self.target,
            ),
            (
                rf"{one} had {NUMBER}, and .+? makes? {NUMBER}: that wins at once, before the hand is played\.",
                lambda who, n, m: self.wins(who) and self.before(who) == number(n) and self.has_reached(number(m)),
            ),
            (
                rf"{one} had {NUMBER}, and \d+ points? for the others’ mistake makes? {NUMBER}: "
                r"that counts first, and wins\.",
                lambda who, n, m: self.wins(who) and self.before(who) == number(n) and self.has_reached(number(m)),
            ),
            (rf"{some} loses? the match by a renege, {so_wins}\.", lambda who, w: not self.wins(who) and self.wins(w)),
            (
                rf"{one}(?:, who called {some},)? shot the moon and made it: that wins the match"
                rf"(?: for whoever was not below zero)?(?:, {so_wins})?\.",
                lambda who, mate, w: self.is_moon(who, mate) and bool(self.made) and (w is None or self.wins(w)),
            ),
            (
                rf"{one}(?:, who called {some},)? shot the moon and did not make it: that loses the match"
                rf"(?: for {some})?, {so_wins}\.",
                lambda who, mate, _, w: self.is_moon(who, mate) and self.made is False and self.wins(w),
            ),
            (rf"{some} took every point of the hand: that wins the match\.", self.wins),
            (rf"(.+? set .+?): that loses the match, {so_wins}\.", self.is_set_limit),
            (
                rf"(\d+) hands? (?:are|is) played\. {some} {HAVE} the best score, {NUMBER}, "
                rf"and ({WIN}|share the win)\.",
                lambda n, who, score, _: (
                    int(n) == self.state.scored and self.is_best_of_all(who) and self.has(who, score)
                ),
            ),
            (
                rf"{one} bid {bid}(?: with {some})?, took (\d+)(?:: (without|only) ([^.]+)|, but not every trick)?\.",
                self.is_set_bid,
            ),
            # --- nobody has won ---
            (r"Nobody has reached (\d+) yet\.", lambda n: int(n) == self.target and not self.at_target),
            (
                r"Nobody picked an? (?:win rule|target), so no score ends the match\.",
                lambda: self.target is None or True,
            ),
            (r"No score ends this match: [^.]+\.", lambda: self.target is None),
            (
                r"The match goes on: (\d+) of (\d+) hands are played\.",
                lambda n, of: (int(n), int(of)) == (self.state.scored, self.ruleset.winning.hands) and n != of,
            ),
            (
                r"(\d+) hands? (?:are|is) played, and the best scores are tied: play another hand\.",
                lambda n: int(n) == self.state.scored,
            ),
            (
                rf"{some} (?:lead|leads) with {NUMBER}; [^.]+\.",
                lambda who, n: self.is_best_of_all(who) and self.has(who, n),
            ),
            (rf"Everyone is tied at {NUMBER}\.", lambda n: self.has(" and ".join(self.side), n)),
            (
                rf"((?:{one} {HAVE} {NUMBER}(?:, | and |))+), but only a made bid wins\. Play on\.",
                self.is_only_made_bid,
            ),
            (
                rf"((?:{one} {HAVE} {NUMBER}(?:, | and |))+), but a winner needs a lead of (\d+)\. Play on\.",
                self.is_no_lead,
            ),
            (
                rf"((?:{one} {HAVE} {NUMBER}(?:, | and |))+), "
                r"but a win takes a made bid, or a bid of the others that is set\.",
                lambda text, *_: self.names_in(text) == self.at_target and self.ruleset.winning.defenders_stop_at_one,
            ),
            (
                rf"({one} {HAVE} {NUMBER}, but [^.]+)\. "
                r"(?:Only a made bid wins|A winner needs a lead of \d+)\. Play on\.",
                self.are_each_held_back,
            ),
            (r"Play on\.$", lambda: True),
            (
                rf"((?:{one} {HAVE} {NUMBER}(?:, | and |))+), "
                r"but only a made bid wins, and a winner needs a lead of (\d+)\.",
                lambda text, *it: self.names_in(text) == self.at_target and int(it[-1]) == self.ruleset.winning.win_by,
            ),
            (rf"((?:{one} {HAVE} {NUMBER}(?:, | and |))+)\. Play another hand to decide\.", self.is_level),
            (rf"((?:{one} {HAVE} {NUMBER}(?:, | and |))+)(, and [^:]+)?: keep playing until .+\.$", self.is_overtime),
            (
                rf"({one} {HAVE} {NUMBER}, [^.]+)\. "
                r"Keep playing until the bidder makes the bid, is at (?:\d+ or more|0 or less) and leads by (\d+)\.",
                self.is_short_of_lead,
            ),
            (rf"({one} {HAVE} {NUMBER}.*)\. Play on\.$", self.are_held_back),
            (
                r"It depends: who took [^?]+\? Points alone do not say who won\.",
                lambda: self.state.question is not None,
            ),
            (
                r"It depends: who pegged (\d+) first\? The points do not say who won\.",
                lambda n: (
                    self.state.question is not None
                    and int(n) in (self.target, self.last and self.last.ruleset.winning.target)
                ),
            ),
            (rf"{some} pegged it first, and {WIN} with {NUMBER}\.", lambda who, *_: self.wins(who)),
            (
                rf"({self.some} {WIN} with [\w ,]+?(?:, {self.one} with [\w ,]+?)*)\.$",
                self.is_answer,
            ),
            (r"The match stopped[^.]*\.", lambda: True),
            (
                r"Nobody has reached (\d+), and leading does not win\.",
                lambda n: int(n) == self.target and not self.at_target,
            ),
        ]

    # --- what has to hold of one ---

    def has(self, who: str, n: str) -> bool:
        return all(self.score(name) == number(n) for name in self.listed(who))

    def is_win(self, who: str, n: str) -> bool:
        return self.wins(who) and self.has(who, n)

    def is_winning_bid(self, who: str, bid: str, n: str) -> bool:
        assert self.last
        is_bid = str(self.last.bid).replace("_", " ") == bid
        return bool(self.made) and who == self.bidders[0] and is_bid and self.is_win(who, n)

    def is_winning_partner(self, who: str, bid: str, n: str) -> bool:
        assert self.last
        return bool(self.made) and who in self.bidders[1:] and str(self.last.bid) == bid and self.is_win(who, n)

    def is_held_back(self, who: str, n: str, why: str) -> bool:
        """Whether a side at the target that has not won lacks what is said."""
        if not (self.has(who, n) and who in self.at_target and who not in self.winners):
            return False
        if lead := re.fullmatch(r"(?:do|does) not lead by (\d+)", why):
            return self.leads_by(who) < int(lead[1]) == self.ruleset.winning.win_by
        if why in ("were set", "was set", "went set instead of bidding"):
            return who in self.was_set
        if set_as := re.fullmatch(r"bid (.+), took (\d+): set", why):
            assert self.last
            bid = str(self.last.bid).replace("_", " ")
            return [who] == self.was_set[:1] and set_as.groups() == (bid, str(self.last.took))
        if why.endswith("set as the partner"):
            return who in self.was_set[1:]
        if why.endswith("called and did not bid"):
            return who in self.bidders[1:]
        if why == "nobody bid this hand":
            return self.made is None
        if why == "did not win the bidding":
            return who not in self.bidders and self.called(who)
        return why == "did not bid this hand" and who not in self.bidders and not self.called(who)

    def are_held_back(self, text: str, *_groups: str) -> bool:
        """Whether each of several lacks what is said of it; those with the same reason share it."""
        there: set[str] = set()
        for part in re.split(
            r"(?<= lead by \d), and |(?<=set), and |(?<=bid), and |(?<=hand), and |(?<=bidding), and ", text
        ):
            those, _, why = part.partition(" but ")
            for who, n in re.findall(rf"({self.one}) {HAVE} {NUMBER}", those):
                there.add(who)
                if not (self.has(who, n) if not why else self.is_held_back(who, n, why)):
                    return False
                if not why and self.lacks(who):
                    return False
        return there == self.at_target

    def are_each_held_back(self, text: str, *_groups: str) -> bool:
        """Whether each of several at the target, one of whom was set, did what is said of it."""
        there = set()
        for part in text.split("; "):
            found = re.fullmatch(rf"({self.one}) {HAVE} {NUMBER}(?:, but (.+))?", part)
            assert found, part
            there.add(found[1])
            if not self.is_held_back(found[1], found[2], found[3]):
                return False
        return there == self.at_target and bool(self.was_set)

    def is_short_of_lead(self, text: str, *groups: str) -> bool:
        """Whether the bidder made the bid and lacks the lead alone, and the others at the target did not bid."""
        lead = self.ruleset.winning.win_by or 0
        there = set()
        for part in text.split("; "):
            found = re.fullmatch(rf"({self.one}) {HAVE} {NUMBER}(, and made the bid)?, but (.+)", part)
            assert found, part
            who, n, made, why = found.groups()
            there.add(who)
            if made and not (self.made and who == self.bidders[0] and self.leads_by(who) < lead):
                return False
            if not self.is_held_back(who, n, why):
                return False
        return there == self.at_target and int(groups[-1]) == lead

    def is_lead(self, who: str, n: str, lead: str, winner: str) -> bool:
        return self.wins(who) and self.wins(winner) and self.has(who, n) and self.leads_by(who) >= int(lead)

    def is_alone(self, who: str, n: str, reached: str | None, target: str) -> bool:
        others = [name for name in self.side if name != who]
        assert self.last
        was_there = [name for name in others if self.has_reached(self.before(name))]
        return (
            self.is_win(who, n)
            and number(target) == self.target
            and not any(name in self.at_target for name in others)
            and (not reached or not was_there)
        )

    def is_same_hand(self, who: str, n: str) -> bool:
        names = self.listed(who)
        return number(n) == self.target and all(map(self.reached, names)) and set(names) == self.may_win

    def is_earlier(self, who: str, others: str | None) -> bool:
        before, later = self.listed(who), self.listed(others) if others else []
        were = all(self.has_reached(self.before(name)) and name in self.at_target for name in before)
        return were and all(map(self.reached, later)) and {*before, *later} == self.may_win

    def is_bidder_first(self, who: str) -> bool:
        return bool(self.made) and self.wins(who) and who == self.bidders[0]

    def is_better(self, who: str) -> bool:
        return self.is_best(self.listed(who), self.may_win)

    def is_best_of_all(self, who: str) -> bool:
        return self.is_best(self.listed(who), self.side)

    def is_set(self, who: str) -> bool:
        return set(self.listed(who)) <= set(self.was_set) and self.made is not True

    def is_moon(self, who: str, mate: str | None) -> bool:
        return who == self.bidders[0] and set(self.listed(mate) if mate else ()) == set(self.bidders[1:])

    def is_set_limit(self, text: str, winner: str) -> bool:
        times = {"once": 1, "twice": 2}
        limit = self.ruleset.winning.set_limit or 0
        for who, often in re.findall(rf"{self.some} {WERE} set (once|twice|\d+ times)", text):
            n = times.get(often) or int(often.split()[0])
            if any(self.state.sets[self.side[name]] != n or n < limit for name in self.listed(who)):
                return False
        return self.wins(winner)

    def is_set_bid(
        self, who: str, bid: str, mate: str | None, took: str, which: str | None, awards: str | None
    ) -> bool:
        assert self.last
        assert self.last.score
        is_bid = str(self.last.bid).replace("_", " ") == bid
        is_taken = self.last.score.points[self.side[who]] == int(took)
        is_named = awards is None or set(re.split(", | and ", awards)) == self.awards_of(who, which == "only")
        return self.made is False and is_bid and self.is_moon(who, mate) and is_taken and is_named

    def awards_of(self, who: str, is_taken: bool) -> set[str]:
        """Return the points that a side took in the last hand, or those that it did not."""
        assert self.last
        assert self.last.taken
        assert self.last.hand_sides
        mine = self.last.hand_sides.group_of(self.side[who])
        took = {award for award, group, _ in self.last.taken.awards if group == mine}
        return {award_name(self.last.ruleset, it) for it in self.last.ruleset.in_play if (it in took) == is_taken}

    def is_first(self, steps: str, who: str, n: str) -> bool:
        assert self.last
        assert self.last.score
        standing = {side: self.before(name) for name, side in self.side.items()}
        racing = {self.side[name] for name in self.may_win if self.reached(name)}
        for _, counted in counts_in_order(self.ruleset, standing, self.last.score.lines):
            there = {self.names[side] for side in racing if self.has_reached(counted[side])}
            if there:
                return there == set(self.listed(who)) and number(n) == self.target
        return False

    def names_in(self, text: str) -> set[str]:
        return {who for who, n in re.findall(rf"({self.one}) {HAVE} {NUMBER}", text) if self.has(who, n)}

    def is_only_made_bid(self, text: str, *_: str) -> bool:
        names = self.names_in(text)
        # A bid that was made before the target was lowered to that score has not won.
        target = target_of(self.last.ruleset) if self.last else self.target
        return names == self.at_target and not any(
            self.made and name in self.bidders and self.score(name) >= (target or 0) for name in names
        )

    def is_no_lead(self, text: str, *groups: str) -> bool:
        lead = int(groups[-1])
        return self.names_in(text) == self.at_target and all(self.leads_by(it) < lead for it in self.at_target)

    def is_level(self, text: str, *_: str) -> bool:
        """Whether several may win: they reached the target at once, or have the same best score."""
        return self.names_in(text) == self.at_target

    def is_answer(self, text: str, *_: str | None) -> bool:
        """Whether it names everybody who may have won, each with points that were asked for."""
        question = self.state.question
        if question is None:
            return False
        asked = {award_name(self.ruleset, it) for it in question.awards}
        said = re.findall(rf"({self.one}) (?:{WIN} )?with (.+?)(?=, {self.one} with |$)", text)
        are_asked = all(set(re.split(", | and | or ", awards)) <= asked for _, awards in said)
        return are_asked and {who for who, _ in said} == {self.names[side] for side in question.winners}

    def is_overtime(self, text: str, *groups: str | None) -> bool:
        why = groups[-1]
        if self.names_in(text) != self.at_target:
            return False
        bidder = self.bidders[0] if self.bidders else None
        if why and re.search("(neither|none of them) was the bidder", why):
            return bidder not in self.at_target
        if why and "the bidder was set" in why:
            return bidder in self.at_target and self.made is False
        return not why
