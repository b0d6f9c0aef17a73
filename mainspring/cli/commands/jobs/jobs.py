"""`mainspring jobs`."""

from typing import Any

import click
import msgspec

from mainspring.cli.client import open_client
from mainspring.cli.commands.jobs.fields import fields_edited, fields_set, kept
from mainspring.cli.commands.selection import choose, delete_each, names_argument, pattern_options
from mainspring.cli.groups import NounGroup
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output.tables import compact_json, note, print_content, print_facts, print_table
from mainspring.client.client import Client
from mainspring.client.nouns.jobs import JobInfo, JobVersionInfo
from mainspring.client.views.jobs import Definition, JobFields, RetryInfo
from mainspring.errors import MainspringError

COLUMNS = ("name", "version", "handler", "queue", "priority", "attempts", "changed at", "source")
VERSION_COLUMNS = ("version", "at", "source", "note")
CHANGE_COLUMNS = ("path", "before", "after")

note_option = click.option("--note", "words", default="", help="Why; kept with the version.")
set_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="Such as queue=slow, priority=7, retry.attempts=5, input.url=https://… May be repeated.",
)


@click.group(cls=NounGroup)
def jobs() -> None:
    """Look at definitions, change them, and go back to old ones."""


@jobs.command("list")
@click.option("--prefix", help="Those whose names start so.")
@click.option("--queue", help="Those whose runs go to this queue.")
@click.option("--handler", help="Those that this handler runs.")
@click.option("--limit", type=click.IntRange(1, 500), default=50, show_default=True)
@click.option("--cursor", help="Where the page before ended.")
@client_options
@output_option
def list_jobs(
    *,
    prefix: str | None,
    queue: str | None,
    handler: str | None,
    limit: int,
    cursor: str | None,
    output: str,
    **target: Any,
) -> None:
    """List jobs by name."""
    with open_client(**target) as client:
        page = client.jobs.list(prefix=prefix, queue=queue, handler=handler, limit=limit, cursor=cursor)
    if output != "table":
        print_content(page, output)
        return
    print_table(COLUMNS, [row(job) for job in page.jobs])
    if page.next:
        note(f"more: --cursor {page.next}")


@jobs.command("show")
@click.argument("job")
@click.option("--version", type=click.IntRange(1), help="As it was at that version.")
@client_options
@output_option
def show_job(*, job: str, version: int | None, output: str, **target: Any) -> None:
    """Show one job, and how it differs from what code says."""
    with open_client(**target) as client:
        if version is None:
            print_job(client.jobs.get(job), output)
        else:
            print_version(job, client.jobs.version(job, version), output)


@jobs.command("history")
@click.argument("job")
@click.option("--limit", type=click.IntRange(1, 500), default=20, show_default=True)
@click.option("--cursor", help="Where the page before ended.")
@client_options
@output_option
def show_history(*, job: str, limit: int, cursor: str | None, output: str, **target: Any) -> None:
    """List the versions of a job, newest first."""
    with open_client(**target) as client:
        page = client.jobs.versions(job, limit=limit, cursor=cursor)
    if output != "table":
        print_content(page, output)
        return
    rows = [(each.version, each.at, source_of(each), each.note or None) for each in page.versions]
    print_table(VERSION_COLUMNS, rows)
    if page.next:
        note(f"more: --cursor {page.next}")


@jobs.command("diff")
@click.argument("job")
@click.argument("before", type=click.IntRange(1), required=False, metavar="[FROM]")
@click.argument("after", type=click.IntRange(1), required=False, metavar="[TO]")
@client_options
@output_option
def diff_job(*, job: str, before: int | None, after: int | None, output: str, **target: Any) -> None:
    """Show what changed between two versions; if not said, with the newest one."""
    with open_client(**target) as client:
        found = client.jobs.diff(job, before, after)
    if output != "table":
        print_content(found, output)
        return
    note(f"from version {found.before} to {found.after}")
    print_table(CHANGE_COLUMNS, [(each.path, side(each.before), side(each.after)) for each in found.changes])


@jobs.command("create")
@click.argument("job")
@click.option("--handler", required=True, help="One that executors have, such as http.")
@set_option
@note_option
@client_options
@output_option
def create_job(*, job: str, handler: str, settings: tuple[str, ...], words: str, output: str, **target: Any) -> None:
    """Make a job of a handler that executors have."""
    fields = fields_set(settings, {})
    fields["handler"] = handler
    with open_client(**target) as client:
        print_job(client.jobs.create(job, **with_note(fields, words)), output)


