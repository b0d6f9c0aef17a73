"""Which runs: the options of `mainspring runs list`, and the page that they select."""

from datetime import datetime
from typing import Any

import click

from mainspring.cli.durations import read_since
from mainspring.cli.options import options
from mainspring.client.client import Client
from mainspring.client.options import RunFilters
from mainspring.client.views.runs import RunPage

TRIES = 20
"""Short pages that are followed before the rest is left to a next call."""
WRITTEN = "%Y-%m-%dT%H:%M:%S.%f%z"


def read_labels(_context: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    labels = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"{text!r} is not KEY=VALUE.")
        labels[key] = value
    return labels


tag_option = click.option("--tag", "tags", multiple=True, metavar="TAG", help="May be given several times.")
label_option = click.option(
    "--label", "labels", multiple=True, metavar="KEY=VALUE", callback=read_labels, help="May be given several times."
)
filter_options = options(
    click.option("--job", help="Of this job."),
    click.option("--queue", help="Of this queue."),
    click.option("--state", "states", multiple=True, help="In this state; may be given several times."),
    tag_option,
    label_option,
    click.option("--key", help="With this idempotency key."),
    click.option("--parent", metavar="RUN", help="Asked for by the handler of this run."),
    click.option("--since", callback=read_since, metavar="WHEN", help="Created since: an instant, or ago, such as 2h."),
    click.option(
        "--until", callback=read_since, metavar="WHEN", help="Created before: an instant, or ago, such as 2h."
    ),
    click.option("--sort", type=click.Choice(["newest", "oldest"]), default="newest", show_default=True),
)


def filters_of(chosen: dict[str, Any]) -> RunFilters:
    """Take the filters out of a command's options."""
    filters: RunFilters = {
        "job": chosen.pop("job"),
        "queue": chosen.pop("queue"),
        "states": chosen.pop("states"),
        "tags": chosen.pop("tags"),
        "labels": chosen.pop("labels"),
        "key": chosen.pop("key"),
        "parent": chosen.pop("parent"),
        "since": chosen.pop("since"),
        "until": chosen.pop("until"),
        "oldest_first": chosen.pop("sort") == "oldest",
    }
    return filters


def fill_page(client: Client, filters: RunFilters, *, limit: int, cursor: str | None) -> RunPage:
    """As many runs as asked for, if there are; the server may need several calls to find rare ones."""
    page = client.list(limit=limit, cursor=cursor, **filters)
    runs = page.runs
    for _ in range(TRIES):
        if page.next is None or len(runs) >= limit:
            break
        page = client.list(limit=limit - len(runs), cursor=page.next, **filters)
        runs = [*runs, *page.runs]
    return RunPage(runs, page.next)


def words_for_more(filters: RunFilters, cursor: str) -> str:
    """What to add for the next page: a cursor is good for the same instants, so relative ones are written out."""
    instants = [("--since", filters.get("since")), ("--until", filters.get("until"))]
    said = [f"{name} {written(instant)}" for name, instant in instants if instant is not None]
    return " ".join([*said, f"--cursor {cursor}"])


def written(instant: datetime) -> str:
    return instant.strftime(WRITTEN)
