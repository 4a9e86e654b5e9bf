"""The rights of a ladder night beside those of its phones, which `tests/web/test_rights_matrix.py` tries."""

import pytest
from flask import Flask

from scorekeeper.printing import print_service
from scorekeeper.printing.print_process import PrintingFailed
from tests.browser.playing import begin_match
from tests.common.nights import EIGHT, begin_night, join_night, seat_by_hand
from tests.common.phone import Phone
from tests.web.test_rights_matrix import AT_NIGHT, answers, kept


def test_a_code_of_no_night_opens_none_not_even_for_owners_of_something_else(
    app: Flask, phone: Phone, other_phone: Phone
) -> None:
    code = seat_by_hand(begin_night(phone, *EIGHT)).code
    mine = begin_night(other_phone, *EIGHT[:2]).code
    match = begin_match(other_phone, "racehorse").code
    before = kept(app)

    codes = code[:-1] + "AB"[code[-1] == "A"], match
    found = [page for wrong in codes for _, page in answers(app, other_phone, wrong, lambda _least: True, AT_NIGHT)]

    assert {page.status for page in found} == {404}
    assert kept(app) == before
    assert other_phone.open(f"/matches/{mine}/").status == 404


def test_a_night_is_printed_only_for_who_has_a_link(
    phone: Phone, other_phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object) -> None:
        raise PrintingFailed("Not here.")

    monkeypatch.setattr(print_service, "print_sheet", fail)
    seat = join_night(begin_night(phone, *EIGHT[:2]), other_phone)

    assert other_phone.open(f"/print/sheet.pdf?night={seat.code}").status == 503
    assert other_phone.open("/print/sheet.pdf?night=nothing").status == 404
