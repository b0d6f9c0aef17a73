"""`mainspring jobs`."""

import click
import msgspec

from mainspring.cli.commands.jobs.canary import canary
from mainspring.cli.commands.jobs.fields import fields_edited, fields_set, keep_text
from mainspring.cli.commands.jobs.what_if import show_python, what_if
from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Answer, Sheet
from mainspring.cli.output.tables import compact_json, note, print_facts
from mainspring.cli.verbs import acts_on, deletes, lists, prints, reason_option
from mainspring.client.client import Client
from mainspring.client.fields import JobFields
from mainspring.contract.jobs import JobDiff, JobInfo, JobPage, JobVersionInfo, JobVersionPage, RetryInfo
from mainspring.contract.queues import QueuePause
from mainspring.domain.limits.policy import USUAL, Policy
from mainspring.errors import MainspringError


def print_diff(diff: JobDiff) -> None:
    note(f"from version {diff.before} to {diff.after}")
    CHANGES.print_table(diff.changes)


def source_of(version: JobVersionInfo) -> str:
    source = version.source
    return " ".join(word for word in (source.origin, source.author, source.code_version) if word)


DEFINITION = Sheet(
    "definition",
    facts=(
        *("handler", "queue", "priority"),
        ("retry", lambda definition: show_retry(definition.retry)),
        ("timeout", lambda definition: show_seconds(definition.timeout)),
        ("deadline", lambda definition: show_seconds(definition.deadline)),
        ("start within", lambda definition: show_seconds(definition.start_within)),
        ("on lost", lambda definition: f"{definition.on_lost}, quarantined after {definition.losses_max}"),
        ("policy", lambda definition: show_policy(definition.policy)),
        "description",
        ("input", lambda definition: compact_json(definition.input) if definition.input else None),
        ("schema", lambda definition: compact_json(definition.schema) if definition.schema else None),
    ),
)
JOBS = Sheet(
    "job",
    columns=(
        *("name", "version", "handler", "queue", "priority", ("attempts", "retry.attempts")),
        ("changed at", "updated_at"),
        ("source", lambda job: f"{job.origin}, changed" if job.drifted else job.origin),
    ),
    facts=(
        *(("job", "name"), "version", ("changed", "updated_at")),
        ("source", lambda job: f"{job.origin}, changed since" if job.drifted else job.origin),
        ("paused", lambda job: show_pause(job.paused)),
        *DEFINITION.facts,
    ),
    more_facts=lambda job: [(f"code says {name}", value) for name, value in drift(job)],
    word=lambda job: job.origin,
    outcome=lambda job: "open" if job.paused is None else "paused",
    by_prefix=True,
)
VERSIONS = Sheet("version", columns=("version", "at", ("source", source_of), "note"))
CHANGES = Sheet(
    "change",
    columns=("path", ("before", lambda each: side(each.before)), ("after", lambda each: side(each.after))),
)

version_note_option = click.option("--note", "words", default="", help="Note, kept with the version.")
set_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set a field, such as queue=slow, priority=7, retry.attempts=5, input.url=https://… Repeatable.",
)


@click.group(cls=NounGroup)
def jobs() -> None:
    """Inspect, pause and change job definitions, and roll them back."""


jobs.add_command(canary)
jobs.add_command(what_if)
jobs.add_command(show_python)


@jobs.command("list")
@click.option("--prefix", help="Only names that start with this.")
@click.option("--queue", help="Only jobs whose runs go to this queue.")
@click.option("--handler", help="Only jobs of this handler.")
@lists(JOBS)
def list_jobs(
    client: Client, *, prefix: str | None, queue: str | None, handler: str | None, limit: int, cursor: str | None
) -> JobPage:
    """List jobs by name."""
    return client.jobs.list(prefix=prefix, queue=queue, handler=handler, limit=limit, cursor=cursor)


@jobs.command("show")
@click.argument("job")
@click.option("--version", type=click.IntRange(1), help="Show this version instead of the newest.")
@prints(JOBS)
def show_job(client: Client, *, job: str, version: int | None) -> JobInfo | Answer:
    """Show one job, and its differences from the executors' code."""
    if version is None:
        return client.jobs.get(job)
    return Answer(content=client.jobs.version(job, version), show=lambda found: print_version(job, found))


@jobs.command("history")
@click.argument("job")
@lists(VERSIONS, limit=20)
def show_history(client: Client, *, job: str, limit: int, cursor: str | None) -> JobVersionPage:
    """List the versions of a job, newest first."""
    return client.jobs.versions(job, limit=limit, cursor=cursor)


