"""The commands of `mainspring triggers` for webhooks."""

from datetime import timedelta

import click

from mainspring.cli.client import TARGET
from mainspring.cli.commands.events import read_file
from mainspring.cli.durations import read_duration
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.output.tables import cell, compact_json, note, print_table
from mainspring.cli.verbs import prints
from mainspring.client.client import Client
from mainspring.contract.webhooks import HookCallInfo, HookCallList, HookInfo, HookSecret, TriedCall

CALL_COLUMNS = ("at", "run or code", "outcome")
YES = {True: "yes", False: "no", None: None}


def print_secret(made: HookSecret) -> None:
    click.echo(made.secret)
    note(f"address: {address_of(made.hook)}")


def print_address(hook: HookInfo) -> None:
    click.echo(address_of(hook))
    until = f"; the one before it is valid until {cell(hook.old_until)}" if hook.old_until is not None else ""
    note(f"its secret ({hook.auth}) was made at {cell(hook.made_at)}{until}")


def print_calls(found: HookCallList) -> None:
    print_table(CALL_COLUMNS, [(cell(one.at), one.run or one.code or "", outcome_of(one)) for one in found.calls])


def outcome_of(call: HookCallInfo) -> str:
    if call.run is None:
        return call.detail or ""
    return "that run was there before" if call.existing else "accepted"


TRIED = Sheet(
    "call",
    facts=(
        ("would run", lambda tried: YES[tried.would_run]),
        ("signed", lambda tried: YES[tried.signed]),
        ("matched", lambda tried: YES[tried.matched]),
        ("not met", "unmet"),
        ("input", lambda tried: None if tried.input is None else compact_json(tried.input)),
        "key",
        ("problem", lambda tried: None if tried.problem is None else tried.problem.detail),
        ("field", lambda tried: None if tried.problem is None else tried.problem.field),
    ),
)


@click.command("secret")
@click.argument("trigger")
@click.option(
    "--grace", callback=read_duration, default="0", metavar="DURATION", help="How long the old secret stays valid."
)
@click.option("--new-address", is_flag=True, help="Change the address, too; the old one ends at once.")
@prints(print_secret)
def rotate_secret(client: Client, *, trigger: str, grace: timedelta, new_address: bool) -> HookSecret:
    """Give a webhook a new secret and print it, this once."""
    return client.hooks.rotate(trigger, grace=grace, new_address=new_address)


@click.command("address")
@click.argument("trigger")
@prints(print_address)
def show_address(client: Client, *, trigger: str) -> HookInfo:
    """Print the URL of a webhook, on the server that this command calls."""
    return client.hooks.get(trigger)


@click.command("calls")
@click.argument("trigger")
@prints(print_calls, names=False)
def list_calls(client: Client, *, trigger: str) -> HookCallList:
    """List the newest calls of a webhook: the run of each, or why it was refused."""
    return client.hooks.calls(trigger)


@click.command("test")
@click.argument("trigger")
@click.option("--body", default="{}", metavar="JSON", help="Body of the call, or data of the event; or @FILE.")
@click.option("--header", "headers", multiple=True, metavar="NAME:VALUE", help="Header of the call. Repeatable.")
@prints(TRIED)
def try_call(client: Client, *, trigger: str, body: str, headers: tuple[str, ...]) -> TriedCall:
    """Test a webhook call or an event against a trigger, without starting a run."""
    content = read_file(body[1:]) if body.startswith("@") else body
    return client.hooks.test(trigger, content, dict(map(read_header, headers)))


def address_of(hook: HookInfo) -> str:
    server: str = click.get_current_context().meta[TARGET].url[0]
    return server.rstrip("/") + hook.path


def read_header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        raise click.BadParameter(f"{text!r} is not written NAME:VALUE", param_hint="--header")
    return name.strip(), value.strip()
