"""`mainspring events`."""

import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from mainspring.cli.client import open_client
from mainspring.cli.groups import NounGroup
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output.tables import cell, note, print_content, print_table
from mainspring.client.nouns.events import Published

COLUMNS = ("type", "told", "runs", "unmatched", "first", "last")


@click.group(cls=NounGroup)
def events() -> None:
    """Tell what has happened, so that the triggers that wait for it fire, and see what was told."""


@events.command("publish")
@click.argument("type_name", metavar="TYPE")
@click.argument("data", required=False, default="{}")
@click.option("--id", "identifier", help="Tell once: the same id makes no second run of a trigger.")
@client_options
@output_option
def publish_event(*, type_name: str, data: str, identifier: str | None, output: str, **target: Any) -> None:
    """Tell an event of TYPE. DATA is JSON, or @FILE, or @- for stdin."""
    content = read_data(data)
    with open_client(**target) as client:
        published = client.publish(type_name, content, id=identifier)
    if output != "table":
        print_content(published, output)
        return
    print_published(type_name, published)


@events.command("types")
@click.option("--limit", type=click.IntRange(1, 500), default=50, show_default=True)
@click.option("--cursor", help="Where the page before ended.")
@client_options
@output_option
def list_types(*, limit: int, cursor: str | None, output: str, **target: Any) -> None:
    """List the types of events that were told, also those that nobody waits for."""
    with open_client(**target) as client:
        page = client.event_types(limit=limit, cursor=cursor)
    if output != "table":
        print_content(page, output)
        return
    rows = [(one.type, one.told, one.matched, one.unmatched, one.first_at, one.last_at) for one in page.types]
    print_table(COLUMNS, rows)
    if page.next:
        note(f"more: --cursor {page.next}")


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
    """The runs on stdout, everything else beside it."""
    for each in published.runs:
        click.echo(each.run)
        note(f"trigger {cell(each.trigger)}" + (" had this event before" if each.existing else ""))
    for refused in published.refused:
        note(f"trigger {cell(refused.trigger)} could not take it: {cell(refused.detail)}")
    if not published.runs and not published.refused:
        note(f"no trigger waits for such an event of type {cell(type_name)}")
