"""An evening in Chromium: phones with real pages and their own outbox, on a Wi-Fi that comes and goes.

What a phone saves goes into a second outbox here, that of `tests.storm.phones`: each post of the real one has to be
what that one would send, and what becomes of it is looked at like any other post of a storm. The browser of the tests
has no page cache: a page that comes back from one is a page that slept and gets an event about that.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection
from random import Random
from time import monotonic
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, Request, Route

from tests.common.chromium import LAN_HOST
from tests.common.reading import forms_of, read
from tests.storm import weather
from tests.storm.model import PITCH, Hand, Kind, Post
from tests.storm.phones import Answer, Entry, Phone, fields_of, number, post_of
from tests.storm.phones import Page as Sheet
from tests.storm.storm import Broken, Sent, Storm

ACTS_EACH = 45
"""In an evening, before everything that waits is settled."""
LATE = 1.5
"""Seconds after which nothing is sent any more that its phone has let go."""
PATIENCE = 30.0
"""Seconds until what waits has been sent, once there is a network: two tries of an outbox, on a busy machine."""
UNANSWERED = 4000
"""Milliseconds after which a phone shows its copy of a page, however well it is connected."""
_HANDS = re.compile(r"/matches/[^/]+/hands/(?:new|\d+)$")
_EXPECTED = re.compile(
    r"net::ERR_|htmx:|Response Status Error|the server responded with a status of|using link preload"
)
"""Console messages where there is no network, a response has another status, or a busy machine is slow."""

_LEFT = re.compile(
    r"context was destroyed|Cannot find context|interrupted by another|net::ERR_|Frame was detached"
    r"|Access is denied for this document"
)
"""Messages of Playwright where a page was left, or none was loaded."""

SCRIPT = """(() => {
  // What the server sent, before a script of the page has touched it.
  document.addEventListener("readystatechange", () => {
    const form = document.getElementById("hand_form");
    if (form && !window.served) {
      window.served = { ...Object.fromEntries(new FormData(form)), fresh: "fresh" in form.dataset };
    }
  });
  // A page in the browser's page cache neither acts nor hears of others, until it is shown again.
  let isAsleep = false;
  Object.defineProperty(document, "hidden", { get: () => isAsleep });
  addEventListener("storage", (event) => isAsleep && event.stopImmediatePropagation());
  const turn = (name) => dispatchEvent(new PageTransitionEvent(name, { persisted: true }));
  window.sleep = () => { isAsleep = true; turn("pagehide"); };
  window.wake = () => { isAsleep = false; turn("pageshow"); };
})()"""
LOOK = """() => {
  const form = document.getElementById("hand_form"), board = document.getElementById("board");
  const entries = Object.keys(localStorage).filter((key) => key.startsWith("scorekeeper.kept."));
  return {
    fields: form && Object.fromEntries(new FormData(form)),
    action: form?.action ?? "",
    served: window.served ?? null,
    filled: form?.dataset.filled ?? null,
    draft: document.querySelector("#draft [data-draft]")?.dataset.draft ?? "",
    settles: document.querySelector("[data-settles]:not([hidden])")?.dataset.settles ?? "",
    version: board ? Number(board.getAttribute("hx-get").match(/[?&]v=(\\d+)/)[1]) : -1,
    scores: Object.fromEntries(
      [...document.querySelectorAll("#board [data-score]")].map((it) => [it.dataset.score, it.textContent.trim()])
    ),
    offers: [...document.querySelectorAll("#outbox [data-key]")].flatMap((it) =>
      [...it.querySelectorAll("[data-outbox]")].map((button) => [it.dataset.key, button.dataset.outbox])
    ),
    kept: entries.map((key) => JSON.parse(localStorage.getItem(key)).key),
  };
}"""
FILL = """(fields) => {
  for (const [name, value] of Object.entries(fields)) {
    const its = [...document.querySelectorAll(`#hand_form [name="${name}"]`)];
    const radio = its.find((it) => it.type === "radio" && it.value === value);
    if (radio) radio.click();
    else if (its[0].type !== "hidden") {
      its[0].value = value;
      for (const kind of ["input", "change"]) its[0].dispatchEvent(new Event(kind, { bubbles: true }));
    }
  }
}"""
IS_COUNTED = "() => !document.querySelector('.htmx-request')"
SAVE = """(key) => {
  const button = document.getElementById("main-button"), form = document.getElementById("hand_form");
  if (form?.elements.client_key.value !== key) return "left";
  if (button?.name !== "do" || "leads" in button.dataset) return "";
  const fields = Object.fromEntries(new FormData(form));
  button.click();
  return fields;
}"""
CHOOSE = """([key, place]) => {
  const around = document.querySelector("[data-settles]:not([hidden])");
  if (around?.dataset.settles !== key) return false;
  const forms = around.querySelectorAll("form"), isScore = ({ pathname }) => pathname.endsWith("/");
  const link = [...around.querySelectorAll("a[href]")].find((it) => isScore(it) === (place === forms.length));
  const chosen = forms[place]?.querySelector("button") ?? link;
  chosen?.click();
  return Boolean(chosen);
}"""
TAP = """([key, act]) => {
  const button = document.querySelector(`#outbox [data-key="${key}"] [data-outbox="${act}"]`);
  button?.click();
  return Boolean(button);
}"""


class Navigated(Exception):
    """A page is left before the tap."""


@contextmanager
def _leaving() -> Iterator[None]:
    try:
        yield
    except Error as error:
        if _LEFT.search(error.message):
            raise Navigated from error
        raise


@dataclass
class Device:
    """A phone with a browser: its pages, and what its outbox has to be."""

    context: BrowserContext
    phone: Phone
    is_secure: bool
    """Whether the browser lets it keep copies of pages."""
    tabs: list[Page] = field(default_factory=list)
    is_online: bool = True
    fates: list[str] = field(default_factory=list)
    """What becomes of its next posts: lost `before` the server has them, or `after`."""
    gone: dict[str, tuple[Entry, float]] = field(default_factory=dict)
    """What has left its outbox, by key, and when."""
    posted: set[str] = field(default_factory=set)
    """The keys of all that it has sent."""

    @property
    def entries(self) -> dict[str, Entry]:
        """What waits on it, by key."""
        return {entry.post.key: entry for entry in self.phone.outbox}

    @property
    def can_open(self) -> bool:
        """Whether a page can be opened."""
        return self.is_online or self.is_secure

    def note_gone(self, entry: Entry) -> None:
        """Note that an entry has left the outbox."""
        self.gone[entry.post.key] = entry, monotonic()

    def expected(self, post: Post) -> Entry:
        """Return the entry that a post is of; raises `Broken` for one that nobody has saved, or that is settled."""
        self.posted.add(post.key)
        # The response may have reached a page that was just left: then the form is sent again.
        in_time = {key: entry for key, (entry, when) in self.gone.items() if monotonic() - when < LATE}
        sent = {entry.post.key: entry for entry in self.phone.sent}
        entry = {**in_time, **sent, **self.entries}.get(post.key)
        if entry is None:
            raise Broken(f"{post} was {'let go' if post.key in self.gone else 'never saved'}")
        if entry.post != post:
            raise Broken(f"{post} is sent\nfor {entry.post}")
        return entry


@dataclass
class Evening:
    """A match of phones with real pages and of two that are in process."""

    storm: Storm
    browser: Browser
    url: str
    seed: int
    rng: Random = field(init=False)
    devices: list[Device] = field(default_factory=list)
    console: list[str] = field(default_factory=list)
    faults: list[Exception] = field(default_factory=list)
    entered: set[Hand] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.rng = Random(self.seed)

    def play(self) -> Storm:
        """Let phones join, do random acts, settle everything and check that nothing is lost; raises `Broken`."""
        self.storm.begin()
        self.storm.join("scorer")
        try:
            for host in ("127.0.0.1", LAN_HOST):
                self._join(host)
            for _ in range(ACTS_EACH):
                self._act()
            self._settle()
            self._compare()
        finally:
            for device in self.devices:
                device.context.close()
        return self.storm

    # ---------- phones ----------

    def _join(self, host: str) -> None:
        base_url = f"http://{host}:{urlsplit(self.url).port}"
        context = self.browser.new_context(base_url=base_url, has_touch=True, is_mobile=True)
        context.set_default_timeout(PATIENCE * 1000)
        context.add_init_script(SCRIPT)
        phone = Phone(host, self.storm.owner.browser, "", "scorer", "", str)
        device = Device(context, phone, is_secure=host != LAN_HOST)
        self.devices.append(device)
        self.storm.elsewhere.append(phone)
        self.storm.questioned[phone.name] = set()
        context.route(_HANDS, lambda route: self._bring(device, route))
        tab = self._new_tab(device)
        tab.goto(self.storm.invite("scorer")[1])
        tab.get_by_role("button", name="Join").tap()
        tab.wait_for_selector("#board")
        phone.path = urlsplit(tab.url).path
        if device.is_secure:
            tab.wait_for_function("async () => Boolean((await navigator.serviceWorker.getRegistration())?.active)")
            while not tab.evaluate("() => navigator.serviceWorker.controller !== null"):
                tab.reload()  # a browser that is busy may open a page without its worker

    def _new_tab(self, device: Device) -> Page:
        tab = device.context.new_page()
        tab.on("console", self._listen)
        tab.on("pageerror", lambda error: self.console.append(str(error)))
        device.tabs.append(tab)
        return tab

    def _close(self, device: Device, tab: Page) -> None:
        tab.goto("about:blank")  # what a page sends as it is closed would come by nobody here
        device.tabs.remove(tab)
        tab.close()

    def _listen(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not _EXPECTED.search(message.text):
            self.console.append(message.text)

    # ---------- posts ----------

    def _bring(self, device: Device, route: Route) -> None:
        """Bring a post to the server and its answer back, where both come through."""
        request = route.request
        fields = dict(parse_qsl(request.post_data or "", keep_blank_values=True))
        if not device.is_online:
            return route.abort("internetdisconnected")
        if request.method != "POST" or fields.get("do") in ("discard", "clear"):
            return route.continue_()
        fate = device.fates.pop() if device.fates else ""
        if fate == "before":
            return route.abort()
        cookies = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in device.context.cookies(request.url))
        status, headers, body = self._ask(request, cookies)
        answer = Answer(status, body.decode(), headers.get("hx-redirect", headers.get("location", "")))
        post = replace(post_of(device.phone.name, "scorer", request.url, fields), hand=hand_of(fields))
        try:
            self._audit(device, post, answer, is_lost=bool(fate), is_page=request.is_navigation_request())
        except Exception as fault:  # it would be lost in Playwright
            self.faults.append(fault)
        return route.abort() if fate else route.fulfill(status=status, headers=headers, body=body)

    def _ask(self, request: Request, cookies: str) -> tuple[int, dict[str, str], bytes]:
        left_out = ("accept-encoding", "content-length", "host")
        sent = {name: value for name, value in request.headers.items() if name not in left_out}
        url, found = urlsplit(request.url), dict[str, str]()
        connection = HTTPConnection("127.0.0.1", url.port, timeout=PATIENCE)
        connection.request("POST", url.path, request.post_data, {**sent, "Host": url.netloc, "Cookie": cookies})
        response = connection.getresponse()
        for name, value in response.getheaders():
            found[name.lower()] = f"{found[name.lower()]}\n{value}" if name.lower() in found else value
        body = response.read()
        connection.close()
        return response.status, found, body

    def _audit(self, device: Device, post: Post, answer: Answer, *, is_lost: bool, is_page: bool) -> None:
        """Hold a post to the outbox that it is from, and its answer to the match."""
        self.storm.steps += 1
        entry = device.expected(post)
        self.storm.audit([Sent(post, answer)])
        if is_lost or post.key not in device.entries:
            return
        if not is_page:
            device.phone.note(entry, answer)
        elif answer.settles:
            device.phone.swap(entry, replace(entry, is_taken="data-taken" in answer.settles.attrs))
        elif answer.named_event is None:  # it is in a form again
            device.phone.swap(entry, None)
        # What a page has written is sent once more by the next one.
        if post.key not in device.entries:
            device.note_gone(entry)

    # ---------- acts ----------

    def _act(self) -> None:
        device = self.rng.choice(self.devices)
        tab = self.rng.choice(device.tabs)
        act = self.rng.choice(_ACTS)
        if not tab.url.startswith("http"):
            act = Evening.score
        self.storm.log.append(f"{device.phone.name}, page {device.tabs.index(tab) + 1}: {act.__name__}")
        with suppress(Navigated):
            act(self, device, tab)
        self._check(device)

    def _check(self, device: Device) -> None:
        """Check that all that waits is kept; raises `Broken`, also for faults found meanwhile."""
        if self.faults:
            raise self._broken(str(self.faults[0])) from self.faults[0]
        if self.console:
            raise self._broken(f"on a console: {self.console}")
        with suppress(Navigated):
            kept = self._look(device.tabs[0])["kept"]
            if lost := device.entries.keys() - set(kept):
                raise self._broken(f"no longer in the outbox: {[str(device.entries[key].post) for key in lost]}")

    def _broken(self, what: str) -> Broken:
        return Broken("\n".join([*self.storm.log, "", what]))

    def _run(self, tab: Page, script: str, argument: Any = None) -> Any:
        """Run a script on a page; raises `Navigated` where that is left meanwhile."""
        with _leaving():
            return tab.evaluate(script, argument)

    def _look(self, tab: Page) -> Any:
        """Read a page; raises `Navigated` where it is the browser's own, as after a form that was lost on its way."""
        if not tab.url.startswith("http"):
            raise Navigated
        return self._run(tab, LOOK)

    def _open(self, device: Device, tab: Page, address: str = "") -> Any:
        """Open a page of the match, and look at it."""
        version, begin, is_online = self.storm.match.state.version, monotonic(), device.is_online
        with _leaving():
            tab.goto(f"{device.phone.path}{address}")
        look = self._look(tab)
        shown = look["version"] if look["served"] is None else int(look["served"]["version"])
        if is_online and monotonic() - begin < UNANSWERED and -1 < shown < version:
            raise self._broken(f"the page {address} shows version {shown} and not {version}")
        return look

    def wifi(self, device: Device, _tab: Page) -> None:
        """Lose the Wi-Fi, or find it again."""
        device.is_online = not device.is_online
        device.context.set_offline(not device.is_online)

    def lose(self, device: Device, _tab: Page) -> None:
        """Lose the next post, or its answer."""
        device.fates = [self.rng.choice(("before", "after", "after"))]

    def others(self, _device: Device, _tab: Page) -> None:
        """Let a phone in process do something."""
        act = self.rng.choice((weather.play, weather.play, weather.save, weather.send, weather.decide, None))
        if act:
            act(self.storm, self.rng.randrange)
        else:
            phone, kind = self.rng.choice(self.storm.phones), self.rng.choice(_CHANGES)
            self.storm.act(phone, kind, self.rng.randrange(60))

    def wait(self, _device: Device, tab: Page) -> None:
        """Let time pass."""
        tab.wait_for_timeout(self.rng.choice((50, 300, 1500)))

    def tab(self, device: Device, tab: Page) -> None:
        """Open a second page, or close it."""
        if len(device.tabs) > 1:
            self._close(device, tab)
        elif device.can_open:
            self._open(device, self._new_tab(device))

    def turn(self, device: Device, tab: Page) -> None:
        """Go back, forward, or load the page again."""
        if device.can_open:
            with suppress(Navigated):
                self._run(tab, self.rng.choice(_TURNS))
            tab.wait_for_timeout(300)

    def doze(self, device: Device, tab: Page) -> None:
        """Let a page lie in the page cache while the phone goes on with another one, and come back to it."""
        if device.can_open:
            self._run(tab, "window.sleep()")
            other = self._new_tab(device)
            try:
                self._open(device, other, self.rng.choice(("", "hands/new")))
                if self.rng.random() < 0.7:
                    self.enter(device, other)
            finally:
                self._close(device, other)
                self._run(tab, "window.wake()")

    def score(self, device: Device, tab: Page) -> None:
        """Go to the score."""
        if device.can_open:
            self._open(device, tab)

    def enter(self, device: Device, tab: Page) -> None:
        """Enter the next hand, on the page that is open or a fresh one, and save it."""
        look = self._look(tab)
        if not look["fields"] or look["fields"]["client_key"] in look["kept"]:
            look = self._open_form(device, tab, "hands/new")
        if look["fields"]["by"] == "auction":
            look = self._open_form(device, tab, "hands/new?by=cards")
        self._enter(device, tab, look)

    def correct(self, device: Device, tab: Page) -> None:
        """Correct a hand, or insert one before it."""
        if rows := self.storm.match.state.rows:
            uid = self.rng.choice(rows).uid
            look = self._open_form(
                device, tab, self.rng.choice((f"hands/{uid}", f"hands/{uid}", f"hands/new?before={uid}"))
            )
            self._enter(device, tab, look)

    def _open_form(self, device: Device, tab: Page, address: str) -> Any:
        """Open the form of a hand; raises `Navigated` where there is none."""
        if not device.can_open:
            raise Navigated
        look = self._open(device, tab, address)
        if not look["fields"]:
            raise Navigated
        hand = hand_of(look["fields"])
        known = [*device.phone.outbox, *device.phone.sent]
        if address.startswith("hands/new") and hand in [entry.post.hand for entry in known]:
            raise self._broken(f"a fresh form has a hand that was saved: {hand}")
        return look

    def half(self, device: Device, tab: Page) -> None:
        """Enter a part of a hand, and load the page again."""
        look = self._open_form(device, tab, "hands/new")
        entered = dict([*fields_of(self._new_hand(look)).items()][:1])
        self._fill(tab, entered)
        if not device.can_open:
            return
        tab.reload()
        look = self._look(tab)
        is_kept = entered.items() <= look["fields"].items() if look["fields"] else True
        if not (is_kept or look["draft"] or look["filled"]):
            raise self._broken(f"{entered} is lost with the page")

    def change(self, device: Device, tab: Page) -> None:
        """Change a hand that waits, on the page that it was saved on."""
        look = self._look(tab)
        if look["fields"] and (entry := device.entries.get(look["fields"]["client_key"])):
            hand = self._new_hand(look)
            with suppress(Navigated):
                self._fill(tab, fields_of(hand))
            now = self._look(tab)
            key = entry.post.key
            if now["fields"] and key in now["fields"].get("replaces", "").split():
                # Also where it went in at that moment: the page has not heard of it.
                device.phone.sent = [entry for entry in device.phone.sent if entry.post.key != key]
            if key in now["kept"] or key not in device.entries:
                return  # it has gone in, or the page was left for the question
            entry = device.entries[key]  # it may have moved up, or been tried meanwhile
            device.note_gone(entry)
            position = device.phone.outbox.index(entry)
            device.phone.discard(entry)
            if now["fields"]:
                # It keeps its place: those behind it have moved up, but until it is saved again.
                key = self._save(device, tab, now, hand)
                device.phone.put_back(entry, position)
                device.phone.keys = lambda: key
                device.phone.change(entry, hand)

    def _enter(self, device: Device, tab: Page, look: Any) -> None:
        hand = self._new_hand(look)
        self._fill(tab, fields_of(hand))
        look = self._look(tab)
        if look["fields"]:
            self._save(device, tab, look, hand)
            entry = device.phone.keep(sheet_on(device.phone.name, look), hand)
            device.gone.pop(entry.post.key, None)  # what was never sent may have had its key
            replaces = frozenset(look["fields"].get("replaces", "").split())
            device.phone.swap(entry, replace(entry, post=replace(entry.post, replaces=replaces)))

    def _new_hand(self, look: Any) -> Hand:
        """Draw a hand that was never entered before, by the fields that the form shows."""
        if look["fields"]["by"] == "auction":
            raise Navigated
        is_counted = look["fields"]["by"] == "counts"
        while True:
            hand = weather.random_hand(self.storm.table, self.rng.randrange)
            is_apt = not hand.is_misdeal and not hand.auction and bool(hand.points) == is_counted
            if is_apt and hand not in self.entered:
                self.entered.add(hand)
                return hand

    def _fill(self, tab: Page, fields: Mapping[str, str]) -> None:
        typed = {name: value for name, value in fields.items() if name not in ("by", "calls", "shown")}
        self._run(tab, FILL, typed)
        with _leaving():
            tab.wait_for_function(IS_COUNTED)

    def _save(self, device: Device, tab: Page, look: Any, hand: Hand) -> str:
        """Tap Save, and return the key that the hand is saved by; raises `Navigated` where the page is left before.

        What follows comes before all that this sets off.
        """
        key, until = look["fields"]["client_key"], monotonic() + PATIENCE
        while not (fields := self._run(tab, SAVE, key)):
            if monotonic() > until:
                raise self._broken(f"{hand} cannot be saved: {tab.locator('#bottom_bar').inner_text()}")
            tab.wait_for_timeout(100)
        if fields == "left":
            raise Navigated
        if hand_of(fields) != hand:
            raise self._broken(f"{fields} is on the page, and not {hand}")
        if key in device.posted or key in device.entries:
            raise self._broken(f"{hand} has the key of another hand")
        self.storm.log.append(f"  save {key[-8:]}: {hand.bidder}:{hand.bid} {hand.trump}")
        return str(key)

    def outbox(self, device: Device, tab: Page) -> None:
        """Tap a button of the outbox."""
        if offers := self._look(tab)["offers"]:
            self._tap(device, tab, *self.rng.choice(offers))

    def _tap(self, device: Device, tab: Page, key: str, act: str) -> None:
        if self._run(tab, TAP, [key, act]) and act == "drop":
            if entry := device.entries.get(key):
                device.phone.discard(entry)
                device.note_gone(entry)
            for entry in [sent for sent in device.phone.sent if sent.post.key == key]:
                # It went in at that moment: the page has not heard of it.
                device.phone.sent.remove(entry)
                device.phone.leave(entry)
                device.note_gone(entry)
        self.storm.log.append(f"  tap {act} of {key[-8:]}")
        if act == "show":
            tab.wait_for_timeout(300)

    def discard(self, device: Device, tab: Page) -> None:
        """Discard what waits, or keep it after all."""
        if questions := [key for key, act in self._look(tab)["offers"] if act == "ask"]:
            key = self.rng.choice(questions)
            self._tap(device, tab, key, "ask")
            self._tap(device, tab, key, self.rng.choice(("drop", "drop", "keep")))

    def decide(self, device: Device, tab: Page) -> None:
        """Choose which hand counts, or have the question shown."""
        look = self._look(tab)
        if look["settles"]:
            self._choose(device, tab, look["settles"])
        elif shows := [key for key, act in look["offers"] if act == "show"]:
            self._tap(device, tab, self.rng.choice(shows), "show")

    def look_up(self, _device: Device, tab: Page) -> None:
        """Look up a rule in the question, which decides nothing."""
        if key := self._look(tab)["settles"]:
            self._run(tab, CHOOSE, [key, -1])
            tab.wait_for_timeout(300)

    def _choose(self, device: Device, tab: Page, key: str) -> None:
        forms = [form for form in forms_of(read(tab.content())) if "version" in form.fields]
        position = self.rng.randrange(len(forms) + 1)
        if not self._run(tab, CHOOSE, [key, position]):
            raise Navigated
        self.storm.log.append(f"  choose {position + 1} of {len(forms) + 1} for {key[-8:]}")
        known = (*device.phone.outbox, *device.phone.sent)
        if key in device.gone and key not in [entry.post.key for entry in known]:
            device.phone.outbox.append(device.gone[key][0])  # it was let go while the question was open
        if entry := device.entries.get(key):
            device.note_gone(entry)
            if position < len(forms):
                device.phone.choose(entry, forms[position])
            else:
                device.phone.discard(entry)
        tab.wait_for_timeout(300)

    # ---------- the end ----------

    def _settle(self) -> None:
        """Find the Wi-Fi again on all phones, and wait until nothing waits."""
        for device in self.devices:
            device.fates = []
            if not device.is_online:
                self.wifi(device, device.tabs[0])
            waiting, until = 0, monotonic() + PATIENCE
            while device.phone.outbox or self._kept(device):
                tab = device.tabs[0]
                if len(device.phone.outbox) != waiting:
                    waiting, until = len(device.phone.outbox), monotonic() + PATIENCE
                with suppress(Navigated):
                    if monotonic() > until:
                        raise self._broken(f"{self._kept(device)} still waits on {device.phone.name}")
                    if not tab.url.startswith("http"):
                        self._open(device, tab)
                    look = self._look(tab)
                    if undecided := [key for key, act in look["offers"] if act == "keep"]:
                        self._tap(device, tab, undecided[0], "keep")  # discarding it has to be confirmed
                    elif look["settles"] or any(act == "show" for _, act in look["offers"]):
                        self.decide(device, tab)
                    elif look["version"] < 0:
                        self._open(device, tab)
                    tab.wait_for_timeout(200)
                self._check(device)

    def _kept(self, device: Device) -> list[str]:
        with suppress(Navigated):
            return list(self._look(device.tabs[0])["kept"])
        return ["a page that is left"]

    def _compare(self) -> None:
        """Look whether all pages show the score of the match."""
        totals = self.storm.match.state.totals()
        wanted = totals[-1] if totals else dict.fromkeys(self.storm.table.sides, 0)
        for device, tab in [(each, tab) for each in self.devices for tab in each.tabs]:
            shown, until = dict[str, int](), monotonic() + PATIENCE
            while shown != wanted:
                if monotonic() > until:
                    raise self._broken(f"{device.phone.name} shows {shown} and not {wanted}")
                with suppress(Navigated):
                    if not tab.url.startswith("http") or self._look(tab)["version"] < 0:
                        self._open(device, tab)
                    shown = _scores(self._look(tab))
                tab.wait_for_timeout(200)
            self._check(device)


