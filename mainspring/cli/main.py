"""The `mainspring` command: finds the subcommand, and turns errors into one line and an exit code."""

import importlib
import os
import sys
from typing import Any

import click

from mainspring.cli.output.exits import BROKEN_PIPE, FAILURE, INTERRUPTED, exit_code, show_error, show_usage
from mainspring.errors import NotFoundError
from mainspring.version import __version__

COMMANDS = {
    "up": "Start a server and an executor on this machine.",
    "init": "Write a small project that runs.",
    "server": "Run a server.",
    "executor": "Run an executor for an app.",
    "enqueue": "Ask for runs of a job.",
    "runs": "Look at runs, cancel them, and have them run again.",
    "dead": "Look at what failed for good; retry it or discard it.",
    "sweeps": "Retry, discard or cancel all runs that match.",
    "jobs": "Look at definitions, change them, and go back to old ones.",
    "events": "Tell what has happened, for the triggers that wait for it.",
    "queues": "Look at queues, pause and resume them, and limit them.",
    "triggers": "Look at what starts runs and when, change it, pause it.",
    "backfills": "Look at runs that are made for instants that lie behind.",
    "calendars": "Look at the days on which triggers fire, and change them.",
    "plan": "Show what applying triggers of code or a file would do.",
    "apply": "Make the triggers of code or a file what they are on the server.",
    "import": "Take over what cron, Celery beat or APScheduler start.",
    "executors": "Look at executors, and keep them from new work.",
    "top": "Watch queues and executors live.",
    "namespaces": "Look at namespaces, make and delete them.",
    "tokens": "Make, rotate and revoke access tokens.",
    "audit": "Show who changed what.",
    "migrate": "Bring the database's schema up to date.",
    "doctor": "Check that everything is as it should be.",
    "config": "Show and check settings.",
    "context": "Keep several servers at hand by name.",
    "completion": "Print a script that completes commands in a shell.",
    "version": "Show the versions of this command and of the server.",
}
"""Each is the command of the same name in the module of the same name, which is imported only when it is called."""
MODULES = {"import": "importing"}
"""But for those that Python has a word of its own for."""


class LazyGroup(click.Group):
    def list_commands(self, _context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = MODULES.get(name, name)
        command: click.Command = getattr(importlib.import_module(f"mainspring.cli.{module}"), module)
        if "_MAINSPRING_COMPLETE" in os.environ:
            importlib.import_module("mainspring.cli.setup.complete_names").complete_names(command)
        return command

    def resolve_command(self, context: click.Context, args: list[str]) -> Any:
        if args[0] not in COMMANDS and not context.resilient_parsing:
            hint = importlib.import_module("mainspring.cli.groups").hint_of(args, COMMANDS)
            raise click.UsageError(f"No such command {args[0]!r}.{hint}", context)
        return super().resolve_command(context, args)

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, context: click.Context) -> Any:
        try:
            answer = super().invoke(context)
            # What is still in the buffer can meet a closed pipe as well.
            sys.stdout.flush()
            return answer
        except NotFoundError as error:
            importlib.import_module("mainspring.cli.suggest").suggest(error, context)
            raise
        except BrokenPipeError:
            # The interpreter flushes once more at its end, and must not complain either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(BROKEN_PIPE)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(
    __version__, prog_name="mainspring", message=f"%(prog)s %(version)s (Python {sys.version.split()[0]})"
)
@click.option("--debug", is_flag=True, expose_value=False, help="Show stack traces (or MAINSPRING_DEBUG).")
def command() -> None:
    """Mainspring runs jobs: now, later, again when they fail, on this machine or many."""


def main() -> None:
    try:
        sys.exit(command(standalone_mode=False, prog_name="mainspring"))
    except click.ClickException as error:
        show_usage(error)
        sys.exit(error.exit_code)
    except click.Abort as error:
        interrupted = isinstance(error.__cause__, KeyboardInterrupt)
        click.echo(f"mainspring: {'interrupted' if interrupted else 'nothing was done'}", err=True)
        sys.exit(INTERRUPTED if interrupted else FAILURE)
    except Exception as error:
        if "--debug" in sys.argv or os.environ.get("MAINSPRING_DEBUG"):
            raise
        show_error(error)
        sys.exit(exit_code(error))
