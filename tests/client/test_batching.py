"""Single enqueues that share requests."""

import asyncio
from typing import Any

import pytest

from mainspring import AsyncClient, MainspringError
from mainspring.client.batching import Batching
from mainspring.client.transport.requests import new_enqueue
from tests.client.conftest import TOKEN, Shop
from tests.support.limits import HANG

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_each_of_many_concurrent_enqueues_gets_its_own_answer_or_its_own_error(url: str, shop: Shop) -> None:
    async with AsyncClient(url, token=TOKEN, batching=True) as client:
        asked = [client.enqueue("greet", {"name": f"{n}"}) for n in range(40)]
        bad = [client.enqueue("greet", {"name": 5}), client.enqueue("nobody-knows-it")]
        *handles, wrong, unknown = await asyncio.gather(*asked, *bad, return_exceptions=True)
        results = [await handle.result(HANG) for handle in handles if not isinstance(handle, BaseException)]

    assert results == [f"hello {n}" for n in range(40)]
    assert isinstance(wrong, MainspringError)
    assert wrong.code == "bad_arguments"
    assert isinstance(unknown, MainspringError)
    assert unknown.code == "unknown_job"


async def test_equal_keys_asked_for_together_are_one_run(url: str, shop: Shop) -> None:
    async with AsyncClient(url, token=TOKEN, batching=True) as client:
        asked = [client.enqueue("greet", {"name": "a"}, key="batching-once") for _ in range(20)]
        handles = await asyncio.gather(*asked)

    assert len({handle.id for handle in handles}) == 1
    assert sum(not handle.existing for handle in handles) == 1


async def test_a_caller_that_is_cancelled_takes_nobody_along(url: str, shop: Shop) -> None:
    async with AsyncClient(url, token=TOKEN, batching=True) as client:
        asked = [asyncio.create_task(client.enqueue("greet", {"name": "a"})) for _ in range(10)]
        await asyncio.sleep(0)
        asked[5].cancel()
        done = await asyncio.gather(*asked, return_exceptions=True)

    assert [isinstance(each, asyncio.CancelledError) for each in done] == [at == 5 for at in range(10)]


class CountedCalls:
    """Passes calls on to a client, and counts them."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self.count = 0

    async def __call__(self, request: Any) -> Any:
        self.count += 1
        return await self._client._call(request)


async def test_a_thousand_concurrent_enqueues_are_a_few_requests(url: str, shop: Shop) -> None:
    async with AsyncClient(url, token=TOKEN) as client:
        calls = CountedCalls(client)
        batching = Batching(calls)
        asked = [batching.send(new_enqueue("greet", {"name": "a"})) for _ in range(1000)]
        accepted = await asyncio.gather(*asked)

    assert len({run.id for run in accepted}) == 1000
    assert calls.count <= 5


async def test_one_wrong_run_among_many_costs_a_few_requests_and_no_other_run(url: str, shop: Shop) -> None:
    async with AsyncClient(url, token=TOKEN) as client:
        calls = CountedCalls(client)
        batching = Batching(calls)
        names = [5 if number == 37 else "a" for number in range(64)]
        asked = [batching.send(new_enqueue("greet", {"name": name})) for name in names]
        answers = await asyncio.gather(*asked, return_exceptions=True)

    assert [at for at, answer in enumerate(answers) if isinstance(answer, MainspringError)] == [37]
    assert calls.count <= 2 * 6 + 1


async def test_a_run_asked_for_as_the_last_request_ends_is_sent(url: str, shop: Shop) -> None:
    async with AsyncClient(url, token=TOKEN) as client:
        batching = Batching(client._call)

        async def twice() -> list[str]:
            return [(await batching.send(new_enqueue("greet", {"name": "a"}))).id for _ in range(2)]

        found = await asyncio.wait_for(asyncio.gather(*(twice() for _ in range(5))), HANG)

    assert len({run for pair in found for run in pair}) == 10
