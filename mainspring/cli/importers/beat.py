"""Celery beat's entries: those of a `beat_schedule` that a file writes down plainly, and calls of `add_periodic_task`."""

import ast
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from mainspring.cli.importers.beat_source import Entries, zone_of
from mainspring.cli.importers.days import both, field, unwrapped
from mainspring.cli.importers.source import CalledName, Named, PythonSource, Zone, refuse_unread, seconds_of
from mainspring.domain.imports.found import Collector, Imported, UnfitError
from mainspring.domain.runs.run import PRIORITY_MAX, PRIORITY_MIN

FIELDS = ("minute", "hour", "day_of_week", "day_of_month", "month_of_year")
IN_ORDER = FIELDS[:2]
"""By position in every version."""
KNOWN = frozenset({"task", "schedule", "args", "kwargs", "options", "relative"})
OPTIONS = frozenset({"queue", "priority", "expires"})
PERIODIC = ("schedule", "sig", "args", "kwargs", "name")
SIGNATURES = ("s", "si")
NOTHING = "has no beat_schedule and no add_periodic_task that can be read: try --load MODULE:APP"

Arguments = Callable[[str, list[Any], Mapping[str, Any]], dict[str, Any]]
"""A job's arguments by name, of those by position and those by name."""


def home_of(given: str | None, source: PythonSource) -> Zone:
    """The zone of all entries."""
    try:
        return Zone(given or zone_of(source))
    except UnfitError as error:
        return Zone("", f"{error}: say --zone, or use --load")


def read_beat(text: str, name: str, *, now: datetime, arguments: Arguments, zone: str | None = None) -> Imported:
    """`zone` is for files that name none; Celery's own default is UTC."""
    source, collector = PythonSource(text, name), Collector(now=now)
    home = home_of(zone, source)
    for piece in Entries(source).pieces():
        line = getattr(piece.at, "lineno", 0)
        try:
            fields, notes = entry(piece.title, source.value(piece.certain()), home, arguments)
        except UnfitError as error:
            collector.refuse(line, piece.title, str(error))
        else:
            collector.take(line, fields, text=piece.title, notes=notes)
    for call in source.calls("add_periodic_task"):
        take_periodic(collector, source, call, home, arguments)
    remark_others(collector, source)
    return collector.found()


def take_periodic(collector: Collector, source: PythonSource, call: ast.Call, zone: Zone, arguments: Arguments) -> None:
    text = source.line_text(call)
    try:
        source.scopes.refuse_doubt(call, "is called")
        fields, notes = periodic(source.called(call), zone, arguments)
    except UnfitError as error:
        collector.refuse(call.lineno, text, str(error))
    else:
        collector.take(call.lineno, fields, text=text, notes=notes)


def remark_others(collector: Collector, source: PythonSource) -> None:
    """Places where a running program may say more, or something else."""
    for at in ast.walk(source.tree):
        if isinstance(at, ast.ImportFrom) and any(each.name == "*" for each in at.names):
            collector.remark(at.lineno, f"{at.module} is not read, and may set anything that is set here: try --load")
    if collector.is_empty:
        collector.refuse(1, "", NOTHING)


def entry(title: str, said: Any, zone: object, arguments: Arguments) -> tuple[dict[str, Any], list[str]]:
    if not isinstance(said, dict) or not {"task", "schedule"} <= set(said):
        raise UnfitError("is no dictionary with task and schedule, or cannot be read without running the file")
    if unknown := sorted(set(said) - KNOWN):
        raise UnfitError(f"has {unknown[0]!r}, which is not known here")
    job = job_of(said["task"])
    options, args, kwargs = said.get("options") or {}, said.get("args") or (), said.get("kwargs") or {}
    refuse_unread([args, kwargs, said.get("relative")])
    if not isinstance(options, dict) or not isinstance(kwargs, dict) or not isinstance(args, list | tuple):
        raise UnfitError("has args, kwargs or options of another kind than Celery takes")
    notes = [f"{each} is left out" for each in options if each not in OPTIONS]
    if said.get("relative"):
        notes.append("relative is left out: an interval counts from when the trigger is made")
    fields = {
        "name": title.replace("/", "-"),
        "job": job,
        **when(said["schedule"], zone),
        "input": arguments(job, list(args), kwargs),
        **chosen(options, notes),
    }
    return fields, notes


def job_of(task: Any) -> str:
    """The last part of a task's name, of a text or of `task.name`."""
    if isinstance(task, Named) and task.name.endswith(".name"):
        task = task.name.removesuffix(".name")
    if not isinstance(task, str):
        raise UnfitError(f"its task cannot be read without running the file: {task}")
    return task.rpartition(".")[2]


def periodic(found: CalledName, zone: object, arguments: Arguments) -> tuple[dict[str, Any], list[str]]:
    given = {**dict(zip(PERIODIC, found.args, strict=False)), **found.kwargs}
    started, title = given.get("sig"), given.get("name")
    refuse_unread([title])
    if isinstance(started, Named):
        started = CalledName(f"{started.name}.s", [], {})
    if not isinstance(started, CalledName) or started.last not in SIGNATURES or "()" in started.name:
        raise UnfitError("what it starts cannot be read without running the file: give task.s(…)")
    if given.get("args") or given.get("kwargs"):
        raise UnfitError("has arguments beside those of the signature, which are not read: put them into task.s(…)")
    task = started.name.rpartition(".")[0]
    options = {name: value for name, value in given.items() if name not in PERIODIC}
    said = {"task": task, "schedule": given.get("schedule"), "args": started.args, "kwargs": started.kwargs}
    return entry(str(title) if title else job_of(task), {**said, "options": options}, zone, arguments)


def when(said: Any, zone: object) -> dict[str, Any]:
    if isinstance(said, CalledName) and said.last == "crontab":
        return {"cron": crontab(said), "zone": str(zone)}
    if isinstance(said, CalledName) and said.last == "schedule":
        if set(said.kwargs) - {"run_every"} or len(said.args) > 1:
            raise UnfitError("schedule has more than its run_every, which is not read")
        return {"every": seconds_of(said.kwargs.get("run_every", said.args[0] if said.args else None))}
    if isinstance(said, CalledName) and said.last == "solar":
        raise UnfitError("solar goes by the sun, which no trigger does: use cron for a time of day")
    if isinstance(said, Named) or (isinstance(said, CalledName) and said.last != "timedelta"):
        raise UnfitError(f"{said.name} is not known here: give a crontab, a timedelta or a number")
    return {"every": seconds_of(said)}


def crontab(said: CalledName) -> str:
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
    if (queue := options.get("queue")) is not None:
        if not isinstance(queue, str):
            raise UnfitError(f"its queue is no name: {queue}")
        fields["queue"] = queue
    if (priority := options.get("priority")) is not None:
        if isinstance(priority, bool) or not isinstance(priority, int):
            raise UnfitError(f"its priority is no whole number: {priority}")
        fields["priority"] = min(max(priority, PRIORITY_MIN), PRIORITY_MAX)
        notes.append(
            f"priority {fields['priority']}: {PRIORITY_MAX} is the most urgent, which Redis has the other way round"
        )
    if options.get("expires") is not None:
        fields["start_deadline"] = seconds_of(options["expires"])
    return fields
