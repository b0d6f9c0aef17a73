"""`mainspring namespaces`."""

from typing import Any

import click

from mainspring.cli.client import open_client
from mainspring.cli.groups import NounGroup
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output.tables import note, print_content, print_table
from mainspring.client.nouns.namespaces import NamespaceInfo


@click.group(cls=NounGroup)
def namespaces() -> None:
    """Look at namespaces, make and delete them."""


@namespaces.command("list")
@client_options
@output_option
def list_namespaces(*, output: str, **target: Any) -> None:
    """List the namespaces that the token reaches."""
    with open_client(**target) as client:
        found = client.namespaces.list()
    print_namespaces(found, output)


@namespaces.command("create")
@click.argument("name")
@click.option("--description", default="", help="What it is for.")
@client_options
@output_option
def create_namespace(*, name: str, description: str, output: str, **target: Any) -> None:
    """Make a namespace."""
    with open_client(**target) as client:
        made = client.namespaces.create(name, description=description)
    print_namespaces((made,), output)


@namespaces.command("delete")
@click.argument("name")
@client_options
def delete_namespace(*, name: str, **target: Any) -> None:
    """Delete a namespace that holds nothing any more."""
    with open_client(**target) as client:
        client.namespaces.delete(name)
    note(f"namespace {name} is deleted")


def print_namespaces(found: tuple[NamespaceInfo, ...], output: str) -> None:
    if output != "table":
        print_content(list(found), output)
        return
    rows = [(each.name, each.created_at, each.description) for each in found]
    print_table(("name", "created", "description"), rows)