@jobs.command("diff")
@click.argument("job")
@click.argument("before", type=click.IntRange(1), required=False, metavar="[FROM]")
@click.argument("after", type=click.IntRange(1), required=False, metavar="[TO]")
@prints(print_diff)
def diff_job(client: Client, *, job: str, before: int | None, after: int | None) -> JobDiff:
    """Show the changes between two versions; TO is the newest if left out."""
    return client.jobs.diff(job, before, after)


@jobs.command("create")
@click.argument("job")
@click.option("--handler", required=True, help="Handler that executors have, such as http.")
@set_option
@version_note_option
@prints(JOBS)
def create_job(client: Client, *, job: str, handler: str, settings: tuple[str, ...], words: str) -> JobInfo:
    """Create a job for a handler that executors have."""
    fields = fields_set(settings, {})
    fields["handler"] = handler
    return client.jobs.create(job, **with_note(fields, words))


@jobs.command("edit")
@click.argument("job")
@set_option
@version_note_option
@prints(JOBS)
def edit_job(client: Client, *, job: str, settings: tuple[str, ...], words: str) -> JobInfo:
    """Change a job: by --set, or in your $EDITOR.

    Existing runs keep their queue and priority; their retries follow the change.
    """
    seen = client.jobs.get(job)
    if settings:
        changed = client.jobs.change(job, seen.version, **with_note(fields_set(settings, seen.input), words))
    else:
        changed = edit_in_editor(client, seen, words)
    if changed.version == seen.version:
        note("nothing was changed")
    return changed


@jobs.command("rollback")
@click.argument("job")
@click.argument("version", type=click.IntRange(1))
@version_note_option
@prints(JOBS)
def roll_back_job(client: Client, *, job: str, version: int, words: str) -> JobInfo:
    """Create a new version that equals an old one."""
    return client.jobs.roll_back(job, version, note=words)


@jobs.command("pause")
@reason_option
@acts_on(JOBS, "pause")
def pause_job(client: Client, name: str, *, reason: str) -> JobInfo:
    """Start no runs of a job; running attempts continue, and the server still accepts runs."""
    return client.jobs.pause(name, reason=reason)


@jobs.command("resume")
@acts_on(JOBS, "resume")
def resume_job(client: Client, name: str) -> JobInfo:
    """Let the runs of a paused job start again."""
    return client.jobs.resume(name)


@jobs.command("delete")
@deletes(JOBS)
def delete_job(client: Client, name: str, *, note: str) -> None:
    """Delete a job that has no live runs and that no executor's code defines; history keeps its name."""
    client.jobs.delete(name, note=note)


def edit_in_editor(client: Client, seen: JobInfo, words: str) -> JobInfo:
    fields, text = fields_edited(seen)
    if not fields:
        return seen
    try:
        return client.jobs.change(seen.name, seen.version, **with_note(fields, words))
    except MainspringError:
        note(keep_text(text).strip())
        raise


def with_note(fields: JobFields, words: str) -> JobFields:
    if words:
        fields["note"] = words
    return fields


def print_version(job: str, version: JobVersionInfo) -> None:
    head = [("job", job), ("version", version.version), ("at", version.at), ("source", source_of(version))]
    print_facts([*head, ("note", version.note or None), *DEFINITION.facts_of(version.definition)])


def drift(job: JobInfo) -> list[tuple[str, object]]:
    """The facts in which the executors' code differs from the job."""
    if job.code is None or not job.drifted:
        return []
    pairs = zip(DEFINITION.facts_of(job.code), DEFINITION.facts_of(job), strict=True)
    return [theirs for theirs, ours in pairs if theirs != ours]


def show_retry(retry: RetryInfo) -> str:
    if retry.attempts == 1:
        return "none"
    growing = "doubling" if retry.multiplier == 2 else f"times {retry.multiplier:g} each,"
    words = [f"{retry.attempts} attempts, {retry.backoff:g} s between them, {growing} up to {retry.backoff_max:g} s"]
    words += [f"within {retry.budget:g} s"] if retry.budget is not None else []
    words += [f"on {', '.join(retry.retry_on)}"] if retry.retry_on else []
    words += [f"not on {', '.join(retry.give_up_on)}"] if retry.give_up_on else []
    return ", ".join(words)


def show_pause(pause: QueuePause | None) -> str | None:
    if pause is None:
        return None
    return " ".join(filter(None, (f"by {pause.by}" if pause.by else "", pause.reason))) or "yes"


def show_policy(policy: Policy) -> str | None:
    return compact_json(policy) if policy != USUAL else None


def show_seconds(seconds: float | None) -> str | None:
    return None if seconds is None else f"{seconds:g} s"


def side(value: object) -> str | None:
    return None if value is msgspec.UNSET else compact_json(value)
