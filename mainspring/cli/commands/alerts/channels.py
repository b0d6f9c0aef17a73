"""`mainspring channels`."""

from collections.abc import Sequence

import click

from mainspring.cli.commands.alerts.fields import field_options, read_fields, written
from mainspring.cli.groups import NounGroup
from mainspring.cli.output.exits import FAILURE, OK
from mainspring.cli.output.sheets import Answer, Sheet
from mainspring.cli.verbs import deletes_one, lists, prints
from mainspring.client.client import Client
from mainspring.contract.alerts.views import ChannelInfo, ChannelPage, NoticePage
from mainspring.domain.alerts.channel import CODE, ChannelSpec
from mainspring.domain.alerts.written import read_written

CHANNELS = Sheet(
    "channel",
    columns=(
        "name",
        ("kind", lambda channel: channel.spec.get("kind")),
        "owner",
        ("updated", "updated_at"),
        ("warnings", lambda channel: "; ".join(channel.warnings)),
    ),
    facts=(
        "name",
        ("channel", lambda channel: written(channel.spec)),
        *("version", "owner", "author"),
        ("updated", "updated_at"),
        ("warnings", lambda channel: "; ".join(channel.warnings) or None),
    ),
)
NOTICES = Sheet(
    "notice",
    columns=(
        *("id", "kind", "rule"),
        ("alerts", lambda one: len(one.alerts)),
        *("state", "tries"),
        ("made", "made_at"),
        ("sent", "sent_at"),
        "answer",
    ),
)


@click.group(cls=NounGroup)
def channels() -> None:
    """Inspect, define and test the channels that alerts go to."""


@channels.command("list")
@prints(CHANNELS)
def list_channels(client: Client) -> ChannelPage:
    """List the channels of the namespace."""
    return client.channels.list()


@channels.command("show")
@click.argument("name")
@prints(CHANNELS)
def show_channel(client: Client, *, name: str) -> ChannelInfo:
    """Show a channel, without its secrets."""
    return client.channels.get(name)


@channels.command("set")
@click.argument("name")
@field_options
@prints(CHANNELS)
def set_channel(client: Client, *, name: str, kind: str, fields: Sequence[str]) -> ChannelInfo:
    """Define a channel, or replace it: --kind slack --set url=env:SLACK_URL."""
    return client.channels.set(name, read_written(read_fields(kind, fields), ChannelSpec, code=CODE))


@channels.command("delete")
@deletes_one("channel")
def delete_channel(client: Client, name: str) -> None:
    """Delete a channel that no alert rule names."""
    client.channels.delete(name)


@channels.command("test")
@click.argument("name")
@prints(lambda found: click.echo(f"{'sent' if found.ok else 'failed'}: {found.answer}"), names=False)
def test_channel(client: Client, *, name: str) -> Answer:
    """Send a marked message to a channel now, and print its answer."""
    tested = client.channels.test(name)
    return Answer(content=tested, exit_code=OK if tested.ok else FAILURE)


@channels.command("notices")
@click.argument("name")
@click.option("--state", help="Only notices in this state.")
@lists(NOTICES)
def list_notices(client: Client, *, name: str, state: str | None, limit: int, cursor: str | None) -> NoticePage:
    """List the notices of a channel and what became of them, the newest first."""
    return client.channels.notices(name, state=state, limit=limit, cursor=cursor)
