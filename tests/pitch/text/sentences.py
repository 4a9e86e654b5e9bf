"""The sentences of who won and why, read word by word and held against the scores that they speak of."""

import re
from collections.abc import Callable, Iterable, Iterator

from scorekeeper.pitch.rules.phrases import award_name
from scorekeeper.pitch.scoring.counting_order import scores_in_counting_order
from scorekeeper.pitch.scoring.match import MatchState
from scorekeeper.pitch.scoring.standing import comparable_score, has_reached_target, target_score
from scorekeeper.pitch.text.endings import verdict_text
from scorekeeper.pitch.text.phrases import Names

Check = Callable[..., bool]
NUMBER = r"([−]?\d+)"
WIN = "(?:win|wins)"
HAVE = "(?:have|has)"
WERE = "(?:were|was)"


def untrue(state: MatchState, names: Names) -> Iterator[str]:
    """Yield what is not true of a verdict, or cannot be read."""
    sentence = verdict_text(state, names)
    rest, events = sentence, _Events(state, names)
    while rest:
        for pattern, check in events.sentences():
            found = re.match(pattern, rest)
            if found:
                if not check(*found.groups()):
                    yield f"{found.group(0)!r} is not true in {sentence!r}"
                rest = rest[found.end() :].lstrip()
                break
        else:
            yield f"{rest!r} cannot be read in {sentence!r}"
            return


def number(text: str) -> int:
    return int(text.replace("−", "-"))


