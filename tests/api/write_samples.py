"""A good call of every route that writes."""

import uuid
from collections.abc import Awaitable, Callable
from datetime import timedelta

from mainspring.clock import SystemClock
from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.bulk.operation import Sweep, SweepAct, SweepFilter, SweepId, SweepState, sweep_entry
from mainspring.domain.ids import Ids, RunId, id_text
from tests.api.alert_samples import ALERT_SAMPLES
from tests.api.batch_samples import BATCHES
from tests.api.conftest import Server
from tests.api.failure_samples import FAILURE_SAMPLES
from tests.api.queue_samples import QUEUE_SAMPLES
from tests.api.test_dead import dead
from tests.api.view_samples import VIEW_SAMPLES
from tests.factories import server_info, session

ANY_VERSION = {"if-match": "*"}
WORKFLOW = {"steps": {"first": {"job": "open"}, "second": {"job": "open", "after": ["first"]}}}
TRIGGER = {"job": "open", "when": {"kind": "interval", "every": 3600}}

ids = Ids()

Sample = Callable[[Server], Awaitable[tuple[str, object]]]
"""Prepares the ground for one good call; returns its path and its body."""


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


async def made_user(server: Server) -> str:
    name = f"sample-{uuid.uuid4()}"
    await server.http.post("/api/v1/users", json={"name": name, "roles": {"default": "viewer"}})
    return name


async def create_user(_server: Server) -> tuple[str, object]:
    return "/api/v1/users", {"name": f"sample-{uuid.uuid4()}", "roles": {"*": "viewer"}}


async def change_user(server: Server) -> tuple[str, object]:
    return f"/api/v1/users/{await made_user(server)}", {"disabled": True}


async def delete_user(server: Server) -> tuple[str, object]:
    return f"/api/v1/users/{await made_user(server)}", None


async def invite_user(server: Server) -> tuple[str, object]:
    return f"/api/v1/users/{await made_user(server)}/invite", None


async def end_sign_ins(server: Server) -> tuple[str, object]:
    return f"/api/v1/users/{await made_user(server)}/sign-ins/end", None


async def create_namespace(_server: Server) -> tuple[str, object]:
    return "/api/v1/namespaces", {"name": "sample"}


async def delete_namespace(server: Server) -> tuple[str, object]:
    await server.http.post("/api/v1/namespaces", json={"name": "short-lived"})
    return "/api/v1/namespaces/short-lived", None


async def cancel_run(server: Server) -> tuple[str, object]:
    return f"/api/v1/runs/{(await server.post({'job': 'open'})).json()['id']}/cancel", {"reason": "sample"}


async def cancel_runs(server: Server) -> tuple[str, object]:
    return "/api/v1/runs/cancel", {"runs": [(await server.post({"job": "open"})).json()["id"]]}


async def change_runs(server: Server) -> tuple[str, object]:
    run = (await server.post({"job": "open", "delay": 3600})).json()["id"]
    return "/api/v1/runs/change", {"runs": [run], "priority": 9}


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
    await server.store.bulk.save(sweep, sweep_entry("sweep.create", sweep, actor=SYSTEM, now=now, reason=""))
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


async def drain_server(server: Server) -> tuple[str, object]:
    now = SystemClock().now()
    other = server_info("sample", lease_until=now + timedelta(minutes=1))
    await server.store.cluster.join(other, now=now)
    return "/api/v1/servers/sample/drain", {"reason": "sample"}


async def resume_server(server: Server) -> tuple[str, object]:
    path, body = await drain_server(server)
    await server.http.post(path, json=body)
    return path.replace("drain", "resume"), body


async def cordon_executor(server: Server) -> tuple[str, object]:
    return await executor_at(server, "cordon")


async def drain_executor(server: Server) -> tuple[str, object]:
    return await executor_at(server, "drain")


async def resize_executor(server: Server) -> tuple[str, object]:
    path, _ = await executor_at(server, "pools")
    return path, {"pools": {"loop": {"core": 0, "max": 2, "queue": 1}}, "reason": "sample"}


async def uncordon_executor(server: Server) -> tuple[str, object]:
    path, _ = await executor_at(server, "cordon")
    await server.http.post(path)
    return path.replace("/cordon", "/uncordon"), None


async def set_namespace_budget(_server: Server) -> tuple[str, object]:
    return "/api/v1/namespaces/default/budget", {"max_queued": None}


async def pause_job(server: Server) -> tuple[str, object]:
    return f"{await made_job(server, 'halted')}/pause", {"reason": "sample"}


async def resume_job(server: Server) -> tuple[str, object]:
    path, _ = await pause_job(server)
    await server.http.post(path)
    return path.replace("/pause", "/resume"), None


async def pause_namespace(_server: Server) -> tuple[str, object]:
    return "/api/v1/namespaces/other/pause", {"reason": "sample"}


