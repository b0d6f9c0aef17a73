"""`mainspring triggers create` and `edit`: a trigger from options, or from a text in an editor."""

from typing import Any, cast

import click
import msgspec

from mainspring.cli.client import open_client
from mainspring.cli.commands.jobs.fields import kept
from mainspring.cli.commands.triggers.fields import DEFAULTED, fields_of, policy_options, rule_options
from mainspring.cli.commands.triggers.zones import zoned
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output.tables import note, print_content, print_facts
from mainspring.client.client import Client
from mainspring.client.views.triggers import TriggerFields, TriggerInfo
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import MainspringError

HEAD = """# Trigger {name}, revision {revision}. Change it, save, and close; without a change nothing is done.
"""

note_option = click.option("--note", "words", default="", help="Why; kept in the audit log.")


@click.command("create")
@click.argument("trigger")
@click.option("--job", required=True, help="What it starts.")
@rule_options
@policy_options
@note_option
@client_options
@output_option
def create_trigger(*, trigger: str, job: str, words: str, output: str, **chosen: Any) -> None:
    """Make a trigger, such as

    mainspring triggers create nightly --job report --cron "30 9 * * 1-5" --zone Europe/Berlin
    """
    fields = fields_of(chosen)
    if "when" not in fields:
        raise click.UsageError("Say when it fires: --cron, --every, --delay, --at, --event, --webhook or --when.")
    fields["job"] = job
    with open_client(**chosen) as client:
        print_made(client.triggers.create(trigger, **with_note(fields, words)), output)


@click.command("edit")
@click.argument("trigger")
@click.option("--job", help="What it starts.")
@rule_options
@policy_options
@click.option("--default", "reset", multiple=True, metavar="FIELD", help="Put a field back to its default.")
@note_option
@client_options
@output_option
def edit_trigger(
    *, trigger: str, job: str | None, reset: tuple[str, ...], words: str, output: str, **chosen: Any
) -> None:
    """Change a trigger: by options, or in your $EDITOR.

    What was made ahead is made anew. Instants that have come stay as they are.
    """
    check_reset(reset)
    target = {name: chosen.pop(name) for name in ("config", "home", "url", "namespace", "context")}
    is_said = job is not None or reset or any(value not in (None, (), {}) for value in chosen.values())
    with open_client(**target) as client:
        seen = client.triggers.get(trigger)
        if is_said:
            fields = fields_of(chosen, seen.spec)
            if job is not None:
                fields["job"] = job
            left = {name: value for name, value in fields.items() if name not in reset}
            found = client.triggers.put(trigger, seen.revision, **with_note(cast("TriggerFields", left), words))
        else:
            found = edit_in_editor(client, seen, words)
    if found.revision == seen.revision:
        note("nothing was changed")
    print_made(found, output)


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
            f"This is not YAML with the fields of a trigger: {error}.{kept(edited, 'trigger')}"
        ) from None
    if after == before:
        return seen
    try:
        return client.triggers.put(seen.name, seen.revision, **with_note(after, words))
    except MainspringError:
        note(kept(edited, "trigger").strip())
        raise


def check_reset(fields: tuple[str, ...]) -> None:
    if unknown := next((name for name in fields if name not in DEFAULTED), None):
        raise click.UsageError(f"--default: unknown field {unknown!r}{did_you_mean(unknown, DEFAULTED)}.")


def with_note(fields: TriggerFields, words: str) -> TriggerFields:
    if words:
        fields["note"] = words
    return fields


def print_made(trigger: TriggerInfo, output: str) -> None:
    if output != "table":
        print_content(trigger, output)
        return
    print_facts(
        [
            ("trigger", trigger.name),
            ("revision", trigger.revision),
            ("job", trigger.spec["job"]),
            ("fires", trigger.words),
            ("state", trigger.state),
            ("next", zoned(trigger, trigger.next_due)),
        ]
    )
