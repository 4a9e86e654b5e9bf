"""The command line: every command is found, and each loads only what it needs."""

import subprocess
import sys

import pytest

from scorekeeper import __version__
from tests.common.commands import EVERY_COMMAND, Run
from tests.test_words import ShownText, faults


@pytest.mark.parametrize("words", EVERY_COMMAND)
def test_every_command_says_what_it_does_and_what_each_word_means(words: str, run: Run) -> None:
    command = EVERY_COMMAND[words]

    out = run(*words.split(), "-h").out

    assert out.startswith(f"Usage: scorekeeper {words}")
    assert command.help
    assert command.help[0].isupper()
    assert [param.name for param in command.params if not param.help] == []
    assert faults([ShownText("commands", 1, command.help)]) == []


def test_alone_it_lists_every_command(run: Run) -> None:
    alone = run().out

    assert run("--help").out == alone
    assert [line.split()[0] for line in alone.partition("Commands:\n")[2].splitlines()] == [
        words for words in EVERY_COMMAND if " " not in words
    ]


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_the_version_is_told(option: str, run: Run) -> None:
    assert run(option).out == f"scorekeeper {__version__}\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("deal", "scorekeeper: There is no command 'deal'."),
        (
            "service --print",
            "scorekeeper: The command service is gone: docs/keep-it-running.md has what starts it by itself.",
        ),
        ("--shuffle", "scorekeeper: No such option '--shuffle'."),
        ("matches --limits", "scorekeeper matches: No such option '--limits'. Did you mean '--limit'?"),
        (
            "matches --limit 501",
            "scorekeeper matches: Invalid value for '--limit': type a whole number from 1 to 500.",
        ),
        ("rules", "scorekeeper rules: Missing command."),
        ("books export", "scorekeeper books export: Missing argument 'BOOK'."),
        ("books import --into", "scorekeeper books import: Option '--into' requires an argument."),
        *(
            (words, "scorekeeper export: Name one match by CODE, or every match by --all.")
            for words in ("export", "export a --all")
        ),
    ],
)
def test_what_is_typed_wrong_is_said_in_a_sentence(words: str, why: str, run: Run) -> None:
    assert run(*words.split(), status=2).err == f"{why} {why.partition(':')[0]} -h says what it takes.\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("serve --port 99999", "scorekeeper serve: --port is '99999'. Set it to a number up to 65535."),
        (
            "move x sqlite://",
            "scorekeeper move: FROM_URL is no address of a database. Set it to sqlite:///file or",
        ),
        ("books export x", "scorekeeper books export: No link to a book ends like that."),
        ("export x", "scorekeeper export: No link ends like that. Find it with scorekeeper matches."),
        ("settle /nosuch", "scorekeeper settle: /nosuch cannot be read: No such file or directory."),
        ("import /nosuch", "scorekeeper import: /nosuch cannot be read: No such file or directory."),
    ],
)
@pytest.mark.usefixtures("installed")
def test_what_cannot_be_done_is_said_alike(words: str, why: str, run: Run) -> None:
    assert run(*words.split(), status=1).err.startswith(why)


@pytest.mark.parametrize("words", [["score", "--lines"], ["--help"]])
def test_scoring_a_record_and_help_load_no_server_and_no_database(words: list[str]) -> None:
    code = f"""
import sys
from scorekeeper.cli import main
main({words})
heavy = {{"flask", "sqlalchemy", "sqlmodel", "weasyprint", "waitress", "alembic"}} & set(sys.modules)
sys.exit(f"loaded {{sorted(heavy)}}" if heavy else 0)
"""

    done = subprocess.run([sys.executable, "-c", code], input="{}\n", capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
