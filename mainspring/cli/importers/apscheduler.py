"""APScheduler 3's jobs: calls of `add_job` and `scheduled_job`, Flask-APScheduler's `JOBS`, or the same as JSON.

Its job stores hold pickles, which run code when they are read; those are refused.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from mainspring.cli.importers.apscheduler_source import ADD_JOB, SourceJob, listed
from mainspring.cli.importers.beat import Arguments
from mainspring.cli.importers.days import both, field, from_monday, nth
from mainspring.cli.importers.source import (
    CalledName,
    Named,
    instant_of,
    number,
    refuse_unread,
    seconds_of,
    zone_name,
)
from mainspring.domain.imports.found import Collector, Imported, UnfitError
from mainspring.errors import ConfigError

SQLITE = b"SQLite format 3\x00"
PICKLES = (
    "its jobs are kept as pickles, which run code when they are read, so they are not read here: import the file that"
    " adds the jobs, or write them out as JSON from within your program (the guide 'Moving from cron' has the lines)"
)
FIELDS = ("year", "month", "day", "week", "day_of_week", "hour", "minute", "second")
SMALLEST = {"year": "*", "month": "1", "day": "1", "week": "*", "day_of_week": "*", "hour": "0", "minute": "0"}
UNITS = {"weeks": 604_800, "days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}
CRONTAB_FIELDS = 5
KINDS = {"crontrigger": "cron", "intervaltrigger": "interval", "datetrigger": "date", "from_crontab": "from_crontab"}
BOUNDS = ("start_date", "end_date", "timezone", "jitter")
OF_TRIGGERS = {
    "cron": (*FIELDS, *BOUNDS),
    "interval": (*UNITS, *BOUNDS),
    "date": ("run_date", "timezone"),
    "from_crontab": ("expr", "timezone"),
}
"""Their arguments, in the order of their positions."""
GRACE = (
    "APScheduler skips what it could not start within a second, unless misfire_grace_time says otherwise: here the last"
    " missed instant is made up for (misfire of the trigger), and start_deadline bounds that"
)
ONE_SECOND = timedelta(seconds=1)


def refuse_store(name: str) -> None:
    """Raises ConfigError for the address of a job store, or its file."""
    if "://" in name or (Path(name).is_file() and begins_with(Path(name), SQLITE)):
        raise ConfigError(f"{name.partition('@')[0]}: {PICKLES}")


def begins_with(path: Path, magic: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(magic)) == magic


def read_apscheduler(
    text: str, name: str, *, now: datetime, arguments: Arguments, zone: str | None = None, local: str = "UTC"
) -> Imported:
    """`zone` is for jobs that name none, `local` that of this machine, which APScheduler goes by unless told otherwise."""
    collector = Collector(now=now)
    for each in listed(text, name, zone, local):
        try:
            fields, notes = job(each, str(zone or local), arguments)
        except UnfitError as error:
            collector.refuse(each.line, each.title, str(error))
        else:
            collector.take(each.line, fields, text=each.title, notes=notes)
            if "misfire_grace_time" not in each.said:
                collector.remark(0, GRACE)
    if collector.is_empty:
        collector.refuse(1, "", "adds no job that can be read")
    return collector.found()


def job(each: SourceJob, local: str, arguments: Arguments) -> tuple[dict[str, Any], list[str]]:
    if each.problem:
        raise UnfitError(each.problem)
    said = dict(each.said)
    zone = said.pop("scheduler_zone", local)
    func = said.get("func")
    if not isinstance(func, Named | str):
        raise UnfitError("what it calls cannot be read without running the file")
    name = (func if isinstance(func, str) else func.name).replace(":", ".").rpartition(".")[2]
    plain = {key: value for key, value in said.items() if key in ADD_JOB and key not in ("func", "trigger")}
    refuse_unread([value for key, value in plain.items() if key != "next_run_time"])
    refuse_paused(said)
    kind, given = trigger_of(said)
    fields = {
        "name": str(said.get("id") or name).replace("/", "-"),
        "job": name,
        **when(kind, given, zone),
        "input": arguments(name, listed_args(said.get("args")), said.get("kwargs") or {}),
        **policies(said, kind),
    }
    if jitter := given.get("jitter"):
        fields["jitter"] = seconds_of(jitter)
    if isinstance(said.get("name"), str):
        fields["description"] = said["name"]
    return fields, notes_on(said, given)


def listed_args(args: Any) -> list[Any]:
    if args is not None and not isinstance(args, list | tuple):
        raise UnfitError("its args are no list")
    return list(args or ())


def refuse_paused(said: Mapping[str, Any]) -> None:
    """Raises UnfitError for a job that would not run: a trigger is made active."""
    if "next_run_time" in said and said["next_run_time"] is None:
        raise UnfitError("is paused (next_run_time is None), and a trigger begins active: resume it, or leave it out")


def notes_on(said: Mapping[str, Any], given: Mapping[str, Any]) -> list[str]:
    notes = []
    if (instances := said.get("max_instances", 1)) != 1:
        notes.append(f"max_instances {instances}: runs may overlap without a limit")
    if given.get("jitter"):
        notes.append("jitter only delays; it was in both directions")
    if said.get("next_run_time") is not None:
        notes.append("next_run_time is left out: it first runs when its trigger says")
    for alias, instead in (
        ("executor", "a job's pool says where it runs"),
        ("jobstore", "all triggers are in one store"),
    ):
        if said.get(alias, "default") != "default":
            notes.append(f"{alias} {said[alias]} is left out: {instead}")
    return notes


def trigger_of(said: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The kind of trigger, and everything that is said of it by name. Raises UnfitError."""
    trigger: Any = said.get("trigger")
    given = {key: value for key, value in said.items() if key not in ADD_JOB}
    kind = kind_of(trigger)
    if kind is None:
        raise UnfitError("runs once, as soon as the scheduler starts: enqueue it instead")
    if not isinstance(kind, str) or kind not in OF_TRIGGERS:
        raise UnfitError(f"{kind} is not known here: cron, interval and date are")
    if isinstance(trigger, dict):
        given |= {key: value for key, value in trigger.items() if key != "type"}
    if isinstance(trigger, CalledName):
        if len(trigger.args) > len(OF_TRIGGERS[kind]):
            raise UnfitError(f"{trigger.last} has more arguments by position than are known here")
        given |= {**dict(zip(OF_TRIGGERS[kind], trigger.args, strict=False)), **trigger.kwargs}
    if unknown := sorted(set(given) - set(OF_TRIGGERS[kind])):
        raise UnfitError(f"has {unknown[0]!r}, which is not known here of {kind}")
    return kind, given


