"""`mainspring triggers backfill`, and the common parts of commands on backfills."""

from functools import partial
from typing import Any

import click

from mainspring.cli.commands.bulk.watch import print_begun, watch
from mainspring.cli.durations import read_since
from mainspring.cli.output.exits import FAILURE, OK
from mainspring.cli.output.sheets import Answer, Sheet, nonzero
from mainspring.cli.output.tables import cell, note
from mainspring.cli.verbs import prints
from mainspring.client.client import Client
from mainspring.contract.bulk import BackfillInfo, BackfillPreview

BACKFILLS = Sheet(
    "backfill",
    columns=(*("id", "trigger", "state", "made", "passed", "expected", "succeeded", "failed", "by", "created at"),),
    facts=(
        *(("backfill", "id"), "trigger", "job"),
        ("state", lambda one: f"{one.state} ({one.note})" if one.note else one.state),
        *("since", "until", ("instants", "expected"), "made", ("passed over", nonzero("passed")), "succeeded"),
        *(("failed", nonzero("failed")), "live", "next", "concurrency", "priority"),
        ("runs again", lambda backfill: "yes" if backfill.rerun else None),
        *("reason", ("asked for by", "by"), ("begun", "created_at"), ("moved", "moved_at")),
    ),
)
PLAN = Sheet(
    "plan",
    facts=(
        *("since", "until", "instants", "first", "last", ("have run", "fired"), ("would run", "runs")),
        ("such as", "sample"),
    ),
)


@click.command("backfill")
@click.argument("trigger")
@click.option(
    "--since", required=True, callback=read_since, metavar="WHEN", help="Start: a time, or an age such as 7d."
)
@click.option(
    "--until", callback=read_since, metavar="WHEN", help="End, exclusive: a time, or an age. [default: a minute ago]"
)
@click.option(
    "--concurrency", type=click.IntRange(1, 100), default=1, show_default=True, help="Maximum number of live runs."
)
@click.option(
    "--priority",
    type=click.IntRange(0, 9),
    default=1,
    show_default=True,
    help="Priority of the runs; 5 is the default of jobs.",
)
@click.option("--rerun", is_flag=True, help="Include fire times that already have a run.")
@click.option("--dry-run", is_flag=True, help="Show the plan and change nothing.")
@click.option("--reason", default="", help="Reason, kept with the backfill and in the audit log.")
@click.option("--wait", is_flag=True, help="Wait for the end; exit 1 unless every run succeeded.")
@prints(BACKFILLS)
def backfill_trigger(client: Client, *, trigger: str, dry_run: bool, wait: bool, **chosen: Any) -> Answer:
    """Create runs for past fire times in the background, except those that already have one."""
    if dry_run:
        bounds = {name: chosen[name] for name in ("since", "until", "rerun")}
        return Answer(content=client.backfills.preview(trigger, **bounds), show=print_plan)
    backfill = client.backfills.create(trigger, **chosen)
    return finish(client, backfill) if wait else Answer(content=backfill, show=partial(print_begun, BACKFILLS))


def finish(client: Client, backfill: BackfillInfo) -> Answer:
    """Wait until a backfill is over; the command exits 1 unless every run succeeded."""
    backfill = watch(
        backfill,
        client.backfills.get,
        f"backfill {backfill.trigger}",
        lambda one: one.passed + one.succeeded + one.failed,
    )
    succeeded = backfill.state == "done" and not backfill.failed
    return Answer(content=backfill, exit_code=OK if succeeded else FAILURE)


def print_plan(plan: BackfillPreview) -> None:
    PLAN.print_facts(plan)
    if plan.since < plan.known_since:
        note(f"the ledger starts at {cell(plan.known_since)}: earlier fire times may have had runs")
