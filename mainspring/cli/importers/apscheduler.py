"""APScheduler 3's jobs: calls of `add_job` and `scheduled_job`, Flask-APScheduler's `JOBS`, or the same as JSON.

Its job stores hold pickles, which run code when they are read; those are refused.
"""

import ast
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from mainspring.cli.importers.apscheduler_settings import dotted_last, shared_by_all
from mainspring.cli.importers.beat import Arguments
from mainspring.cli.importers.days import both, field, from_monday, nth
from mainspring.cli.importers.found import Collector, Found, UnfitError
from mainspring.cli.importers.source import (
    Called,
    Named,
    Source,
    instant_of,
    number,
    refuse_unread,
    seconds_of,
    zone_name,
)
from mainspring.errors import ConfigError

SQLITE = b"SQLite format 3\x00"
PICKLES = (
    "its jobs are kept as pickles, which run code when they are read, so they are not read here: import the file that"
    " adds the jobs, or write them out as JSON from within your program (the guide 'Moving from cron' has the lines)"
)
FIELDS = ("year", "month", "day", "week", "day_of_week", "hour", "minute", "second")
SMALLEST = {"year": "*", "month": "1", "day": "1", "week": "*", "day_of_week": "*", "hour": "0", "minute": "0"}
UNITS = {"weeks": 604_800, "days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}
OF_CRONTAB = ("minute", "hour", "day", "month", "day_of_week")
KINDS = {"crontrigger": "cron", "intervaltrigger": "interval", "datetrigger": "date"}
ONE_SECOND = timedelta(seconds=1)


def refuse_store(name: str) -> None:
    """Raises ConfigError for the address of a job store, or its file."""
    if "://" in name or (Path(name).is_file() and begins_with(Path(name), SQLITE)):
        raise ConfigError(f"{name.partition('@')[0]}: {PICKLES}")


def begins_with(path: Path, magic: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(magic)) == magic


def read_apscheduler(text: str, name: str, *, now: datetime, arguments: Arguments, zone: str) -> Found:
    collector = Collector(now=now)
    for line, title, said, problem in listed(text, name):
        home = str(said.pop("scheduler_zone", None) or zone)
        unread = said.pop("unread", ())
        if problem:
            collector.refuse(line, title, problem)
            continue
        try:
            fields, notes = job(said, home, arguments)
        except UnfitError as error:
            collector.refuse(line, title, str(error))
        else:
            collector.take(line, fields, text=title, notes=[*unread, *notes])
    return collector.found()


def listed(text: str, name: str) -> Iterator[tuple[int, str, dict[str, Any], str]]:
    """Line, title, what is said of the job, and why that cannot be read."""
    if name.endswith(".json"):
        yield from from_json(text, name)
        return
    source = Source(text, name)
    defaults, unread = shared_by_all(source)
    for at in sorted(jobs_in(source), key=lambda each: each.lineno):
        try:
            said = source.value(at) if isinstance(at, ast.Dict) else called(source.called(at))
        except UnfitError as error:
            yield at.lineno, source.line_text(at), {}, str(error)
        else:
            if isinstance(at, ast.Call) and dotted_last(at) == "scheduled_job":
                said.setdefault("func", decorated(source.tree, at))
            yield at.lineno, source.line_text(at), {**defaults, **said, "unread": unread}, ""


def from_json(text: str, name: str) -> Iterator[tuple[int, str, dict[str, Any], str]]:
    try:
        found = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise ConfigError(f"{name}: is no JSON: {error}") from None
    jobs = found.get("jobs") if isinstance(found, dict) else found
    if not isinstance(jobs, list) or not all(isinstance(each, dict) for each in jobs):
        raise ConfigError(f"{name}: is no list of jobs, each with func and trigger")
    defaults = found.get("job_defaults", {}) if isinstance(found, dict) else {}
    if not isinstance(defaults, dict):
        raise ConfigError(f"{name}: job_defaults is no object")
    for position, each in enumerate(jobs, start=1):
        yield position, str(each.get("id") or each.get("func")), {**defaults, **each}, ""


def jobs_in(source: Source) -> Iterator[ast.Call | ast.Dict]:
    yield from source.calls("add_job", "scheduled_job")
    for at in ast.walk(source.tree):
        if isinstance(at, ast.Dict):
            names = {key.value for key in at.keys if isinstance(key, ast.Constant)}
            if {"func", "trigger"} <= names:
                yield at


def decorated(tree: ast.AST, call: ast.Call) -> Any:
    owner = next(
        (
            at
            for at in ast.walk(tree)
            if isinstance(at, ast.FunctionDef | ast.AsyncFunctionDef) and call in at.decorator_list
        ),
        None,
    )
    return None if owner is None else Named(owner.name)


def called(call: Called) -> dict[str, Any]:
    """The call's arguments by their names."""
    first = ("func", "trigger") if call.last == "add_job" else ("trigger",)
    return {**dict(zip(first, call.args, strict=False)), **call.kwargs}


def job(said: Mapping[str, Any], zone: str, arguments: Arguments) -> tuple[dict[str, Any], list[str]]:
    func = said.get("func")
    if not isinstance(func, Named | str):
        raise UnfitError("what it calls cannot be read without running the file")
    name = (func if isinstance(func, str) else func.name).replace(":", ".").rpartition(".")[2]
    notes: list[str] = []
    refuse_unread([said.get("args"), said.get("kwargs")])
    fields = {
        "name": str(said.get("id") or name).replace("/", "-"),
        "job": name,
        **when(said, zone),
        "input": arguments(name, list(said.get("args") or ()), said.get("kwargs") or {}),
        **policies(said, notes),
    }
    if isinstance(said.get("name"), str):
        fields["description"] = said["name"]
    return fields, notes


def when(said: Mapping[str, Any], zone: str) -> dict[str, Any]:
    given = dict(said)
    trigger: Any = said.get("trigger")
    if isinstance(trigger, dict):
        given |= trigger
    if isinstance(trigger, Called):
        if trigger.last == "from_crontab":
            return from_crontab(trigger, zone)
        given = {**given, **trigger.kwargs}
        if trigger.last == "DateTrigger" and trigger.args:
            given["run_date"] = trigger.args[0]
    home = zone_name(given.get("timezone")) or zone
    bounds = bounded(given, home)
    match kind := kind_of(trigger):
        case "cron":
            return {"cron": cron(given), "zone": home, **bounds}
        case "interval":
            every = sum(number(given.get(unit, 0)) * size for unit, size in UNITS.items()) or 1
            return {"every": every, **({"anchor": bounds["start_at"]} if "start_at" in bounds else {}), **bounds}
        case "date":
            return {"at": instant_of(given.get("run_date"), home)}
        case None:
            raise UnfitError("runs once, as soon as the scheduler starts: enqueue it instead")
    raise UnfitError(f"{kind} is not known here: cron, interval and date are")


def kind_of(trigger: Any) -> Any:
    """Of a trigger that is named, described or made: `cron`, `interval`, `date`, or something else."""
    if isinstance(trigger, Called):
        return "cron" if trigger.last == "from_crontab" else KINDS.get(trigger.last.lower(), trigger.last)
    return trigger.get("type") if isinstance(trigger, dict) else trigger


def cron(given: Mapping[str, Any]) -> str:
    values = {name: given[name] for name in FIELDS if given.get(name) is not None}
    last = max((FIELDS.index(name) for name in values), default=-1)
    parts = {
        name: str(values.get(name, "*" if position < last else SMALLEST.get(name, "0")))
        for position, name in enumerate(FIELDS)
    }
    for name in ("year", "week"):
        if parts[name] != "*":
            raise UnfitError(f"goes by the {name}, which cron does not know: use start_at and end_at, or a calendar")
    day, weekday = days(parts["day"], parts["day_of_week"])
    plain = f"{field(parts['minute'])} {field(parts['hour'])} {day} {field(parts['month'])} {weekday}"
    return plain if parts["second"] == "0" else f"{field(parts['second'])} {plain}"


def days(day: str, weekday: str) -> tuple[str, str]:
    if (turn := nth(day)) is not None:
        if weekday != "*":
            raise UnfitError(f"has both the {day} and {weekday} for days: use one of them")
        return "*", turn
    return both("L" if day.strip().lower() == "last" else field(day), from_monday(field(weekday)))


def from_crontab(call: Called, zone: str) -> dict[str, Any]:
    """Its weekdays are numbered from Monday there, whatever crontab says."""
    parts = str(call.args[0]).split() if call.args else []
    if len(parts) != len(OF_CRONTAB):
        raise UnfitError("from_crontab takes five fields")
    home = zone_name(call.kwargs.get("timezone", call.args[1] if len(call.args) > 1 else None)) or zone
    minute, hour, day, month, weekday = parts
    day, weekday = both(field(day), from_monday(field(weekday)))
    return {"cron": f"{field(minute)} {field(hour)} {day} {field(month)} {weekday}", "zone": home}


def bounded(given: Mapping[str, Any], zone: str) -> dict[str, datetime]:
    """Its end is an instant at which it may still fire; ours is not."""
    found: dict[str, datetime] = {}
    if given.get("start_date") is not None:
        found["start_at"] = instant_of(given["start_date"], zone)
    if given.get("end_date") is not None:
        found["end_at"] = instant_of(given["end_date"], zone) + ONE_SECOND
    return found


def policies(said: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    instances = said.get("max_instances", 1)
    if instances == 1:
        fields["overlap"] = "allow" if kind_of(said.get("trigger")) == "date" else "skip"
    else:
        notes.append(f"max_instances {instances}: runs may overlap without a limit")
    if said.get("coalesce") is False:
        fields["misfire"] = "all"
    if said.get("misfire_grace_time") is not None:
        fields["start_deadline"] = max(seconds_of(said["misfire_grace_time"]), 1.0)
    jitter = said.get(
        "jitter", said["trigger"].kwargs.get("jitter") if isinstance(said.get("trigger"), Called) else None
    )
    if jitter:
        fields["jitter"] = seconds_of(jitter)
        notes.append("jitter only delays; it was in both directions")
    return fields
