"""Stubs of the vendors' documented interfaces, as of November 2026: they check signature, size and rate.

They are stubs: nothing here was tried against the services themselves.

Slack incoming webhooks and Block Kit, Teams workflows and Adaptive Cards 1.4, PagerDuty Events API v2, DingTalk custom robots,
Feishu custom bots, WeCom group robots.
"""

import asyncio
import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from typing import Any, NamedTuple, Self
from urllib.parse import parse_qs, urlsplit

SECRET = "SEC-of-the-robot"


class Got(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Judge = Callable[[Got], tuple[int, Any]]
"""The status and the content of an answer."""


class Receiver:
    """A real HTTP server on loopback that keeps what it gets, and answers as a vendor would."""

    def __init__(self, judge: Judge = lambda _: (200, "ok")) -> None:
        self.got: list[Got] = []
        self.judge = judge
        self.headers = ""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.got.append(Got(head[0].split()[1], headers, body))
        status, content = self.judge(self.got[-1])
        text = (content if isinstance(content, str) else json.dumps(content)).encode()
        lead = f"HTTP/1.1 {status} X\r\n{self.headers}content-length: {len(text)}\r\nconnection: close\r\n\r\n"
        writer.write(lead.encode() + text)
        await writer.drain()
        writer.close()


def slack(got: Got) -> tuple[int, Any]:
    blocks = got.json["blocks"]
    if len(blocks[0]["text"]["text"]) > 150 or len(blocks[1]["text"]["text"]) > 3000:
        return 400, "invalid_blocks"
    formatted = got.json["text"] + blocks[1]["text"]["text"]
    return (400, "invalid_payload") if "<!" in formatted else (200, "ok")


def teams(got: Got) -> tuple[int, Any]:
    [attachment] = got.json["attachments"]
    if len(got.body) > 28 * 1024:
        return 413, "too large"
    good = attachment["contentType"] == "application/vnd.microsoft.card.adaptive"
    return (202, "") if good and attachment["content"]["type"] == "AdaptiveCard" else (400, "no card")


def pagerduty(got: Got) -> tuple[int, Any]:
    event = got.json
    if event["routing_key"] != "R" * 32 or event["event_action"] not in ("trigger", "acknowledge", "resolve"):
        return 400, {"status": "invalid event"}
    if event["event_action"] == "trigger" and len(event["payload"]["summary"]) > 1024:
        return 400, {"status": "invalid event"}
    return 202, {"status": "success", "dedup_key": event["dedup_key"]}


class PerMinute:
    """A robot that takes so many messages, and no more."""

    def __init__(self, judge: Judge, most: int, refusal: Any) -> None:
        self._judge, self._left, self._refusal = judge, most, refusal

    def __call__(self, got: Got) -> tuple[int, Any]:
        self._left -= 1
        return self._judge(got) if self._left >= 0 else (200, self._refusal)


def dingtalk(got: Got) -> tuple[int, Any]:
    query = parse_qs(urlsplit(got.path).query)
    millis = query["timestamp"][0]
    digest = hmac.new(SECRET.encode(), f"{millis}\n{SECRET}".encode(), hashlib.sha256).digest()
    if query["sign"][0] != base64.b64encode(digest).decode():
        return 200, {"errcode": 310000, "errmsg": "sign not match"}
    too_large = len(got.body) > 20_000
    return 200, {"errcode": 460101 if too_large else 0, "errmsg": "ok"}


def feishu(got: Got) -> tuple[int, Any]:
    key = f"{got.json['timestamp']}\n{SECRET}".encode()
    if got.json["sign"] != base64.b64encode(hmac.new(key, b"", hashlib.sha256).digest()).decode():
        return 200, {"code": 19021, "msg": "sign match fail"}
    return 200, {"code": 9499 if len(got.body) > 20 * 1024 else 0, "msg": "success"}


def wecom(got: Got) -> tuple[int, Any]:
    kind = got.json["msgtype"]
    most = {"markdown": 4096, "text": 2048}[kind]
    too_large = len(got.json[kind]["content"].encode()) > most
    return 200, {"errcode": 40058 if too_large else 0, "errmsg": "ok"}
