"""Every write through the API is in the audit log, under the name of who made it."""

import inspect
import uuid
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from fastapi.routing import APIRoute

from mainspring.api.app import create_app
from mainspring.api.engine_gate import Seat
from mainspring.clock import SystemClock
from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.bulk.operation import Sweep, SweepAct, SweepFilter, SweepId, SweepState, sweep_entry
from mainspring.domain.ids import Ids, RunId, id_text
from mainspring.settings import ServerSettings
from mainspring.store.interface import AuditFilter
from tests.api.conftest import Server
from tests.api.test_dead import dead
from tests.factories import session

pytestmark = pytest.mark.asyncio(loop_scope="module")

READING = {"GET", "HEAD", "OPTIONS"}
ACTOR = "MAINSPRING_API_TOKEN"
ANY_VERSION = {"if-match": "*"}
TRIGGER = {"job": "open", "when": {"kind": "interval", "every": 3600}}

UNAUDITED = {
    "POST /api/v1/runs": "a run carries who asked for it, as created_by",
    "POST /api/v1/jobs/{name}/runs": "the same",
    "POST /api/v1/triggers/preview": "nothing is written",
    "POST /api/v1/calendars/{name}/preview": "the same",
    "POST /api/v1/triggers/{name}/test": "nothing is written",
    "POST /api/v1/events": "a run carries its trigger, as created_by",
    "POST /hooks/{id}": "the same",
}
"""Writes that are recorded elsewhere, and where."""

ids = Ids()

Sample = Callable[[Server], Awaitable[tuple[str, object]]]
"""Prepares the ground for one good call; returns its path and its body."""


def name_of(route: APIRoute) -> str:
    return f"{'/'.join(sorted(route.methods or ()))} {route.path}"


WRITING = [
    route
    for route in create_app(Seat(), ServerSettings()).routes
    if isinstance(route, APIRoute) and not (route.methods or set()) <= READING and name_of(route) not in UNAUDITED
]


async def made_token(server: Server) -> str:
    answer = await server.http.post("/api/v1/tokens", json={"name": "sample", "role": "viewer"})
    token: str = answer.json()["token"]["id"]
    return token


async def create_token(_server: Server) -> tuple[str, object]:
    return "/api/v1/tokens", {"name": "sample", "role": "viewer"}


async def rotate_token(server: Server) -> tuple[str, object]:
    return f"/api/v1/tokens/{await made_token(server)}/rotate", {"overlap": 60}


async def revoke_token(server: Server) -> tuple[str, object]:
    return f"/api/v1/tokens/{await made_token(server)}/revoke", None


async def create_namespace(_server: Server) -> tuple[str, object]:
    return "/api/v1/namespaces", {"name": "sample"}


async def delete_namespace(server: Server) -> tuple[str, object]:
    await server.http.post("/api/v1/namespaces", json={"name": "short-lived"})
    return "/api/v1/namespaces/short-lived", None


async def cancel_run(server: Server) -> tuple[str, object]:
    return f"/api/v1/runs/{(await server.post({'job': 'open'})).json()['id']}/cancel", {"reason": "sample"}


async def cancel_runs(server: Server) -> tuple[str, object]:
    return "/api/v1/runs/cancel", {"runs": [(await server.post({"job": "open"})).json()["id"]]}


async def retry_run(server: Server) -> tuple[str, object]:
    path, _ = await cancel_run(server)
    await server.http.post(path)
    return path.replace("/cancel", "/retry"), None


async def suspend_run(server: Server) -> tuple[str, object]:
    return f"/api/v1/runs/{(await server.post({'job': 'open'})).json()['id']}/suspend", {"reason": "sample"}


async def resume_run(server: Server) -> tuple[str, object]:
    path, _ = await suspend_run(server)
    await server.http.post(path)
    return path.replace("/suspend", "/resume"), None


async def discard_run(server: Server) -> tuple[str, object]:
    return f"/api/v1/runs/{await dead(server, 'a sample')}/discard", {"reason": "sample"}


async def create_sweep(_server: Server) -> tuple[str, object]:
    return "/api/v1/sweeps", {"act": "cancel", "filter": {"job": "no such job"}}


async def cancel_sweep(server: Server) -> tuple[str, object]:
    now = server.scheduler._clock.now()
    sweep = Sweep(
        id=SweepId(ids.runs(1, now)[0]),
        namespace="default",
        act=SweepAct.RETRY,
        filter=SweepFilter(),
        actor=SYSTEM,
        state=SweepState.CANARIES,
        tried=(RunId((await made_run(server)).bytes),),
        created_at=now,
        moved_at=now,
    )
    await server.store.sweeps.create(sweep, sweep_entry("sweep.create", sweep, actor=SYSTEM, now=now, reason=""))
    return f"/api/v1/sweeps/{id_text(sweep.id)}/cancel", {"reason": "sample"}


