"""The kind `apprise`: a hundred other services, by the library of that name (extra `apprise`)."""

import asyncio
import importlib
from typing import Any

from mainspring.domain.alerts.channel import ChannelSpec
from mainspring.domain.alerts.notice import Answer, Message

MISSING = "apprise is not installed on this server: install mainspring[apprise]"


async def send(spec: ChannelSpec, message: Message) -> Answer:
    try:
        library = importlib.import_module("apprise")
    except ImportError:
        return Answer(ok=False, words=MISSING, again=True)
    return await asyncio.to_thread(notify, library, spec, message)


def notify(library: Any, spec: ChannelSpec, message: Message) -> Answer:
    """Runs in a thread: the library blocks."""
    sender = library.Apprise()
    if not sender.add(spec.url):
        return Answer(ok=False, words="apprise does not know this kind of address", again=False)
    ok = bool(sender.notify(title=message.title, body="\n".join(message.lines) or "-"))
    return Answer(ok=ok, words="taken" if ok else "apprise could not send it")
