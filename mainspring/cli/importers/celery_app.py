"""Celery beat's entries as a running app has them: imported, configured and asked, instead of read."""

import contextlib
import importlib
import inspect
import sys
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

from mainspring.cli.importers.beat import FIELDS, entry
from mainspring.cli.importers.source import CalledName
from mainspring.domain.imports.found import Collector, Imported, UnfitError
from mainspring.errors import ConfigError

OF_TASKS = ("rate_limit", "time_limit", "soft_time_limit", "autoretry_for", "expires", "ignore_result")
"""Options of a task that a trigger cannot have."""
PLAIN = (str, int, float, bool, type(None))


def load_app(named: str) -> Any:
    """Import MODULE:APP and configure it as beat would. Raises ConfigError."""
    module, _, name = named.partition(":")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        # The output belongs to the triggers, whatever the app prints.
        with contextlib.redirect_stdout(sys.stderr):
            app = getattr(importlib.import_module(module), name or "app")
            app.loader.import_default_modules()
            app.finalize()
            assert app.conf.beat_schedule is not None
    except Exception as error:  # noqa: BLE001 any error of a foreign program
        raise ConfigError(f"{named}: cannot be loaded as a Celery app: {type(error).__name__}: {error}") from None
    return app


def read_app(app: Any, *, now: datetime, zone: str | None = None, known: Callable[[str], Any]) -> Imported:
    """`known` gives the Mainspring job of a name, if an app was named."""
    collector = Collector(now=now)
    for title, said in sorted(app.conf.beat_schedule.items()):
        try:
            fields, notes = loaded(app, str(title), said, zone, known)
        except UnfitError as error:
            collector.refuse(0, str(title), str(error))
        else:
            collector.take(0, fields, text=str(title), notes=notes)
    return collector.found()


def loaded(
    app: Any, title: str, said: Any, zone: str | None, known: Callable[[str], Any]
) -> tuple[dict[str, Any], list[str]]:
    given = dict(said) if isinstance(said, Mapping) else {name: getattr(said, name) for name in ("task", "schedule")}
    if not isinstance(said, Mapping):
        given |= {name: getattr(said, name) for name in ("args", "kwargs", "options")}
    task = app.tasks.get(str(given.get("task")))
    notes = [] if task is not None else [f"{given.get('task')} is no task of this app"]
    notes += [f"{name} of the task is left out: {value}" for name in OF_TASKS if (value := getattr(task, name, None))]
    args, kwargs = list(given.get("args") or ()), dict(given.get("kwargs") or {})
    refuse_foreign([args, kwargs])
    options = routed(app, str(given["task"]), dict(given.get("options") or {}), args, kwargs)
    whole = {**given, "schedule": plain(given.get("schedule")), "args": args, "kwargs": kwargs, "options": options}

    def by_name(job: str, by_place: list[Any], more: Mapping[str, Any]) -> dict[str, Any]:
        return named(known(job), task, by_place, more)

    fields, more = entry(title, whole, zone or CeleryZone(app), by_name)
    return fields, [*notes, *more]


def plain(said: Any) -> Any:
    """A schedule as a file would write it; only Celery's own classes are known to do nothing else."""
    kind = type(said)
    if kind.__module__ != "celery.schedules" or kind.__name__ == "solar":
        if isinstance(said, timedelta):
            return said.total_seconds()
        return said if isinstance(said, int | float) else CalledName(kind.__name__, [], {})
    if said.nowfun is not None:
        raise UnfitError("has a clock of its own (nowfun)")
    if kind.__name__ == "crontab":
        return CalledName("crontab", [], {name: getattr(said, f"_orig_{name}") for name in FIELDS})
    if said.relative:
        raise UnfitError("is relative to the start of the day or hour: use a crontab")
    return said.run_every.total_seconds()


def routed(app: Any, task: str, options: dict[str, Any], args: list[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The options, with the queue that the app's routes choose; the default queue is left to the job."""
    if options.get("queue") is not None:
        return {**options, "queue": getattr(options["queue"], "name", options["queue"])}
    try:
        route = app.amqp.router.route({}, task, tuple(args), kwargs)
    except Exception as error:  # noqa: BLE001 a route may be any code
        raise UnfitError(f"its route cannot be asked: {error}") from None
    queue = route.get("queue")
    name = getattr(queue, "name", queue)
    return options if name in (None, app.conf.task_default_queue) else {**options, "queue": str(name)}


def named(job: Any, task: Any, args: list[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments by the names that the job has for them, or else the task's function."""
    if not args:
        return dict(kwargs)
    if job is not None:
        names = [parameter.name for parameter in job.signature.arguments]
    elif task is not None:
        parameters = inspect.signature(task.run).parameters.values()
        names = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    else:
        raise UnfitError("passes arguments by position, whose names are not known: --app names them, or use kwargs")
    if len(args) > len(names):
        raise UnfitError(f"passes {len(args)} arguments by position, and {len(names)} have names")
    return {**dict(zip(names, args, strict=False)), **kwargs}


def refuse_foreign(value: Any) -> None:
    """Raises UnfitError for an argument that is no plain value, such as one that is computed for each run."""
    if isinstance(value, list | tuple):
        for inner in value:
            refuse_foreign(inner)
    elif isinstance(value, dict):
        for key, inner in value.items():
            refuse_foreign([key, inner] if not isinstance(key, str) else inner)
    elif not isinstance(value, PLAIN):
        raise UnfitError(f"has an argument that is no plain value: {value!r:.50}")


class CeleryZone:
    """The zone that the app goes by, asked for by the entries that need one."""

    def __init__(self, app: Any) -> None:
        self._app = app

    def __str__(self) -> str:
        found: tzinfo = self._app.timezone
        name = getattr(found, "key", None) or getattr(found, "zone", None)
        if name is None and found.utcoffset(None) == timedelta(0):
            name = "UTC"
        if not isinstance(name, str):
            raise UnfitError("the app goes by the zone of a machine, or by one without a name: say --zone")
        return name
