"""The kind `slack`: an incoming webhook with blocks."""

from mainspring.channels.post import Post, cut, json_post
from mainspring.domain.alerts.channel import ChannelSpec
from mainspring.domain.alerts.notice import NoticeText

HEADER_MAX, SECTION_MAX = 150, 2900
"""Of Slack's own limits: 150 characters of a header, 3,000 of a section."""


def posts(spec: ChannelSpec, message: NoticeText, now: float) -> list[Post]:
    del now
    blocks = [
        {"type": "header", "text": {"type": "plain_text", "text": cut(message.title, HEADER_MAX)}},
        {"type": "section", "text": {"type": "mrkdwn", "text": cut(body_of(message), SECTION_MAX)}},
    ]
    return [json_post(spec.url, {"text": cut(escape(message.title), SECTION_MAX), "blocks": blocks})]


def body_of(message: NoticeText) -> str:
    lines = [escape(line) for line in message.lines] or ["-"]
    lines += [f"{name}: {escape(url)}" for name, url in message.links]
    return "\n".join(lines)


def escape(text: str) -> str:
    """Names are shown as they are: no links, no mentions."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
