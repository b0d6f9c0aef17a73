"""`mainspring alerts plan` and `mainspring alerts apply`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mainspring.cli.options import options
from mainspring.cli.output.exits import CHANGES, OK, REFUSED
from mainspring.cli.output.sheets import Answer
from mainspring.cli.output.tables import cell
from mainspring.cli.verbs import prints
from mainspring.client.client import Client
from mainspring.contract.alerts.views import AlertPlanInfo

if TYPE_CHECKING:
    from mainspring.cli.commands.alerts.files import AlertFile

SIGNS = {"add": "+", "change": "~", "remove": "-", "conflict": "!"}

file_options = options(
    click.argument("file", type=click.Path(path_type=Path)),
    click.option("--adopt", is_flag=True, help="Take over names that belong to another owner."),
)


def print_alert_plan(plan: AlertPlanInfo) -> None:
    for item in plan.items:
        about = f": {', '.join(item.fields)}" if item.fields else ""
        whose = f" (of {item.owner or 'nobody'})" if item.act == "conflict" else ""
        click.echo(f"{SIGNS.get(item.act, '?')} {item.noun} {cell(item.name)}{about}{whose}")
    done = "applied" if plan.applied else "planned"
    click.echo(f"{done} for {plan.owner}: {len(plan.items)} changes, {plan.kept} as they are")


@click.command("plan")
@file_options
@prints(print_alert_plan, names=False)
def plan_alerts(client: Client, *, file: Path, adopt: bool) -> Answer:
    """Show the changes that apply would make for FILE.

    Exits 0 if there are no changes, 7 if there are, and 3 if a name belongs to another owner.
    """
    plan = send(client, read(file), adopt=adopt, dry_run=True)
    conflict = any(item.act == "conflict" for item in plan.items)
    return Answer(content=plan, exit_code=REFUSED if conflict else CHANGES if plan.items else OK)


@click.command("apply")
@file_options
@click.option("-y", "--yes", is_flag=True, help="Remove rules and channels without asking.")
@prints(print_alert_plan, names=False)
def apply_alerts(client: Client, *, file: Path, adopt: bool, yes: bool) -> AlertPlanInfo:
    """Make the channels and rules of FILE's owner equal to FILE."""
    wanted = read(file)
    plan = send(client, wanted, adopt=adopt, dry_run=True)
    removed = sum(item.act == "remove" for item in plan.items)
    if removed and not yes:
        if not sys.stdin.isatty():
            raise click.UsageError(f"{removed} would be removed: --yes removes them.")
        click.confirm(f"Remove {removed}?", abort=True, err=True)
    return send(client, wanted, adopt=adopt, dry_run=False)


def send(client: Client, wanted: "AlertFile", *, adopt: bool, dry_run: bool) -> AlertPlanInfo:
    return client.alert_rules.apply(
        wanted.owner, channels=wanted.channels, rules=wanted.rules, slos=wanted.slos, adopt=adopt, dry_run=dry_run
    )


def read(file: Path) -> "AlertFile":
    from mainspring.cli.commands.alerts.files import read_alert_file  # noqa: PLC0415 it loads YAML

    return read_alert_file(file)
