"""`mainspring triggers herd` and `spread`: triggers that start runs together, and how to draw them apart."""

from datetime import datetime, timedelta

import click

from mainspring.cli.durations import read_duration, read_until
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.output.tables import note
from mainspring.cli.verbs import note_option, prints
from mainspring.client.client import Client
from mainspring.contract.insights.herds import HerdInfo, TriggerSpread

HERD = Sheet("trigger", columns=("name", "job", "runs", ("spread, s", "spread"), "words"))


def print_herd(herd: HerdInfo) -> None:
    HERD.print_table(herd.triggers)
    some = "" if herd.complete else "; the server stopped before the last trigger"
    note(f"{herd.runs} runs of {len(herd.triggers) + herd.more} triggers within {herd.step} s{some}")


def print_spread(spread: TriggerSpread) -> None:
    click.echo(f"at most {spread.peak_before} runs within {spread.step} s before, {spread.peak_after} after")
    note(f"{len(spread.triggers)} triggers {'are spread' if spread.applied else 'would be spread'}")


@click.command("herd")
@click.argument("at", callback=read_until, metavar="WHEN")
@click.option(
    "--step", callback=read_duration, metavar="DURATION", default="5m", show_default=True, help="Length of the time."
)
@prints(print_herd, names=False)
def show_herd(client: Client, *, at: datetime, step: timedelta) -> HerdInfo:
    """List the triggers whose runs are due together, from a time on."""
    return client.triggers.herd(at, step=max(1, int(step.total_seconds())))


@click.command("spread")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--over", callback=read_duration, required=True, metavar="DURATION", help="Time to spread them over.")
@click.option("--group", default="", help="Group to spread them in; triggers of one group keep their order.")
@click.option("--dry-run", is_flag=True, help="Count before and after; change nothing.")
@note_option
@prints(print_spread, names=False)
def spread_triggers(
    client: Client, *, names: tuple[str, ...], over: timedelta, group: str, dry_run: bool, note: str
) -> TriggerSpread:
    """Spread triggers over a time after their fire times, all or none."""
    return client.triggers.spread(names, over, group=group, dry_run=dry_run, note=note)
