"""Serves searches over everything by name, id and mark, changes that explain a chart, and settings."""

import os
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from datetime import timedelta

import msgspec

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.json_io import parse_instant
from mainspring.contract.insights import lookups
from mainspring.contract.insights.lookups import FoundThing
from mainspring.domain.ids import id_text, ids_from
from mainspring.domain.insights.marks import mark_of
from mainspring.domain.runs.run import KEY_MAX
from mainspring.domain.triggers.describe import say
from mainspring.domain.workflows.spec import HANDLER as WORKFLOW_HANDLER
from mainspring.errors import InvalidInputError
from mainspring.settings import ServerSettings
from mainspring.settings.origins import hidden
from mainspring.store.interface import AuditFilter, PresenceFilter, RunFilter
from mainspring.store.interface.jobs import JobFilter
from mainspring.store.interface.triggers import TriggerFilter

EACH = 5
QUEUES_READ, EXECUTORS_READ = 1000, 200
MARKS_READ = 500
DAY = timedelta(days=1)
ID_PART = re.compile("[0-9a-f-]{4,36}", re.IGNORECASE)

router = Routes()


@router.bind(lookups.SEARCH)
async def search(call: Call, query: lookups.SearchQuery) -> lookups.SearchInfo:
    wanted = query.q.strip()
    if "\x00" in wanted:
        return lookups.SearchInfo([])
    return lookups.SearchInfo([one async for one in found_runs(call, wanted)] + await found_names(call, wanted))


async def found_runs(call: Call, wanted: str) -> AsyncIterator[FoundThing]:
    """By the indexes of runs only: nothing is scanned."""
    seen = set()
    for query in run_filters(call.namespace, wanted):
        for run in (await call.engine.list(query)).runs:
            if run.id not in seen:
                seen.add(run.id)
                yield FoundThing(kind="run", name=id_text(run.id), note=f"{run.job} {run.state.label}")


def run_filters(namespace: str, wanted: str) -> Iterator[RunFilter]:
    if wanted.startswith("#"):
        yield RunFilter(namespace=namespace, tags=(wanted[1:],), limit=EACH)
        return
    key, equals, value = wanted.partition("=")
    if equals and key and value:
        yield RunFilter(namespace=namespace, labels={key: value}, limit=EACH)
        return
    if ID_PART.fullmatch(wanted):
        # What only looks like the beginning of an id may still be a key.
        with suppress(InvalidInputError):
            yield RunFilter(namespace=namespace, ids=ids_from(wanted.lower(), field="q"), limit=EACH)
    if len(wanted) <= KEY_MAX:
        yield RunFilter(namespace=namespace, key=wanted, limit=EACH)


async def found_names(call: Call, wanted: str) -> list[FoundThing]:
    engine, namespace = call.engine, call.namespace
    jobs = await engine.jobs.list(JobFilter(namespace=namespace, prefix=wanted, limit=EACH))
    triggers = await engine.triggers.list(TriggerFilter(namespace=namespace, prefix=wanted, limit=EACH))
    queues = await engine.queues.page(namespace, after="", limit=QUEUES_READ)
    executors = await engine.executors.list(PresenceFilter(namespace=namespace, limit=EXECUTORS_READ))
    kind = {WORKFLOW_HANDLER: "workflow"}
    found = [FoundThing(kind=kind.get(job.spec.handler, "job"), name=job.name, note=job.spec.queue) for job in jobs]
    found += [FoundThing(kind="trigger", name=one.name, note=say(one.spec)) for one in triggers]
    found += [FoundThing(kind="queue", name=one.name) for one in queues if one.name.startswith(wanted)][:EACH]
    sessions = [one.session for one in executors if one.session.executor.startswith(wanted)][:EACH]
    return found + [FoundThing(kind="executor", name=one.executor, note=one.abilities.host) for one in sessions]


@router.bind(lookups.GET_MARKS)
async def get_marks(call: Call, query: lookups.MarksQuery) -> lookups.MarkList:
    since = parse_instant("since", query.since) or call.now - DAY
    entries = await call.engine.access.audit(AuditFilter(namespace=call.namespace, since=since, limit=MARKS_READ))
    marks = [
        lookups.MarkInfo(
            at=entry.at, kind=kind, subject=f"{entry.kind} {entry.key}", act=entry.act, by=entry.actor.name
        )
        for _, entry in reversed(entries)
        if (kind := mark_of(entry)) is not None
    ]
    return lookups.MarkList(marks, len(entries) < MARKS_READ)


@router.bind(lookups.GET_SETTINGS)
async def get_settings(call: Call) -> lookups.SettingList:
    settings: ServerSettings = call.request.app.state.settings
    return lookups.SettingList([*show_settings(settings)])


def show_settings(section: msgspec.Struct, table: str = "") -> Iterator[lookups.SettingInfo]:
    """One section after the other, and within it the fields in the order in which the reference has them."""
    assert isinstance(section, ServerSettings) or table
    prefix, secrets = type(section).prefix, type(section).secrets  # type: ignore[attr-defined]
    for field in msgspec.structs.fields(section):
        value = getattr(section, field.name)
        if isinstance(value, msgspec.Struct):
            yield from show_settings(value, field.name)
            continue
        shown = hidden(value) if field.name in secrets else value
        yield lookups.SettingInfo(
            name=f"{table}.{field.name}" if table else field.name,
            value="" if shown is None else str(shown),
            origin=origin_of(prefix + field.name.upper(), is_default=value == field.default),
            variable=prefix + field.name.upper(),
        )


def origin_of(variable: str, *, is_default: bool) -> str:
    if variable in os.environ or f"{variable}_FILE" in os.environ:
        return variable
    return "default" if is_default else "flag or file"
