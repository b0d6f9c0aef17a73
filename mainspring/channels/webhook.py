"""The kind `webhook`: JSON, signed, with an id that stays the same over tries."""

import hashlib
import hmac
from typing import Any

import msgspec

from mainspring.channels.post import Post, json_post
from mainspring.domain.alerts.alert import Alert
from mainspring.domain.alerts.channel import ChannelSpec
from mainspring.domain.alerts.notice import Hint, NoticeText
from mainspring.domain.ids import id_text


def posts(spec: ChannelSpec, message: NoticeText, now: float) -> list[Post]:
    post = json_post(spec.url, body_of(message), mainspring_notice=message.id)
    if not spec.secret:
        return [post]
    signed = post.headers | {"mainspring-signature": signature(spec.secret, post.body, int(now))}
    return [msgspec.structs.replace(post, headers=signed)]


def signature(secret: str, body: bytes, now: int) -> str:
    """`t=<seconds>,v1=<HMAC-SHA256 of "<seconds>.<body>">`, as receivers compute it."""
    digest = hmac.new(secret.encode(), b"%d." % now + body, hashlib.sha256).hexdigest()
    return f"t={now},v1={digest}"


def body_of(message: NoticeText) -> dict[str, Any]:
    return {
        "id": message.id,
        "kind": message.kind.value,
        "namespace": message.namespace,
        "rule": message.rule,
        "severity": message.severity.value,
        "title": message.title,
        "lines": message.lines,
        "runbook": message.runbook,
        "link": message.link,
        "acknowledge": message.acknowledge,
        "at": message.at,
        "alerts": [alert_body(one, message.hint(one)) for one in message.alerts],
    }


def alert_body(alert: Alert, hint: Hint) -> dict[str, Any]:
    return {
        "id": id_text(alert.id),
        "rule": alert.rule,
        "subject": alert.subject,
        "severity": alert.severity.value,
        "state": alert.state.value,
        "value": alert.value,
        "words": alert.words,
        "runbook": hint.runbook,
        "remedy": hint.remedy,
        "since_at": alert.since_at,
        "fired_at": alert.fired_at,
        "ended_at": alert.ended_at,
        "run": alert.run,
    }
