"""`mainspring namespaces`."""

import click

from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.output.tables import note
from mainspring.cli.verbs import calls, prints
from mainspring.client.client import Client
from mainspring.contract.access import NamespaceInfo

NAMESPACES = Sheet("namespace", columns=("name", ("created", "created_at"), "description"))


@click.group(cls=NounGroup)
def namespaces() -> None:
    """List, create and delete namespaces."""


@namespaces.command("list")
@prints(NAMESPACES)
def list_namespaces(client: Client) -> list[NamespaceInfo]:
    """List the namespaces that the token reaches."""
    return list(client.namespaces.list())


@namespaces.command("create")
@click.argument("name")
@click.option("--description", default="", help="Description for people.")
@prints(NAMESPACES)
def create_namespace(client: Client, *, name: str, description: str) -> list[NamespaceInfo]:
    """Create a namespace."""
    return [client.namespaces.create(name, description=description)]


@namespaces.command("delete")
@click.argument("name")
@calls
def delete_namespace(client: Client, *, name: str) -> None:
    """Delete an empty namespace."""
    client.namespaces.delete(name)
    note(f"namespace {name} is deleted")
