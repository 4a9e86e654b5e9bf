"""What is tapped on a page before it is looked at."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

Step = Callable[[Page], None]


def no_step(_page: Page) -> None:
    """Leave the page as it opens."""


def pick(page: Page, name: str, value: str) -> None:
    """Tap an answer."""
    page.locator(f'label:has([name="{name}"][value="{value}"])').tap()


def wait_for_count(page: Page) -> None:
    """Wait until what was tapped has been counted."""
    expect(page.locator(".htmx-request")).to_have_count(0)


def picks(*answers: tuple[str, str]) -> Step:
    """Return a step that taps answers, each counted before the next."""

    def step(page: Page) -> None:
        for name, value in answers:
            with page.expect_response("**/preview"):
                pick(page, name, value)
            wait_for_count(page)

    return step


def type_bid(page: Page) -> None:
    """Type a bid that has no button."""
    picks(("bidder", "p3"), ("bid", "40"))(page)
    with page.expect_response("**/preview"):
        page.locator("#bid-number").fill("43")
    wait_for_count(page)


def pass_and_play(page: Page) -> None:
    """Say that all passed, where the hand is played all the same."""
    with page.expect_response("**/preview"):
        page.locator("details:has(#penalties) > summary").tap()
        page.locator("[name=passed]").tap()
    wait_for_count(page)


def type_penalty(page: Page) -> None:
    """Type a penalty for a hand that was made."""
    picks(("call", "p4:3"), ("took-low", "s1"))(page)
    page.locator("details:has(#penalties) > summary").tap()
    with page.expect_response("**/preview"):
        page.locator("#penalty-s2").fill("2")
    wait_for_count(page)


def sit_in_nobody(page: Page) -> None:
    """Save without saying who leaves."""
    page.locator("[name=name]").fill("Eva")
    with page.expect_navigation():
        page.locator(".bottom-bar .go").tap()


def refuse_paper(page: Page) -> None:
    """Start from scores that are no numbers."""
    page.locator("#paper > summary").tap()
    page.locator("#paper-score-0").fill("ten")
    page.locator("#paper-sets-1").fill("2")
    with page.expect_navigation():
        page.locator(".bottom-bar .go").tap()


def save_impossible_hand(page: Page) -> None:
    """Save a hand that cannot have been played."""
    pick(page, "call", "p4:3")
    for award, who in (("high", "nobody"), ("low", "s1"), ("jack", "nobody"), ("game", "s1")):
        with page.expect_response("**/preview"):
            pick(page, f"took-{award}", who)
    page.get_by_text("Count for Game").tap()
    page.locator("[name=pile-s1]").fill("31")
    with page.expect_response("**/preview"):
        page.locator("[name=pile-s2]").fill("49")
    wait_for_count(page)
    with page.expect_navigation():
        page.locator("#main-button").tap()


def give_rest(page: Page, who: str) -> None:
    """Give what is open to a side."""
    with page.expect_response("**/preview"):
        page.locator(f"[name=rest][value={who}]").tap()
    wait_for_count(page)


def save_offline(page: Page) -> None:
    """Save a hand while offline."""
    picks(("call", "p4:3"), ("took-low", "s1"))(page)
    give_rest(page, "s2")
    page.context.set_offline(True)
    page.locator("#main-button").tap()
    expect(page.locator("#outbox")).to_contain_text("Saved on this phone")


def discard_waiting_hand(page: Page) -> None:
    """Discard a waiting hand, which asks first."""
    save_offline(page)
    page.get_by_role("button", name="Discard").tap()


def tap_offline(page: Page) -> None:
    """Tap while offline."""
    page.context.set_offline(True)
    pick(page, "bidder", "p3")
    expect(page.locator("#bottom_bar")).to_contain_text("What you entered is safe.")


def return_to_draft(page: Page) -> None:
    """Come back to a hand that was not saved."""
    picks(("call", "p4:3"))(page)
    page.reload()
    expect(page.locator("#draft")).to_contain_text("Restored.")
    wait_for_count(page)


def watch_offline(page: Page) -> None:
    """Watch while offline, with a hand that waits."""
    match = page.url
    page.goto(f"{match}hands/new")
    save_conflict(page)
    page.goto(match)
    expect(page.locator("#outbox")).to_contain_text("is still on this phone")
    page.context.set_offline(True)
    expect(page.locator("#touch")).to_contain_text("Offline.")


def count_piles(page: Page) -> None:
    """Count two piles card by card."""
    picks(("call", "p4:3"))(page)
    page.get_by_text("Count for Game").tap()
    for summary in page.locator(".pile summary").all():
        summary.tap()
    for name in ("cards-s1-10", "cards-s1-A", "cards-s2-K"):
        with page.expect_response("**/preview"):
            page.locator(f".rank:has([name={name}]) [data-adds='1']").tap()
    wait_for_count(page)


def start_without_names(page: Page) -> None:
    """Start with one name only."""
    page.locator("[name=seat-0]").fill("Ann")
    with page.expect_navigation():
        page.locator(".bottom-bar .go").tap()


def choose_open_game(page: Page) -> None:
    """Choose a game for a night that leaves four things open, and go on."""
    page.locator("#variant").select_option("catch-five")
    with page.expect_navigation():
        page.locator(".bottom-bar .go").tap()


def upload_bad_file(page: Page) -> None:
    """Upload a file that is no record."""
    page.locator("[type=file]").set_input_files(
        {"name": "cabin.json", "mimeType": "application/json", "buffer": b'{"format": "pitch-record/1", "hands": 3}'}
    )
    with page.expect_navigation():
        page.get_by_role("button", name="Import").tap()


def repeat_a_name(page: Page) -> None:
    """Give two people one name."""
    page.locator("[name=name-p1]").fill("Bea")
    with page.expect_navigation():
        page.get_by_role("button", name="Save", exact=True).tap()


def upload_unplayable_rules(page: Page) -> None:
    """Upload house rules with a bid that is higher than all points."""
    rules = b'format = "house-rules/1"\nname = "Cabin"\nvariant = "partnership-pitch"\n[house]\nmin_bid = 9\n'
    file = page.locator("[type=file]")
    file.set_input_files({"name": "cabin.toml", "mimeType": "application/toml", "buffer": rules})
    with page.expect_navigation():
        page.get_by_role("button", name="Import").tap()


def save_refused_rules(page: Page) -> None:
    """Save rules with a note that is too long, and one of them with a target that is no number."""
    with page.expect_response("**/house/**"):
        page.locator("#in-rule-target").fill("many")
        page.locator("#in-rule-target").blur()
    wait_for_count(page)
    page.locator("[name=notes]").evaluate("(it) => { it.value = 'x'.repeat(201); }")
    page.locator("#compose [name=do]").evaluate("(it) => { it.value = 'save'; it.click(); }")
    expect(page.get_by_role("alert")).to_be_visible()


def change_a_rule_late(page: Page) -> None:
    """Change a rule where another phone has just written a hand."""
    other = page.context.new_page()
    other.goto(page.url.replace("rules/change", "hands/new"))
    picks(("call", "p4:3"))(other)
    give_rest(other, "s2")
    with other.expect_navigation():
        other.locator("#main-button").tap()
    other.close()
    with page.expect_response("**/rules/change"):
        pick(page, "rule-low", "held")
    wait_for_count(page)
    page.locator("#bottom_bar .go").tap()
    expect(page.get_by_role("alert")).to_be_visible()


def open_rows(page: Page) -> None:
    """Open the first two hands."""
    for summary in page.locator("summary").all()[:2]:
        summary.tap()


def save_conflict(page: Page) -> None:
    """Save a hand that another phone, on which it was begun at the same time, has just written."""
    assert page.context.browser
    phone = page.context.browser.new_context(has_touch=True)
    other = phone.new_page()
    other.goto(page.url)
    picks(("call", "p1:2"), ("trump", "hearts"), ("took-low", "s2"))(page)
    give_rest(page, "s1")
    picks(("call", "p4:3"))(other)
    give_rest(other, "s2")
    with other.expect_navigation():
        other.locator("#main-button").tap()
    phone.close()
    with page.expect_navigation():
        page.locator("#main-button").tap()


def bids(*calls: str) -> Step:
    """Return a step that makes calls, one after the other."""

    def step(page: Page) -> None:
        for call in calls:
            with page.expect_response("**/preview"):
                page.locator(f'.call button[value$=":{call}"]').tap()
            wait_for_count(page)

    return step


def type_wrong_pin(page: Page) -> None:
    """Type a PIN that no match has."""
    page.locator("#pin").fill("KKACC")
    with page.expect_navigation():
        page.get_by_role("button", name="Join").tap()
