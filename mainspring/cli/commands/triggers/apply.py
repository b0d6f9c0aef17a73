"""`mainspring apply`."""

import sys
from pathlib import Path
from typing import Any

import click

from mainspring.cli.client import open_client
from mainspring.cli.commands.dispatch.apply import apply_changes, dispatch_file, print_changes, show_changes
from mainspring.cli.commands.triggers.plan import check_owner, show, source_options
from mainspring.cli.commands.triggers.plan_output import print_plan, summary
from mainspring.cli.commands.triggers.sources import Written, read_source
from mainspring.cli.options import client_options, report_option
from mainspring.cli.output.exits import REFUSED
from mainspring.cli.output.tables import note, print_content
from mainspring.client.client import Client
from mainspring.contract.triggers import PlanInfo


@click.command("apply")
@source_options
@click.option("-y", "--yes", is_flag=True, help="Remove triggers, calendars and workflows without asking.")
@click.option("--note", "words", default="", help="Note, kept in the audit log.")
@client_options
@report_option
def apply(
    *, sources: tuple[str, ...], owner: str | None, adopt: bool, yes: bool, words: str, output: str, **target: Any
) -> None:
    """Apply the triggers, calendars and workflows of SOURCE to the server: MODULE:APP, or a YAML file.

    The server applies calendars and workflows first, then all triggers of a SOURCE or none; a trigger whose calendar does not
    exist is left out, with exit code 3. It removes the owner's others of these, and leaves those of other owners alone.

    A file of queues, limits, shares and breakers goes by itself: the server makes what it names equal to it, one by one.
    """
    if (file := dispatch_file(sources)) is not None:
        with open_client(**target) as client:
            apply_file(client, file, yes=yes, output=output)
        return
    check_owner(owner, sources)
    written = [read_source(source, owner) for source in sources]
    with open_client(**target) as client:
        done = [apply_one(client, each, adopt=adopt, yes=yes, words=words, output=output) for each in written]
    if output != "table":
        print_content(done[0] if len(done) == 1 else done, output)
    if blocked := [item for each in done for item in each.of("blocked")]:
        click.echo(f"mainspring: {len(blocked)} blocked; apply again once the reason is gone", err=True)
        click.get_current_context().exit(REFUSED)


def apply_file(client: Client, file: Path, *, yes: bool, output: str) -> None:
    """Show the plan of a file of queues, limits, shares and breakers, and apply it."""
    planned = show_changes(client, file)
    changes = [change for change, _ in planned]
    if output == "table":
        print_changes(changes)
    apply_changes(planned, yes=yes)
    if output != "table":
        print_content(changes, output)


def apply_one(client: Client, written: Written, *, adopt: bool, yes: bool, words: str, output: str) -> PlanInfo:
    """Show the plan and apply it; raises StaleError if the triggers or calendars changed in between."""
    plan = show(client, written, adopt=adopt)
    if output == "table":
        print_plan(plan)
    if plan.of("conflict"):
        if output != "table":
            print_content(plan, output)
        click.echo("mainspring: nothing was applied; see --adopt", err=True)
        click.get_current_context().exit(REFUSED)
    if not plan.items:
        return plan
    if plan.of("remove") and not yes:
        ask(len(plan.of("remove")))
    done = client.plans.apply(
        written.owner,
        written.triggers,
        **written.parts,
        adopt=adopt,
        based_on=plan.based_on,
        note=words,
    )
    if output == "table":
        note(f"applied: {summary(done)}")
    return done


def ask(count: int) -> None:
    if not sys.stdin.isatty():
        raise click.UsageError(f"{count} would be removed: --yes removes them.")
    click.confirm(f"Remove {count}?", abort=True, err=True)