async def made_run(server: Server) -> uuid.UUID:
    return uuid.UUID((await server.post({"job": "open"})).json()["id"])


async def made_job(server: Server, name: str) -> str:
    path = f"/api/v1/jobs/{name}"
    await server.http.put(path, json={"handler": "open"})
    return path


async def put_job(server: Server) -> tuple[str, object]:
    return await made_job(server, "put"), {"handler": "open", "queue": "sample"}


async def change_job(server: Server) -> tuple[str, object]:
    return await made_job(server, "changed"), {"queue": "sample"}


async def delete_job(server: Server) -> tuple[str, object]:
    return await made_job(server, "deleted"), None


async def roll_back_job(server: Server) -> tuple[str, object]:
    path = await made_job(server, "rolled-back")
    await server.http.patch(path, json={"queue": "sample"}, headers=ANY_VERSION)
    return f"{path}/rollback", {"version": 1}


async def executor_at(server: Server, verb: str) -> tuple[str, object]:
    await server.store.cluster.open_session(session("sample"), now=SystemClock().now())
    return f"/api/v1/executors/sample/{verb}", {"reason": "sample"}


async def cordon_executor(server: Server) -> tuple[str, object]:
    return await executor_at(server, "cordon")


async def drain_executor(server: Server) -> tuple[str, object]:
    return await executor_at(server, "drain")


async def uncordon_executor(server: Server) -> tuple[str, object]:
    path, _ = await executor_at(server, "cordon")
    await server.http.post(path)
    return path.replace("/cordon", "/uncordon"), None


async def queue_at(server: Server, verb: str) -> str:
    await server.post({"job": "open", "queue": "sample"})
    return f"/api/v1/queues/sample/{verb}"


async def pause_queue(server: Server) -> tuple[str, object]:
    return await queue_at(server, "pause"), {"reason": "sample"}


async def resume_queue(server: Server) -> tuple[str, object]:
    await server.http.post(await queue_at(server, "pause"))
    return await queue_at(server, "resume"), None


async def set_budget(server: Server) -> tuple[str, object]:
    return await queue_at(server, "budget"), {"max_queued": None}


async def set_namespace_budget(_server: Server) -> tuple[str, object]:
    return "/api/v1/namespaces/default/budget", {"max_queued": None}


async def made_calendar(server: Server, name: str) -> str:
    await server.http.put(f"/api/v1/calendars/{name}", json={"weekdays": ["sat"]})
    return f"/api/v1/calendars/{name}"


async def put_calendar(server: Server) -> tuple[str, object]:
    return await made_calendar(server, "put"), {"weekdays": ["sun"]}


async def delete_calendar(server: Server) -> tuple[str, object]:
    return await made_calendar(server, "deleted"), None


async def import_ics(server: Server) -> tuple[str, object]:
    event = "BEGIN:VEVENT\nDTSTART:20301224\nEND:VEVENT\n"
    return f"{await made_calendar(server, 'imported')}/import", {"ics": f"BEGIN:VCALENDAR\n{event}END:VCALENDAR\n"}


async def made_trigger(server: Server, name: str, verb: str = "") -> str:
    path = f"/api/v1/triggers/{name}"
    await server.http.put(path, json=TRIGGER)
    return f"{path}{verb}"


async def put_trigger(server: Server) -> tuple[str, object]:
    return await made_trigger(server, "put"), {**TRIGGER, "priority": 8}


async def delete_trigger(server: Server) -> tuple[str, object]:
    return await made_trigger(server, "deleted"), None


async def pause_trigger(server: Server) -> tuple[str, object]:
    return await made_trigger(server, "paused", "/pause"), {"reason": "sample"}


async def resume_trigger(server: Server) -> tuple[str, object]:
    await server.http.post(await made_trigger(server, "resumed", "/pause"))
    return "/api/v1/triggers/resumed/resume", None


async def skip_next(server: Server) -> tuple[str, object]:
    return await made_trigger(server, "skipped", "/skip-next"), None


async def fire_trigger(server: Server) -> tuple[str, object]:
    return await made_trigger(server, "fired", "/fire"), None


async def create_backfill(server: Server) -> tuple[str, object]:
    since = (SystemClock().now() - timedelta(hours=3)).isoformat()
    return await made_trigger(server, "filled", "/backfills"), {"since": since}


async def cancel_backfill(server: Server) -> tuple[str, object]:
    path, body = await create_backfill(server)
    return f"/api/v1/backfills/{(await server.http.post(path, json=body)).json()['id']}/cancel", {"reason": "sample"}


async def apply_triggers(_server: Server) -> tuple[str, object]:
    return "/api/v1/triggers/apply", {"owner": "sample", "triggers": [{"name": "applied", **TRIGGER}]}


async def load_triggers(_server: Server) -> tuple[str, object]:
    return "/api/v1/triggers/bulk", [{"name": "loaded", **TRIGGER}]


