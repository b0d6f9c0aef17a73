"""`mainspring dead`."""

from typing import Any

import click

from mainspring.cli.client import open_client
from mainspring.cli.commands.bulk.begin import begin, canaries_option, sweep_options
from mainspring.cli.groups import NounGroup
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output.tables import note, print_content, print_table
from mainspring.client.nouns.dead_letters import DeadGroup

COLUMNS = ("fingerprint", "runs", "job", "error", "message", "last seen")
LETTERS = ("run", "failed at", "queue", "reason")


@click.group(cls=NounGroup)
def dead() -> None:
    """Look at what failed for good, by what it died of; retry it or discard it."""


@dead.command("list")
@click.option("--job", help="Of this job.")
@click.option("--limit", type=click.IntRange(1, 500), default=20, show_default=True)
@click.option("--cursor", help="Where the page before ended.")
@client_options
@output_option
def list_groups(*, job: str | None, limit: int, cursor: str | None, output: str, **target: Any) -> None:
    """List groups of dead letters, the one seen last first."""
    with open_client(**target) as client:
        page = client.dead.groups(job=job, limit=limit, cursor=cursor)
    if output != "table":
        print_content(page, output)
        return
    print_table(COLUMNS, [row(group) for group in page.groups])
    if page.next:
        note(f"more: --cursor {page.next}")


@dead.command("show")
@click.argument("fingerprint")
@click.option("--limit", type=click.IntRange(1, 500), default=20, show_default=True)
@click.option("--cursor", help="Where the page before ended.")
@client_options
@output_option
def show_group(*, fingerprint: str, limit: int, cursor: str | None, output: str, **target: Any) -> None:
    """Show the runs of a group, oldest first."""
    with open_client(**target) as client:
        page = client.dead.letters(fingerprint, limit=limit, cursor=cursor)
    if output != "table":
        print_content(page, output)
        return
    print_table(LETTERS, [(one.run, one.failed_at, one.queue, one.reason) for one in page.letters])
    if page.next:
        note(f"more: --cursor {page.next}")


@dead.command("retry")
@click.argument("fingerprint", required=False)
@sweep_options
@canaries_option
@client_options
@output_option
def retry_dead(*, output: str, **chosen: Any) -> None:
    """Have a group, or all dead letters that match, run again, in the background."""
    begin("retry", output=output, **chosen)


@dead.command("discard")
@click.argument("fingerprint", required=False)
@sweep_options
@client_options
@output_option
def discard_dead(*, output: str, **chosen: Any) -> None:
    """Have a group, or all dead letters that match, listed no more, in the background; the runs stay failed."""
    begin("discard", output=output, **chosen)


def row(group: DeadGroup) -> tuple[object, ...]:
    runs = f"{group.runs} or more" if group.more else group.runs
    return (group.fingerprint, runs, group.job, group.error, group.message, group.last_at)
