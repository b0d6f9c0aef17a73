"""`mainspring runs cancel`, `mainspring runs retry` and `mainspring runs discard`."""

from typing import Any

import click

from mainspring.cli.client import open_client
from mainspring.cli.commands.runs.ids import whole_runs
from mainspring.cli.commands.runs.inputs import input_option, read_input
from mainspring.cli.commands.selection import try_each
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output.exits import REFUSED
from mainspring.cli.output.tables import print_content, print_table
from mainspring.client.nouns.cancel import CancelledRun
from mainspring.client.views.runs import RunInfo

COLUMNS = ("id", "state", "reason")
REFUSALS = {"run_final": "it had ended before", "unknown_run": "there is no such run"}

reason_option = click.option("--reason", default="", help="Kept with the run and in the audit log.")


@click.command("cancel")
@click.argument("run", nargs=-1, required=True)
@click.option("--children", is_flag=True, help="Also what their handlers asked for, and so on.")
@reason_option
@client_options
@output_option
def cancel_runs(*, run: tuple[str, ...], children: bool, reason: str, output: str, **target: Any) -> None:
    """Cancel runs. What is queued is over at once; what is running is stopped, and is over when it has ended."""
    with open_client(**target) as client:
        chosen = whole_runs(client, run)
        if len(chosen) == 1 or children:
            steered, code = try_each(chosen, lambda one: client.cancel(one, reason=reason, children=children))
            print_steered(steered, output)
            click.get_current_context().exit(code)
        found = client.cancel_many(chosen, reason=reason)
    if output == "table":
        print_table(COLUMNS, [(one.id, one.state, outcome(one)) for one in found])
    else:
        print_content(found, output)
    if any(one.code for one in found):
        click.get_current_context().exit(REFUSED)


@click.command("retry")
@click.argument("run", nargs=-1, required=True)
@click.option("--force", is_flag=True, help="Also what has succeeded.")
@input_option("Instead of the input that it had, or of one argument")
@reason_option
@client_options
@output_option
def retry_runs(
    *, run: tuple[str, ...], force: bool, inputs: tuple[str, ...], reason: str, output: str, **target: Any
) -> None:
    """Have runs that have ended run again, now, with all their attempts."""
    if inputs and len(run) > 1:
        raise click.UsageError("--input is for one run.")
    with open_client(**target) as client:
        chosen = whole_runs(client, run)
        edited = read_input(inputs, client.get(chosen[0]).input) if inputs else None
        found, code = try_each(chosen, lambda one: client.retry(one, force=force, reason=reason, input=edited))
    print_steered(found, output)
    click.get_current_context().exit(code)


@click.command("discard")
@click.argument("run", nargs=-1, required=True)
@reason_option
@client_options
@output_option
def discard_runs(*, run: tuple[str, ...], reason: str, output: str, **target: Any) -> None:
    """Have runs that failed for good listed as dead no more; they stay failed."""
    with open_client(**target) as client:
        found, code = try_each(whole_runs(client, run), lambda one: client.dead.discard(one, reason=reason))
    if output == "table":
        print_table(("run", "error", "message"), [(one.run, one.error, one.message) for one in found])
    else:
        print_content(found, output)
    click.get_current_context().exit(code)


def print_steered(runs: list[RunInfo], output: str) -> None:
    if output == "table":
        print_table(COLUMNS, [(one.id, one.state, one.reason) for one in runs])
    else:
        print_content(runs, output)


def outcome(one: CancelledRun) -> str | None:
    if one.code is not None:
        return REFUSALS.get(one.code, one.code)
    return "cancelling" if one.state == "running" else None
