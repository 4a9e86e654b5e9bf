"""What is sent to others: how a match stands or ended, and a link by which they watch."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.roles import Link
from scorekeeper.narration.notices import share_text
from scorekeeper.web.match.page import match_title


@dataclass(frozen=True, slots=True, kw_only=True)
class SharePage:
    """Template share/show.html."""

    code: str
    match_title: str
    text: str
    link_code: str
    """Of the link to watch by; empty where none is sent along."""
    is_owner: bool
    picture_name: str = ""
    """Of the file with the picture of the result; empty where there is none yet."""
    what_if: Mapping[str, str] = field(default_factory=dict)
    """The rules under which the match is compared, as an address has them; empty where the match itself is shared."""


def share_page(match: Match, shared: Link | None, picture_name: str = "") -> SharePage:
    """Return what is sent, with a link that was made for it."""
    return SharePage(
        code=match.code,
        match_title=match_title(match),
        text=share_text(match, match_title(match)),
        link_code=shared.code if shared else "",
        is_owner=match.link.is_owner,
        picture_name=picture_name,
    )
