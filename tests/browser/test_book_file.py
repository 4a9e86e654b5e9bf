"""A book goes from one Scorekeeper to another as a file, and a result from a phone as a picture."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from scorekeeper.database.engine import migrate
from scorekeeper.printing.result_picture import HEIGHT, WIDTH
from tests.browser.conftest import Site
from tests.browser.playing import play_hand
from tests.browser.taps import TapCounter
from tests.browser.test_books import NAMES, TITLE, start
from tests.common.apps import close, fast_folder, make_app, serving
from tests.common.chromium import Phones

SLOW = 30_000
"""Milliseconds for a picture that is drawn while one waits, on a busy machine."""


@pytest.fixture
def elsewhere(browser: Browser) -> Iterator[Phones]:
    """Open phones on another Scorekeeper, where nothing was played yet."""
    with fast_folder() as folder:
        app = make_app(folder, f"sqlite:///{folder / 'elsewhere.sqlite3'}", TESTING=False)
        migrate(app)
        with serving(app) as url:
            phones = Phones(browser, url)
            yield phones
            phones.close()
        close(app)
    assert phones.console == []


def people_of(page: Page) -> list[str]:
    """Return who plays, with what was won of what was played."""
    taps = TapCounter(page)
    taps.tap(page.get_by_role("link", name="All matches"))
    taps.tap(page.get_by_role("link", name="People"))
    expect(page).to_have_url(re.compile("/people$"))
    page.wait_for_load_state()  # without its styles, the same words stand in other lines
    return page.locator("main .list").first.locator("a").all_inner_texts()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_book_goes_to_another_scorekeeper_with_its_people(
    phones: Phones, elsewhere: Phones, site: Site, scripts: bool, tmp_path: Path
) -> None:
    owner, other = phones.new(scripts=scripts), elsewhere.new(scripts=scripts)
    taps, others = TapCounter(owner), TapCounter(other)
    play_hand(site.client().open(start(owner)), call="p4:4")
    owner.goto("/")
    people = people_of(owner)
    owner.goto("/")
    taps.tap(owner.get_by_role("link", name="All matches"))
    taps.tap(owner.get_by_role("link", name="Back up and restore"))
    with owner.expect_download() as download:
        taps.tap(owner.get_by_role("link", name="Download everything"))
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name.endswith(".pitch-book.gz")

    for times, said in ((1, "1"), (2, "0")):
        other.goto("/settings")
        other.locator("#record").set_input_files(file)
        others.tap(other.locator("form:has(#record) button"))
        expect(other.locator("main")).to_contain_text("Nothing is changed yet.")
        expect(other.locator(".tally .num").first).to_have_text(said)
        if times == 1:
            others.tap(other.get_by_role("button", name="Import 1 match"))
            expect(other.locator("main")).to_contain_text("1 match imported.")
    expect(other.get_by_role("button", name="Import")).to_have_count(0)

    other.goto("/")
    assert people_of(other) == people
    assert all(any(name in line for line in people) for name in NAMES)
    other.goto("/")
    others.tap(other.get_by_role("link", name="All matches"))
    expect(other.get_by_role("link", name=TITLE)).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_picture_of_a_result_is_there_to_be_saved(phones: Phones, site: Site, scripts: bool) -> None:
    page = phones.new(scripts=scripts)
    page.set_default_timeout(SLOW)
    path = start(page)
    page.goto(f"{path}share")
    expect(page.get_by_role("link", name="Save picture")).to_have_count(0)

    play_hand(site.client().open(path), call="p4:4")
    page.goto(f"{path}share")
    with page.expect_download() as download:
        page.get_by_role("link", name="Save picture").tap()

    picture = Image.open(BytesIO(Path(download.value.path()).read_bytes()))
    assert (picture.format, picture.size) == ("PNG", (WIDTH, HEIGHT))
    assert download.value.suggested_filename.endswith(".png")
