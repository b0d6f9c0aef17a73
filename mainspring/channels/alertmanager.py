"""The kind `alertmanager`: API v2; grouping and silences are left to it."""

from datetime import timedelta
from typing import Any

from mainspring.channels.post import Post, json_post
from mainspring.domain.alerts.alert import Alert
from mainspring.domain.alerts.channel import ChannelSpec
from mainspring.domain.alerts.notice import NoticeText

MOMENT = timedelta(milliseconds=1)
KEPT = timedelta(minutes=5)
"""How long an alert counts as firing without being sent again; while it fires it is, every minute."""


def posts(spec: ChannelSpec, message: NoticeText, now: float) -> list[Post]:
    del now
    sent = [alert_of(one, message) for one in message.alerts] or [marked(message)]
    return [json_post(f"{spec.url.rstrip('/')}/api/v2/alerts", sent)]


def alert_of(alert: Alert, message: NoticeText) -> dict[str, Any]:
    starts = alert.fired_at or alert.since_at
    # It refuses an alert that ends when it begins.
    ends = max(alert.ended_at or message.at + KEPT, starts + MOMENT)
    return {
        "labels": {
            "alertname": alert.rule,
            "namespace": alert.namespace,
            "subject": alert.subject,
            "severity": alert.severity.value,
            "source": "mainspring",
        },
        "annotations": {name: text for name, text in annotations(alert, message) if text},
        "startsAt": starts,
        "endsAt": ends,
        "generatorURL": message.link,
    }


def annotations(alert: Alert, message: NoticeText) -> list[tuple[str, str]]:
    hint = message.hint(alert)
    return [("summary", alert.words), ("runbook_url", hint.runbook), ("action", hint.remedy)]


def marked(message: NoticeText) -> dict[str, Any]:
    """A test, or a sign of life, as an alert that ends by itself."""
    return {
        "labels": {"alertname": f"mainspring-{message.kind}", "namespace": message.namespace, "severity": "info"},
        "annotations": {"summary": message.title},
        "startsAt": message.at,
        "endsAt": message.at + KEPT,
    }
