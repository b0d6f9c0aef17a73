"""The kind `teams`: an Adaptive Card to the webhook of a workflow."""

from typing import Any

from mainspring.channels.post import Post, cut, json_post
from mainspring.domain.alerts.channel import ChannelSpec
from mainspring.domain.alerts.notice import NoticeText

TEXT_MAX = 20_000
"""A card has at most 28 KB."""


def posts(spec: ChannelSpec, message: NoticeText, now: float) -> list[Post]:
    del now
    body: list[dict[str, Any]] = [
        {"type": "TextBlock", "weight": "bolder", "size": "medium", "wrap": True, "text": plain(message.title)},
        {"type": "TextBlock", "wrap": True, "text": cut("\n\n".join(map(plain, message.lines)) or "-", TEXT_MAX)},
    ]
    card: dict[str, Any] = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": body,
    }
    if actions := [{"type": "Action.OpenUrl", "title": name, "url": url} for name, url in message.links]:
        card["actions"] = actions
    content = {"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": None, "content": card}
    return [json_post(spec.url, {"type": "message", "attachments": [content]})]


def plain(text: str) -> str:
    """Names without the marks of Markdown."""
    return "".join(f"\\{mark}" if mark in "\\`*_[]()<>#" else mark for mark in text)