@jobs.command("edit")
@click.argument("job")
@set_option
@note_option
@client_options
@output_option
def edit_job(*, job: str, settings: tuple[str, ...], words: str, output: str, **target: Any) -> None:
    """Change a job: by --set, or in your $EDITOR.

    Runs that are there already keep their queue and priority; how often they are tried again follows the change.
    """
    with open_client(**target) as client:
        seen = client.jobs.get(job)
        if settings:
            changed = client.jobs.change(job, seen.version, **with_note(fields_set(settings, seen.input), words))
        else:
            changed = edit_in_editor(client, seen, words)
    if changed.version == seen.version:
        note("nothing was changed")
    print_job(changed, output)


@jobs.command("rollback")
@click.argument("job")
@click.argument("version", type=click.IntRange(1))
@note_option
@client_options
@output_option
def roll_back_job(*, job: str, version: int, words: str, output: str, **target: Any) -> None:
    """Make a new version that equals an old one."""
    with open_client(**target) as client:
        print_job(client.jobs.roll_back(job, version, note=words), output)


@jobs.command("delete")
@names_argument("job")
@pattern_options
@note_option
@client_options
def delete_job(*, jobs: tuple[str, ...], yes: bool, dry_run: bool, words: str, **target: Any) -> None:
    """Delete a job that has no live runs and that no executor's code defines; history keeps its name."""
    with open_client(**target) as client:
        names = choose(client, "job", jobs, "delete", yes=yes, dry_run=dry_run)
        delete_each(names, lambda name: client.jobs.delete(name, note=words), "job")


def edit_in_editor(client: Client, seen: JobInfo, words: str) -> JobInfo:
    fields, text = fields_edited(seen)
    if not fields:
        return seen
    try:
        return client.jobs.change(seen.name, seen.version, **with_note(fields, words))
    except MainspringError:
        note(kept(text).strip())
        raise


def with_note(fields: JobFields, words: str) -> JobFields:
    if words:
        fields["note"] = words
    return fields


def print_job(job: JobInfo, output: str) -> None:
    if output != "table":
        print_content(job, output)
        return
    origin = f"{job.origin}, changed since" if job.drifted else job.origin
    head = [("job", job.name), ("version", job.version), ("changed", job.updated_at), ("source", origin)]
    facts = [*head, *definition_facts(job)]
    if job.code is not None and job.drifted:
        facts += [(f"code says {name}", value) for name, value in apart(job.code, job)]
    print_facts(facts)


def print_version(job: str, version: JobVersionInfo, output: str) -> None:
    if output != "table":
        print_content(version, output)
        return
    head = [("job", job), ("version", version.version), ("at", version.at), ("source", source_of(version))]
    print_facts([*head, ("note", version.note or None), *definition_facts(version.definition)])


def definition_facts(definition: Definition) -> list[tuple[str, object]]:
    retry = definition.retry
    return [
        ("handler", definition.handler),
        ("queue", definition.queue),
        ("priority", definition.priority),
        ("retry", show_retry(retry)),
        ("timeout", show_seconds(definition.timeout)),
        ("deadline", show_seconds(definition.deadline)),
        ("start within", show_seconds(definition.start_within)),
        ("on lost", f"{definition.on_lost}, quarantined after {definition.losses_max}"),
        ("description", definition.description or None),
        ("input", compact_json(definition.input) if definition.input else None),
        ("schema", compact_json(definition.schema) if definition.schema else None),
    ]


def apart(code: Definition, job: JobInfo) -> list[tuple[str, object]]:
    """Where code says something else."""
    return [fact for fact, mine in zip(definition_facts(code), definition_facts(job), strict=True) if fact != mine]


def show_retry(retry: RetryInfo) -> str:
    if retry.attempts == 1:
        return "none"
    growing = "doubling" if retry.multiplier == 2 else f"times {retry.multiplier:g} each,"
    words = [f"{retry.attempts} attempts, {retry.backoff:g} s between them, {growing} up to {retry.backoff_max:g} s"]
    words += [f"within {retry.budget:g} s"] if retry.budget is not None else []
    words += [f"on {', '.join(retry.retry_on)}"] if retry.retry_on else []
    words += [f"not on {', '.join(retry.give_up_on)}"] if retry.give_up_on else []
    return ", ".join(words)


def show_seconds(seconds: float | None) -> str | None:
    return None if seconds is None else f"{seconds:g} s"


def row(job: JobInfo) -> tuple[object, ...]:
    source = f"{job.origin}, changed" if job.drifted else job.origin
    return (job.name, job.version, job.handler, job.queue, job.priority, job.retry.attempts, job.updated_at, source)


def source_of(version: JobVersionInfo) -> str:
    source = version.source
    return " ".join(word for word in (source.origin, source.author, source.code_version) if word)


def side(value: object) -> str | None:
    return None if value is msgspec.UNSET else compact_json(value)
