"""The kind `pagerduty`: Events API v2, one event for each alert, so that each can resolve."""

from mainspring.channels.post import Post, cut, json_post
from mainspring.domain.alerts.alert import Alert, NoticeKind
from mainspring.domain.alerts.channel import ChannelSpec
from mainspring.domain.alerts.notice import NoticeText
from mainspring.domain.alerts.rule import Severity
from mainspring.domain.ids import id_text

EVENTS = "https://events.pagerduty.com/v2/enqueue"
SEVERITIES = {Severity.INFO: "info", Severity.WARN: "warning", Severity.PAGE: "critical"}
EVENTS_MAX = 20
"""Alerts that are events of their own; more become one."""
ENDS_MAX = 100
"""Alerts that one message resolves or acknowledges."""
SUMMARY_MAX = 1024


def posts(spec: ChannelSpec, message: NoticeText, now: float) -> list[Post]:
    del now
    url = spec.url or EVENTS
    if message.kind is NoticeKind.ACKNOWLEDGE:
        # Nothing new is wrong: no incident may begin by it, however many alerts there are.
        return [json_post(url, of_alert(spec, message, one)) for one in message.alerts[:ENDS_MAX]]
    if message.kind is NoticeKind.TEST:
        # Nothing is wrong: the incident of a test does not stay open.
        begun = event(spec, message, message.id, message.title, "trigger", message.severity)
        return [
            json_post(url, begun),
            json_post(url, event(spec, message, message.id, "", "resolve", message.severity)),
        ]
    over = [one for one in message.alerts if one.ended_at is not None]
    firing = [one for one in message.alerts if one.ended_at is None]
    ends = [json_post(url, of_alert(spec, message, one)) for one in over[:ENDS_MAX]]
    if message.kind is NoticeKind.FIRE and 0 < len(over) <= EVENTS_MAX:
        # Over before it was told: an incident that was never opened would leave no trace.
        ends = [json_post(url, of_alert(spec, message, one, begins=True)) for one in over] + ends
    if (over and not firing) or 0 < len(firing) <= EVENTS_MAX:
        # Each with a key of its own, also those of a digest: by it each is resolved.
        return [*(json_post(url, of_alert(spec, message, one)) for one in firing), *ends]
    return [json_post(url, event(spec, message, message.id, message.title, "trigger", message.severity)), *ends]


def of_alert(spec: ChannelSpec, message: NoticeText, alert: Alert, *, begins: bool = False) -> dict[str, object]:
    begun = "acknowledge" if message.kind is NoticeKind.ACKNOWLEDGE else "trigger"
    action = "resolve" if alert.ended_at is not None and not begins else begun
    return event(spec, message, id_text(alert.id), f"{alert.subject}: {alert.words}", action, alert.severity)


def event(
    spec: ChannelSpec, message: NoticeText, key: str, summary: str, action: str, severity: Severity
) -> dict[str, object]:
    sent: dict[str, object] = {
        "routing_key": spec.routing_key,
        "event_action": action,
        "dedup_key": f"mainspring/{message.namespace}/{key}",
    }
    if action == "trigger":
        sent["payload"] = {
            "summary": cut(summary, SUMMARY_MAX),
            "source": f"mainspring/{message.namespace}",
            "severity": SEVERITIES[severity],
            "custom_details": {"rule": message.rule, "lines": message.lines},
        }
        sent["links"] = [{"href": url, "text": name} for name, url in message.links]
    return sent
