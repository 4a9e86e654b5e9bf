"""The documentation is right: paths and names, links, commands with their options, settings, and the games."""

import plistlib
import re
import shlex
import shutil
import subprocess
import sys
from functools import reduce
from pathlib import Path

import pytest

from scorekeeper.paths import PACKAGE, RULESETS, TEMPLATES
from scorekeeper.pitch.records.record import _RECORD_KEYS
from scorekeeper.pitch.rules.house_rules import read_house_rules, with_house
from scorekeeper.pitch.rules.library import read_library
from scorekeeper.pitch.scoring.hand import HAND_FIELDS
from tests.common.commands import EVERY_COMMAND, options_of
from tests.common.library import LIBRARY
from tests.test_run import COMMANDS as RUN_COMMANDS
from tests.test_run import settings_read

ROOT = PACKAGE.parent
README = ROOT / "README.md"
PAGES = [
    README,
    *(ROOT / f"{name}.md" for name in ("CONTRIBUTING", "SECURITY", "STYLE")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
FOLDER_PAGES = sorted(PACKAGE.rglob("README.md"))
TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in (*PAGES, *FOLDER_PAGES)}
CODE, COMMAND_PAGE, HOSTING = TEXTS["docs/code.md"], TEXTS["docs/commands.md"], TEXTS["docs/hosting.md"]
SETTINGS = settings_read()
MAX_LINES = 150
"""What three screens hold."""


def rows(page: str, *, start: str) -> list[str]:
    """Return the rows of a page's tables whose first cell starts with a text."""
    return [line for line in page.splitlines() if line.startswith(f"| {start}")]


def meant(page: Path, path: str) -> Path:
    """Return the file that a page means by a path: beside it, in the package, or in the project."""
    return next((file for folder in (page.parent, PACKAGE) if (file := folder / path).is_file()), ROOT / path)


# --- paths and names ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", TEXTS)
def test_every_path_is_there(page: str) -> None:
    paths = re.findall(r"`((?:scorekeeper|templates|rulesets|static|tests|docs)/[^`\s]*)`", TEXTS[page])

    assert not [path for path in paths if not list(ROOT.glob(path))]


NAMED = [
    (page, path, name)
    for page, text in TEXTS.items()
    for path, names in re.findall(r"`([\w/.]+\.\w+)` \(((?:`[\w.]+`(?:, )?)+)\)", text)
    for name in re.findall(r"`([\w.]+)`", names)
]


@pytest.mark.parametrize(("page", "path", "name"), NAMED)
def test_a_name_is_in_the_file_before_it(page: str, path: str, name: str) -> None:
    own = name.rpartition(".")[2]

    assert re.search(
        rf"^(?:class |def |    def |\[)?{own}\b",
        meant(ROOT / page, path).read_text(encoding="utf-8"),
        flags=re.MULTILINE,
    )


def test_the_answer_of_the_example_stands_where_the_page_says() -> None:
    example = CODE[CODE.index("### An answer to a house option") :]

    named = [
        path for path in re.findall(r"`(scorekeeper/[^`]+\.py)`", example) if "below_top" in (ROOT / path).read_text()
    ]

    assert named == [
        found.relative_to(ROOT).as_posix()
        for found in sorted(PACKAGE.rglob("*.py"))
        if "below_top" in found.read_text()
    ]


@pytest.mark.parametrize("page", FOLDER_PAGES, ids=lambda page: page.parent.name)
def test_every_module_that_a_folder_speaks_of_is_there(page: Path) -> None:
    modules = re.findall(r"`([\w/]+\.py)`", page.read_text(encoding="utf-8"))

    assert not [module for module in modules if not meant(page, module).is_file()]


@pytest.mark.parametrize("folder", sorted(file.name for file in PACKAGE.iterdir() if (file / "__init__.py").exists()))
def test_every_package_is_in_the_table_of_folders(folder: str) -> None:
    assert rows(CODE, start=f"`scorekeeper/{folder}/`")


# --- links --------------------------------------------------------------------------------------------------------


def linked(page: str) -> list[str]:
    """Return where a page leads to, and the pictures on it."""
    found = re.findall(r"\]\(([^)\s]+)\)", TEXTS[page]) + re.findall(r'src="([^"]+)"', TEXTS[page])
    return [target for target in found if not target.startswith("http")]


def anchors(text: str) -> set[str]:
    """Return what the headings of a page are called in an address."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", TEXTS)
def test_every_link_leads_somewhere(page: str) -> None:
    lost = []
    for target in linked(page):
        path, _, anchor = target.partition("#")
        file = (ROOT / page).parent / path if path else ROOT / page
        if not file.exists() or (anchor and anchor not in anchors(file.read_text(encoding="utf-8"))):
            lost.append(target)

    assert lost == []


def test_every_page_and_picture_is_reached_from_the_readme() -> None:
    reached = {
        ((ROOT / page).parent / target.partition("#")[0]).resolve()
        for page in ("README.md", "CONTRIBUTING.md", "docs/code.md")
        for target in linked(page)
    }

    assert reached >= {*PAGES[1:], *(ROOT / "docs").glob("*.png")}


# --- commands and settings ------------------------------------------------------------------------------------------


CALLED = {words: command for words, command in EVERY_COMMAND.items() if command.callback}
"""Those that do something by themselves."""


def called(line: str) -> tuple[str, set[str]]:
    """Return the words of the `scorekeeper` command that a line calls, empty where none is, and the line's options."""
    words = shlex.split(line.partition("scorekeeper ")[2], comments=True)
    given = {word.partition("=")[0] for word in words if re.fullmatch(r"--?[a-z].*", word)}
    for length in (2, 1):
        if " ".join(words[:length]) in CALLED:
            return " ".join(words[:length]), given
    return "", given


def test_every_command_has_a_row_with_its_options_and_every_row_a_command() -> None:
    written = {}
    for row in rows(COMMAND_PAGE, start="`scorekeeper "):
        command, _ = called(row.split("`")[1])
        written[command] = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", row))

    assert written == {words: {found.opts[0] for found in options_of(command)} for words, command in CALLED.items()}


def test_every_command_of_run_has_a_row_and_every_row_a_command() -> None:
    written = re.findall(r"^\| `\./run ?(\w*)` \|", COMMAND_PAGE, flags=re.MULTILINE)

    assert written == ["", *RUN_COMMANDS[1:]]


@pytest.mark.parametrize("page", TEXTS)
def test_a_page_calls_only_commands_and_options_that_there_are(page: str) -> None:
    fenced = "".join(re.findall(r"^```(?:sh)?\n(.*?)^```", TEXTS[page], flags=re.DOTALL | re.MULTILINE))
    inline = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", TEXTS[page], flags=re.DOTALL))
    lines = [line for line in (*fenced.splitlines(), *inline) if re.search(r"(^|/)scorekeeper [a-z]", line)]
    for line in lines:
        command, given = called(line)
        assert command, line
        known = {"-h", "--help", *(name for option in options_of(CALLED[command]) for name in option.opts)}
        assert given <= known, line
    ran = re.findall(r"\./run (\w+)", TEXTS[page])
    assert set(ran) <= set(RUN_COMMANDS)
    tests = re.findall(r"\./run test (tests/[\w./]+)", TEXTS[page])
    tests += [name.replace(".", "/") + ".py" for name in re.findall(r"python -m (tests[\w.]+)", TEXTS[page])]
    commands = [name for name in tests if (ROOT / name.removesuffix(".py") / "__main__.py").exists()]
    assert not [name for name in tests if name not in commands and not (ROOT / name).exists()]


def test_every_setting_has_a_row_and_every_row_a_setting() -> None:
    assert sorted(re.findall(r"^\| `(SCOREKEEPER_\w+)` \|", HOSTING, flags=re.MULTILINE)) == sorted(SETTINGS)


@pytest.mark.parametrize("page", TEXTS)
def test_a_page_names_only_settings_that_there_are(page: str) -> None:
    assert set(re.findall(r"SCOREKEEPER_[A-Z_]+", TEXTS[page])) <= SETTINGS


# --- what starts it by itself ---------------------------------------------------------------------------------------

KEEP_RUNNING = TEXTS["docs/keep-it-running.md"]
[UNIT] = re.findall(r"```ini\n(.*?)```", KEEP_RUNNING, flags=re.DOTALL)
[AGENT] = re.findall(r"```xml\n(.*?)```", KEEP_RUNNING, flags=re.DOTALL)
ANALYZE = shutil.which("systemd-analyze")


def test_what_starts_it_runs_a_command_that_there_is() -> None:
    [start] = re.findall(r"^ExecStart=(.*)$", UNIT, flags=re.MULTILINE)

    for command in (start, " ".join(plistlib.loads(AGENT.encode())["ProgramArguments"])):
        name, given = called(command)
        assert given <= {found.opts[0] for found in options_of(CALLED[name])}


@pytest.mark.skipif(ANALYZE is None, reason="there is no systemd to ask")
def test_systemd_reads_the_unit_and_calls_it_safe(tmp_path: Path) -> None:
    unit = tmp_path / "scorekeeper.service"
    own = {"User=ann": "User=daemon", "/home/ann/scorekeeper/.venv/bin/scorekeeper": sys.executable}
    unit.write_text(reduce(lambda text, pair: text.replace(*pair), own.items(), UNIT), encoding="utf-8")

    read, safe = (
        subprocess.run([str(ANALYZE), *words, str(unit)], capture_output=True, text=True, check=False)
        for words in (["verify"], ["security", "--offline=true", "--threshold=30"])
    )

    assert (read.returncode, [line for line in read.stderr.splitlines() if "scorekeeper.service" in line]) == (0, [])
    assert safe.returncode == 0, safe.stdout[-500:]


# --- records ------------------------------------------------------------------------------------------------------


def test_every_key_of_a_record_and_of_a_hand_has_a_row() -> None:
    page = TEXTS["docs/records.md"].partition("## What a record may say")[2].partition("\n## ")[0]
    of_record, of_hand = (
        [key for row in rows(part, start="`") for key in re.findall(r"`(\w+)`", row.split("|")[1])]
        for part in page.split("A hand says")
    )

    assert sorted(of_record) == sorted(_RECORD_KEYS)
    assert of_hand == [field.name for field in HAND_FIELDS]


def test_the_house_rules_on_the_page_can_be_read() -> None:
    [file] = re.findall(r"```toml\n(.*?)```", TEXTS["docs/at-home.md"], flags=re.DOTALL)

    house = read_house_rules(file.encode(), read_library(RULESETS), "ours.toml")

    assert (house.variant, house.options) == ("pedro", {"target": 52, "win_rule": "made_bid"})


# --- the README -----------------------------------------------------------------------------------------------------


def test_the_readme_is_three_screens() -> None:
    assert len(TEXTS["README.md"].splitlines()) <= MAX_LINES


def test_what_a_family_reads_first_has_nothing_for_whoever_hosts_a_club() -> None:
    assert not re.search(r"nginx|Caddy|PostgreSQL|proxy|SCOREKEEPER_", TEXTS["README.md"])


GAMES = re.findall(
    r"^\| ([\w ]+) \| ([\d, –]+) \| (.+) \|$", TEXTS["README.md"].partition("## The games")[2], flags=re.MULTILINE
)
BY_NAME = {ruleset.name: ruleset for ruleset in LIBRARY}


def games_of(names: str) -> list[str]:
    """Return the games of a family, each as often as it is named."""
    return [name.removesuffix(r"\*") for name in names.split(", ")]


def test_every_game_is_in_one_family_of_the_readme() -> None:
    named = [game for _, _, names in GAMES for game in games_of(names)]

    assert sorted(named) == sorted(BY_NAME)
    assert f"There are {len(named)} games here" in TEXTS["README.md"]


@pytest.mark.parametrize(("family", "scores", "names"), GAMES)
def test_a_family_goes_to_the_scores_of_its_games(family: str, scores: str, names: str) -> None:
    games = [BY_NAME[game] for game in games_of(names)]
    targets = {game.winning.target for game in games}.union(*(game.sheet.offers.get("target", ()) for game in games))

    named = [int(score) for score in re.findall(r"\d+", scores)]
    assert named == sorted(named)
    assert set(named) == targets - {None}


def test_a_star_says_which_games_are_won_only_on_a_made_bid() -> None:
    starred = {name for _, _, names in GAMES for name in re.findall(r"(?:^|, )([^,]+?)\\\*", names)}

    assert starred == {ruleset.name for ruleset in LIBRARY if ruleset.winning.win_rule == "made_bid"}


@pytest.mark.parametrize("target", [42, 52, 62, 77])
@pytest.mark.parametrize("win_rule", ["made_bid", "first_to_target"])
def test_every_game_with_bidding_that_counts_up_can_go_there(target: int, win_rule: str) -> None:
    games = [ruleset for ruleset in LIBRARY if ruleset.bidding.auction and ruleset.winning.count_down_from is None]

    assert len(games) > 40
    assert not [game.name for game in games if with_house(game, {"target": target, "win_rule": win_rule})[1]]


SCREEN = "\n".join(file.read_text(encoding="utf-8") for file in (*TEMPLATES.rglob("*.html"), *PACKAGE.rglob("*.py")))


@pytest.mark.parametrize("page", ["README.md", "docs/at-home.md", "docs/club.md", "docs/records.md"])
def test_what_a_page_says_to_tap_is_on_the_screen(page: str) -> None:
    labels = {" ".join(label.split()) for label in re.findall(r"“([^”]+)”", TEXTS[page])}

    assert not [label for label in labels if label not in SCREEN]
