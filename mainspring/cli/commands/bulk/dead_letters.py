"""`mainspring dead`."""

from typing import Any

import click

from mainspring.cli.commands.bulk.begin import SWEEPS, begin, canaries_option, sweep_options
from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Answer, Sheet
from mainspring.cli.verbs import lists, prints
from mainspring.client.client import Client
from mainspring.contract.bulk import DeadGroupPage, DeadLetterPage

GROUPS = Sheet(
    "group",
    columns=(
        "fingerprint",
        ("runs", lambda group: f"{group.runs} or more" if group.more else group.runs),
        *("job", "error", "message", ("last seen", "last_at")),
    ),
)
LETTERS = Sheet("letter", columns=("run", "failed at", "queue", "reason"))


@click.group(cls=NounGroup)
def dead() -> None:
    """List dead letters, grouped by their error; retry or discard them."""


@dead.command("list")
@click.option("--job", help="Only dead letters of this job.")
@lists(GROUPS, limit=20)
def list_groups(client: Client, *, job: str | None, limit: int, cursor: str | None) -> DeadGroupPage:
    """List groups of dead letters, latest failure first."""
    return client.dead.groups(job=job, limit=limit, cursor=cursor)


@dead.command("show")
@click.argument("fingerprint")
@lists(LETTERS, limit=20)
def show_group(client: Client, *, fingerprint: str, limit: int, cursor: str | None) -> DeadLetterPage:
    """Show the runs of a group, oldest first."""
    return client.dead.letters(fingerprint, limit=limit, cursor=cursor)


@dead.command("retry")
@click.argument("fingerprint", required=False)
@sweep_options
@canaries_option
@prints(SWEEPS)
def retry_dead(client: Client, **chosen: Any) -> Answer:
    """Retry a group, or all matching dead letters, in the background."""
    return begin(client, "retry", **chosen)


@dead.command("discard")
@click.argument("fingerprint", required=False)
@sweep_options
@prints(SWEEPS)
def discard_dead(client: Client, **chosen: Any) -> Answer:
    """Discard a group, or all matching dead letters, in the background; the runs stay failed."""
    return begin(client, "discard", **chosen)
