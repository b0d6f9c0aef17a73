"""Address books that lie, and the strangers that they name; and whether executors are attached in spite of them."""

import asyncio
import random
from collections.abc import Iterable, Mapping

from mainspring.discovery.directory import Directory
from mainspring.discovery.follow import FollowedBook
from mainspring.discovery.interface import Entry, EntryKind, RegistryAwayError
from mainspring.executor.link.dialling import ServerConnection
from mainspring.wire.codec import encode
from mainspring.wire.messages import Refused

PREFIX = "https://"
STRANGER = "stranger-"
SEED = "server-0"
"""Named in the settings of each executor: it is there in the end, also where only the core is healed."""
LIES = ("true", "stale", "empty", "foreign", "doubled", "away", "slow")
STRANGERS = 40


def url_of(server: str) -> str:
    return f"{PREFIX}{server}"


def name_of(url: str) -> str:
    return url.removeprefix(PREFIX)


class LyingBook:
    """Each answer is a lie of a kind that is drawn anew; now and then it is true."""

    def __init__(self, draws: random.Random, servers: Iterable[str]) -> None:
        self.unreadable = 0
        self._draws = draws
        self._servers = sorted(servers)
        self._favourite = draws.choice(LIES)

    async def entries(self) -> list[Entry]:
        lie = self._favourite if self._draws.random() < 0.5 else self._draws.choice(LIES)
        if lie == "away":
            raise RegistryAwayError("it is away")
        if lie == "slow":
            await asyncio.sleep(self._draws.uniform(0.0, 20.0))
        return [entry_of(name) for name in self._list(lie)]

    def _list(self, lie: str) -> list[str]:
        strangers = [f"{STRANGER}{self._draws.randrange(200)}" for _ in range(self._draws.randint(1, STRANGERS))]
        match lie:
            case "empty":
                return []
            case "foreign":
                return strangers
            case "stale":
                return [self._draws.choice(self._servers), *strangers[:3]]
            case "doubled":
                return [*self._servers, *self._servers, *strangers[:2], *strangers[:2]]
        return self._servers

    async def changed(self) -> None:
        await asyncio.sleep(self._draws.choice((0.0, 0.5, 5.0)))

    async def announce(self, entry: Entry, *, ttl: float) -> None: ...

    async def withdraw(self, entry: Entry) -> None: ...

    async def close(self) -> None: ...


def entry_of(name: str) -> Entry:
    return Entry(kind=EntryKind.SERVER, id=name, name=name, url=url_of(name))


def lied_to(seed: random.Random, servers: Mapping[str, object]) -> tuple[Directory, FollowedBook]:
    """The directory of one executor, to be kept by `follow` with the source."""
    names = sorted(servers, key=lambda _: seed.random())
    seeds = names if seed.random() < 0.5 else [SEED]
    directory = Directory([url_of(name) for name in seeds], jitter=seed.random)
    return directory, FollowedBook("lies://", LyingBook(seed, servers))


class Stranger(ServerConnection):
    """Something that answers at an address that a lying book named, and is no server of this cluster."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer
        self._over = asyncio.Event()

    async def send(self, frame: bytes) -> None: ...

    async def receive(self) -> bytes:
        if not self._answer:
            await self._over.wait()
            raise ConnectionError("the stranger said nothing")
        return self._answer

    async def close(self) -> None: ...

    def abort(self) -> None:
        self._over.set()


async def dial_stranger(name: str, within: float) -> ServerConnection:
    """By its number it refuses, says nothing to the connection or to the hello, knows no token, or talks nonsense."""
    match int(name.removeprefix(STRANGER)) % 5:
        case 0:
            raise ConnectionError(f"{name} refuses the connection")
        case 1:
            await asyncio.sleep(within)
            raise ConnectionError(f"{name} does not answer")
        case 2:
            return Stranger(encode([Refused("token_unknown", "no such token")]))
        case 3:
            return Stranger(b"\x00rubbish")
    return Stranger(b"")