async def resume_namespace(server: Server) -> tuple[str, object]:
    await server.http.post("/api/v1/namespaces/other/pause")
    return "/api/v1/namespaces/other/resume", None


async def set_maintenance(server: Server) -> tuple[str, object]:
    await server.http.put("/api/v1/maintenance", json={"on": True})
    return "/api/v1/maintenance", {"on": False}


async def set_limit(_server: Server) -> tuple[str, object]:
    return "/api/v1/limits/erp", {"at_once": 5}


async def delete_limit(server: Server) -> tuple[str, object]:
    await server.http.put("/api/v1/limits/gone", json={"rate": "3/m"})
    return "/api/v1/limits/gone", None


async def set_job_key(server: Server) -> tuple[str, object]:
    path = "/api/v1/jobs/keyed"
    await server.http.put(path, json={"handler": "open", "policy": {"at_once": 1, "limit_key": ["customer"]}})
    return f"{path}/keys/42", {"at_once": 3}


async def set_limit_key(server: Server) -> tuple[str, object]:
    await server.http.put("/api/v1/limits/tenant", json={"at_once": 5, "key": ["tenant"]})
    shared = {"handler": "open", "policy": {"limits": [{"name": "tenant"}]}}
    await server.http.put("/api/v1/jobs/sharing", json=shared)
    return "/api/v1/limits/tenant/keys/acme", {"at_once": 20}


async def set_breaker(_server: Server) -> tuple[str, object]:
    return "/api/v1/breakers/sms", {"min_calls": 5}


async def delete_breaker(server: Server) -> tuple[str, object]:
    await server.http.put("/api/v1/breakers/gone", json={})
    return "/api/v1/breakers/gone", None


def steer_breaker(verb: str) -> Sample:
    async def sample(server: Server) -> tuple[str, object]:
        await server.http.put("/api/v1/breakers/steered", json={})
        if verb == "resume":
            await server.http.post("/api/v1/breakers/steered/disable")
        return f"/api/v1/breakers/steered/{verb}", {"reason": "drill"}

    return sample


async def set_queue_limit(_server: Server) -> tuple[str, object]:
    return "/api/v1/queues/sample/limit", {"at_once": 5000}


async def delete_queue_limit(server: Server) -> tuple[str, object]:
    await server.http.put("/api/v1/queues/gone/limit", json={"at_once": 5})
    return "/api/v1/queues/gone/limit", None


async def set_namespace_limit(_server: Server) -> tuple[str, object]:
    return "/api/v1/namespaces/other/limit", {"at_once": 5}


async def delete_namespace_limit(server: Server) -> tuple[str, object]:
    await server.http.put("/api/v1/namespaces/other/limit", json={"at_once": 5})
    return "/api/v1/namespaces/other/limit", None


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


async def spread_triggers(server: Server) -> tuple[str, object]:
    await server.http.post("/api/v1/triggers/bulk", json=[{"name": "together", **TRIGGER}])
    return "/api/v1/triggers/spread", {"names": ["together"], "over": 600}


async def rotate_secret(server: Server) -> tuple[str, object]:
    path = "/api/v1/triggers/opened"
    await server.http.put(path, json={"job": "open", "when": {"kind": "webhook"}})
    return f"{path}/secret", {"grace": 60}


async def put_workflow(server: Server) -> tuple[str, object]:
    path = "/api/v1/workflows/changed-workflow"
    await server.http.put(path, json=WORKFLOW)
    return path, {**WORKFLOW, "queue": "sample"}


async def begun_workflow(server: Server) -> str:
    """A workflow run whose first step waits for an executor."""
    await server.http.put("/api/v1/workflows/sample", json=WORKFLOW)
    path = f"/api/v1/workflow-runs/{(await server.post({'job': 'sample'})).json()['id']}"
    while (await server.http.get(path)).status_code == 404:
        pass
    return path


async def stopped_workflow(server: Server) -> str:
    path = await begun_workflow(server)
    await server.http.post(f"{path}/stop")
    while (await server.http.get(path)).json()["finished_at"] is None:
        pass
    return path


def request_workflow(verb: str) -> Sample:
    async def sample(server: Server) -> tuple[str, object]:
        return f"{await begun_workflow(server)}/{verb}", None

    return sample


def change_workflow(verb: str, begin: Callable[[Server], Awaitable[str]], **body: object) -> Sample:
    async def sample(server: Server) -> tuple[str, object]:
        return f"{await begin(server)}/{verb}", {**body, "reason": "sample"}

    return sample


def answer_approval(verb: str) -> Sample:
    async def sample(server: Server) -> tuple[str, object]:
        await server.http.put("/api/v1/workflows/asking", json={"steps": {"ask": {"approval": "a sample"}}})
        run = (await server.post({"job": "asking"})).json()["id"]
        found: list[str] = []
        while not found:
            waiting = (await server.http.get("/api/v1/approvals")).json()["approvals"]
            found = [one["run"] for one in waiting if one["workflow_run"] == run]
        return f"/api/v1/runs/{found[0]}/{verb}", {"note": "sample"}

    return sample


