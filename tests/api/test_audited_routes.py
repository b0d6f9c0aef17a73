"""Every write through the API is in the audit log, under the name of who made it."""

import pytest

from mainspring.api.app import create_app
from mainspring.api.auth import BoundRoute
from mainspring.api.engine_gate import EngineGate
from mainspring.settings import ServerSettings
from mainspring.store.acts.workflows.rows import ACTOR as WORKFLOW_ACTOR
from mainspring.store.interface import AuditFilter
from tests.api.conftest import Server
from tests.api.write_samples import ANY_VERSION, SAMPLES

pytestmark = pytest.mark.asyncio(loop_scope="module")

READING = {"GET", "HEAD", "OPTIONS"}
ACTOR = "MAINSPRING_API_TOKEN"

UNAUDITED = {
    "POST /api/v1/runs": "a run carries who asked for it, as created_by",
    "POST /api/v1/jobs/{name}/runs": "the same",
    "POST /api/v1/triggers/preview": "nothing is written",
    "POST /api/v1/triggers/crontab": "nothing is written",
    "POST /api/v1/calendars/{name}/preview": "the same",
    "POST /api/v1/triggers/{name}/test": "nothing is written",
    "POST /api/v1/events": "a run carries its trigger, as created_by",
    "POST /hooks/{id}": "the same",
    "POST /acknowledge/{link}": "in the log under the name of the link's channel, see test_ack_links.py",
    "POST /api/v1/workflow-checks": "nothing is written",
    "POST /api/v1/workflow-texts": "nothing is written",
    "POST /api/v1/jobs/{name}/what-if": "nothing is written",
    "POST /api/v1/breakers/{name}/what-if": "nothing is written",
    "POST /api/v1/sweep-previews": "nothing is written",
    "POST /api/v1/invitations/show": "nothing is written",
    "POST /api/v1/invitations/accept": "in the log under the user's own name, see test_sign_in.py",
    "POST /api/v1/sign-in": "the same",
    "DELETE /api/v1/sign-in": "the same",
    "PUT /api/v1/sign-in/password": "the same",
    "PUT /api/v1/me/preferences": "how pages look to one person is nothing that others are to know",
}
"""Writes that are recorded elsewhere, and where."""


def name_of(route: BoundRoute) -> str:
    return f"{'/'.join(sorted(route.methods or ()))} {route.path}"


WRITING = [
    route
    for route in create_app(EngineGate(), ServerSettings()).routes
    if isinstance(route, BoundRoute) and not (route.methods or set()) <= READING and name_of(route) not in UNAUDITED
]


@pytest.mark.parametrize("route", WRITING, ids=name_of)
async def test_a_write_is_in_the_log(server: Server, route: BoundRoute) -> None:
    sample = SAMPLES.get(name_of(route))
    assert sample is not None, f"add a sample call of {name_of(route)} to write_samples.py"
    path, body = await sample(server)
    before = await positions(server)
    [method] = route.methods or set()
    answer = await server.http.request(method, path, headers=ANY_VERSION, json=body)
    written = {position: actor for position, actor in (await positions(server)).items() if position not in before}

    assert answer.is_success, answer.text
    assert set(written.values()) == {ACTOR}


async def positions(server: Server) -> dict[int, str]:
    """Everything in the log, and who did it; but for the entries that workflow runs write themselves, at any time."""
    log = await server.store.access.audit(AuditFilter(limit=10_000))
    return {position: entry.actor.name for position, entry in log if entry.actor != WORKFLOW_ACTOR}


@pytest.mark.parametrize("route", WRITING, ids=name_of)
async def test_a_refused_write_leaves_no_trace(server: Server, route: BoundRoute) -> None:
    before = await positions(server)
    path = route.path
    for parameter in route.param_convertors:
        path = path.replace(f"{{{parameter}}}", "01900000-0000-7000-8000-000000000000")
    [method] = route.methods or set()
    answer = await server.http.request(method, path, headers={"authorization": ""})

    assert answer.status_code == 401
    assert await positions(server) == before


async def test_the_list_of_unaudited_writes_is_true() -> None:
    known = {
        name_of(route) for route in create_app(EngineGate(), ServerSettings()).routes if isinstance(route, BoundRoute)
    }

    assert set(UNAUDITED) <= known
    assert set(SAMPLES) <= known
