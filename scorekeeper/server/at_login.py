"""What starts the server when somebody logs in: a task of Windows' Task Scheduler, or an agent of macOS's launchd.

Neither is installed from here: each is a file and the command that takes it, for whoever logs in there.
"""

import plistlib
import sys
from collections.abc import Mapping
from getpass import getuser
from pathlib import Path
from subprocess import list2cmdline
from xml.sax.saxutils import escape

LABEL = "scorekeeper"
_HOW = ("-m", "scorekeeper", "serve", "--migrate")

_TASK = """\
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers>
    <LogonTrigger>
      <UserId>{user}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>{user}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>3</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>{command}</Command>
      <Arguments>{arguments}</Arguments>
      <WorkingDirectory>{instance}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
"""


def task(instance: Path, environ: Mapping[str, str]) -> str:
    """Return the task, and how Windows takes it; settings are the user's own variables there."""
    lines = [f'setx {name} "{value}"' for name, value in _settings(instance, environ).items()]
    how = [
        "Save this as scorekeeper.xml. Then, in a terminal as administrator:",
        *lines,
        "schtasks /Create /TN Scorekeeper /XML scorekeeper.xml",
        "To end that: schtasks /Delete /TN Scorekeeper",
    ]
    made = _TASK.format(
        user=escape(getuser()),
        command=escape(sys.executable),
        arguments=escape(list2cmdline(_HOW)),
        instance=escape(str(instance)),
    )
    return f"{made}\n" + "\n".join(how)


def agent(instance: Path, environ: Mapping[str, str]) -> str:
    """Return the agent, and how macOS takes it."""
    # Homebrew's libraries are where a Python from elsewhere does not look.
    libraries = {"DYLD_FALLBACK_LIBRARY_PATH": "/opt/homebrew/lib:/usr/local/lib"}
    made = plistlib.dumps(
        {
            "Label": LABEL,
            "ProgramArguments": [sys.executable, *_HOW],
            "EnvironmentVariables": libraries | _settings(instance, environ),
            "RunAtLoad": True,
            "KeepAlive": {"SuccessfulExit": False},
            "ThrottleInterval": 10,
            "StandardErrorPath": str(instance / "errors.log"),
        },
        sort_keys=False,
    ).decode()
    place = f"~/Library/LaunchAgents/{LABEL}.plist"
    how = [
        f"Save this as {place}. Then:",
        f"chmod 600 {place}",
        f"launchctl bootstrap gui/$(id -u) {place}",
        f"To end that: launchctl bootout gui/$(id -u)/{LABEL}",
    ]
    return f"{made}\n" + "\n".join(how)


def _settings(instance: Path, environ: Mapping[str, str]) -> dict[str, str]:
    made = {name: value for name, value in sorted(environ.items()) if name.startswith("SCOREKEEPER_") and value}
    return made | {"SCOREKEEPER_INSTANCE": str(instance)}
