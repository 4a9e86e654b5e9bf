"""Text at 200 %: what is drawn grows as well."""

from tests.browser.conftest import Site
from tests.browser.page_checks import enlarge_text
from tests.browser.playing import begin_match, play_seven_hands
from tests.common.chromium import Phones

LETTERS = """() => {
  const label = document.querySelector("#chart .at-level");
  return parseFloat(getComputedStyle(label).fontSize) * label.getScreenCTM().a;
}"""


def test_the_text_of_the_chart_grows_with_the_page(phones: Phones, site: Site) -> None:
    page = phones.new()
    page.goto(play_seven_hands(begin_match(site.client())).path)
    before = page.evaluate(LETTERS)

    enlarge_text(page)

    assert page.evaluate(LETTERS) >= 1.8 * before
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")
