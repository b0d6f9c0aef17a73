"""`mainspring queues`."""

from typing import Any

import click

from mainspring.cli.client import open_client
from mainspring.cli.commands.selection import choose, names_argument, pattern_options, steer_each
from mainspring.cli.groups import NounGroup
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output.tables import cell, note, print_content, print_facts, print_table
from mainspring.client.nouns.queues import NamespaceBudget, QueueInfo, QueuePause

COLUMNS = (
    "name",
    "queued",
    "later",
    "waiting",
    "running",
    "oldest",
    "finished/min",
    "failed/min",
    "executors",
    "budget",
    "state",
)

new_option = click.option("--new", is_flag=True, help="Also if nobody has used that name yet.")


@click.group(cls=NounGroup)
def queues() -> None:
    """Look at queues, pause and resume them, and limit what may wait in them."""


@queues.command("list")
@click.option("--limit", type=click.IntRange(1, 500), default=100, show_default=True)
@click.option("--cursor", help="Where the page before ended.")
@client_options
@output_option
def list_queues(*, limit: int, cursor: str | None, output: str, **target: Any) -> None:
    """List queues by name, as they were counted last."""
    with open_client(**target) as client:
        page = client.queues.list(limit=limit, cursor=cursor)
    if output != "table":
        print_content(page, output)
        return
    print_table(COLUMNS, [row(queue) for queue in page.queues])
    if page.next:
        note(f"more: --cursor {page.next}")


@queues.command("show")
@click.argument("queue")
@client_options
@output_option
def show_queue(*, queue: str, output: str, **target: Any) -> None:
    """Show one queue, and how fast runs have passed through it."""
    with open_client(**target) as client:
        found, rates = client.queues.get(queue), client.queues.rates(queue, step="hour", steps=1)
    if output != "table":
        print_content(found, output)
        return
    spreads = [(name, getattr(step, name)) for step in rates.steps[-1:] for name in ("wait", "duration")]
    known = [(name, spread) for name, spread in spreads if spread is not None]
    times = [
        (name, f"{age(one.p50)} half, {age(one.p95)} of 95 %, {age(one.max)} at most, in this hour")
        for name, one in known
    ]
    print_facts([*facts(found), *times])


@queues.command("pause")
@names_argument("queue")
@pattern_options
@click.option("--reason", default="", help="Why; shown to others, and kept in the audit log.")
@new_option
@client_options
@output_option
def pause_queue(
    *, queues: tuple[str, ...], yes: bool, dry_run: bool, reason: str, new: bool, output: str, **target: Any
) -> None:
    """Start nothing of a queue; what runs goes on, and runs are still accepted."""
    with open_client(**target) as client:
        names = choose(client, "queue", queues, "pause", yes=yes, dry_run=dry_run)
        steer_each(names, lambda name: client.queues.pause(name, reason=reason, new=new), print_steered, output)


@queues.command("resume")
@names_argument("queue")
@pattern_options
@client_options
@output_option
def resume_queue(*, queues: tuple[str, ...], yes: bool, dry_run: bool, output: str, **target: Any) -> None:
    """Let the runs of a paused queue start again."""
    with open_client(**target) as client:
        names = choose(client, "queue", queues, "resume", yes=yes, dry_run=dry_run)
        steer_each(names, client.queues.resume, print_steered, output)


@queues.command("budget")
@click.argument("queue", required=False)
@click.option("--max", "most", type=click.IntRange(0), metavar="RUNS", help="How many accepted runs may wait.")
@click.option("--none", "unlimited", is_flag=True, help="Any number.")
@new_option
@client_options
@output_option
def set_budget(*, queue: str | None, most: int | None, unlimited: bool, new: bool, output: str, **target: Any) -> None:
    """Limit how many runs may wait in QUEUE, or without one, in the namespace as a whole; or show the limit."""
    if most is not None and unlimited:
        raise click.UsageError("--max and --none exclude each other.")
    found: QueueInfo | NamespaceBudget
    with open_client(**target) as client:
        if queue is None:
            whole = client.queues
            found = whole.namespace_budget(client.namespace)
            if most is not None or unlimited:
                found = whole.set_namespace_budget(client.namespace, most)
        elif most is not None or unlimited:
            found = client.queues.set_budget(queue, most, new=new)
        else:
            found = client.queues.get(queue)
    if output != "table":
        print_content(found, output)
        return
    name = cell(found.name) if isinstance(found, QueueInfo) else f"namespace {found.namespace}"
    click.echo(f"{name}: {'no budget' if found.max_queued is None else f'at most {found.max_queued} runs may wait'}")


def print_steered(queue: QueueInfo) -> None:
    click.echo(f"{cell(queue.name)}: {show_pause(queue.paused) or 'open'}")


def row(queue: QueueInfo) -> tuple[object, ...]:
    rates = queue.rates
    return (
        queue.name,
        queue.queued,
        queue.later,
        queue.waiting,
        queue.running,
        age(queue.oldest_seconds),
        None if rates is None else f"{rates.finished:g}",
        None if rates is None else f"{rates.failed:g}",
        queue.executors,
        queue.max_queued,
        "open" if queue.paused is None else "paused",
    )


def facts(queue: QueueInfo) -> list[tuple[str, object]]:
    rates = queue.rates
    return [
        ("queue", queue.name),
        ("state", show_pause(queue.paused) or "open"),
        ("queued", queue.queued),
        ("later", queue.later),
        ("waiting", queue.waiting),
        ("running", queue.running),
        ("oldest", age(queue.oldest_seconds)),
        ("counted", queue.taken_at),
        ("executors", f"{queue.executors}, with {queue.slots} slots"),
        ("budget", queue.max_queued),
        ("finished", None if rates is None else f"{rates.finished:g}/min, {rates.failed:g}/min of them failed"),
    ]


def show_pause(pause: QueuePause | None) -> str | None:
    if pause is None:
        return None
    why = f": {cell(pause.reason)}" if pause.reason else ""
    return f"paused by {cell(pause.by)} at {cell(pause.since)}{why}"


def age(seconds: float | None) -> str | None:
    """A length of time in its largest unit, short enough for a column."""
    if seconds is None:
        return None
    for size, unit in ((86400.0, "d"), (3600.0, "h"), (60.0, "m"), (1.0, "s")):
        if seconds >= size:
            return f"{seconds / size:.1f}{unit}"
    return f"{seconds * 1000:.0f}ms"
