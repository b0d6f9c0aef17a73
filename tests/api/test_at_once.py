"""An enqueue over bare sockets: whole or in pieces, one behind the other, kept open or not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.api.conftest import API_TOKEN, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

BODY = b'{"job":"open"}'


def ask(*fields: str, version: str = "1.1", body: bytes = BODY) -> bytes:
    head = [
        f"POST /api/v1/runs HTTP/{version}",
        "host: x",
        "content-type: application/json",
        f"authorization: Bearer {API_TOKEN}",
        f"content-length: {len(body)}",
        *fields,
    ]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


@asynccontextmanager
async def dialled(server: Server) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(server.url.rpartition(":")[2]))
    try:
        yield reader, writer
    finally:
        writer.close()


async def read_answer(reader: asyncio.StreamReader) -> tuple[bytes, dict[bytes, bytes], bytes]:
    first = await reader.readline()
    fields: dict[bytes, bytes] = {}
    while (line := await reader.readline()) != b"\r\n":
        name, _, value = line.partition(b": ")
        assert name not in fields
        fields[name] = value.strip()
    return first, fields, await reader.readexactly(int(fields.get(b"content-length", b"0")))


async def test_an_answer_is_whole_and_the_connection_is_good_for_the_next(server: Server) -> None:
    async with dialled(server) as (reader, writer):
        for _ in range(2):
            writer.write(ask())
            first, fields, body = await read_answer(reader)

            assert first == b"HTTP/1.1 201 Created\r\n"
            assert fields[b"content-type"] == b"application/json"
            assert b"mainspring-version" in fields
            assert body.startswith(b'{"id":"')


async def test_a_body_in_pieces_is_put_together(server: Server) -> None:
    whole = ask()
    async with dialled(server) as (reader, writer):
        writer.write(whole[:-5])
        await writer.drain()
        await server.http.get("/readyz")  # by now the first piece was read
        writer.write(whole[-5:])

        assert (await read_answer(reader))[0] == b"HTTP/1.1 201 Created\r\n"


async def test_requests_one_behind_the_other_are_answered_in_turn(server: Server) -> None:
    async with dialled(server) as (reader, writer):
        writer.write(ask("idempotency-key: first-of-two") + ask(body=b'{"job":"nope"}') + ask())
        firsts = [(await read_answer(reader))[0] for _ in range(3)]

    assert [first.split()[1] for first in firsts] == [b"201", b"404", b"201"]


@pytest.mark.parametrize(("fields", "version"), [(("connection: close",), "1.1"), ((), "1.0")])
async def test_who_wants_no_more_is_told_and_hung_up_on(server: Server, fields: tuple[str, ...], version: str) -> None:
    async with dialled(server) as (reader, writer):
        writer.write(ask(*fields, version=version))
        first, told, _ = await read_answer(reader)

        assert first.split()[1] == b"201"
        assert told[b"connection"] == b"close"
        assert await reader.read() == b""


async def test_who_waits_to_be_told_to_go_on_is_told(server: Server) -> None:
    whole = ask("expect: 100-continue")
    async with dialled(server) as (reader, writer):
        writer.write(whole[: -len(BODY)])
        assert await reader.readline() == b"HTTP/1.1 100 Continue\r\n"
        await reader.readline()
        writer.write(BODY)

        assert (await read_answer(reader))[0] == b"HTTP/1.1 201 Created\r\n"
