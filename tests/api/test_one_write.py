"""How the bytes of an answer leave: seen by a transport that notes what it is given."""

import asyncio
from collections.abc import Iterable

from mainspring.api.http.single_write import Joining

HEAD = b"HTTP/1.1 200 OK\r\n\r\n"


class Noting(asyncio.Transport):
    """Keeps what it was given, call by call."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[bytes] = []

    def write(self, data: bytes) -> None:  # type: ignore[override]
        self.calls.append(data)

    def writelines(self, list_of_data: Iterable[bytes]) -> None:  # type: ignore[override]
        self.calls.append(b"".join(list_of_data))

    def close(self) -> None:
        self.calls.append(b"<closed>")


def joining() -> tuple[Joining, list[bytes]]:
    noting = Noting()
    return Joining(noting, asyncio.get_running_loop()), noting.calls


async def test_a_head_and_the_body_behind_it_leave_together() -> None:
    transport, calls = joining()
    transport.write(HEAD)
    transport.write(b"body")
    transport.write(b"more")
    await asyncio.sleep(0)

    assert calls == [HEAD + b"body", b"more"]


async def test_a_head_without_a_body_leaves_in_the_next_turn() -> None:
    transport, calls = joining()
    transport.write(HEAD)
    assert not calls
    await asyncio.sleep(0)

    assert calls == [HEAD]
    transport.write(b"first line of a stream")
    assert calls == [HEAD, b"first line of a stream"]


async def test_a_head_is_not_lost_to_a_close() -> None:
    transport, calls = joining()
    transport.write(HEAD)
    transport.close()
    await asyncio.sleep(0)

    assert calls == [HEAD, b"<closed>"]


async def test_two_answers_on_one_connection_keep_their_order() -> None:
    transport, calls = joining()
    transport.write(HEAD)
    transport.write(HEAD)
    await asyncio.sleep(0)

    assert b"".join(calls) == HEAD + HEAD
