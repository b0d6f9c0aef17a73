"""`mainspring maintenance`."""

import click

from mainspring.cli.groups import NounGroup
from mainspring.cli.output.tables import cell
from mainspring.cli.output.terminal import escape
from mainspring.cli.verbs import lasts_option, prints, reason_option
from mainspring.client.client import Client
from mainspring.contract.limits import PauseInfo


def print_state(found: PauseInfo) -> None:
    if not found.paused:
        click.echo("maintenance is off: runs are started")
        return
    by = f" by {escape(found.by)}" if found.by else ""
    why = f" ({escape(found.reason)})" if found.reason else ""
    until = f" until {cell(found.until)}" if found.until is not None else ""
    click.echo(f"maintenance is on{by} since {cell(found.since)}{until}{why}: runs are accepted, none is started")


@click.group(cls=NounGroup)
def maintenance() -> None:
    """Accept runs and start none in the whole cluster, or start them again."""


@maintenance.command("show")
@prints(print_state, names=False)
def show_maintenance(client: Client) -> PauseInfo:
    """Show whether maintenance is on."""
    return client.limits.maintenance()


@maintenance.command("on")
@reason_option
@lasts_option
@prints(print_state, names=False)
def begin_maintenance(client: Client, *, reason: str, lasts: float | None) -> PauseInfo:
    """Accept runs and start none; running attempts continue."""
    return client.limits.begin_maintenance(reason=reason, lasts=lasts)


@maintenance.command("off")
@prints(print_state, names=False)
def end_maintenance(client: Client) -> PauseInfo:
    """Start runs again."""
    return client.limits.end_maintenance()
