"""The unit that starts the server at boot: what it says, whom it runs as, and how it is installed."""

import os
import plistlib
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scorekeeper.cli import main
from scorekeeper.server import systemd
from scorekeeper.server.systemd import NoService, Service, keep_settings, service

ANALYZE = shutil.which("systemd-analyze")


def as_ann(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whoever owns the folder be Ann, whoever runs the tests."""
    monkeypatch.setattr(systemd, "name_of_user", lambda _: "ann")
    monkeypatch.setattr(systemd, "ROOT", -1)


@pytest.fixture
def ann(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the instance folder be Ann's."""
    as_ann(monkeypatch)


@pytest.fixture
def instance(tmp_path: Path) -> Path:
    """Name a folder that takes quoting."""
    return tmp_path / 'it is 100% "ours" $HOME'


def lines_of(made: Service) -> list[str]:
    return made.unit.splitlines()


def test_whoever_owns_the_folder_runs_it(ann: None, instance: Path) -> None:
    made = service(instance, 8000, {})

    assert made.user == "ann"
    assert "User=ann" in lines_of(made)


def test_root_never_runs_it(instance: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    instance.mkdir()
    monkeypatch.setattr(systemd, "ROOT", instance.stat().st_uid)

    with pytest.raises(NoService, match="never runs as root"):
        service(instance, 8000, {})


def test_it_gains_no_rights_and_writes_into_one_folder(ann: None, instance: Path) -> None:
    lines = lines_of(service(instance, 8000, {}))

    assert {
        *("NoNewPrivileges=yes", "ProtectSystem=strict", "PrivateTmp=yes", "Restart=on-failure"),
        *("CapabilityBoundingSet=", "MemoryMax=768M", "WantedBy=multi-user.target"),
    } <= set(lines)
    assert len([line for line in lines if line.startswith("ReadWritePaths=")]) == 1


def test_a_port_below_1024_may_be_listened_on(ann: None, instance: Path) -> None:
    lines = lines_of(service(instance, 80, {}))

    assert "AmbientCapabilities=CAP_NET_BIND_SERVICE" in lines
    assert "CapabilityBoundingSet=CAP_NET_BIND_SERVICE" in lines


def test_what_is_special_in_a_path_stands_for_itself(
    ann: None, instance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/home/ann/my $cores/100%/python")

    lines = lines_of(service(instance, 8000, {}))

    quoted = str(instance).replace('"', '\\"').replace("%", "%%")
    assert f'ReadWritePaths="{quoted}"' in lines
    assert 'ExecStart="/home/ann/my $$cores/100%%/python" -m scorekeeper serve --migrate' in lines


def test_a_path_that_systemd_cannot_read_is_refused(ann: None, tmp_path: Path) -> None:
    with pytest.raises(NoService, match="cannot read"):
        service(tmp_path / "two\nlines", 8000, {})


def test_settings_are_kept_where_others_cannot_read_them(ann: None, instance: Path) -> None:
    secret = 'a"b\\c$d'
    environ = {
        "SCOREKEEPER_DATABASE_URL": f"postgresql://club:{secret}@db/pitch",
        "SCOREKEEPER_PORT": "8123",
        "SCOREKEEPER_HOST": "",
        "SCOREKEEPER_INSTANCE": str(instance),
        "HOME": "/home/ann",
    }

    made = service(instance, 8123, environ)
    keep_settings(made)

    kept = made.settings_file.read_text()
    assert secret not in made.unit
    assert [line.partition("=")[0] for line in kept.splitlines()] == ["SCOREKEEPER_DATABASE_URL", "SCOREKEEPER_PORT"]
    assert 'club:a\\"b\\\\c$d@db' in kept
    assert stat.S_IMODE(made.settings_file.stat().st_mode) == 0o600
    assert [file.name for file in instance.iterdir()] == ["service.env"]


def test_without_settings_those_that_were_kept_stay(ann: None, instance: Path) -> None:
    keep_settings(service(instance, 8000, {"SCOREKEEPER_PORT": "80"}))

    keep_settings(service(instance, 8000, {}))

    assert (instance / "service.env").read_text() == 'SCOREKEEPER_PORT="80"\n'


@pytest.mark.skipif(ANALYZE is None, reason="there is no systemd to ask")
@pytest.mark.parametrize("port", [80, 8000])
def test_systemd_reads_it_and_calls_it_safe(
    tmp_path: Path, instance: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_ann(monkeypatch)
    monkeypatch.setattr(systemd, "name_of_user", lambda _: "daemon")
    unit = tmp_path / "scorekeeper.service"
    unit.write_text(service(instance, port, {}).unit)

    read = subprocess.run([str(ANALYZE), "verify", str(unit)], capture_output=True, text=True, check=False)
    safe = subprocess.run(
        [str(ANALYZE), "security", "--offline=true", "--threshold=30", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (read.returncode, [line for line in read.stderr.splitlines() if "scorekeeper.service" in line]) == (0, [])
    assert safe.returncode == 0, safe.stdout[-500:]


@pytest.fixture
def asked(tmp_path: Path, instance: Path, ann: None, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Stand in for systemd and sudo; return what they were asked, and written."""
    programs, log = tmp_path / "bin", tmp_path / "asked"
    programs.mkdir()
    log.touch()
    for name in ("systemctl", "sudo", "tee"):
        lines = [
            "#!/bin/sh",
            f'echo {name} "$*" >>{shlex.quote(str(log))}',
            f"[ {name} != tee ] || cat >{shlex.quote(str(tmp_path / 'unit'))}",
            '[ "$1" != is-active ] && [ "$2" != "${REFUSED:-nothing}" ]',
        ]
        (programs / name).write_text("\n".join(lines) + "\n")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(instance))
    monkeypatch.setenv("SCOREKEEPER_PORT", "1")
    monkeypatch.setattr("scorekeeper.commands.installation.has_systemd", lambda: True)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return lambda: log.read_text().splitlines()


INSTALLED = [
    "systemctl is-active --quiet scorekeeper.service",
    "tee /etc/systemd/system/scorekeeper.service",
    "systemctl daemon-reload",
    "systemctl enable scorekeeper.service",
    "systemctl restart scorekeeper.service",
]


def answering(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def say(_question: str) -> str:
        if not answer:
            raise EOFError
        return answer

    monkeypatch.setattr("builtins.input", say)


@pytest.mark.parametrize(("answer", "is_installed"), [("y", True), ("yes ", True), ("n", False), ("", False)])
def test_it_is_installed_when_that_is_wanted(
    asked: Callable[[], list[str]],
    tmp_path: Path,
    answer: str,
    is_installed: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answering(answer, monkeypatch)

    assert main(["service"]) == 0

    assert asked() == (INSTALLED if is_installed else [])
    out = capsys.readouterr().out
    assert "[Service]" in out
    assert ("at every boot, as ann" in out) is is_installed
    assert ("Nothing was changed" in out) is not is_installed
    assert ((tmp_path / "unit").exists() and "User=ann" in (tmp_path / "unit").read_text()) is is_installed


def test_one_who_is_not_root_asks_sudo(asked: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)

    assert main(["service", "--yes"]) == 0
    assert asked() == [INSTALLED[0], *(f"sudo {line}" for line in INSTALLED[1:])]


def test_what_fails_is_said(
    asked: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REFUSED", "scorekeeper.service")

    assert main(["service", "--yes"]) == 1
    assert "systemctl enable scorekeeper.service failed" in capsys.readouterr().err


def test_a_server_that_runs_already_is_to_be_stopped_first(
    asked: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("scorekeeper.commands.installation.is_listening", lambda _: True)

    assert main(["service", "--yes"]) == 1
    assert "Stop it, then run this again" in capsys.readouterr().err
    assert asked() == INSTALLED[:1]


def test_only_printing_changes_nothing(
    asked: Callable[[], list[str]], instance: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["service", "--print"]) == 0

    unit, settings = capsys.readouterr().out.split("\n\n# ")[-2:]
    assert unit.endswith("WantedBy=multi-user.target")
    assert settings == f'{instance / "service.env"}, which others cannot read:\nSCOREKEEPER_PORT="1"\n'
    assert asked() == []
    assert list(instance.iterdir()) == []


@pytest.fixture
def _settings(instance: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(instance))
    monkeypatch.setenv("SCOREKEEPER_PORT", "8123")
    monkeypatch.setenv("SCOREKEEPER_NAMES", "pitch.example")
    monkeypatch.setattr(sys, "executable", "/Users/<Ann> & Co/python")


@pytest.mark.usefixtures("_settings")
def test_what_starts_it_at_login_on_windows_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["service", "--print", "windows"]) == 0

    shown, _, how = capsys.readouterr().out.partition("</Task>\n")
    said = {it.tag.partition("}")[2]: it.text for it in ElementTree.fromstring(f"{shown}</Task>").iter()}
    assert said["Command"] == "/Users/<Ann> & Co/python"
    assert said["Arguments"] == "-m scorekeeper serve --migrate"
    assert said["ExecutionTimeLimit"] == "PT0S"
    assert 'setx SCOREKEEPER_PORT "8123"' in how.splitlines()
    assert "schtasks /Create /TN Scorekeeper /XML scorekeeper.xml" in how


@pytest.mark.usefixtures("_settings")
def test_what_starts_it_at_login_on_a_mac_is_shown(instance: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["service", "--print", "launchd"]) == 0

    shown, _, how = capsys.readouterr().out.partition("</plist>\n")
    agent = plistlib.loads(f"{shown}</plist>".encode())
    assert agent["ProgramArguments"] == ["/Users/<Ann> & Co/python", "-m", "scorekeeper", "serve", "--migrate"]
    assert (
        agent["EnvironmentVariables"] | {"SCOREKEEPER_NAMES": "pitch.example", "SCOREKEEPER_PORT": "8123"}
        == agent["EnvironmentVariables"]
    )
    assert agent["EnvironmentVariables"]["SCOREKEEPER_INSTANCE"] == str(instance)
    assert "launchctl bootstrap" in how


def test_a_system_without_systemd_is_told_so(
    asked: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("scorekeeper.commands.installation.has_systemd", lambda: False)

    assert main(["service"]) == 1
    assert "systemd does not start" in capsys.readouterr().err
    assert asked() == []
