"""`mainspring servers`."""

import click

from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.verbs import prints, reason_option
from mainspring.client.client import Client
from mainspring.contract.cluster import ServerInfo, ServerList

SERVERS = Sheet(
    "server",
    columns=("name", "url", "zone", "version", "executors", ("since", "joined_at"), "state"),
)


@click.group(cls=NounGroup)
def servers() -> None:
    """Inspect the servers of the cluster; drain them."""


@servers.command("list")
@prints(SERVERS)
def list_servers(client: Client) -> ServerList:
    """List the servers that are alive by name."""
    return client.servers.list()


@servers.command("drain")
@click.argument("server")
@reason_option
@prints(SERVERS.print_outcome)
def drain_server(client: Client, *, server: str, reason: str) -> ServerInfo:
    """Send the executors and callers of a server elsewhere; it stays, idle, until it is resumed or started again."""
    return client.servers.drain(server, reason=reason)


@servers.command("resume")
@click.argument("server")
@reason_option
@prints(SERVERS.print_outcome)
def resume_server(client: Client, *, server: str, reason: str) -> ServerInfo:
    """Let a drained server take executors and runs again."""
    return client.servers.resume(server, reason=reason)
