"""The `mainspring` command: finds the subcommand, and turns errors into one line and an exit code."""

import importlib
import os
import sys

import click

from mainspring.cli.exits import FAILURE, exit_code, show_error
from mainspring.version import __version__

COMMANDS = {
    "up": "Start a server and an executor on this machine.",
    "server": "Run a server.",
    "executor": "Run an executor for an app.",
    "enqueue": "Ask for a run of a job.",
    "runs": "Look at runs.",
    "migrate": "Bring the database's schema up to date.",
}
"""Each is the command of the same name in the module of the same name, which is imported only when it is called."""


class LazyGroup(click.Group):
    def list_commands(self, _context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(f"mainspring.cli.{name}"), name)
        return command

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mainspring")
@click.option("--debug", is_flag=True, expose_value=False, help="Show stack traces (or MAINSPRING_DEBUG).")
def command() -> None:
    """Mainspring runs jobs: now, later, again when they fail, on this machine or many."""


def main() -> None:
    try:
        sys.exit(command(standalone_mode=False, prog_name="mainspring"))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        sys.exit(FAILURE)
    except Exception as error:
        if "--debug" in sys.argv or os.environ.get("MAINSPRING_DEBUG"):
            raise
        show_error(error)
        sys.exit(exit_code(error))
