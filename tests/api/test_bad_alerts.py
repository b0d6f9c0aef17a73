"""Alert rules, channels, SLOs and silences that cannot work are refused by field and reason, and nothing is saved."""

from datetime import timedelta
from typing import Any

import pytest

from mainspring.channels.courier import Courier
from mainspring.clock import SystemClock
from mainspring.settings import SchedulerSettings
from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

FAILS: dict[str, Any] = {"kind": "run_failed", "job": "nightly"}
RATE: dict[str, Any] = {"kind": "failure_rate", "job": "nightly", "above": 0.5}
HOOK: dict[str, Any] = {"kind": "webhook", "url": "https://hooks.example.com/x"}
MAIL: dict[str, Any] = {"kind": "email", "host": "mail.example.com", "sender": "a@example.com", "to": ["b@example.com"]}
SLO: dict[str, Any] = {"job": "nightly"}
WEEK, DAY = 7 * 86_400, 86_400

RULES: dict[str, tuple[dict[str, Any], str, str, str]] = {
    "an unknown kind": ({**FAILS, "kind": "run_faild"}, "bad_kind", "kind", "did you mean run_failed"),
    "an unknown field": ({**FAILS, "ovr": 60}, "unknown_field", "ovr", "did you mean over"),
    "a field of another kind": ({**FAILS, "above": 0.5}, "bad_alert", "above", "run_failed does not read it"),
    "a subject of another kind": (
        {"kind": "queue_age", "job": "a", "older_than": 60},
        "bad_alert",
        "job",
        "queue_age does not read it; it is about one queue",
    ),
    "no subject": ({"kind": "run_failed"}, "bad_alert", "job", "names one job or queue"),
    "two subjects": ({**FAILS, "queue": "mail"}, "bad_alert", "job", "names one job or queue"),
    "a subject where there is none": (
        {"kind": "servers_few", "executor": "*"},
        "bad_alert",
        "executor",
        "it is about the cluster as a whole",
    ),
    "a window under a minute": ({**FAILS, "over": 59}, "bad_alert", "over", "59 is outside 60 to 604800"),
    "a window over a week": ({**FAILS, "over": WEEK + 1}, "bad_alert", "over", "is outside 60 to 604800"),
    "a rate over all": ({**RATE, "above": 1.01}, "bad_alert", "above", "no share from 0 to 1"),
    "a rate below none": ({**RATE, "above": -0.1}, "bad_alert", "above", "no share from 0 to 1"),
    "a rate without a share": ({"kind": "failure_rate", "job": "a"}, "bad_alert", "above", "is missing"),
    "a length that is not said": ({"kind": "stale", "job": "a"}, "bad_alert", "older_than", "is missing"),
    "a number that counts none": ({**FAILS, "at_least": 0}, "bad_alert", "at_least", "0 is outside"),
    "a hold over a day": ({**FAILS, "for": DAY + 1}, "bad_alert", "for", "is outside 0 to 86400"),
    "a channel that does not exist": ({**FAILS, "notify": ["opss"]}, "unknown_channel", "notify", "no channel 'opss'"),
    "an escalation to nowhere": ({**FAILS, "escalate_after": 60}, "bad_alert", "escalate_to", "go together"),
    "an escalation at no time": ({**FAILS, "escalate_to": ["ops"]}, "bad_alert", "escalate_after", "go together"),
    "an SLO that does not exist": ({"kind": "slo_burn", "slo": "x"}, "unknown_slo", "slo", "there is no SLO 'x'"),
    "a calendar that does not exist": (
        {**FAILS, "quiet": {"calendar": "x"}},
        "unknown_calendar",
        "quiet.calendar",
        "there is no calendar 'x'",
    ),
    "a runbook that a browser would run": ({**FAILS, "runbook": "javascript:x"}, "bad_alert", "runbook", "http"),
    "a kind that is built in": ({"kind": "store"}, "bad_alert", "kind", "store is built in"),
    "a severity that is none": ({**FAILS, "severity": "loud"}, "bad_severity", "severity", "loud"),
}
CHANNELS: dict[str, tuple[dict[str, Any], str, str, str]] = {
    "an unknown kind": ({**HOOK, "kind": "slak"}, "bad_kind", "kind", "did you mean slack"),
    "an unknown field": ({**HOOK, "ulr": "x"}, "unknown_field", "ulr", "did you mean url"),
    "a field of another kind": ({**HOOK, "routing_key": "x"}, "bad_channel", "routing_key", "does not read it"),
    "no address": ({"kind": "slack"}, "bad_channel", "url", "is missing"),
    "plain HTTP": ({**HOOK, "url": "http://hooks.example.com"}, "bad_url", "url", "is not an https address"),
    "no host": ({**HOOK, "url": "https://"}, "bad_url", "url", "is not an https address"),
    "an address that is none": ({**HOOK, "url": "https://[::1"}, "bad_url", "url", "is not an https address"),
    "a private network": ({**HOOK, "url": "https://10.0.0.7/x"}, "bad_url", "url", "10.0.0.7 (private) is not public"),
    "the machine itself": ({**HOOK, "url": "https://[::1]/x"}, "bad_url", "url", "is not public"),
    "its name": ({**HOOK, "url": "https://localhost/x"}, "bad_url", "url", "is not public"),
    "a cloud's metadata": ({**HOOK, "url": "https://169.254.169.254/"}, "bad_url", "url", "is not public"),
    "a private mail server": ({**MAIL, "host": "192.168.0.1"}, "bad_channel", "host", "is not public"),
    "a port that is none": ({**MAIL, "port": 70_000}, "bad_channel", "port", "70000 is no port"),
    "no recipients": ({**MAIL, "to": []}, "bad_channel", "to", "is missing"),
    "pings every second": ({**HOOK, "alive": 1}, "bad_channel", "alive", "1 is outside 60 to 86400"),
    "no messages at all": ({**HOOK, "per_minute": -1}, "bad_channel", "per_minute", "-1 is outside"),
}
SLOS: dict[str, tuple[dict[str, Any], str, str, str]] = {
    "an objective that allows nothing": ({**SLO, "objective": 1.0}, "bad_slo", "objective", "1"),
    "a window of none": ({**SLO, "window_days": 0}, "bad_slo", "window_days", "0"),
    "a start without a time": ({**SLO, "indicator": "start"}, "bad_slo", "within", "is missing"),
    "a channel that does not exist": ({**SLO, "notify": ["opss"]}, "unknown_channel", "notify", "no channel 'opss'"),
    "fires of a job": ({**SLO, "indicator": "fired"}, "bad_slo", "indicator", "fired is about a trigger"),
}
BAD = {
    **{f"rule: {name}": ("alert-rules", *case) for name, case in RULES.items()},
    **{f"channel: {name}": ("channels", *case) for name, case in CHANNELS.items()},
    **{f"slo: {name}": ("slos", *case) for name, case in SLOS.items()},
}


