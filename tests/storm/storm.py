"""A match in a storm: what its phones do, and whether some order of their posts explains what is there afterwards."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from tests.storm.model import NOBODY, OF_HANDS, PITCH, Fate, Kind, Match, Outcome, Post, State, Table
from tests.storm.orders import explained
from tests.storm.phones import Answer, Browser, Lost, Phone, Sheet, enter_pin, hands_of, sheet_of

HOUSE_OPTION, HOUSE_ANSWERS = "low", ("captured", "held", "kept")


SEATS = ("", "p2", "p1", "", "p4")
"""Who the phones belong to, in the order in which they join."""
MOST = 40
"""Matches that may be."""
MAX_GHOSTS = 4
MIN_SHOWN = 12
"""Hands on the page of a match, where it has as many or more."""


class Broken(AssertionError):
    """A promise was broken."""


def at_once(jobs: Sequence[tuple[object, Callable[[], Answer]]], *, is_in_turn: bool = False) -> list[Answer | None]:
    """Send posts at the same moment, or in turn, and return their answers; `None` where none came."""

    def send(job: tuple[object, Callable[[], Answer]]) -> Answer | None:
        post, act = job
        try:
            answer = act()
        except Lost:
            return None
        if answer.status >= 500:
            raise Broken(f"{answer.status} for {post}: {answer.page.text[:500]}")
        return answer

    if len(jobs) < 2 or is_in_turn:
        return [send(job) for job in jobs]
    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(send, jobs))


Run = tuple[Match, list[tuple[str, int]]]
"""A match after some posts, with the phones and hands of the questions on the way."""


@dataclass(frozen=True)
class Sent:
    """A post that was sent, with its answer; `None` where that was lost."""

    post: Post
    answer: Answer | None
    may_be_unseen: bool = False
    """Whether the server may not have got it."""


@dataclass
class Storm:
    """A match with its phones."""

    new_browser: Callable[[], Browser]
    table: Table = PITCH
    home: str = ""
    """Where it is, if there is a second one."""
    is_in_turn: bool = False
    """Whether posts of one moment are sent one after the other: what is played again has to come out the same."""
    phones: list[Phone] = field(default_factory=list)
    elsewhere: list[Phone] = field(default_factory=list)
    """Phones whose real pages are opened elsewhere."""
    matches: list[Match] = field(default_factory=list)
    """What the match may be: of two phones that say the same at once, either may have been first."""
    questioned: dict[str, set[int]] = field(default_factory=dict)
    """By phone, the hands that a question was about, or that it had entered as they are."""
    again: list[tuple[Phone, Post, str, dict[str, str]]] = field(default_factory=list)
    """Forms whose answer was lost, to be sent once more."""
    ghosts: list[Sent] = field(default_factory=list)
    """The latest posts that may reach the server yet: a busy one reads what was cut a while later."""
    steps: int = 0
    acknowledged: int = 0
    questions: int = 0
    keys: int = 0
    names: int = 0
    log: list[str] = field(default_factory=list)

    # ---------- the match and its phones ----------

    def begin(self) -> None:
        """Start a match on a phone."""
        browser, address = self.new_browser(), f"/new/{self.table.game}"
        self.matches = [Match(self.table)]
        form = browser.get(f"{address}?seats={len(self.table.players)}").form(address)
        chairs = [name for name in form.fields if name.startswith("seat-")]
        players = dict(zip(chairs, self.table.players, strict=False))
        rules = {"other-target": str(self.table.target), "house-all_pass": "dealer_forced"}
        fields = {**form.fields, **players, **rules, "do": "start"}
        path = urlsplit(browser.post(form.action, fields).location).path
        self.add("owner", browser, path, fields["csrf_token"])

    def add(self, role: str, browser: Browser, path: str, token: str, *, link: int = 1) -> Phone:
        """Add a phone that has a link to the match."""
        name = f"{self.home}{role} {len(self.phones)}".removesuffix(" 0")
        self._add(Phone(name, browser, path, role, token, self.new_key, link))
        return self.phones[-1]

    def _add(self, phone: Phone) -> None:
        self.phones.append(phone)
        self.questioned[phone.name] = set()

    def invite(self, role: str) -> tuple[Answer, str]:
        """Invite a phone; return the page of the invitation, and the path that it joins at."""
        form = self._room().form("/room/invite")
        shown = self.owner.browser.post(form.action, {**form.fields, "role": role})
        invited = self.owner.browser.get(shown.location)
        (url,) = set(re.findall(r"https?://[^\s\"<]+/join/[\w-]+", invited.text))
        return invited, urlsplit(url).path

    def join(self, role: str) -> Phone:
        """Let another phone in."""
        browser, links, (invited, address) = self.new_browser(), self._links(), self.invite(role)
        if len(self.phones) % 2:
            address = enter_pin(browser, invited)
        join = browser.get(address).form(address)
        seat = SEATS[len(self.phones) % len(SEATS)]
        path = urlsplit(browser.post(join.action, {**join.fields, "seat": seat or NOBODY}).location).path
        (link,) = self._links() - links
        return self.add(role, browser, path, join.fields["csrf_token"], link=link)

    def _links(self) -> set[int]:
        return {int(number) for number in re.findall(r"/room/(\d+)", self._room().text)}

    def _room(self) -> Answer:
        return self.owner.browser.get(f"{self.owner.path}room")

    @property
    def match(self) -> Match:
        """What the match is, or may be."""
        return self.matches[0]

    @property
    def owner(self) -> Phone:
        """The phone that started the match."""
        return self.phones[0]

    def new_key(self) -> str:
        """Return a key as a phone makes one."""
        self.keys += 1
        return f"made-by-a-phone-{self.home}{self.keys}"

    def give_role(self, phone: Phone, role: str) -> None:
        """Let a phone score or only watch, or remove it; `back` lets it in again."""
        if phone is self.owner or role == phone.role:
            return
        do = {"gone": "end", "back": "reopen"}.get(role, role)
        if (role == "back") != (phone.role == "gone"):
            return
        token = self._room().form("/room/invite").fields
        answer = self.owner.browser.post(f"{self.owner.path}room/{phone.link}", {**token, "do": do})
        if answer.status >= 400 or not answer.location:
            raise Broken(f"{do} was refused for {phone.name}: {answer.status} {answer.page.text[:300]}")
        # One that is let in again may do what it could before.
        if role == "gone":
            phone.was, phone.role = phone.role, "gone"
        else:
            phone.role = phone.was if role == "back" else role

    def play_again(self, *, is_twice: bool) -> None:
        """Start the next match with those who sit here now, as often as the form is sent, and go on with that one."""
        code = self.owner.path.strip("/").rpartition("/")[2]
        form = self.owner.browser.get(f"/new/again/{code}").form(f"/new/{self.table.game}")
        fields = {**form.fields, "do": "start"}
        self.steps += 1 + is_twice
        answers = [self.owner.browser.post(form.action, fields) for _ in range(1 + is_twice)]
        found = {urlsplit(answer.location).path for answer in answers}
        if len(found) > 1 or not found - {self.owner.path}:
            raise Broken(f"One form began {found}")
        chairs = [name for name in fields if name.startswith("seat-")]
        self.table = replace(self.table, players=tuple(fields[chair] for chair in chairs))
        owner = replace(self.owner, path=found.pop(), pages=[], outbox=[], sent=[])
        self.matches, self.phones, self.questioned, self.again, self.ghosts = [Match(self.table)], [], {}, [], []
        self._add(owner)
        self.audit([])

    # ---------- posts ----------

    def change_of(self, phone: Phone, kind: Kind, pick: int) -> tuple[Post, str, dict[str, str]] | None:
        """Open the page that a change is made on, and fill it in; `None` where there is nothing to change."""
        state, path = self.match.state, phone.path
        post = Post(key="", phone=phone.name, role=phone.role, kind=kind, version=state.version)
        extra: dict[str, str] = {}
        page, address, seat = "", kind.value, self.table.seats[pick % len(self.table.seats)]
        match kind:
            case Kind.REMOVAL:
                if not state.rows:
                    return None
                post = replace(post, uid=state.rows[pick % len(state.rows)].uid)
                page = address = f"history/{post.uid}/remove"
            case Kind.RETURN:
                gone = [row.uid for row in state.every if row.is_gone]
                if not gone:
                    return None
                post = replace(post, uid=gone[pick % len(gone)])
                page, address = "history", f"history/{post.uid}/return"
            case Kind.RENAME:
                post, page = replace(post, who=seat, text=self.new_name()), "names"
                address, extra = page, {f"name-{seat}": post.text}
            case Kind.SIT_IN:
                post, page = replace(post, who=seat, text=self.new_name()), "sits-in"
                address, extra = page, {"who": seat, "name": post.text}
            case Kind.DEAL:
                post, page, extra = replace(post, text=seat), "deal", {"who": seat}
            case Kind.RULES:
                page = address = "rules/change"
            case Kind.DISPUTE | Kind.WITHDRAW | Kind.CONFIRM:
                last = state.every[-3:] if kind is Kind.DISPUTE else ()
                rows = [row for row in state.every if row.disputes or row in last]
                if not rows:
                    return None
                row = rows[pick % len(rows)]
                made = row.made.seq if row.made else 0
                post, address = replace(post, uid=row.uid), f"history/{row.uid}/dispute"
                extra = {"made": str(made - (pick % 7 == 6)), "says": kind.value}
            case Kind.STOP | Kind.DELETE:
                page = kind.value
            case _:
                pass
        answer = phone.browser.get(f"{path}{page}")
        form = next((form for form in answer.forms if urlsplit(form.action).path == f"{path}{address}"), None)
        if form is None:
            # A page that may not be opened: it is sent all the same, as from one that lay open before.
            fields = {"csrf_token": phone.token, "version": str(state.version), "client_key": self.new_key()}
        else:
            fields = {**form.fields}
        if kind is Kind.RULES:
            if form is None:
                return None
            others = [answer for answer in HOUSE_ANSWERS if answer != fields[f"rule-{HOUSE_OPTION}"]]
            post = replace(post, who=HOUSE_OPTION, text=others[pick % len(others)])
            extra = {f"rule-{HOUSE_OPTION}": post.text, "do": "save"}
        fields.setdefault("client_key", self.new_key())
        version = int(extra.get("made", fields.get("version", 0)))
        post = replace(post, key=fields["client_key"], version=version)
        return post, f"{path}{address}", {**fields, **extra}

    def new_name(self) -> str:
        """Return a name that nobody has had."""
        self.names += 1
        return f"Guest{self.home}" + "".join("abcdefghij"[int(digit)] for digit in str(self.names))

    def act(self, phone: Phone, kind: Kind, pick: int, *, is_lost: bool = False) -> None:
        """Change something by its own page."""
        if made := self.change_of(phone, kind, pick):
            self.deliver([(phone, *made, is_lost)])

    def deliver(self, posts: Sequence[tuple[Phone, Post, str, dict[str, str], bool]]) -> None:
        """Send forms at once, lose the answers of some, and look whether all is explained."""
        jobs = []
        for phone, post, url, fields, is_lost in posts:
            jobs.append((post, lambda p=phone, u=url, f=fields: p.browser.post(u, f), is_lost))
            if is_lost:
                self.again.append((phone, post, url, fields))
        self.audit(self._sent(jobs))

    def whisper(self, phone: Phone, address: str, fields: dict[str, str]) -> None:
        """Send what writes nothing, and look whether it has."""
        with suppress(Lost):
            answer = phone.browser.post(f"{phone.path}{address}", fields)
            if answer.status >= 500:
                raise Broken(f"{answer.status} for {address}: {answer.page.text[:500]}")
        self.steps += 1
        self.audit([])

    def send_again(self, pick: int) -> None:
        """Send a form again whose answer was lost, as the phone may now."""
        if self.again:
            phone, post, url, fields = self.again.pop(pick % len(self.again))
            self.deliver([(phone, replace(post, role=phone.role), url, fields, False)])

    def flush(self, phones: Sequence[Phone], lost: Sequence[bool], twice: Sequence[bool]) -> None:
        """Let outboxes send what waits, all at once; some answers are lost, and some posts go out twice."""
        going = [(phone, entry) for phone in phones if (entry := phone.next_to_send())]
        jobs, entries = [], []
        for (phone, entry), is_lost, is_twice in zip(going, lost, twice, strict=False):
            entry = replace(entry, post=replace(entry.post, role=phone.role))
            for is_last in (False, True) if is_twice else (True,):
                jobs.append((entry.post, lambda p=phone, e=entry: p.send(e), is_lost or not is_last))
                entries.append((phone, entry, is_last))
        done = self._sent(jobs)
        for (phone, entry, is_last), sent in zip(entries, done, strict=True):
            if is_last:
                phone.note(entry, sent.answer)
        if done:
            self.audit(done)

    def _sent(self, jobs: Sequence[tuple[Post, Callable[[], Answer], bool]]) -> list[Sent]:
        self.steps += len(jobs)
        answers = at_once([(post, act) for post, act, _ in jobs], is_in_turn=self.is_in_turn)
        return [
            Sent(post, None if is_lost else answer, may_be_unseen=answer is None)
            for (post, _, is_lost), answer in zip(jobs, answers, strict=True)
        ]

    # ---------- what is there ----------

    def audit(self, sent: Sequence[Sent]) -> None:
        """Find an order of the posts that explains their answers and all that is seen; raises `Broken`."""
        for delivery in sent:
            self.log.append(f"{delivery.post} -> {_described(delivery.answer)}")
        seen = self._look()
        if any(delivery.may_be_unseen for delivery in (*sent, *self.ghosts)):
            # A post whose connection was cut may be written at this very moment.
            while (again := self._look()) != seen:
                seen = again
        reasons: dict[str, None] = {}
        found: dict[Match, None] = {}
        sure = [delivery for delivery in sent if not delivery.may_be_unseen]
        unsure = [*(delivery for delivery in sent if delivery.may_be_unseen), *self.ghosts]
        self.ghosts = [*(delivery for delivery in sent if delivery.may_be_unseen), *self.ghosts][:MAX_GHOSTS]
        runs: list[Run] = [(match, []) for match in self.matches]
        for match, questioned in explained(
            runs, sure, unsure, lambda run, delivery: self._after(run, delivery, reasons)
        ):
            if why := self._differs(seen, match.state):
                reasons[why] = None
                continue
            found[match] = None
            for phone, uid in questioned:
                self.questioned[phone].add(uid)
        if found:
            self.matches = [*found][:MOST]
            self.acknowledged += sum(
                delivery.answer is not None and delivery.answer.named_event is not None for delivery in sent
            )
            self.questions += sum(
                delivery.answer is not None and delivery.answer.settles is not None for delivery in sent
            )
            return
        lines = ["No order of the posts explains what became of them:", *self.log[-40:], "", *reasons]
        raise Broken("\n".join(lines))

    def record(self) -> dict[str, Any]:
        """Download the match."""
        record: dict[str, Any] = json.loads(self.owner.browser.get(f"{self.owner.path}record.json").text)
        return record

    def _look(self) -> "Seen":
        """Open the pages of the owner and of one other phone, by turns, and download the match."""
        others = [phone for phone in self.phones[1:] if phone.role != "gone"]
        looking = [self.owner, *others[self.steps % max(len(others), 1) :][:1]]
        answers = {phone.name: phone.browser.get(phone.path) for phone in looking}
        if any(urlsplit(form.action).path.endswith("/restore") for form in answers[self.owner.name].forms):
            return Seen({}, {})
        sheets = {name: sheet_of(answer) for name, answer in answers.items()}
        for phone in looking:
            if sheets[phone.name].has_verdict:
                hands = hands_of(phone.browser.get(f"{phone.path}history"))
                sheets[phone.name] = replace(sheets[phone.name], hands=hands)
        return Seen(sheets, self.record())

    def _after(self, run: "Run", sent: Sent, reasons: dict[str, None]) -> "Iterator[Run]":
        """Yield the match after one more post, if that explains its answer."""
        match, questioned = run
        outcome = match.outcome(sent.post)
        if _may_be_nothing(sent, match):
            yield run
        if why := _disagrees(sent, outcome, match):
            reasons[why] = None
            return
        if outcome.about:
            questioned = [*questioned, (sent.post.phone, outcome.about.uid)]
        if outcome.fate is Fate.WRITTEN:
            if why := self._goes_behind(match, sent.post, questioned):
                reasons[why] = None
                return
            match = match.after(sent.post)
        yield match, questioned

    def _goes_behind(self, match: Match, post: Post, questioned: Sequence[tuple[str, int]]) -> str:
        """Return the fault of a new hand behind one that its phone knew neither by a page nor by a question."""
        if post.kind is not Kind.NEW or post.before is not None:
            return ""
        known = self.questioned[post.phone] | {uid for phone, uid in questioned if phone == post.phone}
        unseen = [row.uid for row in match.behind(post) if row.uid not in known]
        # A question that is still open is about the hand that has its index by now.
        phone = next(phone for phone in (*self.phones, *self.elsewhere) if phone.name == post.phone)
        undecided = sum(entry.is_taken for entry in phone.outbox if entry.state == "asks")
        if len(unseen) > undecided:
            return f"{post} goes in behind hand {unseen[-1]}, which its phone had not seen"
        return ""

    def _differs(self, seen: "Seen", state: State) -> str:
        """Return in what all that phones see is other than the match has to be; empty where it is the same."""
        if state.is_deleted or not seen.pages:
            return "" if state.is_deleted and not seen.pages else "whether it is deleted"
        compared = self._compared(seen, state)
        return next(
            (f"{what} is {shown}\n  and not {wanted}" for what, shown, wanted in compared if shown != wanted), ""
        )

    def _compared(self, seen: "Seen", state: State) -> Iterator[tuple[str, object, object]]:
        """Yield what is seen otherwise than it has to be."""
        totals, numbers = state.totals(), state.numbers()
        for name, page in seen.pages.items():
            yield f"the version on {name}", page.version, state.version
            uids = [row.uid for row in state.rows]
            shown = len(page.uids) if len(page.uids) >= MIN_SHOWN else len(uids)
            yield f"the hands on {name}", page.uids, uids[len(uids) - shown :]
            yield f"the score on {name}", page.scores, state.score()
        hands = seen.pages[self.owner.name].hands
        newest = [*zip(state.rows, numbers, totals, strict=False)][len(state.rows) - len(hands) :]
        for hand, (row, hand_number, total) in zip(hands, newest, strict=True):
            text = hand.text
            yield f"whether a phone says that it is wrong in the row {text}", hand.is_disputed, bool(row.disputes)
            if state.winner and row in state.rows[state.played :]:
                yield f"the row {text}", "after the end" in text, True
                continue
            if not row.hand.bidder:
                yield f"the row {text}", "Misdeal" in text, True
                continue
            bid = f"{state.name_in(row.uid, row.hand.bidder)} {row.hand.bid} "
            yield f"whose bid is in the row {text}", bid in text and str(hand_number) in text, True
            if len(total) == 2:
                yield f"the score in the row {text}", hand.totals, [*total.values()]
        yield "the download", [hand for hand in map(_undealt, seen.record["hands"]) if hand], state.record()
        yield "the players", seen.record["players"], [names[0] for names in state.names.values()]
        yield "whether it is stopped", seen.record.get("stopped", False), state.is_stopped


@dataclass(frozen=True)
class Seen:
    """What phones see."""

    pages: dict[str, Sheet]
    """The match on each; none where it is deleted."""
    record: dict[str, Any]


def _undealt(hand: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in hand.items() if name not in ("dealer", "house_on", "note")}


def _may_be_nothing(sent: Sent, match: Match) -> bool:
    """Return whether a post may be left out: a second undo of one phone within a second is one undo."""
    last = match.events[-1].post if match.events else None
    is_quick = (
        sent.post.kind is Kind.UNDO and last is not None and last.kind is Kind.UNDO and last.phone == sent.post.phone
    )
    return is_quick and (sent.answer is None or sent.answer.named_event == match.state.version)


def _disagrees(sent: Sent, outcome: Outcome, match: Match) -> str:
    """Return why an answer is not the one to what has to become of a post; empty where it is."""
    post, answer, version = sent.post, sent.answer, match.state.version
    if answer is None:
        return ""
    named, settles = answer.named_event, answer.settles
    why = f"{post} had to be {outcome.fate}, and was {_described(answer)}"
    if post.kind is Kind.DELETE:
        is_done = "gone=" in answer.location
        return why if is_done == (outcome.fate is Fate.REFUSED) else ""
    match outcome.fate:
        case Fate.WRITTEN | Fate.KNOWN:
            return "" if named == outcome.seq else why
        case Fate.SAME:
            is_hand = post.kind in OF_HANDS
            return "" if named == version or (named is None and not is_hand) else why
        case Fate.REFUSED:
            is_shown = post.kind in (Kind.UNDO, Kind.REDO) and named == version
            return why if settles or (named is not None and not is_shown) else ""
        case Fate.LOST:
            is_explained = settles is not None and "the server no longer has" in answer.page.text
            return "" if answer.status == 409 and is_explained else why
        case Fate.QUESTION:
            row = outcome.about
            assert row
            if answer.status != 409 or settles is None:
                return why
            heading = answer.page.text
            lead = f"hand {outcome.number}"
            if lead not in heading:
                return f"{why}; and the question is not about {lead}"
            if row.is_gone:
                return ""
            theirs = settles.all("section", class_="entered")[0].text
            name = "" if row.hand.is_misdeal else match.state.name_in(row.uid, row.hand.bidder)
            shown = "Misdeal" if row.hand.is_misdeal else f"{name} {row.hand.bid} "
            return "" if shown in theirs else f"{why}; it shows {theirs} instead of {shown}"


def _described(answer: Answer | None) -> str:
    if answer is None:
        return "lost"
    lead = (
        [element.text for element in (*answer.page.all("h2"), *answer.page.chosen(".say.bad"))][:5]
        if answer.text
        else []
    )
    return f"{answer.status} {answer.location} {lead}"
