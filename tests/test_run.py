"""The `run` script: any shell can read it, it explains itself, and it knows what is set up already."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scorekeeper.paths import CHECKOUT

RUN = CHECKOUT / "run"
ENGINE_PACKAGES = ["webkit2gtk-driver", "xvfb", "firefox-esr"]
CHECKS = ["ruff", "mypy", "deno", "djlint"]
COMMANDS = [
    *(
        "serve",
        "setup",
        "test",
        "check",
        "release",
        "windows",
        "container",
        "bench",
        "cluster",
        "fuzz",
        "storm",
    ),
    "help",
]


def run(*words: str, at: Path = RUN, typed: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(at), *words], input=typed, capture_output=True, text=True, check=False, env=os.environ | environ
    )


@pytest.fixture
def ready(bare: Path) -> Path:
    """Pretend that everything is set up there, on a Debian."""
    _pretend_to_be_set_up(bare)
    _tools_of_debian(bare)
    return bare


def run_in(folder: Path, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the script of a folder, with the programs of that folder alone."""
    return run(*words, at=folder / "run", typed=typed, PATH=str(folder / "bin"))


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """Copy what the script needs to a folder where nothing is set up."""
    for name in ("run", "pyproject.toml", "requirements-pip.txt", "requirements.txt", "requirements-test.txt"):
        shutil.copy(CHECKOUT / name, tmp_path)
    return tmp_path


@pytest.mark.parametrize("shell", [shell for shell in ("sh", "dash", "bash", "busybox") if shutil.which(shell)])
def test_any_shell_can_read_it(shell: str) -> None:
    command = [shell, "sh"] if shell == "busybox" else [shell]

    assert subprocess.run([*command, "-n", str(RUN)], check=False).returncode == 0


@pytest.mark.parametrize("script", [RUN, CHECKOUT / ".ci" / "run"], ids=["run", ".ci/run"])
def test_the_scripts_can_be_started(script: Path) -> None:
    assert os.access(script, os.X_OK)


def test_help_lists_every_command() -> None:
    answer = run("help")

    assert answer.returncode == 0
    assert re.findall(r"^  (\w+)  ", answer.stdout, re.MULTILINE) == COMMANDS


def settings_read() -> set[str]:
    """Return every environment variable that the program reads."""
    sources = ("config.py", "paths.py")
    return {
        name
        for source in sources
        for name in re.findall(r"SCOREKEEPER_[A-Z_]*[A-Z]", (CHECKOUT / "scorekeeper" / source).read_text())
    }


def test_help_names_every_setting() -> None:
    assert set(re.findall(r"SCOREKEEPER_[A-Z_]+", run("help").stdout)) == settings_read()


def test_a_command_it_does_not_know_is_refused() -> None:
    answer = run("shuffle")

    assert answer.returncode == 2
    assert "shuffle" in answer.stderr


def test_windows_has_a_script_of_its_own_that_its_interpreter_can_read() -> None:
    """cmd.exe misreads a file whose lines end in LF alone, and its console may show no letters beyond ASCII."""
    content = (CHECKOUT / "run.cmd").read_bytes()

    assert content.isascii()
    assert content.count(b"\r\n") == content.count(b"\n")


def test_without_python_it_says_how_to_get_it(bare: Path) -> None:
    answer = run("setup", at=bare / "run", PATH=str(_tools_without_python(bare)))

    assert answer.returncode == 1
    assert "Python 3.11" in answer.stderr
    assert "install" in answer.stderr


@pytest.mark.parametrize("is_requested", [False, True])
def test_the_python_of_the_system_comes_before_one_that_somebody_built(bare: Path, is_requested: bool) -> None:
    _pretend_to_be_set_up(bare)
    tools = _tools_of_debian(bare)
    built = tools / "python3"
    _program(built, f"echo used >>{bare}/built; exit 0")
    can_be_used = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))"
    # In a shell, which reports that there is none.
    system = subprocess.run(["sh", "-c", f"/usr/bin/python3 -c '{can_be_used}'"], capture_output=True, check=False)
    requested = {"PYTHON": str(built)} if is_requested else {}

    answer = run("setup", at=bare / "run", PATH=f"{tools}:/usr/bin", **requested)

    assert answer.returncode == 0, answer.stderr
    assert (bare / "built").exists() == (is_requested or system.returncode != 0)


def test_what_is_set_up_is_not_set_up_again(bare: Path) -> None:
    _pretend_to_be_set_up(bare)

    answer = run(at=bare / "run")

    assert (answer.returncode, answer.stdout) == (0, "scorekeeper serve --migrate\n")


def test_new_requirements_are_noticed(bare: Path) -> None:
    _pretend_to_be_set_up(bare)
    with (bare / "requirements.txt").open("a") as file:
        file.write("# changed\n")

    answer = run(at=bare / "run", PYTHON="false", PATH=str(_tools_without_python(bare)))

    assert answer.returncode == 1
    assert "Python 3.11" in answer.stderr


@pytest.mark.parametrize(
    ("there", "installed"),
    [
        ([], ENGINE_PACKAGES),
        (["Xvfb", "firefox"], ["webkit2gtk-driver"]),
        (["WebKitWebDriver", "Xvfb", "firefox-esr"], []),
    ],
)
def test_the_engines_of_other_phones_are_installed_for_the_tests(
    ready: Path, there: list[str], installed: list[str]
) -> None:
    for program in ("chromium-headless-shell", *there):
        _program(ready / "bin" / program, "true")

    answer = run_in(ready, "test", "--all")

    assert answer.returncode == 0, answer.stderr
    assert [word for word in _apt_requests(ready) if word in ENGINE_PACKAGES] == installed


