"""A way to PostgreSQL that can be cut at chosen moments."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import parse_qsl, urlencode, urlsplit


class Relay:
    """Carries bytes both ways, until it is told to lose the next answer, and all that comes after it."""

    def __init__(self, url: str) -> None:
        self._target = urlsplit(url)
        self.url = ""
        self.loses_answers = False
        self.refuses = False

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refuses:
            writer.close()
            return
        theirs, ours = await self._open()
        asking = asyncio.create_task(self._copy(reader, ours))
        while (answer := await theirs.read(65536)) and not self.loses_answers:
            writer.write(answer)
        self.refuses = self.loses_answers
        asking.cancel()
        ours.close()
        writer.transport.abort()

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        query = dict(parse_qsl(self._target.query))
        if "host" in query:
            return await asyncio.open_unix_connection(f"{query['host']}/.s.PGSQL.{query.get('port', 5432)}")
        return await asyncio.open_connection(self._target.hostname, self._target.port)

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while asked := await reader.read(65536):
            writer.write(asked)
        writer.close()


@asynccontextmanager
async def relay_to(url: str) -> AsyncIterator[Relay]:
    relay = Relay(url)
    server = await asyncio.start_server(relay.carry, "127.0.0.1", 0)
    parts, port = urlsplit(url), server.sockets[0].getsockname()[1]
    query = {name: value for name, value in parse_qsl(parts.query) if name not in {"host", "port"}}
    who = parts.netloc.rpartition("@")[0]
    place = f"{who}@127.0.0.1:{port}" if who else f"127.0.0.1:{port}"
    relay.url = parts._replace(netloc=place, query=urlencode(query)).geturl()
    try:
        yield relay
    finally:
        server.close()
