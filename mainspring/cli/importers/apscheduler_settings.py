"""What APScheduler's scheduler itself says, for all of its jobs: its zone, and their defaults."""

import ast
from collections.abc import Iterator
from typing import Any

from mainspring.cli.importers.found import UnfitError
from mainspring.cli.importers.source import Source, assigned, zone_name

OF_FLASK = "SCHEDULER_JOB_DEFAULTS"
PREFIX = "apscheduler.job_defaults."
"""Of keys of a single dictionary, whose values may all be texts."""
WORDS = {"true": True, "false": False, "none": None}


def shared_by_all(source: Source) -> tuple[dict[str, Any], list[str]]:
    """What is said for all jobs, with the scheduler's zone as `scheduler_zone`, and what of it cannot be read."""
    found: dict[str, Any] = {}
    unread = []
    for read in (defaults_of, zone_of):
        try:
            found |= read(source)
        except UnfitError as error:
            unread.append(str(error))
    return found, unread


def zone_of(source: Source) -> dict[str, Any]:
    """Raises UnfitError."""
    for each in said_by(source, "timezone"):
        if zone := zone_name(source.value(each)):
            return {"scheduler_zone": zone}
    return {}


def defaults_of(source: Source) -> dict[str, Any]:
    """What counts for jobs that do not say it themselves. Raises UnfitError."""
    for at in said_by(source, "job_defaults"):
        found = source.value(at)
        if not isinstance(found, dict):
            raise UnfitError(f"job_defaults cannot be read without running the file: {ast.unparse(at)[:80]}")
        return found
    for each in assigned(source.tree):
        if each.last == OF_FLASK and isinstance(found := source.value(each.value), dict):
            return found
    return next((plain for at in makers(source) for each in at.args if (plain := prefixed(source, each))), {})


def prefixed(source: Source, at: ast.expr) -> dict[str, Any]:
    found = source.value(at) if isinstance(at, ast.Dict | ast.Name) else None
    pairs = found.items() if isinstance(found, dict) else ()
    return {key.removeprefix(PREFIX): plain(value) for key, value in pairs if key.startswith(PREFIX)}


def plain(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return int(value) if value.isdecimal() else WORDS.get(value.lower(), value)


def said_by(source: Source, name: str) -> Iterator[ast.expr]:
    return (keyword.value for at in makers(source) for keyword in at.keywords if keyword.arg == name)


def makers(source: Source) -> list[ast.Call]:
    """Where a scheduler is made or set up."""
    calls = [at for at in ast.walk(source.tree) if isinstance(at, ast.Call)]
    return [at for at in calls if dotted_last(at).endswith("Scheduler") or dotted_last(at) == "configure"]


def dotted_last(at: ast.Call) -> str:
    return at.func.attr if isinstance(at.func, ast.Attribute) else at.func.id if isinstance(at.func, ast.Name) else ""
