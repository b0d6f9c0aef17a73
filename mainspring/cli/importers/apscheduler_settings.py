"""Reads the settings of an APScheduler scheduler: its zone, and the defaults of its jobs."""

import ast
from collections.abc import Iterator
from typing import Any

from mainspring.cli.importers.source import PythonSource, Zone, assigned, zone_name
from mainspring.domain.imports.found import UnfitError

OF_FLASK = "SCHEDULER_JOB_DEFAULTS"
ZONE_OF_FLASK = "SCHEDULER_TIMEZONE"
PREFIX = "apscheduler.job_defaults."
ZONE_KEY = "apscheduler.timezone"
"""Keys of a single dictionary, whose values may all be texts."""
WORDS = {"true": True, "false": False, "none": None}
LOCAL = "get_localzone"
KNOWN = frozenset({"coalesce", "max_instances", "misfire_grace_time"})

Unread = list[tuple[ast.expr, str]]


def shared_by_all(source: PythonSource, zone: str | None, local: str) -> tuple[dict[str, Any], Unread]:
    """The settings for all jobs, with the scheduler's zone as `scheduler_zone`, and the settings that cannot be read."""
    found: dict[str, Any] = {}
    unread: Unread = []
    for at in defaults_in(source):
        try:
            found |= defaults(source, at)
        except UnfitError as error:
            unread.append((at, f"{error}: jobs are taken with APScheduler's own defaults"))
    return {**found, "scheduler_zone": zone_of(source, zone, local)}, unread


def zone_of(source: PythonSource, zone: str | None, local: str) -> Zone:
    """The scheduler's zone, or else the one that was said, or that of this machine."""
    said = [*said_by(source, "timezone"), *(each.value for each in assigned(source.tree) if each.last == ZONE_OF_FLASK)]
    try:
        named = {name for at in said if (name := zone_at(source, at, local))} | set(zones_of_texts(source))
    except UnfitError as error:
        return Zone(zone or "", "" if zone else f"{error}: say --zone")
    if len(named) > 1:
        return Zone(zone or "", "" if zone else f"the scheduler's zone is {' or '.join(sorted(named))}: say --zone")
    return Zone(next(iter(named), zone or local))


def zone_at(source: PythonSource, at: ast.expr, local: str) -> str | None:
    source.scopes.refuse_doubt(at, "the zone is set")
    if isinstance(at, ast.Call) and dotted_last(at) == LOCAL:
        return local
    return zone_name(source.value(at))


def zones_of_texts(source: PythonSource) -> Iterator[str]:
    for each in assigned(source.tree):
        if each.name.endswith(ZONE_KEY) and (zone := zone_name(source.value(each.value))):
            yield zone


def defaults_in(source: PythonSource) -> Iterator[ast.expr]:
    yield from said_by(source, "job_defaults")
    yield from (each.value for each in assigned(source.tree) if each.last == OF_FLASK)
    yield from (each for at in makers(source) for each in at.args if isinstance(each, ast.Dict | ast.Name))


def defaults(source: PythonSource, at: ast.expr) -> dict[str, Any]:
    """The defaults of jobs without settings of their own. Raises UnfitError."""
    found = source.value(at)
    if not isinstance(found, dict):
        raise UnfitError(f"job_defaults cannot be read without running the file: {ast.unparse(at)[:80]}")
    texts = {key.removeprefix(PREFIX): plain(value) for key, value in found.items() if key.startswith(PREFIX)}
    given = {key: value for key, value in found.items() if not key.startswith("apscheduler.")}
    if unknown := sorted((set(texts) | set(given)) - KNOWN):
        raise UnfitError(f"{unknown[0]} is no default of jobs that is known here")
    return texts | given


def plain(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return int(value) if value.isdecimal() else WORDS.get(value.lower(), value)


def said_by(source: PythonSource, name: str) -> Iterator[ast.expr]:
    return (keyword.value for at in makers(source) for keyword in at.keywords if keyword.arg == name)


def makers(source: PythonSource) -> list[ast.Call]:
    """Where a scheduler is made or set up."""
    calls = [at for at in ast.walk(source.tree) if isinstance(at, ast.Call)]
    return [at for at in calls if dotted_last(at).endswith("Scheduler") or dotted_last(at) == "configure"]


def dotted_last(at: ast.Call) -> str:
    return at.func.attr if isinstance(at.func, ast.Attribute) else at.func.id if isinstance(at.func, ast.Name) else ""
