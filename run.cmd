@echo off
rem Sets up Scorekeeper on Windows 10 and 11 and keeps score, as ./run does elsewhere: double-click it, or type run.
rem Options are those of scorekeeper serve; run setup only sets up.
setlocal EnableExtensions DisableDelayedExpansion
cd /d "%~dp0"
set "PYTHONUTF8=1"
set "VENV=.venv\Scripts\python.exe"
set "MADE_FOR=.venv\made-for.txt"
set "STAMP=%TEMP%\scorekeeper-%RANDOM%.txt"

echo "%CD%">"%STAMP%"
type pyproject.toml requirements.txt >>"%STAMP%" 2>nul
if exist "%VENV%" fc /b "%STAMP%" "%MADE_FOR%" >nul 2>nul && goto ready

rem The python.exe of the Store that is no Python only says where to get one: it fails this, as an older one does.
set "PYTHON="
call :try py -3
call :try python
call :try python3
if not defined PYTHON (
    echo run: Python 3.11 or newer is needed, and none was found: get it from https://www.python.org/downloads/windows/ 1>&2
    goto failed
)
echo Creating .venv ...
%PYTHON% -m venv --clear .venv || goto failed
echo Installing what Scorekeeper needs ...
set "PIP=-m pip install -q --disable-pip-version-check"
"%VENV%" %PIP% --require-hashes -r requirements-pip.txt || goto failed
"%VENV%" %PIP% --require-hashes -r requirements.txt || goto failed
"%VENV%" %PIP% --no-deps --no-build-isolation -e . || goto failed
copy /y "%STAMP%" "%MADE_FOR%" >nul

:ready
del "%STAMP%" >nul 2>nul
if /i "%~1"=="setup" (
    echo Setup is done. Start with run.
    exit /b 0
)
echo If Windows asks about its firewall, tick private networks only, and allow: phones come in by that.
"%VENV%" -m scorekeeper serve --migrate %*
if errorlevel 1 goto failed
exit /b 0

:try
if defined PYTHON exit /b 0
%* -c "import sys; sys.exit(sys.version_info < (3, 11))" >nul 2>nul
if not errorlevel 1 set "PYTHON=%*"
exit /b 0

:failed
del "%STAMP%" >nul 2>nul
rem Whoever double-clicked it would not see why.
echo %CMDCMDLINE% | find /i "/c" >nul && pause
exit /b 1
