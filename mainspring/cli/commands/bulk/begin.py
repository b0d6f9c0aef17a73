"""What the commands that begin a sweep have in common: which runs, and watching how far it has come."""

import threading
from typing import Any

import click

from mainspring.cli.client import open_client
from mainspring.cli.commands.runs.filters import label_option, tag_option
from mainspring.cli.durations import read_since
from mainspring.cli.options import options
from mainspring.cli.output.exits import FAILURE
from mainspring.cli.output.progress import progress
from mainspring.cli.output.tables import note, print_content, print_facts
from mainspring.client.client import Client
from mainspring.client.nouns.dead_letters import SweepInfo

LOOK_EVERY = 0.5

sweep_options = options(
    click.option("--job", help="Of this job."),
    click.option("--queue", help="Of this queue."),
    tag_option,
    label_option,
    click.option("--since", callback=read_since, metavar="WHEN", help="Since then: an instant, or ago, such as 2h."),
    click.option("--until", callback=read_since, metavar="WHEN", help="Before then: an instant, or ago, such as 2h."),
    click.option("--all", "everything", is_flag=True, help="Every one; needed without any other choice."),
    click.option("--reason", default="", help="Kept with each run and in the audit log."),
    click.option("--wait", is_flag=True, help="Until it is over; exits 1 if it was stopped."),
)
canaries_option = click.option(
    "--canaries",
    type=click.IntRange(0, 100),
    default=0,
    metavar="RUNS",
    help="So many first; only if all of them succeed does the rest follow.",
)
FILTERS = ("fingerprint", "job", "queue", "states", "tags", "labels", "since", "until")


def begin(act: str, *, output: str, wait: bool, canaries: int = 0, **chosen: Any) -> None:
    """Begin a sweep, wait for its end if that is wanted, and print how far it has come."""
    filters = {name: chosen.pop(name) for name in FILTERS if name in chosen}
    reason, everything = chosen.pop("reason"), chosen.pop("everything")
    with open_client(**chosen) as client:
        sweep = client.sweeps.create(act, reason=reason, canaries=canaries, everything=everything, **filters)
        if wait:
            sweep = watch(client, sweep)
    print_sweep(sweep, output)
    if not wait and output == "table":
        note(f"it goes on in the background: mainspring sweeps show {sweep.id}")
    if wait and sweep.state != "done":
        click.get_current_context().exit(FAILURE)


def watch(client: Client, sweep: SweepInfo) -> SweepInfo:
    seen = 0
    with progress(f"{sweep.act} runs", sweep.expected) as advance:
        while not sweep.over:
            done = sweep.changed + sweep.passed
            advance(done - seen, sweep.note)
            seen = done
            threading.Event().wait(LOOK_EVERY)
            sweep = client.sweeps.get(sweep.id)
    return sweep


def print_sweep(sweep: SweepInfo, output: str) -> None:
    if output == "table":
        print_facts(facts(sweep))
    else:
        print_content(sweep, output)


def facts(sweep: SweepInfo) -> list[tuple[str, object]]:
    chosen = ", ".join(f"{name} {value}" for name, value in sweep.filter.items())
    return [
        ("sweep", sweep.id),
        ("act", sweep.act),
        ("runs", chosen or "all"),
        ("state", f"{sweep.state} ({sweep.note})" if sweep.note else sweep.state),
        ("changed", sweep.changed if sweep.expected is None else f"{sweep.changed} of {sweep.expected}"),
        ("passed over", sweep.passed or None),
        ("canaries", ", ".join(sweep.tried) or (sweep.canaries or None)),
        ("reason", sweep.reason or None),
        ("asked for by", sweep.by),
        ("begun", sweep.created_at),
        ("moved", sweep.moved_at),
    ]
