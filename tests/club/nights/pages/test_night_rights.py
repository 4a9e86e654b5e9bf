"""The rights of a ladder night: every route about one, for every role that somebody can have."""

import pytest
from flask import Flask

from scorekeeper.eventlog.stream import allows
from scorekeeper.printing import print_service
from scorekeeper.printing.print_process import PrintingFailed
from tests.common.guests import OWNER, SCORER, WATCHER
from tests.common.nights import EIGHT, begin_night, join_night, night_path, seat_by_hand, tap_winner
from tests.common.phone import Page, Phone
from tests.web.test_rights_matrix import AT_NIGHT, answers, kept

WHO = {
    "the owner": OWNER,
    "a scorer": SCORER,
    "a watcher": WATCHER,
    "a removed phone": None,
    "a stranger": None,
    "the owner of another night": None,
    "the owner of a match": None,
}
REFUSED = {
    "a removed phone": {410},
    "a stranger": {404},
    "the owner of another night": {404},
    "the owner of a match": {404},
}


def visitor(app: Flask, host: Page, who: str) -> tuple[Phone, str]:
    """Come as somebody to a night: the phone, and the code that it comes by."""
    phone, code = Phone(app.test_client()), night_path(host).split("/")[2]
    match who:
        case "the owner":
            return host.phone, code
        case "a scorer" | "a watcher":
            return phone, night_path(join_night(host, phone, WHO[who] or "")).split("/")[2]
        case "a removed phone":
            mine = night_path(join_night(host, phone)).split("/")[2]
            host.phone.open(f"{night_path(host)}/phones").tap("Remove")
            return phone, mine
        case "the owner of another night":
            begin_night(phone, *EIGHT[:2])
            return phone, code[:-1] + ("A" if code[-1] != "A" else "B")
        case "the owner of a match":
            page = phone.open("/new/racehorse")
            chairs = [name for name in page.form("racehorse").fields if name.startswith("seat-")]
            match = page.send("racehorse", dict(zip(chairs, "ABCD", strict=False)), press="Start")
            return phone, match.path.split("/")[2]
        case _:
            return phone, "x" * len(code)


@pytest.fixture
def host(phone: Phone) -> Page:
    """Seat eight pairs at four tables; one result is in, which a scorer may undo."""
    return tap_winner(seat_by_hand(begin_night(phone, *EIGHT)), "Ida & Jon")


@pytest.mark.parametrize("who", WHO)
def test_what_a_role_does_not_allow_is_refused_and_changes_nothing(app: Flask, host: Page, who: str) -> None:
    phone, code = visitor(app, host, who)
    role, before = WHO[who], kept(app)

    found = list(answers(app, phone, code, lambda least: not (role and allows(role, least)), AT_NIGHT))

    assert {(endpoint, page.status) for endpoint, page in found if page.status not in REFUSED.get(who, {403})} == set()
    assert kept(app) == before


@pytest.mark.parametrize("who", [who for who, role in WHO.items() if role])
def test_what_a_role_allows_is_answered(app: Flask, host: Page, who: str) -> None:
    phone, code = visitor(app, host, who)

    found = list(answers(app, phone, code, lambda least: allows(WHO[who] or "", least), AT_NIGHT))

    assert found
    assert {(endpoint, page.status) for endpoint, page in found if page.status in (403, 410, 500)} == set()


def test_a_night_is_printed_only_for_who_has_a_link(
    app: Flask, host: Page, other_phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object) -> None:
        raise PrintingFailed("Not here.")

    monkeypatch.setattr(print_service, "print_sheet", fail)
    seat = join_night(host, other_phone)
    code = night_path(seat).split("/")[2]

    assert other_phone.open(f"/print/sheet.pdf?night={code}").status == 503
    assert other_phone.open("/print/sheet.pdf?night=nothing").status == 404


def test_no_link_to_a_night_opens_a_match(host: Page) -> None:
    assert host.phone.open(f"/matches/{night_path(host).split('/')[2]}/").status == 404
