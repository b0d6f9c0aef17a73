"""The commands of `mainspring triggers` for those that are called."""

from datetime import timedelta
from typing import Any

import click

from mainspring.cli.client import TARGET, open_client
from mainspring.cli.commands.events import read_file
from mainspring.cli.durations import read_duration
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output.tables import cell, compact_json, note, print_content, print_facts
from mainspring.client.nouns.webhooks import HookInfo, TriedCall

SAID = {True: "yes", False: "no", None: None}


@click.command("secret")
@click.argument("trigger")
@click.option(
    "--grace", callback=read_duration, default="0", metavar="DURATION", help="How long the old secret stays good."
)
@click.option("--new-address", is_flag=True, help="Change the address as well; the old one ends at once.")
@client_options
@output_option
def rotate_secret(*, trigger: str, grace: timedelta, new_address: bool, output: str, **target: Any) -> None:
    """Give a webhook its secret, or another one, and print it: it is shown only now."""
    with open_client(**target) as client:
        made = client.hooks.rotate(trigger, grace=grace, new_address=new_address)
    if output != "table":
        print_content(made, output)
        return
    click.echo(made.secret)
    note(f"address: {address_of(made.hook)}")


@click.command("address")
@click.argument("trigger")
@client_options
@output_option
def show_address(*, trigger: str, output: str, **target: Any) -> None:
    """Print where a webhook is called, on the server that this command talks to."""
    with open_client(**target) as client:
        hook = client.hooks.get(trigger)
    if output != "table":
        print_content(hook, output)
        return
    click.echo(address_of(hook))
    until = f", and the one before it until {cell(hook.old_until)}" if hook.old_until is not None else ""
    note(f"its secret ({hook.auth}) is of {cell(hook.made_at)}{until}")


@click.command("test")
@click.argument("trigger")
@click.option("--body", default="{}", metavar="JSON", help="What is sent, or an event's data; or @FILE.")
@click.option("--header", "headers", multiple=True, metavar="NAME:VALUE", help="Sent with it; may be repeated.")
@client_options
@output_option
def try_call(*, trigger: str, body: str, headers: tuple[str, ...], output: str, **target: Any) -> None:
    """Say what a call of a webhook, or an event with these data, would come to; nothing is done."""
    content = read_file(body[1:]) if body.startswith("@") else body
    with open_client(**target) as client:
        tried = client.hooks.test(trigger, content, dict(map(read_header, headers)))
    if output != "table":
        print_content(tried, output)
        return
    print_tried(tried)


def address_of(hook: HookInfo) -> str:
    server: str = click.get_current_context().meta[TARGET].url[0]
    return server.rstrip("/") + hook.path


def read_header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        raise click.BadParameter(f"{text!r} is not written NAME:VALUE", param_hint="--header")
    return name.strip(), value.strip()


def print_tried(tried: TriedCall) -> None:
    print_facts(
        [
            ("would run", SAID[tried.would_run]),
            ("signed", SAID[tried.signed]),
            ("matched", SAID[tried.matched]),
            ("not met", tried.unmet),
            ("input", None if tried.input is None else compact_json(tried.input)),
            ("key", tried.key),
            ("problem", None if tried.problem is None else tried.problem.detail),
            ("field", None if tried.problem is None else tried.problem.field),
        ]
    )
