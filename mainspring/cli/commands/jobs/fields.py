"""Changes of a job's definition: by `--set`, or in an editor."""

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, cast

import click
import msgspec

from mainspring.cli.commands.runs.inputs import read_value
from mainspring.client.fields import JobFields
from mainspring.contract.jobs import JobInfo
from mainspring.domain.lengths import read_length
from mainspring.domain.suggest import did_you_mean

LIMITS = ("timeout", "deadline", "start_within", "on_lost", "losses_max")
EDITABLE = ("handler", "queue", "priority", "retry", *LIMITS, "policy", "description", "input")
KEYS = (
    *("handler", "queue", "priority", *LIMITS, "description", "input"),
    *("retry.attempts", "retry.backoff", "retry.backoff_max", "retry.multiplier", "retry.budget"),
    *("retry.retry_on", "retry.give_up_on"),
    "policy",
)
TEXTS = ("handler", "queue", "on_lost", "description")
LENGTHS = ("timeout", "deadline", "start_within", "retry.backoff", "retry.backoff_max", "retry.budget")
"""In seconds, or as durations such as 1h30m."""
LISTS = ("retry.retry_on", "retry.give_up_on")
"""Separated by commas."""
HEAD = """# Job {name}, version {version}. Change it, save, and close; without a change nothing is done.
"""


def fields_set(settings: Iterable[str], present: dict[str, Any]) -> JobFields:
    """Return the fields that `--set KEY=VALUE` names; `input.NAME=VALUE` changes one argument of the present input."""
    fields: dict[str, Any] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals:
            raise click.UsageError(f"--set: {setting!r} is not KEY=VALUE.")
        outer, _, inner = key.partition(".")
        if outer == "input" and inner:
            fields["input"] = {**present, **fields.get("input", {}), inner: read_value(text)}
            continue
        if key not in KEYS:
            raise click.UsageError(f"--set: unknown key {key!r}{did_you_mean(key, [*KEYS, 'input.NAME'])}.")
        value = read_field(key, text)
        if inner:
            fields.setdefault(outer, {})[inner] = value
        else:
            fields[key] = value
    return cast("JobFields", fields)


def read_field(key: str, text: str) -> Any:
    if key in LISTS and not text.startswith("["):
        return [name.strip() for name in text.split(",") if name.strip()]
    if key in LENGTHS and (seconds := read_length(text)) is not None:
        return seconds
    return text if key in TEXTS else read_value(text)


def fields_edited(job: JobInfo) -> tuple[JobFields, str]:
    """Return the fields that the operator changed in the editor, and the edited text."""
    before = editable(job)
    text = HEAD.format(name=job.name, version=job.version) + msgspec.yaml.encode(before).decode()
    edited = click.edit(text, extension=".yaml")
    if edited is None:
        return {}, ""
    try:
        after = msgspec.yaml.decode(edited, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise click.UsageError(f"This is not YAML with the fields of a job: {error}.{keep_text(edited)}") from None
    unknown = next((key for key in after if key not in EDITABLE), None)
    if unknown is not None:
        raise click.UsageError(f"Unknown field {unknown!r}{did_you_mean(unknown, EDITABLE)}.{keep_text(edited)}")
    changed = {key: value for key, value in after.items() if value != before[key]}
    return cast("JobFields", changed), edited


def editable(job: JobInfo) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(job)
    return {key: plain[key] for key in EDITABLE}


def keep_text(text: str, kind: str = "job") -> str:
    """Keep the text that the server refused in a file, and return a sentence that names it."""
    with suppress(OSError):
        handle, path = tempfile.mkstemp(prefix=f"mainspring-{kind}-", suffix=".yaml")
        with os.fdopen(handle, "w") as file:
            file.write(text)
        return f" Your text is kept in {path}."
    return ""


def read_share(_context: click.Context, _option: click.Parameter, text: str | None) -> float | None:
    """Read `5%` or `0.05`."""
    if text is None:
        return None
    try:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a share, such as 5% or 0.05") from None
