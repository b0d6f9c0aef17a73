"""`mainspring queues`."""

from collections.abc import Callable
from typing import Any

import click
import msgspec

from mainspring.cli.durations import read_seconds
from mainspring.cli.groups import NounGroup
from mainspring.cli.options import options
from mainspring.cli.output.sheets import Answer, Sheet
from mainspring.cli.output.tables import cell
from mainspring.cli.verbs import acts_on, lasts_option, lists, prints, reason_option
from mainspring.client.client import Client
from mainspring.contract.queues import NamespaceBudget, QueueInfo, QueuePage, QueuePause, QueueRates, RatesInfo
from mainspring.domain.queues.policy import WhenFull


def rate(read: Callable[[QueueRates], object]) -> Callable[[QueueInfo], object]:
    return lambda queue: None if queue.rates is None else read(queue.rates)


def short_state(queue: QueueInfo) -> str:
    return "open" if queue.paused is None else "paused"


def full_state(queue: QueueInfo) -> str:
    return show_pause(queue.paused) or "open"


QUEUES = Sheet(
    "queue",
    columns=(
        *("name", "queued", "later", "waiting", "running"),
        ("oldest", lambda queue: age(queue.oldest_seconds)),
        ("finished/min", rate(lambda rates: f"{rates.finished:g}")),
        ("failed/min", rate(lambda rates: f"{rates.failed:g}")),
        *("executors", ("budget", "max_queued")),
        ("state", short_state),
    ),
    facts=(
        ("queue", "name"),
        ("state", full_state),
        *("queued", "later", "waiting", "running"),
        ("oldest", lambda queue: age(queue.oldest_seconds)),
        ("counted", "taken_at"),
        ("executors", lambda queue: f"{queue.executors}, with {queue.slots} slots"),
        ("budget", "max_queued"),
        ("ageing", lambda queue: age(queue.policy.ageing)),
        ("hurry", lambda queue: age(queue.policy.hurry)),
        ("late after", lambda queue: age(queue.policy.late_after)),
        ("blackout", lambda queue: queue.policy.blackout or None),
        ("when full", lambda queue: queue.policy.when_full),
        ("weight", lambda queue: queue.policy.weight),
        ("finished", rate(lambda rates: f"{rates.finished:g}/min, {rates.failed:g}/min of them failed")),
    ),
    word=short_state,
    outcome=full_state,
)


def read_length_or_none(context: click.Context, option: click.Parameter, value: str | None) -> Any:
    """Seconds; `none` for no rule, and unset if the option is not given."""
    if value is None:
        return msgspec.UNSET
    return None if value == "none" else read_seconds(context, option, value)


def length_option(name: str, text: str) -> Any:
    return click.option(name, callback=read_length_or_none, metavar="TIME|none", help=text)