SAMPLES: dict[str, Sample] = {
    **BATCHES,
    **{f"POST /api/v1/runs/{{id}}/{verb}": answer_approval(verb) for verb in ("approve", "reject")},
    "PUT /api/v1/workflows/{name}": put_workflow,
    **{f"POST /api/v1/workflow-runs/{{id}}/{verb}": request_workflow(verb) for verb in ("pause", "unpause", "stop")},
    "POST /api/v1/workflow-runs/{id}/resume": change_workflow("resume", stopped_workflow),
    "POST /api/v1/workflow-runs/{id}/retry": change_workflow("retry", stopped_workflow, step="first"),
    "POST /api/v1/workflow-runs/{id}/skip": change_workflow("skip", begun_workflow, step="second"),
    "POST /api/v1/workflow-runs/{id}/mark": change_workflow("mark", begun_workflow, step="second", result=1),
    "POST /api/v1/workflow-runs/{id}/fork": change_workflow("fork", stopped_workflow, step="first"),
    "POST /api/v1/workflow-runs/{id}/move": change_workflow("move", begun_workflow),
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
    "POST /api/v1/triggers/spread": spread_triggers,
    "POST /api/v1/triggers/apply": apply_triggers,
    "PUT /api/v1/namespaces/{name}/budget": set_namespace_budget,
    "PUT /api/v1/limits/{name}": set_limit,
    **ALERT_SAMPLES,
    **QUEUE_SAMPLES,
    "PUT /api/v1/breakers/{name}": set_breaker,
    "DELETE /api/v1/breakers/{name}": delete_breaker,
    **{
        f"POST /api/v1/breakers/{{name}}/{verb}": steer_breaker(verb)
        for verb in ("force-open", "disable", "watch-only", "resume", "reset")
    },
    "DELETE /api/v1/limits/{name}": delete_limit,
    "PUT /api/v1/jobs/{name}/keys/{key}": set_job_key,
    "PUT /api/v1/limits/{name}/keys/{key}": set_limit_key,
    "PUT /api/v1/queues/{name}/limit": set_queue_limit,
    "DELETE /api/v1/queues/{name}/limit": delete_queue_limit,
    "PUT /api/v1/namespaces/{name}/limit": set_namespace_limit,
    "DELETE /api/v1/namespaces/{name}/limit": delete_namespace_limit,
    "POST /api/v1/jobs/{name}/pause": pause_job,
    "POST /api/v1/jobs/{name}/resume": resume_job,
    "POST /api/v1/namespaces/{name}/pause": pause_namespace,
    "POST /api/v1/namespaces/{name}/resume": resume_namespace,
    "PUT /api/v1/maintenance": set_maintenance,
    "PUT /api/v1/jobs/{name}": put_job,
    "PATCH /api/v1/jobs/{name}": change_job,
    "DELETE /api/v1/jobs/{name}": delete_job,
    "POST /api/v1/jobs/{name}/rollback": roll_back_job,
    "POST /api/v1/servers/{name}/drain": drain_server,
    "POST /api/v1/servers/{name}/resume": resume_server,
    "PATCH /api/v1/executors/{name}/pools": resize_executor,
    "POST /api/v1/executors/{name}/cordon": cordon_executor,
    "POST /api/v1/executors/{name}/uncordon": uncordon_executor,
    "POST /api/v1/executors/{name}/drain": drain_executor,
    "POST /api/v1/runs/change": change_runs,
    "POST /api/v1/runs/cancel": cancel_runs,
    "POST /api/v1/runs/{id}/cancel": cancel_run,
    "POST /api/v1/runs/{id}/retry": retry_run,
    "POST /api/v1/runs/{id}/suspend": suspend_run,
    "POST /api/v1/runs/{id}/resume": resume_run,
    "POST /api/v1/runs/{id}/discard": discard_run,
    "POST /api/v1/sweeps": create_sweep,
    "POST /api/v1/sweeps/{id}/cancel": cancel_sweep,
    "POST /api/v1/users": create_user,
    "PATCH /api/v1/users/{name}": change_user,
    "DELETE /api/v1/users/{name}": delete_user,
    **FAILURE_SAMPLES,
    **VIEW_SAMPLES,
    "POST /api/v1/users/{name}/invite": invite_user,
    "POST /api/v1/users/{name}/sign-ins/end": end_sign_ins,
    "POST /api/v1/tokens": create_token,
    "POST /api/v1/tokens/{id}/rotate": rotate_token,
    "POST /api/v1/tokens/{id}/revoke": revoke_token,
    "POST /api/v1/namespaces": create_namespace,
    "DELETE /api/v1/namespaces/{name}": delete_namespace,
}
