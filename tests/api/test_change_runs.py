"""Another priority, due time or queue for runs that have not started."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from mainspring.domain.ids import parse_run_id
from mainspring.store.interface import AuditFilter
from tests.api.conftest import Server
from tests.api.test_steering import UNKNOWN, queued, running

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def change(server: Server, *runs: str, **fields: Any) -> Any:
    return await server.http.post("/api/v1/runs/change", json={"runs": list(runs), **fields})


async def shown(server: Server, run: str) -> Any:
    return (await server.http.get(f"/api/v1/runs/{run}")).json()


async def test_waiting_runs_are_changed_and_audited(server: Server) -> None:
    first, second = await queued(server), await queued(server)
    later = server.scheduler._clock.now() + timedelta(hours=1)
    fields = {"priority": 9, "queue": "fast", "due_at": later.isoformat(), "reason": "they are late"}
    answer = await change(server, first, second, **fields)
    found = await shown(server, second)
    entries = await server.store.access.audit(AuditFilter(namespace="default", key=second, limit=10))

    assert answer.json() == {"runs": [first, second]}
    assert (found["priority"], found["queue"]) == (9, "fast")
    assert datetime.fromisoformat(found["due_at"]) == later
    assert "run.change" in {entry.act for _, entry in entries}


async def test_a_changed_run_is_claimed_from_its_new_line(server: Server) -> None:
    run = await queued(server)
    await change(server, run, queue="other-line")
    lines = await server.store.runs.lines_of([parse_run_id(run)])

    assert server.scheduler.catalog.lines[lines[parse_run_id(run)]].queue == "other-line"


async def test_runs_that_have_started_or_are_unknown_stay_as_they_are(server: Server) -> None:
    started = await running(server)
    answer = await change(server, started, UNKNOWN, priority=9)

    assert answer.json() == {"runs": []}
    assert (await shown(server, started))["priority"] == 5


@pytest.mark.parametrize(
    "fields", [{}, {"priority": 10}, {"queue": ""}, {"due_at": "soon"}, {"due_at": "9999-01-01T00:00:00Z"}, {"x": 1}]
)
async def test_nonsense_is_refused(server: Server, fields: dict[str, Any]) -> None:
    answer = await change(server, await queued(server), **fields)

    assert answer.status_code in (400, 422)
    assert answer.json()["code"]