def read_weight(_context: click.Context, _option: click.Parameter, value: str | None) -> Any:
    if value is None:
        return msgspec.UNSET
    try:
        return None if value == "none" else float(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is no number, such as 4 or 0.5") from None


policy_options = options(
    length_option("--ageing", "Give half of all starts to runs that have been due for so long, such as 10m."),
    length_option("--hurry", "Start runs whose deadline is so near before others of their priority, such as 30s."),
    length_option("--late-after", "Give the queue more of the slots it shares once a run has been due for so long."),
    click.option(
        "--blackout",
        callback=lambda _context, _option, value: msgspec.UNSET if value is None else "" if value == "none" else value,
        metavar="CALENDAR|none",
        help="Start nothing on days that do not count and in the blackouts of a calendar.",
    ),
    click.option(
        "--when-full",
        type=click.Choice([word.value for word in WhenFull]),
        callback=lambda _context, _option, value: msgspec.UNSET if value is None else value,
        help="Refuse requests over the budget, hold them until there is room, up to 10 s, or skip less urgent runs for them.",
    ),
    click.option(
        "--weight",
        callback=read_weight,
        metavar="NUMBER|none",
        help="Its part of the slots that the queues of its namespace share; each other one has 1.",
    ),
)
new_option = click.option("--new", is_flag=True, help="Allow a name that no job or run has used yet.")


@click.group(cls=NounGroup)
def queues() -> None:
    """Inspect, pause, resume and limit queues."""


@queues.command("list")
@lists(QUEUES, limit=100)
def list_queues(client: Client, *, limit: int, cursor: str | None) -> QueuePage:
    """List queues by name, with their latest counts."""
    return client.queues.list(limit=limit, cursor=cursor)


@queues.command("show")
@click.argument("queue")
@prints(QUEUES)
def show_queue(client: Client, *, queue: str) -> Answer:
    """Show one queue, with its throughput."""
    found, rates = client.queues.get(queue), client.queues.rates(queue, step="hour", steps=1)
    return Answer(content=found, show=lambda _found: QUEUES.print_facts(found, spreads(rates)))


@queues.command("pause")
@reason_option
@lasts_option
@new_option
@acts_on(QUEUES, "pause")
def pause_queue(client: Client, name: str, *, reason: str, lasts: float | None, new: bool) -> QueueInfo:
    """Start no runs of a queue; running attempts continue, and the server still accepts runs."""
    return client.queues.pause(name, reason=reason, lasts=lasts, new=new)


@queues.command("resume")
@acts_on(QUEUES, "resume")
def resume_queue(client: Client, name: str) -> QueueInfo:
    """Let the runs of a paused queue start again."""
    return client.queues.resume(name)


@queues.command("budget")
@click.argument("queue", required=False)
@click.option(
    "--max", "most", type=click.IntRange(0), metavar="RUNS", help="Maximum number of accepted runs that wait."
)
@click.option("--none", "unlimited", is_flag=True, help="Remove the limit.")
@new_option
@prints(lambda found: click.echo(show_budget(found)))
def set_budget(
    client: Client, *, queue: str | None, most: int | None, unlimited: bool, new: bool
) -> QueueInfo | NamespaceBudget:
    """Limit the waiting runs of QUEUE, or of the whole namespace without one; or show the limit."""
    if most is not None and unlimited:
        raise click.UsageError("--max and --none exclude each other.")
    change = most is not None or unlimited
    if queue is not None:
        return client.queues.set_budget(queue, most, new=new) if change else client.queues.get(queue)
    if change:
        return client.queues.set_namespace_budget(client.namespace, most)
    return client.queues.namespace_budget(client.namespace)


@queues.command("change")
@click.argument("queue")
@policy_options
@new_option
@prints(QUEUES)
def change_queue(client: Client, *, queue: str, new: bool, **fields: Any) -> QueueInfo:
    """Change the order in which the runs of QUEUE start, and when none does; `none` takes a rule away."""
    given = {name: value for name, value in fields.items() if value is not msgspec.UNSET}
    if not given:
        raise click.UsageError("say what to change, such as --ageing.")
    return client.queues.change(queue, **given, new=new)


def show_budget(found: QueueInfo | NamespaceBudget) -> str:
    name = cell(found.name) if isinstance(found, QueueInfo) else f"namespace {found.namespace}"
    return f"{name}: {'no budget' if found.max_queued is None else f'at most {found.max_queued} runs may wait'}"


def spreads(rates: RatesInfo) -> list[tuple[str, object]]:
    """The percentiles of the last hour that has any."""
    known = [(name, getattr(step, name)) for step in rates.steps[-1:] for name in ("wait", "duration")]
    return [
        (name, f"{age(one.p50)} half, {age(one.p95)} of 95 %, {age(one.max)} at most, in this hour")
        for name, one in known
        if one is not None
    ]


def show_pause(pause: QueuePause | None) -> str | None:
    if pause is None:
        return None
    why = f": {cell(pause.reason)}" if pause.reason else ""
    until = f" until {cell(pause.until)}" if pause.until is not None else ""
    return f"paused by {cell(pause.by)} at {cell(pause.since)}{until}{why}"


def age(seconds: float | None) -> str | None:
    """Write a duration in its largest unit, short enough for a column."""
    if seconds is None:
        return None
    for size, unit in ((86400.0, "d"), (3600.0, "h"), (60.0, "m"), (1.0, "s")):
        if seconds >= size:
            return f"{seconds / size:.1f}{unit}"
    return f"{seconds * 1000:.0f}ms"
