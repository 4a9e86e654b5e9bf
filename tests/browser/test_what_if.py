"""What if, from the verdict of a match to who would have won, and by the link that shares it."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Site
from tests.common.chromium import Phones
from tests.common.importing import brought_in
from tests.common.thursday import thursday


@pytest.fixture
def path(site: Site) -> str:
    """Return the path of a match of ten hands, the sixth with points only."""
    return brought_in(site.client(), thursday()).path


@pytest.mark.parametrize("scripts", [True, False])
def test_one_tap_chooses_the_rule_and_one_answers_what_decides(phones: Phones, path: str, scripts: bool) -> None:
    page = phones.new(scripts=scripts)
    page.goto(f"{path}what-if")
    page.get_by_role("link", name="Nobody scores the Off Jack").tap()
    expect(page.get_by_role("heading", name="Bea & Dan would win")).to_be_visible()

    page.goto(f"{path}what-if?off_jack=no&target=43")
    expect(page.get_by_role("heading", name="It depends")).to_be_visible()
    page.get_by_role("link", name="Bea & Dan", exact=True).tap()

    expect(page.get_by_role("heading", name="Nobody would have won yet")).to_be_visible()
    expect(page).to_have_url(re.compile("told-6-off_jack=s2"))
    page.get_by_role("link", name="Change").tap()
    expect(page.get_by_role("heading", name="By which rule?")).to_be_visible()


def test_a_shared_comparison_opens_on_another_phone(phones: Phones, path: str) -> None:
    page = phones.new()
    page.goto(f"{path}what-if?off_jack=no&target=43&told-6-off_jack=s1")
    page.get_by_role("button", name="Share").tap()
    link = page.locator("#said").input_value().splitlines()[-1]

    other = phones.new()
    other.goto(re.sub("^https?://[^/]+", "", link))

    expect(other.get_by_role("heading", name="Bea & Dan would win")).to_be_visible()
