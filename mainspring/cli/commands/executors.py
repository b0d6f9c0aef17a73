"""`mainspring executors`."""

from collections.abc import Callable
from datetime import timedelta

import click

from mainspring.cli.durations import read_duration
from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.output.tables import cell, note
from mainspring.cli.verbs import acts_on, lists, prints, reason_option
from mainspring.client.client import Client
from mainspring.contract.executors import (
    BlockedInfo,
    CordonInfo,
    ExecutorInfo,
    ExecutorPage,
    ExecutorSessions,
    LoadInfo,
    PoolInfo,
    PoolWishInfo,
    StuckInfo,
)
from mainspring.domain.amounts import show_amount
from mainspring.domain.jobs.job import Pool
from mainspring.settings.text import parse_pool

MEBIBYTE = 1024 * 1024


PoolTriple = tuple[int, int, int]


def read_sizes(_context: click.Context, _option: click.Parameter, texts: tuple[str, ...]) -> dict[str, PoolTriple]:
    """Sizes by pool; one of a pool that is named twice is the last."""
    try:
        found = [parse_pool(text) for text in texts]
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return {size.pool.value: (size.core, size.max, size.queue) for size in found}


def load(read: Callable[[LoadInfo], object]) -> Callable[[ExecutorInfo], object]:
    return lambda executor: None if executor.load is None else read(executor.load)


def print_detail(detail: ExecutorSessions) -> None:
    EXECUTORS.print_facts(detail)
    for session in detail.sessions:
        click.echo()
        SESSIONS.print_facts(session)
    if detail.runs:
        click.echo()
        RUNS.print_table(detail.runs)
    if detail.more:
        note("this executor has more runs than are shown")


def show_taken(executor: ExecutorInfo) -> str | None:
    taken = [pool.taken for pool in executor.pools if pool.taken is not None]
    return f"{sum(taken)}/{sum(pool.room for pool in executor.pools)}" if taken else None


def handlers(detail: ExecutorSessions) -> str | None:
    return ", ".join(f"{name} ({pool})" for name, pool in sorted(detail.handlers.items())) or None


EXECUTORS = Sheet(
    "executor",
    columns=(
        *("name", "state", ("running", load(lambda found: found.running)), ("taken", show_taken)),
        ("cpu", load(lambda found: f"{found.cpu:.0%}")),
        ("memory", load(lambda found: show_memory(found.memory))),
        ("queues", lambda executor: ",".join(executor.queues)),
        *(("code", "code_version"), "host", "server", ("since", "opened_at")),
    ),
    facts=(
        ("executor", "name"),
        ("cordon", lambda detail: show_cordon(detail.cordon)),
        ("wanted", lambda detail: "; ".join(map(show_wish, detail.wanted)) or None),
        ("handlers", handlers),
    ),
    outcome=lambda detail: ", ".join(session.state for session in detail.sessions) or "not connected",
)
SESSIONS = Sheet(
    "session",
    facts=(
        *("session", "state", "server", "host", ("code", "code_version"), "queues"),
        ("labels", lambda session: ", ".join(f"{name}={value}" for name, value in session.labels.items()) or None),
        ("resources", lambda session: show_resources(session.resources)),
        ("pools", lambda session: "; ".join(show_pool(pool) for pool in session.pools)),
        ("running", load(lambda found: f"{found.running}, and {found.waiting} wait for a slot")),
        ("cpu", load(lambda found: f"{found.cpu:.0%} of a core")),
        ("memory", load(lambda found: show_memory(found.memory))),
        ("strays", load(lambda found: show_strays(found.strays))),
    ),
    more_facts=lambda session: [
        *(("blocked", show_blocked(one)) for one in session.blocked),
        *(("stuck", show_stuck(one)) for one in session.stuck),
        ("since", session.opened_at),
        ("renewed", f"{session.lease_age:.1f} s ago"),
    ],
)
RUNS = Sheet("run", columns=(("run", "id"), "job", "attempt", "claimed at"))


@click.group(cls=NounGroup)
def executors() -> None:
    """Inspect executors; cordon, drain and resize them."""


@executors.command("list")
@lists(EXECUTORS)
def list_executors(client: Client, *, limit: int, cursor: str | None) -> ExecutorPage:
    """List the connected executors by name."""
    return client.executors.list(limit=limit, cursor=cursor)


