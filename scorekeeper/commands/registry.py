"""The registry of commands: in which module each one is, and what it does.

The module of a command is imported only when the command runs.
"""

import gc
from pkgutil import resolve_name

import click

COMMANDS = {
    "scorekeeper": {
        "serve": ("scorekeeper.commands.installation:serve_command", "keep score for every phone on the network"),
        "migrate": ("scorekeeper.commands.installation:migrate_command", "bring the database up to date"),
        "matches": ("scorekeeper.commands.matches:matches", "list the matches with their links"),
        "nights": ("scorekeeper.club.nights.commands:nights", "list the ladder nights with their links"),
        "books": ("scorekeeper.commands.matches:books", "list every book with its link"),
        "score": ("scorekeeper.commands.records:score", "score match records"),
        "settle": ("scorekeeper.commands.records:settle", "settle one hand: who won, why, and what if"),
        "sheet": ("scorekeeper.commands.rules:sheet", "write a rule sheet as PDF"),
        "result": ("scorekeeper.commands.records:result", "write the result sheet of a match as PDF"),
        "rulesets": ("scorekeeper.commands.rules:rulesets", "check or show the rulesets"),
        "rules": ("scorekeeper.commands.rules:rules", "read and write house rules"),
        "export": ("scorekeeper.commands.matches:export", "write matches as records"),
        "import": ("scorekeeper.commands.matches:import_command", "import matches from records"),
        "erase": ("scorekeeper.club.hosting.erasing:erase_command", "remove a match, a book or a night for good"),
        "verify": ("scorekeeper.commands.matches:verify", "check that every match still scores as when it ended"),
        "doctor": ("scorekeeper.commands.installation:doctor", "check this installation: what is fine, and what to do"),
        "move": ("scorekeeper.club.hosting.commands:move_command", "copy a whole database into another one"),
        "backup": ("scorekeeper.commands.installation:backup", "copy the database while it is in use"),
        "restore": ("scorekeeper.commands.installation:restore_command", "put a backup in the place of the database"),
    },
    "scorekeeper books": {
        "collect": ("scorekeeper.commands.matches:collect", "put the matches that are in no book into one"),
        "export": ("scorekeeper.club.book_files.commands:export", "write a book as one file"),
        "import": ("scorekeeper.club.book_files.commands:import_command", "import a book's file, or look at it"),
    },
    "scorekeeper rules": {
        "decode": ("scorekeeper.commands.rules:decode_command", "write the rules of a share code as a file"),
        "encode": ("scorekeeper.commands.rules:encode_command", "write the share code of a file of house rules"),
        "list": ("scorekeeper.commands.rules:list_command", "list the saved house rules, with their links"),
    },
    "scorekeeper rulesets": {
        "check": ("scorekeeper.commands.rules:check", "list the errors of all files; exit status 1 if there are any"),
        "show": ("scorekeeper.commands.rules:show", "list the rulesets, or show one with every answer filled in"),
        "trace": (
            "scorekeeper.commands.rules:trace",
            "print a rule sheet with the source of each rule; exit status 1 if a rule has none",
        ),
    },
}
"""The import path and the description of each command, keyed by the words of its group and then by its name."""
MULTI_PROCESS_SERVER = "scorekeeper.club.hosting.commands:make_server_of_processes"
"""The import path of a function that returns the function for serving in several processes."""
POST_MIGRATION_FUNCTIONS = (
    "scorekeeper.matches.service:compute_missing_endings",
    "scorekeeper.book.book_matches:put_matches_in_owners_books",
    "scorekeeper.club.figures.counting:compute_stale_figures",
)
"""The import paths of functions that `bring_up_to_date` calls with a session, in this order, after migrating."""
REMOVED_COMMAND_MESSAGES = {
    "ladder": "the command ladder is gone: a ladder night on the home page moves its tables itself",
    "service": "the command service is gone: docs/keep-it-running.md has what starts it by itself",
}
"""The messages for commands that earlier versions had, keyed by their names."""


class LazyGroup(click.Group):
    """A click group whose commands are listed in `COMMANDS`. It imports only the command that runs."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """Return a command, imported now, and append its name to the words in the context's `obj`.

        Raises `UsageError` for an unknown name. Garbage collection, which `main` switched off, is on afterwards.
        """
        try:
            import_path, _ = COMMANDS[ctx.command_path][cmd_name]
        except KeyError:
            ctx.fail(REMOVED_COMMAND_MESSAGES.get(cmd_name, f"there is no command {cmd_name!r}"))
        ctx.obj.append(cmd_name)
        command: click.Command = resolve_name(import_path)
        if not gc.isenabled():  # `main` has switched garbage collection off until here
            gc.freeze()
            gc.enable()
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands for the help, without importing their modules."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, description) for name, (_, description) in COMMANDS[ctx.command_path].items()])
