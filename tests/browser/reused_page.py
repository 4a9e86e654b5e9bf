"""One page for many tests, each time as if it were new."""

from playwright.sync_api import Page

from tests.browser.page_checks import PHONE, set_text_size
from tests.chromium import Phones


class ReusedPage:
    """One page for many checks, each time as if it were new: a new browser context for each takes a quarter longer."""

    def __init__(self, phones: Phones) -> None:
        self.phones = phones
        self.page = phones.new(reduced_motion="reduce")

    def reset(self) -> Page:
        """Return the page, with nothing stored, online, and with the size, scheme and text of a new one."""
        page, session = self.page, self.page.context.new_cdp_session(self.page)
        page.goto("about:blank")
        page.context.set_offline(False)
        page.context.clear_cookies()
        session.send("Storage.clearDataForOrigin", {"origin": self.phones.base_url, "storageTypes": "all"})
        session.detach()
        set_text_size(page, 16)
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        self.phones.console.clear()
        return page
