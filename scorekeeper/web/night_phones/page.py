"""What the page shows that lets phones follow a night."""

from dataclasses import dataclass

from scorekeeper.ladder import words
from scorekeeper.ladder.roles import NightInvitation, NightLink
from scorekeeper.ledger.roles import OWNER
from scorekeeper.services.nights import NightAtHand


@dataclass(frozen=True, slots=True, kw_only=True)
class NightPhone:
    """A phone that joined."""

    link_id: int
    name: str
    role: str
    is_mine: bool
    is_connected: bool
    is_last_owner: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NightPhonesPage:
    """Template nights/phones.html."""

    code: str
    title: str
    invitation: NightInvitation | None
    phones: tuple[NightPhone, ...]
    refusal: str


def night_phones_page(
    found: NightAtHand, phones: list[tuple[NightLink, bool]], invitation: NightInvitation | None, refusal: str = ""
) -> NightPhonesPage:
    """Return the page with the invitation for one role."""
    owners = sum(is_in and link.role == OWNER for link, is_in in phones)
    return NightPhonesPage(
        code=found.code,
        title=words.night_title(found.night),
        invitation=invitation,
        phones=tuple(
            NightPhone(
                link_id=link.id,
                name=_name(found, link),
                role=link.role,
                is_mine=link.id == found.link.id,
                is_connected=is_in,
                is_last_owner=owners < 2 and link.role == OWNER,
            )
            for link, is_in in sorted(phones, key=lambda it: not it[1])
        ),
        refusal=refusal,
    )


def _name(found: NightAtHand, link: NightLink) -> str:
    if link.pair in found.night.pairs and link.pair is not None:
        return found.night.name(link.pair)
    return "A phone that keeps the night" if link.may_score else "A phone that watches, or the wall"
