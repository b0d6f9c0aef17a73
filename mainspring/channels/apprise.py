"""The kind `apprise`: a hundred other services, by the library of that name (extra `apprise`).

The library opens its own sockets, so it runs in a process of its own, in which the interpreter asks the address guard
before every connection. The process ends with the message.
"""

import asyncio
import importlib
import os
import sys
from collections.abc import Sequence

import msgspec

from mainspring.domain.alerts.channel import ChannelSpec
from mainspring.domain.alerts.notice import Delivery, NoticeText
from mainspring.outgoing.confine import confine
from mainspring.outgoing.guard import Guard

MISSING = "apprise is not installed on this server: install mainspring[apprise]"
AT_ONCE = 4
"""Processes, each of some 60 MB."""


class Errand(msgspec.Struct, frozen=True):
    """A message for the process that sends it."""

    url: str
    title: str
    body: str
    networks: tuple[str, ...]


class Errands:
    """Sends messages, a few at a time; `networks` are those that the operator allows besides the public ones."""

    def __init__(self, networks: Sequence[str]) -> None:
        self._networks = tuple(networks)
        self._room = asyncio.Semaphore(AT_ONCE)

    async def send(self, spec: ChannelSpec, message: NoticeText) -> Delivery:
        async with self._room:
            return await sent_by_a_child(
                Errand(spec.url, message.title, "\n".join(message.lines) or "-", self._networks)
            )


async def sent_by_a_child(errand: Errand) -> Delivery:
    # Nothing of the server's environment but the way to its packages: a proxy would be a way around the guard.
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PATH": os.defpath}
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-W", "ignore", "-m", __name__),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=environment,
    )
    try:
        said, _ = await child.communicate(msgspec.json.encode(errand))
        return msgspec.json.decode(said, type=Delivery)
    except msgspec.DecodeError:
        return Delivery(ok=False, words=f"apprise ended without an answer (exit {child.returncode})")
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()


def run_errand(errand: Errand) -> Delivery:
    """Runs in the child."""
    try:
        library = importlib.import_module("apprise")
    except ImportError:
        return Delivery(ok=False, words=MISSING)
    refusals = confine(Guard(errand.networks, setting="alert_networks"))
    sender = library.Apprise()
    if not sender.add(errand.url):
        return Delivery(ok=False, words="apprise does not know this kind of address", again=False)
    if sender.notify(title=errand.title, body=errand.body):
        return Delivery(ok=True, words="taken")
    reason = f": {refusals[-1]}, which channels may not reach" if refusals else ""
    return Delivery(ok=False, words=f"apprise could not send it{reason}")


def main() -> None:
    answer = run_errand(msgspec.json.decode(sys.stdin.buffer.read(), type=Errand))
    sys.stdout.buffer.write(msgspec.json.encode(answer))


if __name__ == "__main__":
    main()
