"""`mainspring backfills`."""

import click

from mainspring.cli.commands.runs.ids import whole_backfill
from mainspring.cli.commands.triggers.backfill import BACKFILLS, finish
from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Answer, Sheet
from mainspring.cli.verbs import acts_on_ids, lists, prints, reason_option
from mainspring.client.client import Client
from mainspring.contract.bulk import BackfillInfo, BackfillPage, FilledPage

INSTANTS = Sheet("instant", columns=(("instant", "at"), "run"))


@click.group(cls=NounGroup)
def backfills() -> None:
    """Inspect backfills: runs for past fire times; `triggers backfill` begins one."""


@backfills.command("list")
@click.option("--trigger", help="Only backfills of this trigger.")
@lists(BACKFILLS, limit=20)
def list_backfills(client: Client, *, trigger: str | None, limit: int, cursor: str | None) -> BackfillPage:
    """List backfills, newest first."""
    return client.backfills.list(trigger=trigger, limit=limit, cursor=cursor)


@backfills.command("show")
@click.argument("backfill")
@prints(BACKFILLS)
def show_backfill(client: Client, *, backfill: str) -> BackfillInfo:
    """Show the progress of a backfill."""
    return client.backfills.get(whole_backfill(client, backfill))


@backfills.command("instants")
@click.argument("backfill")
@lists(INSTANTS, limit=100, names=False)
def show_filled(client: Client, *, backfill: str, limit: int, cursor: str | None) -> FilledPage:
    """Show the fire times for which a backfill created runs, oldest first."""
    return client.backfills.instants(whole_backfill(client, backfill), limit=limit, cursor=cursor)


@backfills.command("wait")
@click.argument("backfill")
@prints(BACKFILLS)
def wait_for_backfill(client: Client, *, backfill: str) -> Answer:
    """Wait until a backfill is over; exit 1 unless every run succeeded."""
    return finish(client, client.backfills.get(whole_backfill(client, backfill)))


@backfills.command("cancel")
@reason_option
@acts_on_ids(BACKFILLS, whole_backfill)
def cancel_backfill(client: Client, backfill: str, *, reason: str) -> BackfillInfo:
    """Create no more runs; existing ones continue."""
    return client.backfills.cancel(backfill, reason=reason)
