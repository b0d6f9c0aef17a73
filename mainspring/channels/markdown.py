"""A message as Markdown, for the robots of DingTalk, Feishu and WeCom."""

from mainspring.domain.alerts.notice import NoticeText

MARKS = "\\`*_{}[]()#+!<>|"


def written(message: NoticeText) -> str:
    """The title in bold, the lines as a list, and the links."""
    lines = [f"**{escape(message.title)}**", *(f"- {escape(line)}" for line in message.lines)]
    lines += [f"[{name}]({url})" for name, url in message.links]
    return "\n".join(lines)


def escape(text: str) -> str:
    """Names without the marks of Markdown."""
    # People cannot be mentioned by a name.
    return "".join(f"\\{mark}" if mark in MARKS else mark for mark in text).replace("@", "＠")  # noqa: RUF001
