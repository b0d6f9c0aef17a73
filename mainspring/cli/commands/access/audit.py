"""`mainspring audit`."""

from datetime import datetime
from typing import Any

import click

from mainspring.cli.client import open_client
from mainspring.cli.durations import read_since
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output.tables import compact_json, note, print_content, print_table
from mainspring.client.nouns.audit import AuditEntryInfo

COLUMNS = ("at", "actor", "act", "key", "namespace", "details")


@click.command()
@click.option("--actor", help="Only what was done with the token of this name.")
@click.option("--kind", help="Only changes of such things: token, namespace, job, queue …")
@click.option("--key", help="Only changes of the thing with this name or id.")
@click.option("--since", callback=read_since, metavar="INSTANT|AGO", help="Such as 2030-01-01T09:00:00Z, or 2h.")
@click.option("--limit", type=click.IntRange(1, 500), default=50, show_default=True)
@click.option("--cursor", help="Where the page before ended.")
@client_options
@output_option
def audit(
    *,
    actor: str | None,
    kind: str | None,
    key: str | None,
    since: datetime | None,
    limit: int,
    cursor: str | None,
    output: str,
    **target: Any,
) -> None:
    """Show who changed what, newest first."""
    with open_client(**target) as client:
        page = client.audit.list(actor=actor, kind=kind, key=key, since=since, limit=limit, cursor=cursor)
    if output != "table":
        print_content(page, output)
        return
    print_table(COLUMNS, [row(entry) for entry in page.entries])
    if page.next:
        note(f"more: --cursor {page.next}")


def row(entry: AuditEntryInfo) -> tuple[object, ...]:
    actor = f"{entry.actor.name} ({entry.actor.token})" if entry.actor.token else entry.actor.name
    details = compact_json(entry.details) if entry.details else None
    return (entry.at, actor, entry.act, entry.key, entry.namespace or None, details)
