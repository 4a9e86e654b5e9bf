"""Starting a match: the rules, the names round the table, who deals, what is agreed."""

from tests.common.phone import Phone
from tests.pages.conftest import Begin

NEW = "/new/partnership-pitch"


def test_home_leads_to_the_rules_and_the_rules_to_the_table(phone: Phone) -> None:
    home = phone.open("/")

    best = home.tap("New match").one(id="bottom_bar").one("a")

    assert "Play Partnership Pitch" in best.text
    assert best.attrs["href"] == f"{NEW}?seats=4"
    assert phone.open(NEW).form(NEW).fields["seat-0"] == ""


def test_a_name_is_offered_once_however_it_was_spelled(begin: Begin, phone: Phone) -> None:
    begin()
    match = begin(seat_0="ANN", seat_1="JOSÉ")
    begin(seat_1="Jose\u0301", seat_3="bea")

    offered = [option.attrs["value"] for option in phone.open(NEW).part("known-names").all("option")]
    newcomers = [option.attrs["value"] for option in match.open("sits-in").part("known-names").all("option")]

    assert offered == ["Ann", "Jose\u0301", "Cal", "bea", "Dan"]
    assert newcomers == ["bea"]


def test_the_match_is_listed_on_this_phone_and_on_no_other(begin: Begin, phone: Phone, other_phone: Phone) -> None:
    match = begin()

    assert phone.open("/").all("a", href=match.path)
    assert not other_phone.open("/").all("a", href=match.path)


def test_it_is_listed_even_where_the_answer_never_came(phone: Phone) -> None:
    phone.post(NEW, phone.open(NEW).form(NEW).filled({}, "Start"), follow=False)

    assert any("/matches/" in link.attrs["href"] for link in phone.open("/").all("a"))


def test_what_is_typed_is_shown_as_it_is_typed(begin: Begin) -> None:
    match = begin(seat_0="<b>Ann</b>", title="</title><script>x</script>")

    assert not [script for script in match.all("script") if "src" not in script.attrs]
    assert "<b>Ann</b>" in match.text


def test_enter_without_scripts_starts_no_match(phone: Phone) -> None:
    """A browser presses the first button of a form; every field has as much room as a name may have."""
    form = phone.open(NEW).form(NEW)
    first = next(button for button in form.buttons)

    page = phone.post(form.action, {**form.fields, "seat-0": "Ann", first.name: first.value})

    assert (page.status, page.path) == (200, NEW)
    assert page.form(NEW).fields["seat-0"] == "Ann"
    assert page.one("input", id="seat-0").attrs["maxlength"] == "24"