@executors.command("show")
@click.argument("executor")
@prints(print_detail)
def show_executor(client: Client, *, executor: str) -> ExecutorSessions:
    """Show one executor, with its handlers and some of its runs."""
    return client.executors.get(executor)


@executors.command("cordon")
@reason_option
@acts_on(EXECUTORS, "cordon")
def cordon(client: Client, name: str, *, reason: str) -> ExecutorSessions:
    """Stop sending new runs to an executor, across restarts; running attempts continue."""
    return client.executors.cordon(name, reason=reason)


@executors.command("uncordon")
@reason_option
@acts_on(EXECUTORS, "uncordon")
def uncordon(client: Client, name: str, *, reason: str) -> ExecutorSessions:
    """Send runs to an executor again, after a cordon or a drain."""
    return client.executors.uncordon(name, reason=reason)


@executors.command("drain")
@click.option(
    "--grace",
    metavar="DURATION",
    callback=read_duration,
    help="Time for running attempts to finish, such as 2m. [default: 30s]",
)
@reason_option
@acts_on(EXECUTORS, "drain")
def drain(client: Client, name: str, *, grace: timedelta | None, reason: str) -> ExecutorSessions:
    """Cordon an executor, and let it finish or return its runs; it stays connected and idle."""
    return client.executors.drain(name, reason=reason, grace=grace)


@executors.command("pools")
@click.argument("executor")
@click.argument("sizes", nargs=-1, metavar="[POOL=CORE:MAX:QUEUE]...", callback=read_sizes)
@click.option(
    "--reset",
    "back",
    type=click.Choice([*(pool.value for pool in Pool), "all"]),
    multiple=True,
    help="Give a pool back the size that the executor was started with. Repeatable.",
)
@reason_option
@prints(print_detail)
def resize_pools(
    client: Client, *, executor: str, sizes: dict[str, PoolTriple], back: tuple[str, ...], reason: str
) -> ExecutorSessions:
    """Show an executor's pools, or change their sizes at run time, across reconnects and restarts."""
    dropped: dict[str, PoolTriple | None] = dict.fromkeys(Pool if "all" in back else back)
    if both := sizes.keys() & dropped.keys():
        raise click.UsageError(f"{', '.join(sorted(both))}: either a size or --reset")
    if "all" in back:
        # An executor need not have each kind of pool, and a wish that is not there need not be taken back.
        dropped = {wish.pool: None for wish in client.executors.get(executor).wanted}
    if not sizes and not dropped:
        return client.executors.get(executor)
    return client.executors.resize(executor, {**dropped, **sizes}, reason=reason)


def show_strays(count: int) -> str | None:
    return f"{count} threads still run attempts that were given up" if count else None


def show_pool(pool: PoolInfo) -> str:
    taken = "?" if pool.taken is None else pool.taken
    return f"{pool.pool}={pool.core}:{pool.max}:{pool.queue} ({taken} of {pool.room} taken)"


def show_wish(wish: PoolWishInfo) -> str:
    why = f": {wish.reason}" if wish.reason else ""
    return f"{wish.pool}={wish.core}:{wish.max}:{wish.queue} by {wish.actor} at {cell(wish.at)}{why}"


def show_blocked(blocked: BlockedInfo) -> str:
    who = f"{blocked.handler} (run {blocked.run})" if blocked.handler else "unknown code"
    return f"event loop, for {blocked.seconds:.1f} s by {who} at {cell(blocked.at)}, {blocked.place}"


def show_stuck(stuck: StuckInfo) -> str:
    holders = f"{stuck.strays} handlers that were given up and {stuck.waits} that wait for runs of the same pool"
    return f"no slot of {stuck.pool} is usable: they are held by {holders}"


def show_cordon(cordon: CordonInfo | None) -> str | None:
    if cordon is None:
        return None
    verb = "cordoned" if cordon.drain_at is None else "drained"
    why = f": {cordon.reason}" if cordon.reason else ""
    return f"{verb} by {cordon.actor} at {cell(cordon.at)}{why}"


def show_memory(size: int) -> str:
    return f"{size / MEBIBYTE:.0f} MiB"


def show_resources(resources: dict[str, float]) -> str | None:
    return ", ".join(f"{name}={show_amount(name, amount)}" for name, amount in resources.items()) or None