def when(kind: str, given: Mapping[str, Any], zone: object) -> dict[str, Any]:
    home = zone_name(given.get("timezone")) or zone
    if kind == "from_crontab":
        return {"cron": from_crontab(given.get("expr")), "zone": str(home)}
    if kind == "date":
        return {"at": instant_of(given.get("run_date"), str(home))}
    bounds = bounded(given, home)
    if kind == "cron":
        return {"cron": cron(given), "zone": str(home), **bounds}
    every = sum(number(given.get(unit) or 0) * size for unit, size in UNITS.items()) or 1
    return {"every": every, **({"anchor": bounds["start_at"]} if "start_at" in bounds else {}), **bounds}


def kind_of(trigger: Any) -> Any:
    """Of a trigger that is named, described or made: `cron`, `interval`, `date`, or something else."""
    if isinstance(trigger, CalledName):
        return KINDS.get(trigger.last.lower(), trigger.last)
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


def from_crontab(expression: Any) -> str:
    """The weekdays, which APScheduler numbers from Monday."""
    parts = expression.split() if isinstance(expression, str) else []
    if len(parts) != CRONTAB_FIELDS:
        raise UnfitError("from_crontab takes a text of five fields")
    minute, hour, day, month, weekday = parts
    day, weekday = both(field(day), from_monday(field(weekday)))
    return f"{field(minute)} {field(hour)} {day} {field(month)} {weekday}"


def bounded(given: Mapping[str, Any], zone: object) -> dict[str, datetime]:
    """Its end is an instant at which it may still fire; ours is not."""
    found: dict[str, datetime] = {}
    if given.get("start_date") is not None:
        found["start_at"] = instant_of(given["start_date"], str(zone))
    if given.get("end_date") is not None:
        found["end_at"] = instant_of(given["end_date"], str(zone)) + ONE_SECOND
    return found


def policies(said: Mapping[str, Any], kind: str) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if said.get("max_instances", 1) == 1:
        fields["overlap"] = "allow" if kind == "date" else "skip"
    if said.get("coalesce") is False:
        fields["misfire"] = "all"
    if said.get("misfire_grace_time") is not None:
        fields["start_deadline"] = max(seconds_of(said["misfire_grace_time"]), 1.0)
    return fields
