"""`mainspring apply`."""

import sys
from typing import Any

import click

from mainspring.cli.client import open_client
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
@click.option("-y", "--yes", is_flag=True, help="Remove triggers and calendars without asking.")
@click.option("--note", "words", default="", help="Note, kept in the audit log.")
@client_options
@report_option
def apply(
    *, sources: tuple[str, ...], owner: str | None, adopt: bool, yes: bool, words: str, output: str, **target: Any
) -> None:
    """Apply the triggers and calendars of SOURCE to the server: MODULE:APP, or a YAML file.

    The server applies the calendars first, then all triggers of a SOURCE or none; a trigger whose calendar does not exist is
    left out, with exit code 3. It removes the owner's other triggers and calendars, and leaves those of other owners alone.
    """
    check_owner(owner, sources)
    written = [read_source(source, owner) for source in sources]
    with open_client(**target) as client:
        done = [apply_one(client, each, adopt=adopt, yes=yes, words=words, output=output) for each in written]
    if output != "table":
        print_content(done[0] if len(done) == 1 else done, output)
    if blocked := [item for each in done for item in each.of("blocked")]:
        click.echo(f"mainspring: {len(blocked)} blocked; apply again once the reason is gone", err=True)
        click.get_current_context().exit(REFUSED)


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
        calendars=written.calendars,
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
