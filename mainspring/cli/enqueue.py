"""`mainspring enqueue`."""

from datetime import datetime
from pathlib import Path
from typing import Any

import click
import msgspec

from mainspring.cli.calling import open_client
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output import compact_json, print_json
from mainspring.client.client import Client
from mainspring.client.requests import Enqueue, new_enqueue
from mainspring.client.views import RunInfo
from mainspring.client.waiting import result_of


@click.command()
@click.argument("job")
@click.argument("arguments", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--input", "text", metavar="JSON", help="The arguments as a JSON object, or @FILE.")
@click.option("--priority", type=int, help="0 (least urgent) to 9.")
@click.option("--queue")
@click.option("--delay", type=float, metavar="SECONDS", help="Start that much later.")
@click.option("--due-at", metavar="INSTANT", help="Start then, such as 2030-01-01T09:00:00Z.")
@click.option("--key", help="Ask once: the same key names the same run.")
@click.option("--count", type=click.IntRange(1), default=1, help="Ask for so many runs.")
@click.option("--wait", is_flag=True, help="Wait for the end and print the result.")
@click.option("--timeout", type=float, metavar="SECONDS", help="How long to wait.")
@client_options
@output_option
def enqueue(
    *,
    job: str,
    arguments: tuple[str, ...],
    text: str | None,
    due_at: str | None,
    count: int,
    wait: bool,
    timeout: float | None,
    output: str,
    **rest: Any,
) -> None:
    """Ask for a run of JOB. A value is read as JSON if it is JSON, else as text."""
    chosen = {name: rest.pop(name) for name in ("priority", "queue", "delay", "key")}
    if count > 1 and chosen["key"] is not None:
        raise click.UsageError("--key names one run, so it cannot go with --count.")
    wanted = new_enqueue(job, read_input(arguments, text), due_at=read_instant(due_at), **chosen)
    with open_client(**rest) as client:
        runs = [run.id for run in ask(client, wanted, count)]
        if wait:
            wait_for_all(client, runs, timeout=timeout, output=output)
        elif output == "json":
            print_json(runs)
        else:
            click.echo("\n".join(runs))


def ask(client: Client, wanted: Enqueue, count: int) -> Any:
    return client.enqueue_many([wanted] * count) if count > 1 else [client.send(wanted)]


def wait_for_all(client: Client, runs: list[str], *, timeout: float | None, output: str) -> None:
    for run in runs:
        found = client.wait(run, timeout=timeout)
        print_end(found, output)


def print_end(run: RunInfo, output: str) -> None:
    """Print a run that is over; raises RunFailedError if it did not succeed."""
    if output == "json":
        print_json(run)
    result = result_of(run)
    if output == "table":
        click.echo(compact_json(result))


def read_input(arguments: tuple[str, ...], text: str | None) -> dict[str, Any]:
    given = {} if text is None else read_object(text)
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not equals:
            raise click.UsageError(f"{argument!r} is not NAME=VALUE.")
        given[name] = read_value(value)
    return given


def read_object(text: str) -> dict[str, Any]:
    try:
        content = Path(text[1:]).read_bytes() if text.startswith("@") else text.encode()
        return msgspec.json.decode(content, type=dict[str, Any])
    except OSError as error:
        raise click.UsageError(f"--input: {text[1:]} cannot be read: {error.strerror}.") from None
    except msgspec.DecodeError as error:
        raise click.UsageError(f"--input: {error}.") from None


def read_value(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


def read_instant(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        raise click.UsageError(f"--due-at: {text!r} is not an instant such as 2030-01-01T09:00:00Z.") from None
    return instant.astimezone()
