"""Text at 200 %: what is drawn grows as well."""

from tests.browser.conftest import House, Pocket
from tests.browser.tables import begun, evening
from tests.browser.test_every_page import enlarge

LETTERS = """() => {
  const label = document.querySelector("#chart .numbers text");
  return parseFloat(getComputedStyle(label).fontSize) * label.getScreenCTM().a;
}"""


def test_the_letters_of_the_chart_grow_with_the_text(pocket: Pocket, house: House) -> None:
    screen = pocket.phone()
    screen.goto(evening(begun(house.phone())).path)
    before = screen.evaluate(LETTERS)

    enlarge(screen)

    assert screen.evaluate(LETTERS) >= 1.8 * before
    assert screen.evaluate("document.documentElement.scrollWidth") <= screen.evaluate("innerWidth")
