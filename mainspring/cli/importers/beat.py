"""Celery beat's entries: dictionaries with `task` and `schedule`, wherever a file has them, and `add_periodic_task(…)`."""

import ast
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from mainspring.cli.importers.days import both, field, unwrapped
from mainspring.cli.importers.found import Collector, Found, UnfitError
from mainspring.cli.importers.source import Called, Named, Source, refuse_unread, seconds_of, zone_name
from mainspring.domain.run import PRIORITY_MAX, PRIORITY_MIN

ZONES = ("timezone", "CELERY_TIMEZONE", "CELERYTIMEZONE")
FIELDS = ("minute", "hour", "day_of_week", "day_of_month", "month_of_year")
IN_ORDER = FIELDS[:2]
"""By position in every version."""
OPTIONS = frozenset({"queue", "priority", "expires"})

Arguments = Callable[[str, list[Any], Mapping[str, Any]], dict[str, Any]]
"""A job's arguments by name, of those by position and those by name."""


def read_beat(text: str, name: str, *, now: datetime, arguments: Arguments, zone: str | None = None) -> Found:
    """`zone` is for files that name none; Celery's own default is UTC."""
    source, collector = Source(text, name), Collector(now=now)
    home = zone or next((each for value in source.settings(*ZONES) if (each := text_of(value))), "UTC")
    for title, at in entries(source.tree):
        try:
            fields, notes = entry(title, source.value(at), home, arguments)
        except UnfitError as error:
            collector.refuse(at.lineno, title, str(error))
        else:
            collector.take(at.lineno, fields, text=title, notes=notes)
    for call in source.calls("add_periodic_task"):
        try:
            fields, notes = periodic(source, call, home, arguments)
        except UnfitError as error:
            collector.refuse(call.lineno, source.line_text(call), str(error))
        else:
            collector.take(call.lineno, fields, text=source.line_text(call), notes=notes)
    return collector.found()


def entries(tree: ast.AST) -> Iterator[tuple[str, ast.Dict]]:
    """Dictionaries inside a dictionary that have both keys, with their titles."""
    for outer in ast.walk(tree):
        if isinstance(outer, ast.Dict):
            for key, inner in zip(outer.keys, outer.values, strict=True):
                if isinstance(inner, ast.Dict) and {"task", "schedule"} <= keys(inner):
                    yield str(key.value) if isinstance(key, ast.Constant) else ast.unparse(key or inner)[:80], inner


def keys(at: ast.Dict) -> set[str]:
    return {str(key.value) for key in at.keys if isinstance(key, ast.Constant)}


def entry(title: str, said: Mapping[str, Any], zone: str, arguments: Arguments) -> tuple[dict[str, Any], list[str]]:
    task = said["task"].name.removesuffix(".name") if isinstance(said["task"], Named) else said["task"]
    if not isinstance(task, str):
        raise UnfitError("its task cannot be read without running the file")
    job = task.rpartition(".")[2]
    refuse_unread([said.get("args"), said.get("kwargs")])
    options = said.get("options") or {}
    notes = [f"{each} is left out" for each in options if each not in OPTIONS]
    if said.get("relative"):
        notes.append("relative is left out: an interval counts from when the trigger is made")
    fields = {
        "name": title.replace("/", "-"),
        "job": job,
        **when(said["schedule"], zone),
        "input": arguments(job, list(said.get("args") or ()), said.get("kwargs") or {}),
        **chosen(options, notes),
    }
    return fields, notes


def periodic(source: Source, call: ast.Call, zone: str, arguments: Arguments) -> tuple[dict[str, Any], list[str]]:
    found = source.called(call)
    if len(found.args) < 2 or not isinstance(found.args[1], Called):
        raise UnfitError("what it starts cannot be read without running the file")
    started = found.args[1]
    task = started.name.rpartition(".")[0] or started.name
    said = {"task": task, "schedule": found.args[0], "args": started.args, "kwargs": started.kwargs}
    options = {name: value for name, value in found.kwargs.items() if name != "name"}
    title = found.kwargs.get("name")
    return entry(str(title) if title else task.rpartition(".")[2], {**said, "options": options}, zone, arguments)


def when(said: Any, zone: str) -> dict[str, Any]:
    if isinstance(said, Called) and said.last == "crontab":
        return {"cron": crontab(said), "zone": zone}
    if isinstance(said, Called) and said.last == "schedule":
        return {"every": seconds_of(said.kwargs.get("run_every", said.args[0] if said.args else None))}
    if isinstance(said, Called) and said.last == "solar":
        raise UnfitError("solar goes by the sun, which no trigger does: use cron for a time of day")
    if isinstance(said, Named) or (isinstance(said, Called) and said.last != "timedelta"):
        raise UnfitError(f"{said.name} is not known here: give a crontab, a timedelta or a number")
    return {"every": seconds_of(said)}


def crontab(said: Called) -> str:
    if unknown := set(said.kwargs) - set(FIELDS):
        raise UnfitError(f"crontab takes {', '.join(FIELDS)}, and not {min(unknown)}")
    if len(said.args) > len(IN_ORDER):
        raise UnfitError("the order of crontab's days has changed between versions of Celery: name its fields")
    given = {**dict(zip(IN_ORDER, said.args, strict=False)), **said.kwargs}
    minute, hour, weekday, day, month = (field(given.get(name, "*")) for name in FIELDS)
    day, weekday = both(unwrapped(day, 1, 31), unwrapped(weekday, 0, 6))
    return f"{unwrapped(minute, 0, 59)} {unwrapped(hour, 0, 23)} {day} {unwrapped(month, 1, 12)} {weekday}"


def chosen(options: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if isinstance(queue := options.get("queue"), str):
        fields["queue"] = queue
    if isinstance(priority := options.get("priority"), int):
        fields["priority"] = min(max(priority, PRIORITY_MIN), PRIORITY_MAX)
        notes.append(
            f"priority {fields['priority']}: {PRIORITY_MAX} is the most urgent, which Redis has the other way round"
        )
    if options.get("expires") is not None:
        fields["start_deadline"] = seconds_of(options["expires"])
    return fields


def text_of(value: Any) -> str | None:
    try:
        return zone_name(value)
    except UnfitError:
        return None
