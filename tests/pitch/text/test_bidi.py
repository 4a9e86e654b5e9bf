"""Names that are written from right to left, in markup."""

import pytest

from scorekeeper.pitch.text.phrases import isolate_rtl_names


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>דן +2</p>", "<p><bdi>דן</bdi> +2</p>"),
        ("שרה לוי, ليلى and דן", "<bdi>שרה לוי</bdi>, <bdi>ليلى</bdi> and <bdi>דן</bdi>"),
        ("שרה & דן v. Bea", "<bdi>שרה</bdi> & <bdi>דן</bdi> v. Bea"),
        ("It was שרה. דן deals", "It was <bdi>שרה</bdi>. <bdi>דן</bdi> deals"),
        ("דן’s phone", "<bdi>דן</bdi>’s phone"),
        ("ג&#39;ק: צה&#34;ל", "<bdi>ג&#39;ק</bdi>: <bdi>צה&#34;ל</bdi>"),
        ("בן-דוד−4", "<bdi>בן-דוד</bdi>−4"),
        ("דן2 3", "<bdi>דן2</bdi> 3"),
        ("٣ +2", "<bdi>٣</bdi> +2"),
        ("<b>שרה</b> <b>לוי</b>", "<b><bdi>שרה</bdi></b> <b><bdi>לוי</bdi></b>"),
    ],
)
def test_each_name_is_isolated(markup: str, expected: str) -> None:
    assert isolate_rtl_names(markup) == expected


@pytest.mark.parametrize(
    "markup",
    [
        "<p>Ann & Cal +2: ♠ 4’s “José” −3 日本 😀</p>",
        '<input value="שרה"><img alt="שרה & דן">',
        "<title>שרה v. דן</title>",
        "<textarea>\nשרה 3</textarea>",
        "<option>שרה</option>",
        "<svg><title>דן</title><desc>שרה 3, דן 4</desc><text>ש</text></svg>",
        "<script>say('דן')</script><!-- דן -->",
        "<bdi>שרה</bdi>",
        '<bdi class="short-name"><span>שרה</span> <span>לוי</span></bdi>',
    ],
)
def test_what_needs_no_markup_or_takes_none_stays_as_it_is(markup: str) -> None:
    assert isolate_rtl_names(markup) == markup
