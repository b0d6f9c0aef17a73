"""Callers that know several servers: which one is asked, and what is asked again elsewhere."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import pytest

from mainspring import AsyncClient, Client
from mainspring.client.calls import Request
from mainspring.client.transport.fail_over import may_go_on, none_left
from mainspring.client.transport.requests import Enqueue, enqueue, enqueue_many, get_run, new_enqueue
from mainspring.client.transport.servers import UnreachableError, find_server
from mainspring.errors import ConfigError, DrainingError, OverBudgetError, StartingError, UnavailableError
from tests.client.conftest import TOKEN, Shop
from tests.support.limits import HANG

on_one_loop = pytest.mark.asyncio(loop_scope="module")

RUN = "0190b2f4-0000-7000-8000-000000000000"
PLAIN = enqueue(Enqueue(job="greet"))
SAFE = enqueue(new_enqueue("greet", retry_safe=True))
KEYED = enqueue(Enqueue(job="greet", key="once"))
FULL = OverBudgetError("queue", "default", depth=1, limit=1, retry_after=1.0)


def lost(*, unsent: bool) -> UnreachableError:
    error = UnreachableError("gone")
    error.unsent = unsent
    return error


@pytest.mark.parametrize(
    ("request_", "error", "again"),
    [
        (PLAIN, DrainingError("bye"), True),
        (PLAIN, StartingError("soon"), True),
        (PLAIN, lost(unsent=True), True),
        (PLAIN, lost(unsent=False), False),
        (PLAIN, UnavailableError("not known"), False),
        (KEYED, lost(unsent=False), True),
        (KEYED, UnavailableError("not known"), True),
        (KEYED, FULL, False),
        (SAFE, lost(unsent=False), True),
        (get_run(RUN), lost(unsent=False), True),
        (next(enqueue_many([Enqueue(job="a", key="1"), Enqueue(job="a", key="2")])), lost(unsent=False), True),
        (next(enqueue_many([Enqueue(job="a", key="1"), Enqueue(job="a")])), lost(unsent=False), False),
    ],
)
def test_only_what_was_not_done_or_may_be_done_twice_is_asked_of_another(
    request_: Request[object], error: UnavailableError, *, again: bool
) -> None:
    assert may_go_on(request_, error) is again


def test_each_retry_safe_run_gets_a_key_of_its_own_unless_it_has_one() -> None:
    wanted = [new_enqueue("greet", retry_safe=True) for _ in range(2)]

    assert len({each.key for each in wanted} - {None}) == 2
    assert new_enqueue("greet", retry_safe=True, key="mine").key == "mine"
    assert Enqueue(job="greet").replace(retry_safe=True).key is not None


def test_a_call_that_no_server_takes_says_why_of_each_or_the_last_word_of_one() -> None:
    refused, gone = DrainingError("bye"), [UnreachableError("a is away"), UnreachableError("b is away")]

    assert none_left([gone[0], refused, gone[1]]) is refused
    assert str(none_left(gone)) == "a is away; b is away"
    assert none_left(gone).code == "unreachable"


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1, http://127.0.0.1:2", ["http://127.0.0.1:1", "http://127.0.0.1:2"]]
)
def test_addresses_are_a_list_or_stand_with_commas_between_them(url: str | list[str]) -> None:
    assert find_server((url, "t", None)).url == ("http://127.0.0.1:1", "http://127.0.0.1:2")


@pytest.mark.parametrize("url", ["", ",", [], "http://127.0.0.1:1,ftp://127.0.0.1:2"])
def test_addresses_that_no_call_can_go_to_are_refused(url: str | list[str]) -> None:
    with pytest.raises(ConfigError, match="address"):
        find_server((url, "t", None))


def test_a_token_from_the_home_goes_to_no_other_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MAINSPRING_TOKEN", "MAINSPRING_HOME"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ConfigError, match=r"no token for http://127\.0\.0\.1:1, http://a\.example"):
        find_server(("http://127.0.0.1:1,http://a.example", None, None))


@contextmanager
def nobody() -> Iterator[str]:
    """An address at which nothing listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}"


class Deaf:
    """Reads requests and hangs up without an answer."""

    def __init__(self) -> None:
        self.heard = 0
        self.url = ""

    async def hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        self.heard += head.startswith(b"POST")
        writer.close()


@asynccontextmanager
async def deaf() -> AsyncIterator[Deaf]:
    stand_in = Deaf()
    async with await asyncio.start_server(stand_in.hear, "127.0.0.1", 0) as server:
        stand_in.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield stand_in


@on_one_loop
async def test_a_call_goes_to_the_next_server_if_nothing_listens_at_the_first(url: str, shop: Shop) -> None:
    with nobody() as gone:
        async with AsyncClient([gone, url], token=TOKEN) as client:
            run = await client.enqueue("greet", {"name": "you"})
            result = await run.result(timeout=HANG)

        def plainly() -> list[str]:
            with Client(f"{gone},{url}", token=TOKEN) as client:
                runs = client.enqueue_many([Enqueue(job="greet", input={"name": "you"})] * 2)
                return [each.result(timeout=HANG) for each in runs]

        assert result == "hello you"
        assert await asyncio.to_thread(plainly) == ["hello you"] * 2


@on_one_loop
async def test_if_no_server_answers_the_error_names_all_of_them() -> None:
    with nobody() as one, nobody() as other:
        with pytest.raises(UnavailableError) as refused:
            await AsyncClient([one, other], token=TOKEN).get(RUN)
        with pytest.raises(UnavailableError) as refused_sync:
            await asyncio.to_thread(Client([one, other], token=TOKEN).get, RUN)

    for error in (refused.value, refused_sync.value):
        assert error.code == "unreachable"
        assert one in str(error)
        assert other in str(error)


@on_one_loop
async def test_what_a_server_may_have_done_is_asked_of_another_only_under_a_key(url: str, shop: Shop) -> None:
    async with deaf() as first, AsyncClient([first.url, url], token=TOKEN) as client:
        with pytest.raises(UnavailableError):
            await client.enqueue("greet", {"name": "you"})
        once = first.heard
        async with AsyncClient([first.url, url], token=TOKEN) as another:
            run = await another.enqueue("greet", {"name": "you"}, key="fail-over-async")

        def plainly(key: str | None) -> str:
            with Client([first.url, url], token=TOKEN) as client:
                return client.send(Enqueue(job="greet", input={"name": "you"}, key=key)).id

        with pytest.raises(UnavailableError):
            await asyncio.to_thread(plainly, None)
        run_sync = await asyncio.to_thread(plainly, "fail-over-sync")
        assert (once, first.heard) == (1, 4)

    assert (await shop.app.client.get(run.id)).key == "fail-over-async"
    assert (await shop.app.client.get(run_sync)).key == "fail-over-sync"


@on_one_loop
async def test_a_client_remembers_which_server_answered(url: str) -> None:
    async with deaf() as first, AsyncClient([first.url, url], token=TOKEN) as client:
        for _ in range(3):
            await client.list(limit=1)
        with pytest.raises(UnavailableError):
            await AsyncClient([first.url, url], token=TOKEN).enqueue("greet", {"name": "you"})
        await client.enqueue("greet", {"name": "you"})

    assert first.heard == 1
