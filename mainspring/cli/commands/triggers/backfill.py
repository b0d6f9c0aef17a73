"""`mainspring triggers backfill`, and watching how far a backfill has come."""

import threading
from datetime import datetime
from typing import Any

import click

from mainspring.cli.client import open_client
from mainspring.cli.durations import read_since
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output.exits import FAILURE
from mainspring.cli.output.progress import progress
from mainspring.cli.output.tables import cell, note, print_content, print_facts
from mainspring.client.client import Client
from mainspring.client.nouns.backfills import BackfillInfo, BackfillPlan

LOOK_EVERY = 0.5


@click.command("backfill")
@click.argument("trigger")
@click.option(
    "--since", required=True, callback=read_since, metavar="WHEN", help="An instant, or a time ago, such as 7d."
)
@click.option("--until", callback=read_since, metavar="WHEN", help="Before then, the same. [default: a minute ago]")
@click.option(
    "--concurrency", type=click.IntRange(1, 100), default=1, show_default=True, help="Runs that may be live at once."
)
@click.option(
    "--priority", type=click.IntRange(0, 9), default=1, show_default=True, help="Of its runs; most jobs have 5."
)
@click.option("--rerun", is_flag=True, help="Also the instants that have had a run.")
@click.option("--dry-run", is_flag=True, help="Only show what would be done.")
@click.option("--reason", default="", help="Kept with it and in the audit log.")
@click.option("--wait", is_flag=True, help="Until it is over; exits 1 unless all of its runs have succeeded.")
@client_options
@output_option
def backfill_trigger(
    *,
    trigger: str,
    since: datetime,
    until: datetime | None,
    concurrency: int,
    priority: int,
    rerun: bool,
    dry_run: bool,
    reason: str,
    wait: bool,
    output: str,
    **target: Any,
) -> None:
    """Make runs for instants that lie behind, in the background, passing over those that have had one."""
    with open_client(**target) as client:
        if dry_run:
            print_plan(client.backfills.preview(trigger, since=since, until=until, rerun=rerun), output)
            return
        backfill = client.backfills.create(
            trigger,
            since=since,
            until=until,
            concurrency=concurrency,
            priority=priority,
            rerun=rerun,
            reason=reason,
        )
        if wait:
            backfill = watch(client, backfill)
    print_backfill(backfill, output)
    if wait:
        exit_unless_done(backfill)
    elif output == "table":
        note(f"it goes on in the background: mainspring backfills show {backfill.id}")


def watch(client: Client, backfill: BackfillInfo) -> BackfillInfo:
    """Until it is over, with a bar that grows by what is accounted for."""
    seen = 0
    with progress(f"backfill {backfill.trigger}", backfill.expected) as advance:
        while not backfill.over:
            done = backfill.passed + backfill.succeeded + backfill.failed
            advance(done - seen, f"{done} of {backfill.expected}")
            seen = done
            threading.Event().wait(LOOK_EVERY)
            backfill = client.backfills.get(backfill.id)
    return backfill


def exit_unless_done(backfill: BackfillInfo) -> None:
    if backfill.state != "done" or backfill.failed:
        click.get_current_context().exit(FAILURE)


def print_plan(plan: BackfillPlan, output: str) -> None:
    if output != "table":
        print_content(plan, output)
        return
    print_facts(
        [
            ("since", plan.since),
            ("until", plan.until),
            ("instants", plan.instants),
            ("first", plan.first),
            ("last", plan.last),
            ("have run", plan.fired),
            ("would run", plan.runs),
            ("such as", ", ".join(cell(at) for at in plan.sample) or None),
        ]
    )
    if plan.since < plan.known_since:
        note(f"what ran before {cell(plan.known_since)} is not known for sure: the ledger is kept from there on")


def print_backfill(backfill: BackfillInfo, output: str) -> None:
    if output == "table":
        print_facts(facts(backfill))
    else:
        print_content(backfill, output)


def facts(backfill: BackfillInfo) -> list[tuple[str, object]]:
    return [
        ("backfill", backfill.id),
        ("trigger", backfill.trigger),
        ("job", backfill.job),
        ("state", f"{backfill.state} ({backfill.note})" if backfill.note else backfill.state),
        ("since", backfill.since),
        ("until", backfill.until),
        ("instants", backfill.expected),
        ("made", backfill.made),
        ("passed over", backfill.passed or None),
        ("succeeded", backfill.succeeded),
        ("failed", backfill.failed or None),
        ("live", ", ".join(backfill.live) or None),
        ("next", backfill.next),
        ("concurrency", backfill.concurrency),
        ("priority", backfill.priority),
        ("runs again", "yes" if backfill.rerun else None),
        ("reason", backfill.reason or None),
        ("asked for by", backfill.by),
        ("begun", backfill.created_at),
        ("moved", backfill.moved_at),
    ]
