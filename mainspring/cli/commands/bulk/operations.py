"""`mainspring sweeps`."""

from typing import Any

import click

from mainspring.cli.commands.bulk.begin import SWEEPS, begin, canaries_option, finish, sweep_options
from mainspring.cli.commands.runs.ids import whole_sweep
from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Answer
from mainspring.cli.verbs import acts_on_ids, lists, prints, reason_option
from mainspring.client.client import Client
from mainspring.contract.bulk import SweepInfo, SweepPage


@click.group(cls=NounGroup)
def sweeps() -> None:
    """Retry, discard or cancel all matching runs in the background."""


@sweeps.command("create")
@click.argument("act", type=click.Choice(["retry", "discard", "cancel"]))
@click.option("--fingerprint", help="Only dead letters of this group.")
@click.option("--state", "states", multiple=True, help="For a cancel: only runs in this state. Repeatable.")
@sweep_options
@canaries_option
@prints(SWEEPS)
def create_sweep(client: Client, *, act: str, **chosen: Any) -> Answer:
    """Begin an ACT on all matching runs: dead letters for a retry or a discard, live runs for a cancel."""
    return begin(client, act, **chosen)


@sweeps.command("list")
@lists(SWEEPS, limit=20)
def list_sweeps(client: Client, *, limit: int, cursor: str | None) -> SweepPage:
    """List sweeps, newest first."""
    return client.sweeps.list(limit=limit, cursor=cursor)


@sweeps.command("show")
@click.argument("sweep")
@prints(SWEEPS)
def show_sweep(client: Client, *, sweep: str) -> SweepInfo:
    """Show the progress of a sweep."""
    return client.sweeps.get(whole_sweep(client, sweep))


@sweeps.command("wait")
@click.argument("sweep")
@prints(SWEEPS)
def wait_for_sweep(client: Client, *, sweep: str) -> Answer:
    """Wait until a sweep is over; exit 1 unless it is done."""
    return finish(client, client.sweeps.get(whole_sweep(client, sweep)))


@sweeps.command("cancel")
@reason_option
@acts_on_ids(SWEEPS, whole_sweep)
def cancel_sweep(client: Client, sweep: str, *, reason: str) -> SweepInfo:
    """Stop a sweep; its changes so far stay."""
    return client.sweeps.cancel(sweep, reason=reason)
