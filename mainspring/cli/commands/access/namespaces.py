"""`mainspring namespaces`."""

import click

from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.output.tables import note
from mainspring.cli.verbs import calls, deletes_one, lasts_option, prints, reason_option
from mainspring.client.client import Client
from mainspring.contract.access import NamespaceInfo
from mainspring.domain.queues.policy import WhenFull

NAMESPACES = Sheet("namespace", columns=("name", ("created", "created_at"), "description"))


@click.group(cls=NounGroup)
def namespaces() -> None:
    """List, create, pause and delete namespaces."""


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


@namespaces.command("blackout")
@click.argument("name")
@click.argument("calendar", metavar="CALENDAR|none")
@calls
def set_blackout(client: Client, *, name: str, calendar: str) -> None:
    """Start no runs of a namespace on days that do not count and in the blackouts of a calendar."""
    found = client.queues.change_namespace(name, blackout="" if calendar == "none" else calendar)
    note(f"namespace {name} {f'follows calendar {found.blackout}' if found.blackout else 'has no blackout'}")


@namespaces.command("when-full")
@click.argument("name")
@click.argument("answer", type=click.Choice([word.value for word in WhenFull]))
@calls
def set_when_full(client: Client, *, name: str, answer: str) -> None:
    """Refuse requests over a namespace's budget, hold them until there is room, or skip less urgent runs for them."""
    found = client.queues.change_namespace(name, when_full=WhenFull(answer))
    note(f"namespace {name}, when full: {found.when_full}")


@namespaces.command("pause")
@click.argument("name")
@reason_option
@lasts_option
@calls
def pause_namespace(client: Client, *, name: str, reason: str, lasts: float | None) -> None:
    """Start no runs of a namespace; running attempts continue, and the server still accepts runs."""
    client.limits.pause_namespace(name, reason=reason, lasts=lasts)
    note(f"namespace {name} is paused")


@namespaces.command("resume")
@click.argument("name")
@calls
def resume_namespace(client: Client, *, name: str) -> None:
    """Let the runs of a paused namespace start again."""
    client.limits.resume_namespace(name)
    note(f"namespace {name} is open")


@namespaces.command("delete")
@deletes_one("namespace")
def delete_namespace(client: Client, name: str) -> None:
    """Delete an empty namespace."""
    client.namespaces.delete(name)
