"""`mainspring overview`."""

import click

from mainspring.cli.output.sheets import Sheet
from mainspring.cli.output.tables import cell, print_facts
from mainspring.cli.output.terminal import escape
from mainspring.cli.verbs import prints
from mainspring.client.client import Client
from mainspring.contract.insights.views import OverviewInfo

LATE = Sheet("queue", columns=("name", "queued", ("oldest, s", "oldest_seconds"), "running", "slots"))
FIRES = Sheet("fire", columns=("at", "trigger", "job", "words"))


def print_overview(found: OverviewInfo) -> None:
    if not found.findings:
        click.echo("All is well.")
    for finding in found.findings:
        click.echo(f"{finding.severity}: {escape(finding.subject)} {escape(finding.words)}")
        click.echo(f"  to begin with: {escape(finding.remedy)}")
    totals = found.totals
    pace = f"{totals.finished:g} a minute, {totals.failed:g} of them failed"
    running = f"{totals.running} of {totals.slots} slots on {totals.executors} executors"
    groups = f"{found.failing_groups}{'+' if found.failing_more else ''}"
    facts = [("finished", pace), ("running", running), ("queued", totals.queued), ("waiting", totals.waiting)]
    print_facts(
        [*facts, ("kinds of failure", groups), ("approvals", len(found.approvals)), ("taken", cell(found.taken_at))]
    )
    if late := [queue for queue in found.queues if queue.queued]:
        LATE.print_table(late)
    if found.next_fires:
        FIRES.print_table(found.next_fires)


@click.command("overview")
@prints(print_overview, names=False)
def overview(client: Client) -> OverviewInfo:
    """Show a namespace as it stands: findings, totals, late queues, next fires."""
    return client.insights.overview()
