"""The kind `dingtalk`: a robot of a group, signed with the secret as key."""

import base64
import hashlib
import hmac
from urllib.parse import quote_plus

from mainspring.channels.markdown import written
from mainspring.channels.post import Post, cut, json_post
from mainspring.domain.alerts.channel import ChannelSpec
from mainspring.domain.alerts.notice import NoticeText

TITLE_MAX = 300
SIZE_MAX = 18_000
"""DingTalk takes 20 KB."""


def posts(spec: ChannelSpec, message: NoticeText, now: float) -> list[Post]:
    url = signed(spec.url, spec.secret, int(now * 1000)) if spec.secret else spec.url
    mentions = "".join(f" @{each}" for each in spec.at_mobiles)
    text = cut(written(message), SIZE_MAX) + mentions
    body = {
        "msgtype": "markdown",
        "markdown": {"title": cut(message.title, TITLE_MAX), "text": text},
        "at": {"atMobiles": spec.at_mobiles, "isAtAll": False},
    }
    return [json_post(url, body, zero="errcode")]


def signed(url: str, secret: str, millis: int) -> str:
    digest = hmac.new(secret.encode(), f"{millis}\n{secret}".encode(), hashlib.sha256).digest()
    return f"{url}{'&' if '?' in url else '?'}timestamp={millis}&sign={quote_plus(base64.b64encode(digest))}"
