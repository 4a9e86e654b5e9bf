from tests.browser.page_checks import enlarge_text
from tests.chromium import Phones
U={"ten":"/settle?v=1&rules=colorado-ten-point&score-0=37&score-1=40&bidder=s1&bid=6&count-s1=6","seven":"/settle?rules=seven-up&seats=3&count-p1=6","phat":"/settle?rules=phat","rul":"/settle?v=1&rules=colorado-ten-point&score-0=37&score-1=40&bidder=s1&bid=6&count-s1=6&count-s2=4&show=ruling"}
def test_shots(phones: Phones):
    p=phones.new(width=390,height=844)
    for n,u in U.items():
        p.goto(u); p.screenshot(path=f"/tmp/shot-{n}-light.png",full_page=True)
    for n,u in U.items():
        p.goto(u); enlarge_text(p); p.wait_for_timeout(300); p.evaluate("scrollTo(0,500)"); p.screenshot(path=f"/tmp/shot-{n}-200.png")
        assert p.evaluate("document.documentElement.scrollWidth")<=390
