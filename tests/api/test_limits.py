"""What is longer than the document allows is refused by name: limits too large for requests that are invented."""

from datetime import date, timedelta

import msgspec
import pytest

from mainspring.contract.operations.triggers import CRONTAB_MAX
from mainspring.domain.workflows.checks import DEFINITION_MAX
from tests.api.conftest import Server
from tests.api.fuzz.limits import too_large_to_invent

pytestmark = pytest.mark.asyncio(loop_scope="module")

MANY = 10_001
DAYS = [str(date(1990, 1, 1) + timedelta(days=day)) for day in range(MANY)]
DAILY = {"name": "daily", "job": "open", "when": {"kind": "cron", "expressions": ["0 6 * * *"]}}
NOWHERE = "01900000-0000-7000-8000-000000000000"
"""A body is read before its batch is looked for."""
TOO_LONG: dict[str, tuple[str, str, dict[str, object]]] = {
    "NewRunsBody.runs": ("POST", "/runs", {"runs": [{"job": "open"}] * MANY}),
    "NewBatchBody.runs": ("POST", "/batches", {"name": "large", "runs": [{"job": "open"}] * MANY}),
    "AddRunsBody.runs": ("POST", f"/batches/{NOWHERE}/runs", {"runs": [{"job": "open"}] * MANY}),
    "CalendarBody.dates": ("PUT", "/calendars/bank", {"dates": dict.fromkeys(DAYS, "")}),
    "CalendarBody.counted": ("PUT", "/calendars/bank", {"counted": DAYS}),
    "IcsBody.ics": ("POST", "/calendars/bank/import", {"ics": "x" * 1_000_001}),
    "CrontabBody.text": ("POST", "/triggers/crontab", {"text": "x" * (CRONTAB_MAX + 1)}),
    "WorkflowTextBody.text": ("POST", "/workflow-texts", {"text": "x" * (DEFINITION_MAX + 1)}),
    "PlanBody.triggers": ("POST", "/triggers/apply", {"owner": "shop", "triggers": [DAILY] * MANY}),
}
ANSWERED_ONLY = {"CalendarSpec.dates", "CalendarSpec.counted"}
"""Of what a server says."""


@pytest.mark.parametrize("field", TOO_LONG)
async def test_one_more_than_the_limit_is_refused(server: Server, field: str) -> None:
    method, path, body = TOO_LONG[field]
    headers = {"content-type": "application/json", "if-none-match": "*"}
    answer = await server.http.request(method, f"/api/v1{path}", content=msgspec.json.encode(body), headers=headers)

    assert (answer.status_code, answer.json()["field"]) == (422, field.partition(".")[2]), answer.text


async def test_every_limit_that_is_left_out_is_tried_here(server: Server) -> None:
    document = (await server.http.get("/api/v1/openapi.json")).json()

    assert {field for field, _, _ in too_large_to_invent(document)} == {*TOO_LONG} | ANSWERED_ONLY
