"""`mainspring search` and `marks`."""

from collections.abc import Sequence
from datetime import datetime

import click

from mainspring.cli.durations import read_since
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.verbs import prints
from mainspring.client.client import Client
from mainspring.contract.insights.lookups import FoundThing, MarkInfo

FOUND = Sheet("found thing", columns=("kind", "name", "note"))
MARKS = Sheet("mark", columns=("at", "kind", "subject", "act", "by"))


@click.command("search")
@click.argument("text")
@prints(FOUND.print_table, names=False)
def search(client: Client, *, text: str) -> Sequence[FoundThing]:
    """Find runs by part of an id, key, #tag or label=value, and the rest by the beginning of a name."""
    return client.insights.search(text)


@click.command("marks")
@click.option("--since", callback=read_since, metavar="WHEN", help="Start: a time, or an age such as 2h. [default: 1d]")
@prints(MARKS.print_table, names=False)
def marks(client: Client, *, since: datetime | None) -> Sequence[MarkInfo]:
    """List changes that may explain a chart: definitions, pauses, drains, steered breakers."""
    return client.insights.marks(since=since)
