"""`mainspring apply`."""

import sys
from typing import Any

import click

from mainspring.cli.client import open_client
from mainspring.cli.commands.triggers.plan import check_owner, source_options
from mainspring.cli.commands.triggers.plan_output import print_plan, summary
from mainspring.cli.commands.triggers.sources import Written, read_source
from mainspring.cli.options import client_options, report_option
from mainspring.cli.output.exits import REFUSED
from mainspring.cli.output.tables import note, print_content
from mainspring.client.client import Client
from mainspring.contract.triggers import PlanInfo


@click.command("apply")
@source_options
@click.option("-y", "--yes", is_flag=True, help="Remove triggers without asking.")
@click.option("--note", "words", default="", help="Note, kept in the audit log.")
@client_options
@report_option
def apply(
    *, sources: tuple[str, ...], owner: str | None, adopt: bool, yes: bool, words: str, output: str, **target: Any
) -> None:
    """Apply the triggers of SOURCE to the server: MODULE:APP, or a YAML file.

    The server applies all triggers of a SOURCE or none. It removes the owner's other triggers, and leaves those of other
    owners alone.
    """
    check_owner(owner, sources)
    written = [read_source(source, owner) for source in sources]
    with open_client(**target) as client:
        done = [apply_one(client, each, adopt=adopt, yes=yes, words=words, output=output) for each in written]
    if output != "table":
        print_content(done[0] if len(done) == 1 else done, output)


def apply_one(client: Client, written: Written, *, adopt: bool, yes: bool, words: str, output: str) -> PlanInfo:
    """Show the plan and apply it; raises ConflictError if the triggers changed in between."""
    plan = client.plans.show(written.owner, written.triggers, adopt=adopt)
    if output == "table":
        print_plan(plan)
    if plan.of("conflict"):
        if output != "table":
            print_content(plan, output)
        click.echo("mainspring: nothing was applied; see --adopt", err=True)
        click.get_current_context().exit(REFUSED)
    if not plan.triggers:
        return plan
    if plan.of("remove") and not yes:
        ask(len(plan.of("remove")))
    done = client.plans.apply(written.owner, written.triggers, adopt=adopt, based_on=plan.based_on, note=words)
    if output == "table":
        note(f"applied: {summary(done)}")
    return done


def ask(count: int) -> None:
    if not sys.stdin.isatty():
        raise click.UsageError(f"{count} would be removed: --yes removes them.")
    click.confirm(f"Remove {count}?", abort=True, err=True)
