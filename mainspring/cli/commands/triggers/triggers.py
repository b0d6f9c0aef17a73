"""`mainspring triggers`."""

from functools import partial
from typing import Any

import click

from mainspring.cli.commands.insights.herds import show_herd, spread_triggers
from mainspring.cli.commands.triggers.backfill import backfill_trigger
from mainspring.cli.commands.triggers.fire_times import preview_triggers, show_forecast, show_instants, time_row
from mainspring.cli.commands.triggers.load import load_triggers
from mainspring.cli.commands.triggers.sheet import TRIGGERS
from mainspring.cli.commands.triggers.webhooks import list_calls, rotate_secret, show_address, try_call
from mainspring.cli.commands.triggers.write import create_trigger, edit_trigger
from mainspring.cli.commands.triggers.zones import zoned
from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Answer
from mainspring.cli.output.tables import cell, note
from mainspring.cli.verbs import acts_on, deletes, lists, prints, reason_option
from mainspring.client.client import Client
from mainspring.contract.triggers import FiredRun, SkippedInstant, TriggerInfo, TriggerPage
from mainspring.domain.triggers.by_hand import PassedOver

NEXT_SHOWN = 5
KINDS = ("cron", "interval", "delay", "once", "windows", "webhook", "event")


WHY: dict[str, str] = {
    PassedOver.PAUSED: "it is paused",
    PassedOver.ENDED: "it has ended",
    PassedOver.NOT_STARTED: "its start is to come",
    PassedOver.OVERLAP: "an earlier run of it is live",
    PassedOver.CALENDAR: "its calendar excludes the present time",
}


def print_skip(skip: SkippedInstant) -> None:
    following = zoned(skip.trigger, skip.trigger.next_due)
    after = f"the next is {following}" if following else "there is none after it"
    click.echo(f"{cell(skip.trigger.name)}: {zoned(skip.trigger, skip.skipped)} is skipped; {after}")


@click.group(cls=NounGroup)
def triggers() -> None:
    """Inspect, change, pause and fire triggers, and check their fire times."""


for command in (
    *(create_trigger, edit_trigger, load_triggers, preview_triggers, backfill_trigger, show_instants, show_forecast),
    *(rotate_secret, show_address, list_calls, try_call, show_herd, spread_triggers),
):
    triggers.add_command(command)


@triggers.command("list")
@click.option("--prefix", help="Only names that start with this.")
@click.option("--job", help="Only triggers of this job.")
@click.option("--kind", type=click.Choice(KINDS), help="Only triggers of this kind.")
@click.option("--state", type=click.Choice(["active", "paused", "ended"]), help="Only triggers in this state.")
@click.option("--owner", help="Only triggers applied by this owner.")
@click.option("--calendar", help="Only triggers that follow this calendar.")
@click.option("--group", help="Only triggers of this group.")
@lists(TRIGGERS)
def list_triggers(client: Client, **filters: Any) -> TriggerPage:
    """List triggers by name."""
    return client.triggers.list(**filters)


@triggers.command("show")
@click.argument("trigger")
@prints(TRIGGERS)
def show_trigger(client: Client, *, trigger: str) -> Answer:
    """Show one trigger: its rule in words, its state and its next fire times."""
    return Answer(content=client.triggers.get(trigger), show=partial(print_trigger, client))


@triggers.command("pause")
@reason_option
@acts_on(TRIGGERS, "pause")
def pause_trigger(client: Client, name: str, *, reason: str) -> TriggerInfo:
    """Stop a trigger from firing until it is resumed; runs that were due continue."""
    return client.triggers.pause(name, reason=reason)


@triggers.command("resume")
@acts_on(TRIGGERS, "resume")
def resume_trigger(client: Client, name: str) -> TriggerInfo:
    """Resume a paused trigger; the fire times that passed are skipped."""
    return client.triggers.resume(name)


@triggers.command("skip-next")
@acts_on(TRIGGERS, "skip the next fire time of", show=print_skip)
def skip_next(client: Client, name: str) -> SkippedInstant:
    """Skip the next fire time of a trigger."""
    return client.triggers.skip_next(name)


@triggers.command("fire")
@acts_on(TRIGGERS, "fire", show=lambda run: click.echo(run.id))
def fire_trigger(client: Client, name: str) -> FiredRun:
    """Start a run of a trigger now, even if a policy would keep it from firing; the policies passed over are printed."""
    fired = client.triggers.fire(name)
    if fired.passed_over:
        note(f"{cell(name)} was fired although {' and '.join(WHY.get(policy, policy) for policy in fired.passed_over)}")
    return fired


@triggers.command("delete")
@deletes(TRIGGERS)
def delete_trigger(client: Client, name: str, *, note: str) -> None:
    """Delete a trigger; runs that were due continue."""
    client.triggers.delete(name, note=note)


def print_trigger(client: Client, trigger: TriggerInfo) -> None:
    coming = [time_row(each) for each in client.triggers.preview(trigger.name, count=NEXT_SHOWN).instants]
    lines = [("" if number else "next", "  ".join(each).rstrip()) for number, each in enumerate(coming)]
    TRIGGERS.print_facts(trigger, lines)
