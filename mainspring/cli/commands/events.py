"""`mainspring events`."""

import sys
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec

from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Answer, Sheet
from mainspring.cli.output.tables import cell, note
from mainspring.cli.verbs import lists, prints
from mainspring.client.client import Client
from mainspring.contract.events import EventTypePage, Published

TYPES = Sheet(
    "type", columns=("type", "told", ("runs", "matched"), "unmatched", ("first", "first_at"), ("last", "last_at"))
)


@click.group(cls=NounGroup)
def events() -> None:
    """Publish events for the triggers that wait for them, and list their types."""


@events.command("publish")
@click.argument("type_name", metavar="TYPE")
@click.argument("data", required=False, default="{}")
@click.option("--id", "identifier", help="Idempotency key: no trigger fires twice for one id.")
@prints(note)
def publish_event(client: Client, *, type_name: str, data: str, identifier: str | None) -> Answer:
    """Publish an event of TYPE. DATA is JSON, or @FILE, or @- for stdin."""
    published = client.publish(type_name, read_data(data), id=identifier)
    return Answer(content=published, show=partial(print_published, type_name))


@events.command("types")
@lists(TYPES)
def list_types(client: Client, *, limit: int, cursor: str | None) -> EventTypePage:
    """List the types of published events, including those that no trigger waits for."""
    return client.event_types(limit=limit, cursor=cursor)


def read_data(text: str) -> Any:
    if text.startswith("@"):
        text = sys.stdin.read() if text == "@-" else read_file(text[1:])
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise click.BadParameter(f"is not JSON: {error}", param_hint="DATA") from None


def read_file(name: str) -> str:
    try:
        return Path(name).read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise click.BadParameter(f"{name} cannot be read: {error}", param_hint="DATA") from None


def print_published(type_name: str, published: Published) -> None:
    """Print the ids of the runs on stdout and the rest on stderr."""
    for each in published.runs:
        click.echo(each.run)
        note(f"trigger {cell(each.trigger)}" + (" had this event before" if each.existing else ""))
    for refused in published.refused:
        note(f"trigger {cell(refused.trigger)} refused the event: {cell(refused.detail)}")
    if published.waits:
        note(f"{published.waits} waiting steps of workflow runs go on")
    if not published.runs and not published.refused and not published.waits:
        note(f"no trigger and no workflow run waits for this event of type {cell(type_name)}")
