"""`mainspring enqueue`."""

from datetime import datetime
from typing import Any

import click

from mainspring.cli.client import open_client
from mainspring.cli.commands.runs.enqueue_file import FileEnqueue, send_file
from mainspring.cli.commands.runs.filters import label_option, tag_option
from mainspring.cli.commands.runs.inputs import input_option, read_argument, read_input
from mainspring.cli.commands.workflows.follow import follow, is_workflow
from mainspring.cli.durations import read_ahead, read_duration, read_known, read_seconds
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output.progress import progress
from mainspring.cli.output.tables import compact_json, print_content
from mainspring.client.client import Client
from mainspring.client.transport.requests import Enqueue, new_enqueue
from mainspring.client.waiting import result_of
from mainspring.contract.runs import RunInfo
from mainspring.domain.routing.route import Route, Strategy

CHOSEN = ("priority", "queue", "executor", "route", "delay", "key", "tags", "labels", "deadline", "start_within")


def read_route(_context: click.Context, _option: click.Parameter, text: str | None) -> Route | None:
    """`round_robin`, `hash:customer` or `failover:press-1,press-2`; the server knows what else there is."""
    if text is None:
        return None
    strategy, _, rest = text.partition(":")
    names = tuple(name for name in rest.split(",") if name)
    return Route(strategy, (), names) if strategy == Strategy.HASH else Route(strategy, names)


@click.command()
@click.argument("job")
@click.argument("arguments", nargs=-1, metavar="[NAME=VALUE]...")
@input_option("Arguments")
@click.option("--priority", type=int, help="Priority, from 0 (least urgent) to 9.")
@click.option("--queue", help="Queue. [default: the job's]")
@click.option("--executor", help="The one executor that may take it. [default: any that can, by the job's route]")
@click.option(
    "--route",
    callback=read_route,
    metavar="STRATEGY[:NAME,...]",
    help="How its executor is chosen: round_robin, hash:KEY, failover:NAME,NAME ... [default: the job's route]",
)
@click.option("--delay", callback=read_duration, metavar="DURATION", help="Delay before the start, such as 10m.")
@click.option("--due-at", metavar="INSTANT", help="Time of the start, such as 2030-01-01T09:00:00Z.")
@click.option("--key", help="Idempotency key: the same key returns the same run.")
@tag_option
@label_option
@click.option(
    "--deadline",
    callback=read_ahead,
    metavar="WHEN",
    help="Fail the run if it is not over by WHEN: a time, or a delay such as 2h.",
)
@click.option(
    "--start-within",
    callback=read_duration,
    metavar="DURATION",
    help="Fail the run if it has not started this long after it is due.",
)
@click.option("--count", type=click.IntRange(1), default=1, help="Number of runs.")
@click.option(
    "--from", "file", metavar="FILE", help="Enqueue a run for each line: a JSON object of arguments; - for stdin."
)
@click.option("--key-field", metavar="NAME", help="With --from: the argument that holds each run's idempotency key.")
@click.option(
    "--start-line", type=click.IntRange(1), default=1, metavar="N", help="With --from: the first line to send."
)
@click.option(
    "--wait",
    is_flag=True,
    help="Wait for the end of the runs and print their results; of a workflow, follow its steps.",
)
@click.option("--timeout", callback=read_seconds, metavar="DURATION", help="Longest wait, such as 90s.")
@client_options
@output_option
def enqueue(
    *,
    job: str,
    arguments: tuple[str, ...],
    inputs: tuple[str, ...],
    due_at: str | None,
    count: int,
    file: str | None,
    key_field: str | None,
    start_line: int,
    wait: bool,
    timeout: float | None,
    output: str,
    **rest: Any,
) -> None:
    """Enqueue runs of JOB. A value that is not JSON is passed as text.

    With --from, every line of FILE holds the arguments of one run, added to those given here. Lines are sent in chunks; the
    server accepts each chunk whole or not at all. With --key-field, repeat the command after any failure: existing runs are
    not created again.
    """
    chosen = {name: rest.pop(name) for name in CHOSEN}
    if count > 1 and chosen["key"] is not None:
        raise click.UsageError("--key names one run, so it cannot go with --count.")
    wanted = new_enqueue(job, arguments_of(arguments, inputs), due_at=read_instant(due_at), **chosen)
    if file is not None:
        refuse_beside_file(count=count, key=chosen["key"], wait=wait)
        bulk = FileEnqueue(wanted, key_field=key_field, start_line=start_line)
        with open_client(**rest) as client:
            send_file(client, bulk, file, output=output)
        return
    with open_client(**rest) as client:
        runs = [run.id for run in ask(client, wanted, count)]
        if wait and len(runs) == 1 and output == "table" and is_workflow(client, job):
            print_end(follow(client, runs[0], timeout=timeout), output)
        elif wait:
            wait_for_all(client, runs, timeout=timeout, output=output)
        elif output in ("json", "yaml"):
            print_content(runs, output)
        else:
            click.echo("\n".join(runs))


def refuse_beside_file(*, count: int, key: str | None, wait: bool) -> None:
    given = [flag for flag, here in (("--count", count > 1), ("--key", key is not None), ("--wait", wait)) if here]
    if given:
        raise click.UsageError(f"{given[0]} cannot go with --from.")


def ask(client: Client, wanted: Enqueue, count: int) -> Any:
    return client.enqueue_many([wanted] * count) if count > 1 else [client.send(wanted)]


def wait_for_all(client: Client, runs: list[str], *, timeout: float | None, output: str) -> None:
    ended: list[RunInfo] = []
    try:
        with progress("waiting", len(runs)) as advance:
            for run in runs:
                ended.append(client.wait(run, timeout=timeout))
                advance(1, f"{len(ended)} of {len(runs)}")
    finally:
        for found in ended:
            print_end(found, output)


def print_end(run: RunInfo, output: str) -> None:
    """Print a finished run; raises RunFailedError if it did not succeed."""
    if output in ("json", "yaml", "name"):
        print_content(run, output)
    result = result_of(run)
    if output == "table":
        click.echo(compact_json(result))


def arguments_of(arguments: tuple[str, ...], inputs: tuple[str, ...]) -> dict[str, Any]:
    given = read_input(inputs)
    for argument in arguments:
        given |= read_argument(argument)
    return given


def read_instant(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return read_known(text)
    except click.BadParameter as error:
        raise click.UsageError(f"--due-at: {error.message}") from None
    except ValueError:
        raise click.UsageError(f"--due-at: {text!r} is not an instant such as 2030-01-01T09:00:00Z.") from None
