"""`mainspring audit`."""

from typing import Any

import click

from mainspring.cli.durations import read_since
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.output.tables import compact_json
from mainspring.cli.verbs import lists
from mainspring.client.client import Client
from mainspring.contract.access import ActorInfo, AuditPage

ENTRIES = Sheet(
    "entry",
    columns=(
        *("at", ("actor", lambda entry: show_actor(entry.actor)), "act", "key", "namespace"),
        ("details", lambda entry: compact_json(entry.details) if entry.details else None),
    ),
    items="entries",
)


@click.command()
@click.option("--actor", help="Only changes made with the token of this name.")
@click.option("--kind", help="Only changes of this kind of thing: token, namespace, job, queue …")
@click.option("--key", help="Only changes of the thing with this name or id.")
@click.option("--act", help="Only changes of this sort, such as queue.pause.")
@click.option(
    "--until", callback=read_since, metavar="WHEN", help="Only changes before WHEN: a time, or an age such as 2h."
)
@click.option(
    "--since", callback=read_since, metavar="WHEN", help="Only changes since WHEN: a time, or an age such as 2h."
)
@lists(ENTRIES)
def audit(client: Client, **filters: Any) -> AuditPage:
    """Show the audit log, newest change first."""
    return client.audit.list(**filters)


def show_actor(actor: ActorInfo) -> str:
    return f"{actor.name} ({actor.token})" if actor.token else actor.name
