"""A request to a channel, and the reading of its answer."""

from collections.abc import Mapping
from typing import Any

import msgspec

from mainspring.domain.alerts.notice import Delivery
from mainspring.version import __version__

AGAIN = (408, 425, 429)
"""Refusals that another try can mend; other 4xx cannot be mended by it."""


class Post(msgspec.Struct, frozen=True, kw_only=True):
    url: str
    body: bytes
    headers: dict[str, str]
    zero: str = ""
    """The field of a JSON answer that is 0 if all is well; empty: the HTTP status says it."""


def json_post(url: str, body: Any, *, zero: str = "", **headers: str) -> Post:
    sent = {"content-type": "application/json", "user-agent": f"mainspring/{__version__}"}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Post(url=url, body=msgspec.json.encode(body), headers=sent | named, zero=zero)


def judged(post: Post, status: int, headers: Mapping[str, str], body: bytes) -> Delivery:
    """The answer in the terms of a delivery; redirects are not followed."""
    text = body[:300].decode("utf-8", "replace").strip()
    words = f"{status} {text}".strip()
    if not 200 <= status < 300:
        again = status >= 500 or status in AGAIN
        return Delivery(ok=False, words=words, again=again, after=seconds_of(headers.get("retry-after")))
    if post.zero and (found := number_in(body, post.zero)) != 0:
        return Delivery(ok=False, words=f"{post.zero} {found}: {text}")
    return Delivery(ok=True, words=words)


def seconds_of(text: str | None) -> float | None:
    return float(text) if text is not None and text.isdecimal() else None


def number_in(body: bytes, field: str) -> object:
    try:
        found = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return "missing"
    return found.get(field, "missing") if isinstance(found, dict) else "missing"


def cut(text: str, most: int) -> str:
    """The text within so many bytes of UTF-8, with a mark where it was cut."""
    raw = text.encode()
    return text if len(raw) <= most else raw[: most - 3].decode("utf-8", "ignore") + "…"
