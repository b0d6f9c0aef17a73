"""How runs are printed."""

import textwrap

import click

from mainspring.cli.output.sheets import Sheet, nonzero
from mainspring.cli.output.tables import cell, compact_json
from mainspring.cli.output.terminal import escape
from mainspring.contract.runs import AttemptInfo, RunDiscard, RunInfo, RunSuspension


def step_of(run: RunInfo) -> str | None:
    """The step that a run is of, with the workflow run that it belongs to."""
    if run.step is None:
        return None
    item = "" if run.item is None else f" (item {run.item})"
    return f"{run.step}{item} of {run.workflow}"


RUNS = Sheet(
    "run",
    columns=("id", "job", "queue", "state", "attempt", "due at", "executor", "reason"),
    facts=(
        *(("run", "id"), "job", "queue", "priority"),
        ("state", lambda run: f"{run.state} ({run.reason})" if run.reason else run.state),
        ("suspended", lambda run: suspended(run.suspension)),
        ("discarded", lambda run: discarded(run.discarded)),
        *("why", "until", "attempt", "failures", ("losses", nonzero("losses"))),
        ("progress", lambda run: f"{run.progress.fraction:.0%} {run.progress.note}" if run.progress else None),
        *(("due", "due_at"), ("created", "created_at"), ("started", "started_at"), ("finished", "finished_at")),
        *("deadline", "start by", "executor", "key"),
        ("labels", lambda run: ", ".join(f"{key}={value}" for key, value in run.labels.items()) or None),
        *(
            "tags",
            ("asked for by", "created_by"),
            "parent",
            ("step", step_of),
            "trigger",
            ("instant", "fire_at"),
            "backfill",
            "trace",
            ("see", "trace_url"),
        ),
        ("input", lambda run: compact_json(run.input)),
        ("result", lambda run: compact_json(run.result) if run.state == "succeeded" else None),
        ("error", lambda run: f"{run.error.error}: {run.error.message}" if run.error else None),
    ),
)
CHANGED = Sheet("run", columns=("id", "state", "reason"))
"""Runs after an operator changed them."""


def suspended(suspension: RunSuspension | None) -> str | None:
    if suspension is None:
        return None
    until = "until it is resumed" if suspension.resume_at is None else f"until {cell(suspension.resume_at)}"
    return f"{until}: {suspension.reason}" if suspension.reason else until


def discarded(discard: RunDiscard | None) -> str | None:
    return None if discard is None else f"by {discard.by} {cell(discard.at)}: {discard.reason or 'without a reason'}"


def print_attempt(attempt: AttemptInfo, *, whole: bool) -> None:
    """Print an attempt in one line, with its host, code and, if `whole`, its traceback indented below."""
    click.echo(
        f"attempt {attempt.number} {attempt.outcome} on {attempt.executor} {cell(attempt.ended_at)}  {show_error(attempt)}"
    )
    where = [("host", attempt.host), ("code", attempt.code_version)]
    took = [] if attempt.duration is None else [f"took {attempt.duration:.3g} s"]
    if words := [*(f"{name} {value}" for name, value in where if value), *took]:
        click.echo(f"  {', '.join(words)}")
    if attempt.beside:
        click.echo(f"  beside {', '.join(attempt.beside)}")
    if whole and attempt.error is not None and attempt.error.traceback:
        click.echo(textwrap.indent(escape(attempt.error.traceback.rstrip(), but="\n\t"), "  "))


def show_error(attempt: AttemptInfo) -> str:
    error = attempt.error
    if error is None:
        return ""
    code = "" if error.code == error.error else f" [{error.code}]"
    return escape(f"{error.error}: {error.message}{code}")
