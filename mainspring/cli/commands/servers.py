"""`mainspring servers`."""

import click

from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.verbs import prints, reason_option
from mainspring.client.client import Client
from mainspring.contract.cluster import DatabaseInfo, ServerInfo, ServerList
from mainspring.domain.cluster.database_checks import in_words

SERVERS = Sheet(
    "server",
    columns=(
        "name",
        "url",
        "zone",
        "version",
        "executors",
        ("since", "joined_at"),
        "commit_p99",
        "loop_delay",
        "state",
    ),
)
DATABASE = Sheet(
    "database",
    facts=(
        ("database", lambda found: f"{found.product} {found.version}"),
        ("size", lambda found: in_words(found.size)),
        ("room on disk", lambda found: None if found.room is None else in_words(found.room)),
        ("connections", lambda found: found.connections and f"{found.connections} of {found.connections_max}"),
        ("pool", lambda found: found.pool and f"{found.pool.busy} busy, {found.pool.idle} idle"),
        "durability",
        ("replication lag", "replication_lag"),
        ("holds back vacuum", lambda found: found.holder and f"{found.holder.name} for {found.holder.seconds:.0f} s"),
        ("dead rows", lambda found: sum(found.dead_rows.values())),
        ("history from", "oldest_day"),
        ("history to", "newest_day"),
        (
            "size of history",
            lambda found: in_words(size) if (size := sum(day.size or 0 for day in found.days)) else None,
        ),
        ("leases", lambda found: f"{sum(found.leases.ages)} sessions, {found.leases.ages[-1]} of them lapsed"),
        (
            "duties",
            lambda found: ", ".join(f"{one.duty} by {one.server or 'a server that is gone'}" for one in found.duties),
        ),
    ),
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


@servers.command("database")
@prints(DATABASE)
def show_database(client: Client) -> DatabaseInfo:
    """Show the condition of their database; `mainspring doctor` says what to do about it."""
    return client.servers.database()
