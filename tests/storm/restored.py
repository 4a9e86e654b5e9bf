"""A match before and after a restore: the server is back at the backup, and phones that have seen more notice it."""

from dataclasses import dataclass, replace
from random import Random

from tests.storm.model import Match
from tests.storm.phones import Entry, Phone, sheet_of
from tests.storm.storm import Sent, Storm


@dataclass(frozen=True)
class Moment:
    """What a match was, and its phones might do, when a backup was made."""

    storm: Storm
    path: str
    matches: list[Match]
    ghosts: list[Sent]
    roles: dict[str, tuple[str, str]]

    @classmethod
    def of(cls, storm: Storm) -> "Moment":
        """Note what a match is now."""
        roles = {phone.name: (phone.role, phone.was) for phone in storm.phones}
        return cls(storm, storm.owner.path, [*storm.matches], [*storm.ghosts], roles)

    def is_of(self, storm: Storm) -> bool:
        """Return whether the match of a storm is still the same."""
        return self.storm is storm and self.path == storm.owner.path

    def go_back(self, rng: Random) -> None:
        """Hold the match to what the backup has; each phone sends back what it wrote since, or goes on without.

        Of what waits on a page that showed more, the first is sent at once and answered with a question; the rest is
        let go: once there are as many events again, that page cannot be distinguished from one of these.
        """
        storm = self.storm
        storm.matches, storm.ghosts = [*self.matches], [*self.ghosts]
        # A hand that was in question may come back, and so do the hands that wait behind it.
        storm.phones = [phone for phone in storm.phones if phone.name in self.roles]
        for phone in storm.phones:
            phone.role, phone.was = self.roles[phone.name]
        storm.log.append("restored from a backup")
        storm.audit([])
        version = storm.match.state.version
        storm.again = [form for form in storm.again if form[1].version <= version]
        for phone in storm.phones:
            for entry in [entry for entry in phone.outbox if entry.state == "asks"]:
                phone.discard(entry)
            waiting = [entry for entry in phone.outbox if entry.state == "waiting"]
            phone.outbox = [entry for entry in waiting if entry.post.version > version][:1]
            storm.flush([phone], [False], [False])
            asking = [entry for entry in phone.outbox if entry.state == "asks"]
            phone.outbox = [*asking, *(entry for entry in waiting if entry.post.version <= version)]
            _notice(phone, version, storm.match.state.numbers()[-1], sends_back=rng.random() < 0.6)


def _notice(phone: Phone, version: int, next_hand: int, *, sends_back: bool) -> None:
    """Look at the score, and see that the server has less than before."""
    phone.pages = [page for page in phone.pages if page.post.version <= version]
    if phone.role == "gone" or sheet_of(phone.browser.get(phone.path)).version != version:
        return
    lost = [entry for entry in phone.sent if entry.is_new and entry.seq > version]
    back = [
        Entry(
            replace(entry.post, version=version, index=index),
            entry.url,
            {**entry.fields, "version": str(version), "end": "", "index": str(index)},
        )
        for index, entry in enumerate(lost, next_hand)
        if sends_back
    ]
    if not sends_back:
        for entry in lost:
            phone.leave(entry)
    phone.outbox = [*back, *phone.outbox]
    phone.sent = [entry for entry in phone.sent if entry not in lost]
