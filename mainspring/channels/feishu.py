"""The kind `feishu`: a robot of a group, signed with the time and the secret as key over an empty text."""

import base64
import hashlib
import hmac

from mainspring.channels.markdown import written
from mainspring.channels.post import Post, cut, json_post
from mainspring.domain.alerts.channel import ChannelSpec
from mainspring.domain.alerts.notice import NoticeText
from mainspring.domain.alerts.rule import Severity

SIZE_MAX = 18_000
"""Feishu takes 20 KB."""
COLOURS = {Severity.INFO: "blue", Severity.WARN: "orange", Severity.PAGE: "red"}


def posts(spec: ChannelSpec, message: NoticeText, now: float) -> list[Post]:
    card = {
        "header": {
            "title": {"tag": "plain_text", "content": cut(message.title, 300)},
            "template": COLOURS[message.severity],
        },
        "elements": [{"tag": "markdown", "content": cut(written(message), SIZE_MAX)}],
    }
    body: dict[str, object] = {"msg_type": "interactive", "card": card}
    if spec.secret:
        body |= {"timestamp": str(int(now)), "sign": sign(spec.secret, int(now))}
    return [json_post(spec.url, body, zero="code")]


def sign(secret: str, seconds: int) -> str:
    digest = hmac.new(f"{seconds}\n{secret}".encode(), b"", hashlib.sha256).digest()
    return base64.b64encode(digest).decode()
