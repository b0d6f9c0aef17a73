"""`mainspring executors`."""

from datetime import timedelta
from typing import Any

import click

from mainspring.cli.client import open_client
from mainspring.cli.commands.selection import choose, names_argument, pattern_options, steer_each
from mainspring.cli.durations import read_duration
from mainspring.cli.groups import NounGroup
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output.tables import cell, note, print_content, print_facts, print_table
from mainspring.client.nouns.executors import BlockedInfo, CordonInfo, ExecutorDetail, ExecutorInfo, PoolInfo, StuckInfo

COLUMNS = ("name", "state", "running", "taken", "cpu", "memory", "queues", "code", "host", "server", "since")
RUN_COLUMNS = ("run", "job", "attempt", "claimed at")
MEBIBYTE = 1024 * 1024

reason_option = click.option("--reason", default="", help="Why; shown to others, and kept in the audit log.")


@click.group(cls=NounGroup)
def executors() -> None:
    """Look at executors, and keep them from new work."""


@executors.command("list")
@click.option("--limit", type=click.IntRange(1, 500), default=50, show_default=True)
@click.option("--cursor", help="Where the page before ended.")
@client_options
@output_option
def list_executors(*, limit: int, cursor: str | None, output: str, **target: Any) -> None:
    """List the executors that are connected, by name."""
    with open_client(**target) as client:
        page = client.executors.list(limit=limit, cursor=cursor)
    if output != "table":
        print_content(page, output)
        return
    print_table(COLUMNS, [row(executor) for executor in page.executors])
    if page.next:
        note(f"more: --cursor {page.next}")


@executors.command("show")
@click.argument("executor")
@client_options
@output_option
def show_executor(*, executor: str, output: str, **target: Any) -> None:
    """Show one executor, with its handlers and some of what it has."""
    with open_client(**target) as client:
        print_detail(client.executors.get(executor), output)


@executors.command("cordon")
@names_argument("executor")
@pattern_options
@reason_option
@client_options
@output_option
def cordon(*, executors: tuple[str, ...], yes: bool, dry_run: bool, reason: str, output: str, **target: Any) -> None:
    """Let an executor take nothing new, over restarts too; what it has goes on."""
    with open_client(**target) as client:
        names = choose(client, "executor", executors, "cordon", yes=yes, dry_run=dry_run)
        steer_each(names, lambda name: client.executors.cordon(name, reason=reason), print_steered, output)


@executors.command("uncordon")
@names_argument("executor")
@pattern_options
@reason_option
@client_options
@output_option
def uncordon(*, executors: tuple[str, ...], yes: bool, dry_run: bool, reason: str, output: str, **target: Any) -> None:
    """Let an executor take work again, after a cordon or a drain."""
    with open_client(**target) as client:
        names = choose(client, "executor", executors, "uncordon", yes=yes, dry_run=dry_run)
        steer_each(names, lambda name: client.executors.uncordon(name, reason=reason), print_steered, output)


@executors.command("drain")
@names_argument("executor")
@pattern_options
@click.option(
    "--grace",
    metavar="DURATION",
    callback=read_duration,
    help="How long attempts under way may go on, such as 2m. [default: 30s]",
)
@reason_option
@client_options
@output_option
def drain(
    *,
    executors: tuple[str, ...],
    yes: bool,
    dry_run: bool,
    grace: timedelta | None,
    reason: str,
    output: str,
    **target: Any,
) -> None:
    """Cordon an executor, and let it finish or hand back what it has; it stays connected, and idle."""
    with open_client(**target) as client:
        names = choose(client, "executor", executors, "drain", yes=yes, dry_run=dry_run)
        steer_each(names, lambda name: client.executors.drain(name, reason=reason, grace=grace), print_steered, output)


def print_steered(detail: ExecutorDetail) -> None:
    state = ", ".join(session.state for session in detail.sessions) or "not connected"
    click.echo(f"{cell(detail.name)}: {state}")


def print_detail(detail: ExecutorDetail, output: str) -> None:
    if output != "table":
        print_content(detail, output)
        return
    print_facts([("executor", detail.name), ("cordon", show_cordon(detail.cordon)), ("handlers", handlers(detail))])
    for session in detail.sessions:
        click.echo()
        print_facts(facts(session))
    if detail.runs:
        click.echo()
        print_table(RUN_COLUMNS, [(run.id, run.job, run.attempt, run.claimed_at) for run in detail.runs])
    if detail.more:
        note("it has more runs than are shown")


def facts(session: ExecutorInfo) -> list[tuple[str, object]]:
    load = session.load
    return [
        ("session", session.session),
        ("state", session.state),
        ("server", session.server or None),
        ("host", session.host or None),
        ("code", session.code_version or None),
        ("queues", ", ".join(session.queues)),
        ("labels", ", ".join(f"{name}={value}" for name, value in session.labels.items()) or None),
        ("pools", "; ".join(show_pool(pool) for pool in session.pools)),
        ("running", None if load is None else f"{load.running}, and {load.waiting} wait for a slot"),
        ("cpu", None if load is None else f"{load.cpu:.0%} of a core"),
        ("memory", None if load is None else show_memory(load.memory)),
        ("strays", f"{load.strays} threads go on with attempts that were given up" if load and load.strays else None),
        *(("blocked", show_blocked(one)) for one in session.blocked),
        *(("stuck", show_stuck(one)) for one in session.stuck),
        ("since", session.opened_at),
        ("renewed", f"{session.lease_age:.1f} s ago"),
    ]


def row(executor: ExecutorInfo) -> tuple[object, ...]:
    load, taken = executor.load, [pool.taken for pool in executor.pools if pool.taken is not None]
    room = sum(pool.room for pool in executor.pools)
    return (
        executor.name,
        executor.state,
        None if load is None else load.running,
        f"{sum(taken)}/{room}" if taken else None,
        None if load is None else f"{load.cpu:.0%}",
        None if load is None else show_memory(load.memory),
        ",".join(executor.queues),
        executor.code_version or None,
        executor.host or None,
        executor.server or None,
        executor.opened_at,
    )


def handlers(detail: ExecutorDetail) -> str | None:
    return ", ".join(f"{name} ({pool})" for name, pool in sorted(detail.handlers.items())) or None


def show_pool(pool: PoolInfo) -> str:
    taken = "?" if pool.taken is None else pool.taken
    return f"{pool.pool} {taken} of {pool.room}"


def show_blocked(blocked: BlockedInfo) -> str:
    who = f"{blocked.handler} (run {blocked.run})" if blocked.handler else "something"
    return f"its loop for {blocked.seconds:.1f} s by {who} at {cell(blocked.at)}, {blocked.place}"


def show_stuck(stuck: StuckInfo) -> str:
    held = f"{stuck.strays} handlers that were given up and {stuck.waits} that wait for runs of the same pool"
    return f"no slot of {stuck.pool} is usable: they are held by {held}"


def show_cordon(cordon: CordonInfo | None) -> str | None:
    if cordon is None:
        return None
    verb = "cordoned" if cordon.drain_at is None else "drained"
    why = f": {cordon.reason}" if cordon.reason else ""
    return f"{verb} by {cordon.actor} at {cell(cordon.at)}{why}"


def show_memory(size: int) -> str:
    return f"{size / MEBIBYTE:.0f} MiB"