_TURNS = ("history.back()", "history.back()", "history.forward()", "location.reload()")
_CHANGES = (Kind.UNDO, Kind.REDO, Kind.REMOVAL, Kind.RETURN)
_OFTEN = (
    (Evening.enter, 10),
    (Evening.wifi, 5),
    (Evening.others, 6),
    (Evening.decide, 6),
    (Evening.lose, 4),
    (Evening.turn, 4),
    (Evening.change, 3),
    (Evening.correct, 3),
    (Evening.outbox, 2),
    (Evening.discard, 2),
    (Evening.half, 2),
    (Evening.tab, 2),
    (Evening.doze, 2),
    (Evening.wait, 2),
    (Evening.score, 2),
    (Evening.look_up, 1),
)
_ACTS: tuple[Callable[[Evening, Device, Page], None], ...] = tuple(act for act, times in _OFTEN for _ in range(times))


def sheet_on(phone: str, look: Any) -> Sheet:
    """Return the form on a page as the server sent it, with the key that it has now."""
    fields = {**look["served"], "client_key": look["fields"]["client_key"]}
    post = replace(post_of(phone, "scorer", look["action"], look["served"]), replaces=frozenset())
    return Sheet(look["action"], fields, post, look["served"]["fresh"])


def hand_of(fields: Mapping[str, str]) -> Hand:
    """Read a hand from the fields of a form."""
    call = fields.get("call") or f"{fields.get('bidder', '')}:{fields.get('bid', '')}"
    bidder, _, bid = call.partition(":")
    trump = fields.get("trump", "")
    counts = [(side, fields.get(f"count-{side}", "")) for side in ("s1", "s2")]
    is_counted = fields.get("by") == "counts"
    return Hand(
        bidder=bidder,
        bid=int(bid or 0),
        trump="" if trump == "skip" else trump,
        taken=() if is_counted else tuple((award, fields.get(f"took-{award}", "")) for award in PITCH.awards),
        points=tuple((side, int(count)) for side, count in counts if count) if is_counted else (),
    )


def _scores(look: Any) -> dict[str, int]:
    return {side: number(text) for side, text in look["scores"].items()}
