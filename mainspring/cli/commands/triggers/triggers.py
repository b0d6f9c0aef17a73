"""`mainspring triggers`."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import click

from mainspring.cli.client import open_client
from mainspring.cli.commands.selection import choose, delete_each, names_argument, pattern_options, steer_each
from mainspring.cli.commands.triggers.backfill import backfill_trigger
from mainspring.cli.commands.triggers.fire_times import preview_triggers, show_forecast, show_instants, time_row
from mainspring.cli.commands.triggers.load import load_triggers
from mainspring.cli.commands.triggers.webhooks import rotate_secret, show_address, try_call
from mainspring.cli.commands.triggers.write import create_trigger, edit_trigger, note_option
from mainspring.cli.commands.triggers.zones import zoned
from mainspring.cli.groups import NounGroup
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output.tables import cell, compact_json, note, print_content, print_facts, print_table
from mainspring.client.client import Client
from mainspring.client.views.triggers import SkippedInstant, TriggerInfo, TriggerPreview
from mainspring.clock import SystemClock
from mainspring.domain.triggers.trigger import TriggerState

COLUMNS = ("name", "job", "fires", "state", "next", "last", "fired")
NEXT_SHOWN = 5
SHOWN = ("name", "job", "when")
"""What `show` says in words of its own."""

reason_option = click.option("--reason", default="", help="Why; shown to others, and kept in the audit log.")


@click.group(cls=NounGroup)
def triggers() -> None:
    """Look at what starts runs and when, change it, pause it, and see what became of each instant."""


triggers.add_command(create_trigger)
triggers.add_command(edit_trigger)
triggers.add_command(load_triggers)
triggers.add_command(preview_triggers)
triggers.add_command(backfill_trigger)
triggers.add_command(show_instants)
triggers.add_command(show_forecast)
triggers.add_command(rotate_secret)
triggers.add_command(show_address)
triggers.add_command(try_call)


@triggers.command("list")
@click.option("--prefix", help="Those whose names start so.")
@click.option("--job", help="Those that start this job.")
@click.option(
    "--kind", type=click.Choice(["cron", "interval", "delay", "once", "windows", "webhook", "event"]), help="Of a kind."
)
@click.option("--state", type=click.Choice(["active", "paused", "ended"]), help="In this state.")
@click.option("--owner", help="Applied from there.")
@click.option("--calendar", help="Those that follow this calendar.")
@click.option("--group", help="Of this group.")
@click.option("--limit", type=click.IntRange(1, 500), default=50, show_default=True)
@click.option("--cursor", help="Where the page before ended.")
@client_options
@output_option
def list_triggers(*, output: str, limit: int, cursor: str | None, **chosen: Any) -> None:
    """List triggers by name."""
    filters = {name: chosen.pop(name) for name in ("prefix", "job", "kind", "state", "owner", "calendar", "group")}
    with open_client(**chosen) as client:
        page = client.triggers.list(limit=limit, cursor=cursor, **filters)
    if output != "table":
        print_content(page, output)
        return
    print_table(COLUMNS, [row(trigger) for trigger in page.triggers])
    if page.next:
        note(f"more: --cursor {page.next}")


@triggers.command("show")
@click.argument("trigger")
@client_options
@output_option
def show_trigger(*, trigger: str, output: str, **target: Any) -> None:
    """Show one trigger: when it fires, in words and as instants, and how it stands."""
    with open_client(**target) as client:
        found = client.triggers.get(trigger)
        if output != "table":
            print_content(found, output)
            return
        print_trigger(found, client.triggers.preview(trigger, count=NEXT_SHOWN))


@triggers.command("pause")
@names_argument("trigger")
@pattern_options
@reason_option
@client_options
@output_option
def pause_trigger(
    *, triggers: tuple[str, ...], yes: bool, dry_run: bool, reason: str, output: str, **target: Any
) -> None:
    """Fire at nothing until it is resumed; what was due goes on."""
    with open_client(**target) as client:
        names = choose(client, "trigger", triggers, "pause", yes=yes, dry_run=dry_run)
        steer_each(names, lambda name: client.triggers.pause(name, reason=reason), print_steered, output)


@triggers.command("resume")
@names_argument("trigger")
@pattern_options
@client_options
@output_option
def resume_trigger(*, triggers: tuple[str, ...], yes: bool, dry_run: bool, output: str, **target: Any) -> None:
    """End a pause; the instants that passed meanwhile are skipped."""
    with open_client(**target) as client:
        names = choose(client, "trigger", triggers, "resume", yes=yes, dry_run=dry_run)
        steer_each(names, client.triggers.resume, print_steered, output)


@triggers.command("skip-next")
@names_argument("trigger")
@pattern_options
@client_options
@output_option
def skip_next(*, triggers: tuple[str, ...], yes: bool, dry_run: bool, output: str, **target: Any) -> None:
    """Leave out the next instant."""
    with open_client(**target) as client:
        names = choose(client, "trigger", triggers, "skip the next instant of", yes=yes, dry_run=dry_run)
        steer_each(names, client.triggers.skip_next, print_skipped, output)


def print_skipped(found: SkippedInstant) -> None:
    following = zoned(found.trigger, found.trigger.next_due)
    after = f"the next is {following}" if following else "there is none after it"
    click.echo(f"{cell(found.trigger.name)}: {zoned(found.trigger, found.skipped)} is skipped; {after}")


@triggers.command("fire")
@names_argument("trigger")
@pattern_options
@client_options
@output_option
def fire_trigger(*, triggers: tuple[str, ...], yes: bool, dry_run: bool, output: str, **target: Any) -> None:
    """Start a run as the trigger would, now, also of one that is paused or has ended; its instants and its overlap policy
    stay out of it."""
    with open_client(**target) as client:
        names = choose(client, "trigger", triggers, "fire", yes=yes, dry_run=dry_run)
        steer_each(names, lambda name: fired(client, name), lambda run: click.echo(run["id"]), output)


def fired(client: Client, name: str) -> dict[str, str]:
    """Fire, and say what of the trigger's own rules did not count."""
    run = client.triggers.fire(name)
    state = client.triggers.get(name).state
    if state != TriggerState.ACTIVE:
        note(f"{name} is {state}: fired all the same, as you asked for it")
    return {"id": run}


