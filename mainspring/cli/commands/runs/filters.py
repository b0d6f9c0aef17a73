"""The filters of `mainspring runs list`, and the page that they select."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, cast

import click

from mainspring.cli.durations import read_since
from mainspring.cli.options import F, options
from mainspring.client.client import Client
from mainspring.client.options import RunFilters
from mainspring.contract.runs import RunPage

TRIES = 20
"""Pages read at most to fill one page of output."""
WRITTEN = "%Y-%m-%dT%H:%M:%S.%f%z"


def read_labels(_context: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    labels = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"{text!r} is not KEY=VALUE.")
        labels[key] = value
    return labels


tag_option = click.option("--tag", "tags", multiple=True, metavar="TAG", help="Tag. Repeatable.")
label_option = click.option(
    "--label", "labels", multiple=True, metavar="KEY=VALUE", callback=read_labels, help="Label. Repeatable."
)


def since_options(what: str) -> Callable[[F], F]:
    return options(
        click.option(
            "--since", callback=read_since, metavar="WHEN", help=f"{what} since WHEN: a time, or an age such as 2h."
        ),
        click.option("--until", callback=read_since, metavar="WHEN", help=f"{what} before WHEN."),
    )


filter_options = options(
    click.option(
        "--query",
        "q",
        metavar="QUERY",
        help="Only runs that match terms such as 'state:failed job:charge duration:>30s', instead of the other filters.",
    ),
    click.option("--job", help="Only runs of this job."),
    click.option("--queue", help="Only runs of this queue."),
    click.option("--state", "states", multiple=True, help="Only runs in this state. Repeatable."),
    tag_option,
    label_option,
    click.option("--key", help="Only runs with this idempotency key."),
    click.option("--parent", metavar="RUN", help="Only runs enqueued by the handler of this run."),
    since_options("Only runs created"),
    click.option(
        "--sort",
        type=click.Choice(["newest", "oldest"]),
        default="newest",
        show_default=True,
        help="Order of the runs.",
    ),
)


def filters_of(*, sort: str, **chosen: Any) -> RunFilters:
    return cast("RunFilters", {**chosen, "oldest_first": sort == "oldest"})


def fill_page(client: Client, filters: RunFilters, *, limit: int, cursor: str | None) -> RunPage:
    """Read up to `limit` runs; the server may return short pages while it looks for rare ones."""
    page = client.list(limit=limit, cursor=cursor, **filters)
    runs = page.runs
    for _ in range(TRIES):
        if page.next is None or len(runs) >= limit:
            break
        page = client.list(limit=limit - len(runs), cursor=page.next, **filters)
        runs = [*runs, *page.runs]
    return RunPage(runs, page.next)


def words_for_more(filters: RunFilters, cursor: str) -> str:
    """Return the options that select the next page."""
    # A cursor is bound to the times of its query, so relative ones are written out.
    instants = [("--since", filters.get("since")), ("--until", filters.get("until"))]
    given = [f"{name} {written(instant)}" for name, instant in instants if instant is not None]
    return " ".join([*given, f"--cursor {cursor}"])


def written(instant: datetime) -> str:
    return instant.strftime(WRITTEN)
