"""`mainspring dead`."""

from datetime import timedelta
from typing import Any

import click

from mainspring.cli.commands.bulk.begin import SWEEPS, begin, canaries_option, sweep_options
from mainspring.cli.durations import read_duration
from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Answer, Sheet
from mainspring.cli.verbs import lists, prints, reason_option
from mainspring.client.client import Client
from mainspring.clock import SystemClock
from mainspring.contract.bulk import DeadGroupPage, DeadLetterPage, FailureNoteInfo, MuteInfo

GROUPS = Sheet(
    "group",
    columns=(
        "fingerprint",
        ("runs", lambda group: f"{group.runs} or more" if group.more else group.runs),
        *("job", "error", "message", ("last seen", "last_at")),
        ("muted", lambda group: muted_words(group.mute) if group.muted else None),
        "owner",
        "note",
    ),
)
NOTES = Sheet(
    "failure",
    facts=("fingerprint", "note", ("noted by", "noted_by"), "owner", ("muted", lambda found: muted_words(found.mute))),
)
LETTERS = Sheet("letter", columns=("run", "failed at", "queue", "reason"))


@click.group(cls=NounGroup)
def dead() -> None:
    """List dead letters, grouped by their error; retry or discard them."""


@dead.command("list")
@click.option("--job", help="Only dead letters of this job.")
@lists(GROUPS, limit=20)
def list_groups(client: Client, *, job: str | None, limit: int, cursor: str | None) -> DeadGroupPage:
    """List groups of dead letters, latest failure first."""
    return client.dead.groups(job=job, limit=limit, cursor=cursor)


@dead.command("show")
@click.argument("fingerprint")
@lists(LETTERS, limit=20)
def show_group(client: Client, *, fingerprint: str, limit: int, cursor: str | None) -> DeadLetterPage:
    """Show the runs of a group, oldest first."""
    return client.dead.letters(fingerprint, limit=limit, cursor=cursor)


@dead.command("note")
@click.argument("fingerprint")
@click.argument("note")
@prints(NOTES)
def note_failure(client: Client, *, fingerprint: str, note: str) -> FailureNoteInfo:
    """Write down what is known of a group, for everybody who looks at it; '' takes the note away."""
    return client.dead.note(fingerprint, note)


@dead.command("assign")
@click.argument("fingerprint")
@click.argument("owner")
@prints(NOTES)
def assign_failure(client: Client, *, fingerprint: str, owner: str) -> FailureNoteInfo:
    """Say which person or team looks after a group; '' takes the owner away."""
    return client.dead.assign(fingerprint, owner)


@dead.command("mute")
@click.argument("fingerprint")
@click.option(
    "--for", "until", callback=read_duration, metavar="TIME", help="How long; without it until it comes again."
)
@reason_option
@prints(NOTES)
def mute_failure(client: Client, *, fingerprint: str, until: timedelta | None, reason: str) -> FailureNoteInfo:
    """Have no alert tell of a group as a new failure for a while, or until it comes again."""
    end = None if until is None else SystemClock().now() + until
    return client.dead.mute(fingerprint, until=end, reason=reason)


@dead.command("unmute")
@click.argument("fingerprint")
@reason_option
@prints(NOTES)
def unmute_failure(client: Client, *, fingerprint: str, reason: str) -> FailureNoteInfo:
    """Let alerts tell of a group again."""
    return client.dead.unmute(fingerprint, reason=reason)


@dead.command("retry")
@click.argument("fingerprint", required=False)
@sweep_options
@canaries_option
@prints(SWEEPS)
def retry_dead(client: Client, **chosen: Any) -> Answer:
    """Retry a group, or all matching dead letters, in the background."""
    return begin(client, "retry", **chosen)


@dead.command("discard")
@click.argument("fingerprint", required=False)
@sweep_options
@prints(SWEEPS)
def discard_dead(client: Client, **chosen: Any) -> Answer:
    """Discard a group, or all matching dead letters, in the background; the runs stay failed."""
    return begin(client, "discard", **chosen)


def muted_words(mute: MuteInfo | None) -> str | None:
    if mute is None:
        return None
    return "until it comes again" if mute.until is None else f"until {mute.until:%Y-%m-%d %H:%M}Z"
