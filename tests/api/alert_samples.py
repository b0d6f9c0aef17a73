"""A good call of every route that writes alerts, their rules, channels or silences."""

import uuid
from datetime import timedelta

from mainspring.clock import SystemClock
from mainspring.domain.alerts.alert import Alert, AlertId, AlertState, Transition
from mainspring.domain.alerts.notice import NoticeId
from mainspring.domain.alerts.rule import Severity
from mainspring.domain.ids import Ids, id_text
from tests.api.conftest import Server

CHANNEL = {"kind": "webhook", "url": "https://hooks.example.com/mainspring", "secret": "tell nobody"}
STALE = {"kind": "stale", "older_than": 3600}

ids = Ids()


async def set_alert_rule(_server: Server) -> tuple[str, object]:
    return "/api/v1/alert-rules/fails", {"kind": "run_failed", "job": "open"}


async def delete_alert_rule(server: Server) -> tuple[str, object]:
    await server.http.put("/api/v1/alert-rules/gone", json={"kind": "run_failed", "job": "open"})
    return "/api/v1/alert-rules/gone", None


async def apply_alerts(_server: Server) -> tuple[str, object]:
    return "/api/v1/alert-rules/apply", {"owner": "sample", "rules": {"stale": {**STALE, "job": str(uuid.uuid4())}}}


async def set_channel(_server: Server) -> tuple[str, object]:
    return "/api/v1/channels/ops", CHANNEL


async def delete_channel(server: Server) -> tuple[str, object]:
    await server.http.put("/api/v1/channels/gone", json=CHANNEL)
    return "/api/v1/channels/gone", None


async def test_channel(server: Server) -> tuple[str, object]:
    await server.http.put("/api/v1/channels/ops", json=CHANNEL)
    return "/api/v1/channels/ops/test", None


async def create_silence(_server: Server) -> tuple[str, object]:
    return "/api/v1/silences", {"until": (SystemClock().now() + timedelta(hours=1)).isoformat()}


async def end_silence(server: Server) -> tuple[str, object]:
    made = await server.http.post("/api/v1/silences", json=(await create_silence(server))[1])
    return f"/api/v1/silences/{made.json()['id']}", None


async def acknowledge_alert(server: Server) -> tuple[str, object]:
    now = SystemClock().now()
    alert = Alert(
        id=AlertId(ids.noise(16)),
        namespace="default",
        rule="sample",
        subject=str(uuid.uuid4()),
        severity=Severity.WARN,
        state=AlertState.FIRING,
        since_at=now,
        fired_at=now,
    )
    await server.store.alerts.change([Transition(alert=alert, before=0)], lambda: NoticeId(ids.noise(16)), now=now)
    return f"/api/v1/alerts/{id_text(alert.id)}/acknowledge", {"note": "seen"}


async def set_slo(_server: Server) -> tuple[str, object]:
    return "/api/v1/slos/good", {"job": "open"}


async def delete_slo(server: Server) -> tuple[str, object]:
    await server.http.put("/api/v1/slos/gone", json={"job": "open"})
    return "/api/v1/slos/gone", None


ALERT_SAMPLES = {
    "PUT /api/v1/slos/{name}": set_slo,
    "DELETE /api/v1/slos/{name}": delete_slo,
    "PUT /api/v1/alert-rules/{name}": set_alert_rule,
    "DELETE /api/v1/alert-rules/{name}": delete_alert_rule,
    "POST /api/v1/alert-rules/apply": apply_alerts,
    "PUT /api/v1/channels/{name}": set_channel,
    "DELETE /api/v1/channels/{name}": delete_channel,
    "POST /api/v1/channels/{name}/test": test_channel,
    "POST /api/v1/silences": create_silence,
    "DELETE /api/v1/silences/{silence_id}": end_silence,
    "POST /api/v1/alerts/{alert_id}/acknowledge": acknowledge_alert,
}