class _Events:
    def __init__(self, state: MatchState, names: Names) -> None:
        self.state = state
        self.last = state.last_scored
        self.ruleset = self.last.ruleset if self.last and not state.goes_on else state.ruleset
        self.side = {names[side]: side for side in state.scores}
        self.target = target_score(self.ruleset)
        self.winners = {names[side] for side in state.outcome.winners} if state.outcome else set()
        self.names = names

    # --- what is true, by the hands alone ---

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
            return [name for name, side_id in self.side.items() if side_id == side]
        return self.bidders if self.made is False else []

    def leads_by(self, name: str) -> int:
        mine = comparable_score(self.ruleset, self.score(name))
        return min(
            (mine - comparable_score(self.ruleset, self.score(other)) for other in self.side if other != name),
            default=10**6,
        )

    def is_best(self, names: Iterable[str], among: Iterable[str]) -> bool:
        best = max(comparable_score(self.ruleset, self.score(name)) for name in among)
        return all(comparable_score(self.ruleset, self.score(name)) == best for name in names)

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
    def several(self) -> str:
        return f"({self.one}(?:, {self.one})*(?: and {self.one})?)"

    # --- the sentences ---

    def sentences(self) -> list[tuple[str, Check]]:
        """Return every sentence with what has to hold of the words in it."""
        one, several = f"({self.one})", self.several
        had = r"(?:\d+ or more|0 or less)"
        bid = r"(\w+(?: \w+)?)"
        have_each = rf"{self.one} {HAVE} {NUMBER[1:-1]}"
        scores = rf"({self.one} {NUMBER[1:-1]}(?:, {self.one} {NUMBER[1:-1]})*(?:; [^.;]+ makes? [^.;]+)+)"
        return [
            (rf"{several} bid {bid}, made it and {HAVE} {NUMBER}\.", self.is_winning_bid),
            (
                rf"{several} {WERE} on the side that bid {bid} and made it, and {HAVE} {NUMBER}\.",
                self.is_winning_partner,
            ),
            (rf"{several} {HAVE} {NUMBER} to [^:]+: a lead of (\d+) wins\.", self.is_lead),
            (rf"{one} bid {bid} and {WERE} set;", self.is_set_bid),
            (rf"{one} went set;", lambda who: [who] == self.was_set),
            (rf"{several} (?:(took|scored) (\d+) and )?{HAVE} {NUMBER}\.(?! (?:The|A|Play|Keep) )", self.is_alone),
            (
                rf"{several} did not have to (bid|win the bidding)\.",
                lambda who, what: (
                    self.wins(who)
                    and not set(self.listed(who)) & set(self.bidders)
                    and self.ruleset.winning.win_rule != "made_bid"
                    and any(map(self.called, self.listed(who))) == (what != "bid")
                ),
            ),
            (rf"{several} reached {NUMBER} on the same hand;", self.is_same_hand),
            (rf"{several} had {had} before this hand(?:, and {several} reached it in this hand)?;", self.is_earlier),
            (rf"{several} had the bid\.", self.is_bidder_first),
            (
                rf"{several} bid and made it\.",
                lambda who: self.is_bidder_first(who) and not all(map(self.reached, self.may_win)),
            ),
            (
                rf"{several} {WERE} on the side that bid\.",
                lambda who: bool(self.made) and who in self.bidders and self.wins(who),
            ),
            (
                rf"their scores are tied, and {several} had the bid\.",
                lambda who: bool(self.made) and set(self.listed(who)) <= set(self.bidders) and self.is_better(who),
            ),
            (
                rf"{several} {WERE} set, and {several} {HAVE} the (?:better|best) score\.",
                lambda lost, who: self.is_set(lost) and self.is_better(who) and self.wins(who),
            ),
            (
                rf"{several} {HAVE} the (better|best) score\.",
                lambda who, which: (
                    self.is_better(who) and self.wins(who) and (which == "best") == (len(self.may_win) > 2)
                ),
            ),
            (
                rf"counted in order, {several} {WERE} first(, and {several} {HAVE} the better score)?\.",
                lambda who, more, winner: self.is_first(who) and self.wins(winner if more else who),
            ),
            (
                rf"counted in order, {several} were there together, and {several} {HAVE} the better score\.",
                lambda who, winner: self.is_first(who) and self.wins(winner),
            ),
            (rf"{scores}\.", self.is_count),
            (
                rf"counted in order, {several} (?:reach|reaches) {NUMBER} first, whoever took which point\.",
                lambda who, n: self.wins(who) and number(n) == self.target,
            ),
            (
                rf"nobody reaches {NUMBER} before {several}, who {HAVE} the better score\.",
                lambda n, who: number(n) == self.target and self.wins(who),
            ),
            (
                rf"{several} {HAVE} a better score than whoever reached {NUMBER} first\.",
                lambda who, n: number(n) == self.target and self.wins(who),
            ),
            (
                rf"{one} had {NUMBER} and reached {NUMBER} with a card turned up, whoever took which point: "
                r"that wins at once\.",
                lambda who, n, m: self.wins(who) and self.before(who) == number(n) and number(m) == self.target,
            ),
            (
                rf"{one} had {NUMBER}, and .+? makes? {NUMBER}: that wins at once\.",
                lambda who, n, m: self.wins(who) and self.before(who) == number(n) and self.has_reached(number(m)),
            ),
            (
                rf"{one} had {NUMBER}, and \d+ points? for the others’ mistake makes? {NUMBER}: that counts first\.",
                lambda who, n, m: self.wins(who) and self.before(who) == number(n) and self.has_reached(number(m)),
            ),
            (rf"{several} loses? the match by a renege\.", lambda who: not self.wins(who)),
            (
                rf"{one}(?:, who called {several},)? shot the moon and made it: that wins the match"
                rf"(?: for whoever was not below zero)?\.",
                lambda who, mate: self.is_moon(who, mate) and bool(self.made),
            ),
            (
                rf"{one}(?:, who called {several},)? shot the moon and did not make it: that loses the match"
                rf"(?: for {several})?\.",
                lambda who, mate, _: self.is_moon(who, mate) and self.made is False,
            ),
            (rf"{several} took every point of the hand: that wins the match\.", self.wins),
            (r"(.+? set .+?): that loses the match\.", self.is_set_limit),
            (
                rf"{several} (?:{HAVE}|share) the best score after (\d+) hands?: {NUMBER}\.",
                lambda who, n, score: (
                    int(n) == self.state.hands_scored and self.is_best_of_all(who) and self.has(who, score)
                ),
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
                lambda n, of: (int(n), int(of)) == (self.state.hands_scored, self.ruleset.winning.hands) and n != of,
            ),
            (
                r"(\d+) hands? (?:are|is) played, and the best scores are tied: play another hand\.",
                lambda n: int(n) == self.state.hands_scored,
            ),
            (
                rf"((?:{have_each}(?: too)?(?:, but [^.;]+)?(?:, | and |; |))+)\."
                r"(?: (The next (?:of them|bid) [^.]+|A winner needs [^.]+|A win takes [^.]+|Play another hand[^.]+"
                r"|Keep playing [^.]+|A side wins only when a hand ends: play the next one)\.)?",
                self.are_held_back,
            ),
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
            (rf"{several} pegged it first\.", self.wins),
            (
                rf"({self.several} {WIN} with [\w ,]+?(?:, {self.one} {WIN} with [\w ,]+?)*)\.$",
                self.is_answer,
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
        """Whether a side at the target has not won for the given reason."""
        if not (self.has(who, n) and who in self.at_target and who not in self.winners):
            return False
        why = re.sub(r"^(?:neither|none of them) (won|bid|leads)", r"did not \1", why)
        why = why.replace("did not won", "did not win").replace("did not leads", "does not lead")
        if lead := re.fullmatch(r"(?:do|does) not lead by (\d+)", why):
            return self.leads_by(who) < int(lead[1]) == self.ruleset.winning.win_by
        if why == "went set instead of bidding":
            return who in self.was_set
        if set_as := re.fullmatch(r"bid (.+) and (?:was|were) set", why):
            assert self.last
            return [who] == self.was_set[:1] and set_as[1] == str(self.last.bid).replace("_", " ")
        if why.endswith("set as the partner"):
            return who in self.was_set[1:]
        if why.endswith("called and did not bid"):
            return who in self.bidders[1:]
        if why == "nobody bid this hand":
            return self.made is None
        if why == "did not win the bidding":
            return who not in self.bidders and self.called(who)
        return why == "did not bid this hand" and who not in self.bidders and not self.called(who)

    def are_held_back(self, text: str, *groups: str | None) -> bool:
        """Whether each side at the target has not won for the given reason, and what wins next is true."""
        named: set[str] = set()
        for part in text.split("; "):
            sides, _, why = part.partition(", but ")
            for who, n in re.findall(rf"({self.one}) {HAVE} {NUMBER}", sides):
                named.add(who)
                if not (self.is_held_back(who, n, why) if why else self.has(who, n)):
                    return False
        then = groups[-1]
        if not self.state.goes_on:
            return bool(named) and named <= self.at_target - self.winners
        assert then
        if then.startswith("A side wins only when a hand ends"):  # as after a change of the target
            return len(self.at_target) == 1
        if then.startswith("The next"):
            return named == self.at_target and self.ruleset.winning.win_rule == "made_bid"
        if lead := re.search(r"lead of (\d+)|leads by (\d+)", then):
            return named == self.at_target and int(lead[1] or lead[2]) == self.ruleset.winning.win_by
        if then.startswith("A win takes"):
            return named == self.at_target and self.ruleset.winning.defenders_stop_at_one
        return named == self.at_target

    def is_lead(self, who: str, n: str, lead: str) -> bool:
        return self.wins(who) and self.has(who, n) and self.leads_by(who) >= int(lead)

    def is_alone(self, who: str, how: str | None, gain: str | None, n: str) -> bool:
        """Whether a side won alone with its score, and took, or scored, so many in the hand."""
        assert self.last
        assert self.last.score
        took = self.last.score.points.get(self.side[who])
        gained = comparable_score(self.ruleset, self.score(who)) - comparable_score(self.ruleset, self.before(who))
        is_gain = gained == int(gain) and (how == "took") == (took == gained) if gain else gained <= 0
        return self.is_win(who, n) and is_gain

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

    def is_set_limit(self, text: str) -> bool:
        times = {"once": 1, "twice": 2}
        limit = self.ruleset.winning.set_limit or 0
        for who, often in re.findall(rf"{self.several} {WERE} set (once|twice|\d+ times)", text):
            n = times.get(often) or int(often.split()[0])
            if any(self.state.sets[self.side[name]] != n or n < limit for name in self.listed(who)):
                return False
        return True

    def is_set_bid(self, who: str, bid: str) -> bool:
        assert self.last
        return [who] == self.was_set[:1] and str(self.last.bid).replace("_", " ") == bid

    def is_first(self, who: str) -> bool:
        return self.counted()[1] == set(self.listed(who))

    def is_count(self, text: str) -> bool:
        """Whether a count is that of the hand, up to the first side at the target."""
        assert self.last
        start, *steps = text.split("; ")
        start_scores = {name: number(n) for name, n in re.findall(rf"({self.one}) {NUMBER}", start)}
        if start_scores != {name: self.before(name) for name in self.side}:
            return False
        last = {name: number(n) for name, n in re.findall(rf"({self.one}) {NUMBER}", steps[-1])} if steps else {}
        counted, first = self.counted()
        return first <= last.keys() and all(counted[name] == score for name, score in last.items())

    def counted(self) -> tuple[dict[str, int], set[str]]:
        """Return the scores where the count of the last hand ends, and who is first at the target there."""
        assert self.last
        assert self.last.score
        standing = {side: self.before(name) for name, side in self.side.items()}
        racing = {self.side[name] for name in self.may_win if self.reached(name)}
        for _, counted in scores_in_counting_order(self.ruleset, standing, self.last.score.lines):
            first = {self.names[side] for side in racing if self.has_reached(counted[side])}
            if first:
                return {self.names[side]: score for side, score in counted.items()}, first
        return {}, set()

    def is_answer(self, text: str, *_: str | None) -> bool:
        """Whether the text names all possible winners, each with awards that the question names."""
        question = self.state.question
        if question is None:
            return False
        open_awards = {award_name(self.ruleset, award_id) for award_id in question.awards}
        answers = re.findall(rf"({self.one}) {WIN} with (.+?)(?=, {self.one} {WIN} with |$)", text)
        are_open = all(set(re.split(", | and | or ", awards)) <= open_awards for _, awards in answers)
        return are_open and {who for who, _ in answers} == {self.names[side] for side in question.winners}