async def rotate_secret(server: Server) -> tuple[str, object]:
    path = "/api/v1/triggers/opened"
    await server.http.put(path, json={"job": "open", "when": {"kind": "webhook"}})
    return f"{path}/secret", {"grace": 60}


SAMPLES: dict[str, Sample] = {
    "POST /api/v1/triggers/{name}/secret": rotate_secret,
    "PUT /api/v1/calendars/{name}": put_calendar,
    "DELETE /api/v1/calendars/{name}": delete_calendar,
    "POST /api/v1/calendars/{name}/import": import_ics,
    "PUT /api/v1/triggers/{name}": put_trigger,
    "DELETE /api/v1/triggers/{name}": delete_trigger,
    "POST /api/v1/triggers/{name}/pause": pause_trigger,
    "POST /api/v1/triggers/{name}/resume": resume_trigger,
    "POST /api/v1/triggers/{name}/skip-next": skip_next,
    "POST /api/v1/triggers/{name}/fire": fire_trigger,
    "POST /api/v1/triggers/{name}/backfills": create_backfill,
    "POST /api/v1/backfills/{id}/cancel": cancel_backfill,
    "POST /api/v1/triggers/bulk": load_triggers,
    "POST /api/v1/triggers/apply": apply_triggers,
    "POST /api/v1/queues/{name}/pause": pause_queue,
    "POST /api/v1/queues/{name}/resume": resume_queue,
    "PUT /api/v1/queues/{name}/budget": set_budget,
    "PUT /api/v1/namespaces/{name}/budget": set_namespace_budget,
    "PUT /api/v1/jobs/{name}": put_job,
    "PATCH /api/v1/jobs/{name}": change_job,
    "DELETE /api/v1/jobs/{name}": delete_job,
    "POST /api/v1/jobs/{name}/rollback": roll_back_job,
    "POST /api/v1/executors/{name}/cordon": cordon_executor,
    "POST /api/v1/executors/{name}/uncordon": uncordon_executor,
    "POST /api/v1/executors/{name}/drain": drain_executor,
    "POST /api/v1/runs/cancel": cancel_runs,
    "POST /api/v1/runs/{id}/cancel": cancel_run,
    "POST /api/v1/runs/{id}/retry": retry_run,
    "POST /api/v1/runs/{id}/suspend": suspend_run,
    "POST /api/v1/runs/{id}/resume": resume_run,
    "POST /api/v1/runs/{id}/discard": discard_run,
    "POST /api/v1/sweeps": create_sweep,
    "POST /api/v1/sweeps/{id}/cancel": cancel_sweep,
    "POST /api/v1/tokens": create_token,
    "POST /api/v1/tokens/{id}/rotate": rotate_token,
    "POST /api/v1/tokens/{id}/revoke": revoke_token,
    "POST /api/v1/namespaces": create_namespace,
    "DELETE /api/v1/namespaces/{name}": delete_namespace,
}


@pytest.mark.parametrize("route", WRITING, ids=name_of)
async def test_a_writing_route_knows_who_acts(route: APIRoute) -> None:
    source = inspect.getsource(inspect.unwrap(route.endpoint))

    assert "actor_of(request)" in source or "grant_of(request)" in source


@pytest.mark.parametrize("route", WRITING, ids=name_of)
async def test_a_write_is_in_the_log(server: Server, route: APIRoute) -> None:
    sample = SAMPLES.get(name_of(route))
    assert sample is not None, f"add a sample call of {name_of(route)} here"
    path, body = await sample(server)
    before = await positions(server)
    [method] = route.methods or set()
    answer = await server.http.request(method, path, headers=ANY_VERSION, json=body)
    written = {position: actor for position, actor in (await positions(server)).items() if position not in before}

    assert answer.is_success, answer.text
    assert set(written.values()) == {ACTOR}


async def positions(server: Server) -> dict[int, str]:
    """Everything in the log, and who did it."""
    return {position: entry.actor.name for position, entry in await server.store.audit.list(AuditFilter(limit=10_000))}


@pytest.mark.parametrize("route", WRITING, ids=name_of)
async def test_a_refused_write_leaves_no_trace(server: Server, route: APIRoute) -> None:
    before = await positions(server)
    path = route.path
    for parameter in route.param_convertors:
        path = path.replace(f"{{{parameter}}}", "01900000-0000-7000-8000-000000000000")
    [method] = route.methods or set()
    answer = await server.http.request(method, path, headers={"authorization": ""})

    assert answer.status_code == 401
    assert await positions(server) == before


async def test_the_list_of_unaudited_writes_is_true() -> None:
    known = {name_of(route) for route in create_app(Seat(), ServerSettings()).routes if isinstance(route, APIRoute)}

    assert set(UNAUDITED) <= known
    assert set(SAMPLES) <= known