@pytest.mark.parametrize(("answer", "is_installed"), [("y\n", True), ("n\n", False), ("", False)])
def test_a_mac_is_asked_before_homebrew_installs_pango(ready: Path, answer: str, is_installed: bool) -> None:
    _program(ready / "bin" / "uname", "echo Darwin")
    _program(ready / "bin" / "brew", f'echo "$@" >>{ready}/asked')

    done = run_in(ready, "test", "tests/pitch/scoring", typed=answer)

    assert done.returncode == 0, done.stderr
    assert _apt_requests(ready) == (["install", "pango"] if is_installed else [])
    assert ("the browser prints" in done.stderr) is not is_installed


@pytest.mark.parametrize(
    ("chosen", "installed"),
    [
        (["tests/pitch/scoring"], set()),
        (["./tests/pitch/scoring/test_hand.py::test_a_hand", "tests/test_run.py", "-k", "hand"], set()),
        (["scorekeeper/pitch/rules"], set()),
        (["tests/browser/test_tv.py"], {"chromium"}),
        (["tests/pitch/scoring", "tests/cluster"], {"nginx"}),
        (["tests/engines/"], {"firefox"}),
        (["tests"], {"chromium", "firefox", "nginx"}),
        (["-k", "hand"], {"chromium", "firefox", "nginx"}),
        (["--all"], {"chromium", "firefox", "nginx"}),
        ([], {"chromium"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_only_what_the_chosen_tests_need_is_set_up(ready: Path, chosen: list[str], installed: set[str]) -> None:
    answer = run_in(ready, "test", *chosen)

    # The script finds a system's nginx also where only root looks for it.
    present = {"nginx"} if os.access("/usr/sbin/nginx", os.X_OK) else set()
    requested = {word.partition("-")[0] for word in _apt_requests(ready)}
    assert requested & {"chromium", "firefox", "nginx"} == installed - present
    assert answer.stdout.splitlines()[-1].endswith(" ".join(chosen))


@pytest.mark.parametrize(
    ("words", "checks"), [([], CHECKS), (["--all"], CHECKS), (["tests/pitch/scoring"], [])], ids=" ".join
)
def test_all_tests_are_run_after_the_code_is_checked_and_chosen_ones_by_themselves(
    ready: Path, words: list[str], checks: list[str]
) -> None:
    ran = run_in(ready, "test", *words).stdout.split()

    assert [word for word in CHECKS if word in ran] == checks


@pytest.mark.parametrize(
    ("there", "builder"),
    [
        (["docker", "podman", "buildah"], "docker"),
        (["docker without a daemon", "podman", "buildah"], "podman"),
        (["docker without a daemon", "buildah"], "buildah"),
    ],
)
def test_a_container_is_built_by_what_is_there(ready: Path, there: list[str], builder: str) -> None:
    for program in there:
        name, *silent = program.split()
        _program(ready / "bin" / name, f'[ "$1" = info ] && exit {len(silent)}; echo {name} "$@"')

    answer = run_in(ready, "container", "--build-arg", "BASE=ours")

    of_docker = "" if builder == "docker" else "--format docker --layers "
    assert answer.stdout == f"{builder} build -f Containerfile -t scorekeeper {of_docker}--build-arg BASE=ours .\n"
    assert answer.returncode == 0


def test_a_base_that_is_left_half_made_is_deleted_without_what_is_mounted_in_it(ready: Path) -> None:
    for name, line in (("podman", ""), ("debootstrap", "exit 1"), ("rm", 'echo rm "$@"')):
        _program(ready / "bin" / name, line)

    answer = run("container", "--debootstrap", at=ready / "run", PATH=str(ready / "bin"), TMPDIR=str(ready))

    assert answer.returncode == 1
    assert f"rm -rf --one-file-system {ready}/tmp." in answer.stdout


def test_where_nothing_builds_a_container_the_smallest_is_asked_for(ready: Path) -> None:
    run_in(ready, "container")

    assert _apt_requests(ready)[-1] == "buildah"


def _apt_requests(folder: Path) -> list[str]:
    requested = folder / "asked"
    return requested.read_text().split() if requested.exists() else []


def _tools_of_debian(bare: Path) -> Path:
    """Return a folder of programs with Python, without anything else that the tests need, and with an apt that writes
    down its arguments.
    """
    tools = _tools_without_python(bare)
    for tool in ("basename", "grep", "env", "getconf", "head", "tail", "true"):
        (tools / tool).symlink_to(shutil.which(tool) or tool)
    (tools / "python3").symlink_to(sys.executable)
    _program(tools / "uname", "echo Linux")
    _program(tools / "id", "echo 0")
    _program(tools / "apt-get", f'echo "$@" >>{bare}/asked')
    return tools


def _program(file: Path, line: str) -> None:
    file.unlink(missing_ok=True)
    file.write_text(f"#!/bin/sh\n{line}\n")
    file.chmod(0o755)


def _tools_without_python(folder: Path) -> Path:
    tools = folder / "bin"
    tools.mkdir()
    for tool in ("sh", "dirname", "uname", "cat", "cksum", "mktemp", "rm"):
        (tools / tool).symlink_to(shutil.which(tool) or tool)
    return tools


def _pretend_to_be_set_up(folder: Path) -> None:
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("python", "scorekeeper", "ruff", "mypy", "deno", "djlint"):
        _program(programs / name, 'echo "$(basename "$0")" "$@"')
    for kind, files in (("serve", "requirements.txt"), ("test", "requirements.txt requirements-test.txt")):
        command = f"{{ pwd; cat pyproject.toml {files}; }} | cksum"
        stamp = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=True)
        (folder / ".venv" / f".made-for-{kind}").write_text(stamp.stdout)
