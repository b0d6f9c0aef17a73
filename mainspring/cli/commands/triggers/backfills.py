"""`mainspring backfills`."""

from typing import Any

import click

from mainspring.cli.client import open_client
from mainspring.cli.commands.runs.ids import whole_backfill
from mainspring.cli.commands.selection import steer_each
from mainspring.cli.commands.triggers.backfill import exit_unless_done, print_backfill, watch
from mainspring.cli.groups import NounGroup
from mainspring.cli.options import client_options, output_option, report_option
from mainspring.cli.output.tables import note, print_content, print_table
from mainspring.client.nouns.backfills import BackfillInfo

COLUMNS = ("id", "trigger", "state", "made", "passed", "expected", "succeeded", "failed", "by", "created at")


@click.group(cls=NounGroup)
def backfills() -> None:
    """Look at runs that are made for instants that lie behind; `triggers backfill` begins it."""


@backfills.command("list")
@click.option("--trigger", help="Of this trigger.")
@click.option("--limit", type=click.IntRange(1, 500), default=20, show_default=True)
@click.option("--cursor", help="Where the page before ended.")
@client_options
@output_option
def list_backfills(*, trigger: str | None, limit: int, cursor: str | None, output: str, **target: Any) -> None:
    """List backfills, newest first."""
    with open_client(**target) as client:
        page = client.backfills.list(trigger=trigger, limit=limit, cursor=cursor)
    if output != "table":
        print_content(page, output)
        return
    print_table(COLUMNS, [row(backfill) for backfill in page.backfills])
    if page.next:
        note(f"more: --cursor {page.next}")


@backfills.command("show")
@click.argument("backfill")
@client_options
@output_option
def show_backfill(*, backfill: str, output: str, **target: Any) -> None:
    """Show how far a backfill has come."""
    with open_client(**target) as client:
        print_backfill(client.backfills.get(whole_backfill(client, backfill)), output)


@backfills.command("instants")
@click.argument("backfill")
@click.option("--limit", type=click.IntRange(1, 500), default=100, show_default=True)
@click.option("--cursor", help="Where the page before ended.")
@client_options
@report_option
def show_filled(*, backfill: str, limit: int, cursor: str | None, output: str, **target: Any) -> None:
    """Show the instants for which a backfill has made runs, oldest first."""
    with open_client(**target) as client:
        page = client.backfills.instants(whole_backfill(client, backfill), limit=limit, cursor=cursor)
    if output != "table":
        print_content(page, output)
        return
    print_table(("instant", "run"), [(each.at, each.run) for each in page.instants])
    if page.next:
        note(f"more: --cursor {page.next}")


@backfills.command("wait")
@click.argument("backfill")
@client_options
@output_option
def wait_for_backfill(*, backfill: str, output: str, **target: Any) -> None:
    """Wait until a backfill is over; exits 1 unless all of its runs have succeeded."""
    with open_client(**target) as client:
        found = watch(client, client.backfills.get(whole_backfill(client, backfill)))
    print_backfill(found, output)
    exit_unless_done(found)


@backfills.command("cancel")
@click.argument("backfill", nargs=-1, required=True)
@click.option("--reason", default="", help="Kept in the audit log.")
@client_options
@output_option
def cancel_backfill(*, backfill: tuple[str, ...], reason: str, output: str, **target: Any) -> None:
    """Make no more runs; those that were made go on."""
    with open_client(**target) as client:
        steer_each(
            backfill,
            lambda one: client.backfills.cancel(whole_backfill(client, one), reason=reason),
            lambda found: print_backfill(found, "table"),
            output,
        )


def row(backfill: BackfillInfo) -> tuple[object, ...]:
    return (
        backfill.id,
        backfill.trigger,
        backfill.state,
        backfill.made,
        backfill.passed,
        backfill.expected,
        backfill.succeeded,
        backfill.failed,
        backfill.by,
        backfill.created_at,
    )