@pytest.mark.parametrize("name", BAD)
async def test_it_is_refused_by_field_and_reason(server: Server, name: str) -> None:
    noun, body, code, field, reason = BAD[name]
    answer = await server.http.put(f"/api/v1/{noun}/bad", json=body)
    problem = answer.json()

    assert (answer.status_code, problem["code"], problem.get("field")) == (422, code, field), answer.text
    assert reason in problem["detail"]
    assert (await server.http.get(f"/api/v1/{noun}/bad")).status_code == 404


@pytest.mark.parametrize("name", [name for name in BAD if name.startswith(("rule", "channel"))])
async def test_a_set_with_it_is_refused_whole_and_names_it(server: Server, name: str) -> None:
    noun, body, _, field, _ = BAD[name]
    part = "rules" if noun == "alert-rules" else noun
    wanted = {"owner": "ops", "channels": {"fine": HOOK}, "rules": {}} | {part: {"bad": body}}
    answer = await server.http.post("/api/v1/alert-rules/apply", json=wanted)

    assert (answer.status_code, answer.json().get("field")) == (422, f"{part}.bad.{field}"), answer.text
    assert (await server.http.get("/api/v1/channels/fine")).status_code == 404


@pytest.mark.parametrize(
    "body", [{}, {"until": None}, {"until": "2020-01-01T00:00:00Z"}, {"days": 91}, {"until": "soon"}]
)
async def test_a_silence_needs_an_end_within_ninety_days(server: Server, body: dict[str, Any]) -> None:
    if days := body.pop("days", None):
        body["until"] = (SystemClock().now() + timedelta(days=days)).isoformat()
    answer = await server.http.post("/api/v1/silences", json=body)

    assert (answer.status_code, answer.json()["field"]) == (422, "until"), answer.text


async def test_a_secret_that_the_server_cannot_read_is_a_warning_at_once(server: Server) -> None:
    courier = Courier(SchedulerSettings(), SystemClock())
    server.scheduler.alerting.sending._courier = courier
    answer = await server.http.put("/api/v1/channels/ops", json={"kind": "slack", "url": "env:NOT_SET"})
    tested = await server.http.post("/api/v1/channels/ops/test")
    words = "env:NOT_SET is not in alert_secrets of this server"

    assert answer.status_code == 200, answer.text
    assert answer.json()["warnings"] == [f"url: {words}"]
    assert (tested.json()["ok"], tested.json()["answer"]) == (False, words)


@pytest.mark.parametrize("subject", [{"job": "nobody-wrote-it"}, {"trigger": "never-fired", "indicator": "fired"}])
async def test_an_slo_of_something_that_never_ran_has_no_budget_and_is_listed(
    server: Server, subject: dict[str, Any]
) -> None:
    made = await server.http.put("/api/v1/slos/early", json=subject)
    listed = await server.http.get("/api/v1/slos")

    assert (made.status_code, listed.status_code) == (200, 200), made.text
    assert (made.json()["budget_left"], made.json()["worst"]) == (None, [])
