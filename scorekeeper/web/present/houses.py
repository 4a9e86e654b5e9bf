"""House rules that are kept, in lists and on the way to other phones."""

from collections.abc import Iterable

from flask import url_for

from scorekeeper.engine.words.ends import ends_at
from scorekeeper.rules.code import encode
from scorekeeper.rules.house import HouseRules, Variants, resolve
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.house_rules import StoredHouse
from scorekeeper.web.contexts.home import HomeLine
from scorekeeper.web.contexts.houses import HouseSharePage, HousesPage, RetiredLine
from scorekeeper.web.contexts.parts import Action, BarView, Notice
from scorekeeper.web.contexts.settings import ShareView
from scorekeeper.web.contexts.transfer import FileFault
from scorekeeper.web.keys import new_key
from scorekeeper.web.links import shown_url
from scorekeeper.web.present.composer_page import Setting
from scorekeeper.web.present.scanned import picture_of

UNPLAYABLE = "these rules cannot be played with this edition of the book"


def houses_page(
    houses: Iterable[StoredHouse],
    variants: Variants,
    *,
    faults_heading: str = "",
    faults: tuple[FileFault, ...] = (),
    notices: tuple[Notice, ...] = (),
) -> HousesPage:
    """Fill the list: what is played first, what was retired folded below."""
    listed = list(houses)
    return HousesPage(
        title="Our rules",
        bar=BarView(title="Our rules", back_url=url_for("home.index")),
        lines=tuple(_line(house, variants) for house in listed if not house.last.is_retired),
        retired=tuple(_retired(house, variants) for house in listed if house.last.is_retired),
        new=Action(label="New rules of our own", url=url_for("house.new"), icon="pencil"),
        code_url=url_for("sheets.index"),
        upload_url=url_for("house.upload"),
        hidden=(("client_key", new_key()),),
        faults_heading=faults_heading,
        faults=faults,
        notices=notices,
    )


def _line(house: StoredHouse, variants: Variants) -> HomeLine:
    rules = house.last.rules
    return HomeLine(
        url=url_for("house.show", code=house.code), label=rules.name, small=in_short(rules, variants), icon="pencil"
    )


def _retired(house: StoredHouse, variants: Variants) -> RetiredLine:
    back = Action(
        label="Put back",
        url=url_for("house.back", code=house.code),
        icon="again",
        is_post=True,
        fields=(("client_key", new_key()),),
    )
    rules = house.last.rules
    return RetiredLine(label=rules.name, small=in_short(rules, variants), back=back)


def in_short(rules: HouseRules, variants: Variants) -> str:
    """Say rules in a line: "from Partnership Pitch, to 15"."""
    ruleset, _ = resolve(rules, variants)
    return f"{ruleset.summary}, {ends_at(ruleset)}" if ruleset else UNPLAYABLE


def new_setting(base: Ruleset, key: str) -> Setting:
    """Compose rules that are not kept yet."""
    return Setting(
        title=f"Our own {base.name}",
        bar=BarView(title="Our own rules", sub=f"from {base.name}", back_url=url_for("house.new"), back_label="Games"),
        action=url_for("house.new", base=base.id),
        hidden=(("client_key", key),),
        save_label="Save these rules",
    )


def saved_setting(
    house: StoredHouse, key: str, *, version: int | None = None, notices: tuple[Notice, ...] = ()
) -> Setting:
    """Compose rules that are kept already."""
    rules, code = house.last.rules, house.code
    share = url_for("house.share", code=code)
    mark = (("client_key", new_key()),)
    return Setting(
        title=rules.name,
        bar=BarView(
            title=rules.name,
            sub="our own rules",
            back_url=url_for("house.index"),
            back_label="Our rules",
            tools=(Action(label="Share these rules", url=share, icon="share", is_icon_only=True),),
        ),
        action=url_for("house.show", code=code),
        hidden=(("client_key", key), ("version", str(house.last.seq if version is None else version))),
        save_label="Save these rules",
        ways=(
            Action(label="Play by these rules", url=play_url(rules), icon="cards"),
            Action(label="Rule sheet", url=url_for("sheets.index", r=encode(rules)), icon="book"),
            Action(label="Share or take away", url=share, icon="share"),
            Action(label="Copy", url=url_for("house.copy", code=code), icon="again", is_post=True, fields=mark),
            Action(label="Retire", url=url_for("house.retire", code=code), icon="bin", is_post=True, fields=mark),
        ),
        notices=notices,
    )


def play_url(rules: HouseRules) -> str:
    """Give the page that begins a match by these rules."""
    return url_for("new.table", ruleset_id=rules.variant, r=encode(rules))


def share_page(house: StoredHouse, rules: HouseRules) -> HouseSharePage:
    """Show the link, the code to scan, the code as text, and the file."""
    code = encode(rules)
    url = shown_url("sheets.index", r=code)
    note = "The link carries the rules themselves. Whoever opens it reads them, and can play by them or keep them."
    return HouseSharePage(
        title=f"Share {rules.name}",
        bar=BarView(title=rules.name, sub="Share", back_url=url_for("house.show", code=house.code), back_label="Rules"),
        share=ShareView(url=url, qr=picture_of(url, scale=4), note=note),
        code=code,
        actions=(
            Action(label="Take it away as a file", url=url_for("house.download", code=house.code), icon="down"),
            Action(label="Rule sheet", url=url_for("sheets.index", r=code), icon="book"),
        ),
    )
