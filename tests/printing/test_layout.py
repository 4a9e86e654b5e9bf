"""A layout loads our own files and no others, and reports what is missing."""

import subprocess
import sys
from pathlib import Path

import pytest

from scorekeeper.paths import PACKAGE, STATIC
from scorekeeper.printing import pdf
from scorekeeper.printing.pdf import Layout, file_of_url, gray_of_color

ADDRESS = STATIC.as_uri()


def test_a_font_of_ours_may_be_loaded() -> None:
    file = STATIC / "fonts" / "suits.woff2"

    assert file_of_url(f"{ADDRESS}/fonts/suits.woff2", STATIC) == file


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:9/x.css",
        "https://example.org/x.woff2",
        "file:///etc/passwd",
        "file://elsewhere/etc/passwd",
        f"{ADDRESS}/../pyproject.toml",
        f"{ADDRESS}/%2e%2e/pyproject.toml",
        f"{ADDRESS}/fonts/none.woff2",
        f"{ADDRESS}/fonts",
        "data:text/css,*{display:none}",
        "/etc/passwd",
    ],
)
def test_nothing_else_may_be_loaded(url: str) -> None:
    with pytest.raises(ValueError, match=r"prints only its own files|no such file"):
        file_of_url(url, STATIC)


def test_a_link_out_of_the_folder_leads_nowhere(tmp_path: Path) -> None:
    inside = tmp_path / "static"
    inside.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (inside / "way-out.txt").symlink_to(tmp_path / "secret.txt")

    with pytest.raises(ValueError, match="no such file"):
        file_of_url(f"{inside.as_uri()}/way-out.txt", inside)


def test_a_page_that_asks_for_strangers_is_printed_without_them() -> None:
    markup = '<img src="file:///etc/hostname"><link rel="stylesheet" href="http://127.0.0.1:9/x.css"><p>Still here</p>'

    document = Layout(markup, []).render("")

    assert len(document.pages) == 1


def test_no_linker_and_no_compiler_is_started_and_nothing_is_said_at_the_end() -> None:
    audit = "import sys; sys.addaudithook(lambda name, _: print(name) if name == 'subprocess.Popen' else None); "
    prints = "from scorekeeper.printing.print_service import warm_up; warm_up()"

    started = subprocess.run([sys.executable, "-c", audit + prints], cwd=PACKAGE.parent, capture_output=True, text=True)

    assert (started.returncode, started.stdout, started.stderr) == (0, "", "")


def test_it_knows_that_it_cannot_where_no_library_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "weasyprint", raising=False)
    monkeypatch.setattr(pdf, "PANGO_LIBRARY_NAMES", ("libthereisnone.so.0",))
    pdf.is_available.cache_clear()

    available = pdf.is_available()

    pdf.is_available.cache_clear()
    assert not available


@pytest.mark.parametrize(
    ("color", "shade"),
    [("#fff", "#ffffff"), ("#1d4d3c", "#000000"), ("#b01e2a", "#000000"), ("#c9d5c2", "#d1d1d1"), ("#000", "#000000")],
)
def test_a_color_becomes_the_gray_that_is_as_dark(color: str, shade: str) -> None:
    assert gray_of_color(color) == shade
