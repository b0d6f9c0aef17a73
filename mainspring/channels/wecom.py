"""The kind `wecom`: a robot of a group."""

from mainspring.channels.markdown import written
from mainspring.channels.post import Post, cut, json_post
from mainspring.domain.alerts.channel import ChannelSpec
from mainspring.domain.alerts.notice import NoticeText

MARKDOWN_MAX, TEXT_MAX = 4000, 2000
"""WeCom takes 4,096 bytes of Markdown, and 2,048 of text, which alone can mention people."""


def posts(spec: ChannelSpec, message: NoticeText, now: float) -> list[Post]:
    del now
    if spec.at_mobiles:
        text = "\n".join((message.title, *message.lines))
        about = {"content": cut(text, TEXT_MAX), "mentioned_mobile_list": spec.at_mobiles}
        return [json_post(spec.url, {"msgtype": "text", "text": about}, zero="errcode")]
    markdown = {"content": cut(written(message), MARKDOWN_MAX)}
    return [json_post(spec.url, {"msgtype": "markdown", "markdown": markdown}, zero="errcode")]