@triggers.command("delete")
@names_argument("trigger")
@pattern_options
@note_option
@client_options
def delete_trigger(*, triggers: tuple[str, ...], yes: bool, dry_run: bool, words: str, **target: Any) -> None:
    """Delete a trigger; runs that were due stay."""
    with open_client(**target) as client:
        names = choose(client, "trigger", triggers, "delete", yes=yes, dry_run=dry_run)
        delete_each(names, lambda name: client.triggers.delete(name, note=words), "trigger")


def print_steered(trigger: TriggerInfo) -> None:
    click.echo(f"{cell(trigger.name)}: {show_state(trigger)}")


def print_trigger(trigger: TriggerInfo, preview: TriggerPreview) -> None:
    spec = trigger.spec
    rest = [(name.replace("_", " "), said(value)) for name, value in spec.items() if name not in SHOWN and value]
    coming = [time_row(instant) for instant in preview.instants]
    print_facts(
        [
            ("trigger", trigger.name),
            ("job", spec["job"]),
            ("fires", trigger.words),
            ("rule", compact_json(spec["when"])),
            ("state", show_state(trigger)),
            ("revision", trigger.revision),
            ("changed", trigger.updated_at),
            ("owner", show_owner(trigger)),
            ("fired", trigger.fired),
            ("last", zoned(trigger, trigger.last_fire_at)),
            ("failures", trigger.failures or None),
            ("pending", ", ".join(trigger.pending) or None),
            ("held", ", ".join(str(zoned(trigger, at)) for at in trigger.held) or None),
            ("skipped", ", ".join(str(zoned(trigger, at)) for at in ahead(trigger.skips)) or None),
            *rest,
            *(("next" if number == 0 else "", "  ".join(each).rstrip()) for number, each in enumerate(coming)),
        ]
    )


def ahead(instants: Iterable[datetime]) -> list[datetime]:
    now = SystemClock().now()
    return [at for at in instants if at > now]


def show_state(trigger: TriggerInfo) -> str:
    pause = trigger.paused
    if pause is None:
        return trigger.state
    why = f": {cell(pause.reason)}" if pause.reason else ""
    return f"paused by {cell(pause.by)} at {cell(pause.at)}{why}"


def show_owner(trigger: TriggerInfo) -> str | None:
    return (f"{trigger.owner}, changed since" if trigger.drifted else trigger.owner) or None


def said(value: object) -> str:
    return value if isinstance(value, str) else compact_json(value)


def row(trigger: TriggerInfo) -> tuple[object, ...]:
    spec = trigger.spec
    return (
        trigger.name,
        spec["job"],
        trigger.words,
        trigger.state,
        zoned(trigger, trigger.next_due),
        zoned(trigger, trigger.last_fire_at),
        trigger.fired,
    )
