"""A night in a storm: phones send its forms late, twice and at once, and some order has to explain what is there."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Generic, Protocol, Self, TypeVar
from urllib.parse import urlsplit

from tests.storm.orders import explained
from tests.storm.phones import Answer, Browser, Fields, enter_pin
from tests.storm.storm import Broken, at_once

MOST = 20
"""Nights that may be."""


class Night(Hashable, Protocol):
    """A night as it has to be."""

    @property
    def seen(self) -> object:
        """What is seen of it."""


class Post(Protocol):
    """What a phone sends."""

    @property
    def phone(self) -> str:
        """The name of the phone."""


N = TypeVar("N", bound=Night)
P = TypeVar("P", bound=Post)


@dataclass
class NightStorm(ABC, Generic[N, P]):
    """A night with its phones."""

    new_browser: Callable[[], Browser]
    rng: Random
    phones: dict[str, tuple[Browser, str]] = field(default_factory=dict)
    """Each with its address of the night."""
    nights: list[N] = field(default_factory=list)
    """What the night may be: of two phones that send at once, either may have been first."""
    unanswered: list[tuple[P, str, Fields]] = field(default_factory=list)
    unseen: list[P] = field(default_factory=list)
    """What may reach the server yet."""
    steps: int = 0
    acknowledged: int = 0
    questions: int = 0
    """There are none at a night."""
    log: list[str] = field(default_factory=list)

    @abstractmethod
    def begin(self, phones: int) -> None:
        """Begin a night on a phone, and let others score it."""

    @abstractmethod
    def job_of(self, name: str) -> tuple[P, str, Fields] | None:
        """Fill in a form on a phone, and return it with its address; `None` where there is none."""

    @abstractmethod
    def is_acknowledged(self, post: P, answer: Answer) -> bool:
        """Return whether a response acknowledges that a form was written, now or before."""

    @abstractmethod
    def seen(self) -> object:
        """Return what the first phone sees of the night."""

    @abstractmethod
    def after(self, night: N, post: P, answer: Answer | None, reasons: dict[str, None]) -> Iterator[N]:
        """Yield what a night may be after a post, where its answer agrees; else note the reason."""

    def join(self, phones: str, fields: Mapping[str, str], count: int) -> None:
        """Let phones join by the PIN that the page of the phones shows, each as a scorer with these fields."""
        ((host, path),) = self.phones.values()
        for number in range(1, count):
            browser = self.new_browser()
            form = host.get(f"{path}{phones}").form(f"/{phones}/invite")
            invited = host.get(host.post(form.action, {**form.fields, "role": "scorer"}).location)
            form = browser.get(address := enter_pin(browser, invited)).form(address)
            joined = browser.post(form.action, {**form.fields, **fields}).location
            self.phones[f"scorer {number}"] = browser, urlsplit(joined).path

    def send(self, jobs: Sequence[tuple[P, str, Fields]], lost: Sequence[bool]) -> None:
        """Send forms at once, and look whether some order explains their answers and all that is seen."""
        self.steps += len(jobs)
        answers = at_once([(post, partial(self.phones[post.phone][0].post, url, fields)) for post, url, fields in jobs])
        known = [None if is_lost else answer for answer, is_lost in zip(answers, lost, strict=True)]
        for (post, *_), answer in zip(jobs, known, strict=True):
            self.log.append(f"{post} -> {answer.status if answer else 'lost'} {answer.location if answer else ''}")
            self.acknowledged += bool(answer and self.is_acknowledged(post, answer))
        self.unanswered += [job for job, answer in zip(jobs, known, strict=True) if answer is None]
        sure = [(job[0], answer) for job, answer, got in zip(jobs, known, answers, strict=True) if got]
        unseen, self.unseen = self.unseen, [job[0] for job, got in zip(jobs, answers, strict=True) if got is None]
        self.audit(sure, [*unseen, *self.unseen])

    def audit(self, sure: Sequence[tuple[P, Answer | None]], unsure: Sequence[P]) -> None:
        """Hold what the night may be to what is seen of it; raises `Broken`."""
        seen, reasons, found = self.seen(), dict[str, None](), dict[N, None]()
        while unsure and (again := self.seen()) != seen:  # a post whose connection was cut may be written right now
            seen = again
        may_be = [(post, None) for post in unsure]
        for night in explained(self.nights, sure, may_be, lambda night, sent: self.after(night, *sent, reasons)):
            if night.seen == seen:
                found[night] = None
            else:
                reasons[f"it is {seen}\n  and not {night.seen}"] = None
        if not found:
            raise Broken("\n".join(("No order of the posts explains the night:", *self.log[-30:], "", *reasons)))
        self.nights = [*found][:MOST]

    @classmethod
    def evening(
        cls,
        browser: Callable[[], Browser],
        seed: int,
        *,
        phones: int,
        posts: int,
        gust: Callable[[Random], None] = lambda _rng: None,
    ) -> Self:
        """Play a night on so many phones until so many posts have gone out; a `gust` comes before each."""
        rng = Random(seed)
        storm = cls(browser, rng)
        storm.begin(phones)
        for _ in range(200 + posts):
            if storm.steps >= posts:
                break
            gust(rng)
            if storm.unanswered and rng.random() < 0.3:
                storm.send([storm.unanswered.pop(rng.randrange(len(storm.unanswered)))], [False])
                continue
            names = rng.sample(sorted(storm.phones), rng.choice((1, 1, 2, 3)))
            jobs = [job for name in names if (job := storm.job_of(name))]
            jobs += jobs[:1] if rng.random() < 0.15 else []
            if jobs:
                storm.send(jobs, [rng.random() < 0.2 for _ in jobs])
        return storm
