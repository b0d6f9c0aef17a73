"""`mainspring views`."""

import click

from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.verbs import deletes_one, prints
from mainspring.client.client import Client
from mainspring.contract.insights.views import SavedViewInfo

VIEWS = Sheet(
    "view",
    columns=("name", ("query", "q"), "shared", "author", ("updated", "updated_at")),
    facts=("name", ("query", "q"), "shared", "author", ("updated", "updated_at")),
)
shared_option = click.option("--shared", is_flag=True, help="For all of the namespace, not only for oneself.")


@click.group(cls=NounGroup)
def views() -> None:
    """Save, list and delete queries of runs under names."""


@views.command("list")
@prints(VIEWS)
def list_views(client: Client) -> list[SavedViewInfo]:
    """List one's own views, then those that are shared in the namespace."""
    return [*client.views.list()]


@views.command("save")
@click.argument("name")
@click.argument("query")
@shared_option
@prints(VIEWS)
def save_view(client: Client, *, name: str, query: str, shared: bool) -> SavedViewInfo:
    """Keep a query, such as 'state:failed job:charge', under a name."""
    return client.views.save(name, query, shared=shared)


@views.command("delete")
@shared_option
@deletes_one("view")
def delete_view(client: Client, name: str, *, shared: bool) -> None:
    """Delete a view."""
    client.views.delete(name, shared=shared)
