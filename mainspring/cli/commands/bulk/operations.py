"""`mainspring sweeps`."""

from typing import Any

import click

from mainspring.cli.client import open_client
from mainspring.cli.commands.bulk.begin import begin, canaries_option, print_sweep, sweep_options, watch
from mainspring.cli.commands.runs.ids import whole_sweep
from mainspring.cli.commands.selection import steer_each
from mainspring.cli.groups import NounGroup
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output.exits import FAILURE
from mainspring.cli.output.tables import note, print_content, print_table
from mainspring.client.nouns.dead_letters import SweepInfo

COLUMNS = ("id", "act", "state", "changed", "passed", "expected", "by", "created at")


@click.group(cls=NounGroup)
def sweeps() -> None:
    """Retry, discard or cancel all runs that match, in the background."""


@sweeps.command("create")
@click.argument("act", type=click.Choice(["retry", "discard", "cancel"]))
@click.option("--fingerprint", help="Dead letters of this group.")
@click.option("--state", "states", multiple=True, help="Of a cancel: in this state; may be given several times.")
@sweep_options
@canaries_option
@client_options
@output_option
def create_sweep(*, act: str, output: str, **chosen: Any) -> None:
    """Begin an ACT on all runs that match: dead letters for a retry or a discard, live runs for a cancel."""
    begin(act, output=output, **chosen)


@sweeps.command("list")
@click.option("--limit", type=click.IntRange(1, 500), default=20, show_default=True)
@click.option("--cursor", help="Where the page before ended.")
@client_options
@output_option
def list_sweeps(*, limit: int, cursor: str | None, output: str, **target: Any) -> None:
    """List sweeps, newest first."""
    with open_client(**target) as client:
        page = client.sweeps.list(limit=limit, cursor=cursor)
    if output != "table":
        print_content(page, output)
        return
    print_table(COLUMNS, [row(sweep) for sweep in page.sweeps])
    if page.next:
        note(f"more: --cursor {page.next}")


@sweeps.command("show")
@click.argument("sweep")
@client_options
@output_option
def show_sweep(*, sweep: str, output: str, **target: Any) -> None:
    """Show how far a sweep has come."""
    with open_client(**target) as client:
        print_sweep(client.sweeps.get(whole_sweep(client, sweep)), output)


@sweeps.command("wait")
@click.argument("sweep")
@client_options
@output_option
def wait_for_sweep(*, sweep: str, output: str, **target: Any) -> None:
    """Wait until a sweep is over; exits 1 unless it is done."""
    with open_client(**target) as client:
        found = watch(client, client.sweeps.get(whole_sweep(client, sweep)))
    print_sweep(found, output)
    if found.state != "done":
        click.get_current_context().exit(FAILURE)


@sweeps.command("cancel")
@click.argument("sweep", nargs=-1, required=True)
@click.option("--reason", default="", help="Kept in the audit log.")
@client_options
@output_option
def cancel_sweep(*, sweep: tuple[str, ...], reason: str, output: str, **target: Any) -> None:
    """Leave the rest of a sweep as it is; what was done stays done."""
    with open_client(**target) as client:
        steer_each(
            sweep,
            lambda one: client.sweeps.cancel(whole_sweep(client, one), reason=reason),
            lambda found: print_sweep(found, "table"),
            output,
        )


def row(sweep: SweepInfo) -> tuple[object, ...]:
    return (
        sweep.id,
        sweep.act,
        sweep.state,
        sweep.changed,
        sweep.passed,
        sweep.expected,
        sweep.by,
        sweep.created_at,
    )
