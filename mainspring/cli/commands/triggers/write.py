"""`mainspring triggers create` and `edit`: by options, or in an editor."""

from typing import Any, cast

import click
import msgspec

from mainspring.cli.commands.jobs.fields import keep_text
from mainspring.cli.commands.triggers.fields import DEFAULTED, fields_of, policy_options, rule_options
from mainspring.cli.commands.triggers.sheet import WRITTEN
from mainspring.cli.output.tables import note
from mainspring.cli.verbs import note_option, prints
from mainspring.client.client import Client
from mainspring.client.fields import TriggerFields
from mainspring.contract.triggers import TriggerInfo
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import MainspringError

HEAD = """# Trigger {name}, revision {revision}. Change it, save, and close; without a change nothing is done.
"""


@click.command("create")
@click.argument("trigger")
@click.option("--job", required=True, help="Job that it starts.")
@rule_options
@policy_options
@note_option
@prints(WRITTEN)
def create_trigger(client: Client, *, trigger: str, job: str, note: str, **chosen: Any) -> TriggerInfo:
    """Create a trigger, such as

    mainspring triggers create nightly --job report --cron "30 9 * * 1-5" --zone Europe/Berlin
    """
    fields = fields_of(chosen)
    if "when" not in fields:
        raise click.UsageError("Say when it fires: --cron, --every, --delay, --at, --event, --webhook or --when.")
    fields["job"] = job
    return client.triggers.create(trigger, **with_note(fields, note))


@click.command("edit")
@click.argument("trigger")
@click.option("--job", help="Job that it starts.")
@rule_options
@policy_options
@click.option("--default", "reset", multiple=True, metavar="FIELD", help="Reset a field to its default. Repeatable.")
@click.option("--note", "words", default="", help="Note, kept in the audit log.")
@prints(WRITTEN)
def edit_trigger(
    client: Client, *, trigger: str, job: str | None, reset: tuple[str, ...], words: str, **chosen: Any
) -> TriggerInfo:
    """Change a trigger: by options, or in your $EDITOR.

    The server replaces the runs that it created ahead; past fire times stay as they are.
    """
    check_reset(reset)
    is_given = job is not None or reset or any(value not in (None, (), {}) for value in chosen.values())
    seen = client.triggers.get(trigger)
    if is_given:
        fields = fields_of(chosen, seen.spec)
        if job is not None:
            fields["job"] = job
        left = {name: value for name, value in fields.items() if name not in reset}
        changed = client.triggers.put(trigger, seen.revision, **with_note(cast("TriggerFields", left), words))
    else:
        changed = edit_in_editor(client, seen, words)
    if changed.revision == seen.revision:
        note("nothing was changed")
    return changed


def edit_in_editor(client: Client, seen: TriggerInfo, words: str) -> TriggerInfo:
    before = {name: value for name, value in seen.spec.items() if name != "name"}
    text = HEAD.format(name=seen.name, revision=seen.revision) + msgspec.yaml.encode(before).decode()
    edited = click.edit(text, extension=".yaml")
    if edited is None:
        return seen
    try:
        after = cast("TriggerFields", msgspec.yaml.decode(edited, type=dict[str, Any]))
    except msgspec.DecodeError as error:
        raise click.UsageError(
            f"This is not YAML with the fields of a trigger: {error}.{keep_text(edited, 'trigger')}"
        ) from None
    if after == before:
        return seen
    try:
        return client.triggers.put(seen.name, seen.revision, **with_note(after, words))
    except MainspringError:
        note(keep_text(edited, "trigger").strip())
        raise


def check_reset(fields: tuple[str, ...]) -> None:
    if unknown := next((name for name in fields if name not in DEFAULTED), None):
        raise click.UsageError(f"--default: unknown field {unknown!r}{did_you_mean(unknown, DEFAULTED)}.")


def with_note(fields: TriggerFields, words: str) -> TriggerFields:
    if words:
        fields["note"] = words
    return fields
