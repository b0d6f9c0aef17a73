"""The `mainspring` command: finds the subcommand, and turns errors into one line and an exit code."""

import importlib
import os
import sys
from typing import Any, NamedTuple

import click

from mainspring.cli.output.exits import BROKEN_PIPE, FAILURE, INTERRUPTED, exit_code, show_error, show_usage
from mainspring.errors import NotFoundError
from mainspring.version import __version__


class Command(NamedTuple):
    """The room of a command's module below this package, and its line of help."""

    module: str
    help: str


COMMANDS = {
    "up": Command("processes.up", "Start a server and an executor on this machine."),
    "init": Command("setup.init", "Write a small project that runs."),
    "server": Command("processes.server", "Run a server."),
    "executor": Command("processes.executor", "Run an executor for an app."),
    "enqueue": Command("commands.runs.enqueue", "Enqueue runs of a job."),
    "runs": Command("commands.runs.runs", "List, inspect, cancel, suspend and retry runs."),
    "dead": Command("commands.bulk.dead_letters", "List dead letters; retry or discard them."),
    "sweeps": Command("commands.bulk.operations", "Inspect sweeps: retries, discards and cancels of many runs."),
    "why": Command("commands.limits.why", "Explain why a run is not running, or a trigger has not fired."),
    "jobs": Command("commands.jobs.jobs", "Inspect, pause and change job definitions, and roll them back."),
    "workflows": Command(
        "commands.workflows.workflows", "Inspect, draw, check and export workflows; steer their runs."
    ),
    "batches": Command("commands.workflows.batches", "List batches and their counts; wait for, cancel and retry them."),
    "approvals": Command(
        "commands.workflows.approvals", "List, give and refuse the approvals that steps of workflows wait for."
    ),
    "events": Command("commands.events", "Publish events for the triggers that wait for them."),
    "queues": Command("commands.queues", "Inspect, pause, resume and limit queues."),
    "limits": Command("commands.limits.limits", "Limit how many attempts are under way, and how fast they start."),
    "breakers": Command("commands.limits.breakers", "Inspect, define and steer circuit breakers."),
    "triggers": Command("commands.triggers.triggers", "Inspect, change, pause and fire triggers."),
    "backfills": Command("commands.triggers.backfills", "Inspect backfills: runs for past fire times."),
    "calendars": Command(
        "commands.calendars.calendars", "Inspect and change calendars: the days on which triggers fire."
    ),
    "plan": Command("commands.triggers.plan", "Show the changes that apply would make on the server."),
    "apply": Command("commands.triggers.apply", "Apply triggers from code or a file to the server."),
    "import": Command("importers.command", "Import triggers from cron, Celery beat or APScheduler."),
    "alerts": Command("commands.alerts.alerts", "Inspect, acknowledge and silence alerts; define their rules."),
    "channels": Command("commands.alerts.channels", "Inspect, define and test the channels that alerts go to."),
    "slos": Command("commands.alerts.slos", "Inspect and define SLOs: objectives, error budgets, burn rates."),
    "executors": Command("commands.executors", "Inspect executors; cordon, drain and resize them."),
    "servers": Command("commands.servers", "Inspect the servers of the cluster; drain them."),
    "discovery": Command("commands.discovery", "Show the servers that address books name."),
    "overview": Command("commands.insights.overview", "Show a namespace as it stands: findings, totals, late queues."),
    "search": Command("commands.insights.lookups", "Find runs, jobs, triggers, queues and executors."),
    "marks": Command("commands.insights.lookups", "List changes that may explain a chart."),
    "views": Command("commands.insights.views", "Save, list and delete queries of runs under names."),
    "top": Command("commands.top.top", "Watch queues and executors live."),
    "namespaces": Command("commands.access.namespaces", "List, create, pause and delete namespaces."),
    "tokens": Command("commands.access.tokens", "Create, rotate and revoke access tokens."),
    "users": Command("commands.access.users", "Create, invite and change the people who use the console."),
    "audit": Command("commands.access.audit", "Show the audit log: who changed what."),
    "maintenance": Command("commands.limits.maintenance", "Accept runs and start none, or start them again."),
    "migrate": Command("setup.migrate", "Migrate the database's schema to this version."),
    "probe": Command("processes.probe", "Check whether a server or an executor is alive, for health checks."),
    "files": Command("setup.files", "Write systemd units, a Helm chart, compose and other files to install with."),
    "doctor": Command("doctor.doctor", "Check this machine, the server, the database and the work."),
    "config": Command("setup.config", "Show and check settings."),
    "context": Command("setup.context", "Name servers, and switch between them."),
    "completion": Command("setup.completion", "Print a script that completes commands in a shell."),
    "version": Command("setup.version", "Show the versions of this command and of the server."),
}
"""A module is imported when its command is called; it names the command as people do."""
FUNCTIONS = {"import": "importing", "files": "deploy_files"}
"""Commands whose name is a word of Python's own, or of a module that is used in it."""


class LazyGroup(click.Group):
    def list_commands(self, _context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"mainspring.cli.{COMMANDS[name].module}")
        command: click.Command = getattr(module, FUNCTIONS.get(name, name))
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
            formatter.write_dl([(name, command.help) for name, command in COMMANDS.items()])

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
