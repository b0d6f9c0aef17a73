"""Single enqueues that share requests."""

import asyncio

import pytest

from mainspring import AsyncClient, MainspringError
from tests.client.conftest import TOKEN, Shop

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_each_of_many_concurrent_enqueues_gets_its_own_answer_or_its_own_error(url: str, shop: Shop) -> None:
    async with AsyncClient(url, token=TOKEN, batching=True) as client:
        asked = [client.enqueue("greet", {"name": f"{n}"}) for n in range(40)]
        bad = [client.enqueue("greet", {"name": 5}), client.enqueue("nobody-knows-it")]
        *handles, wrong, unknown = await asyncio.gather(*asked, *bad, return_exceptions=True)
        results = [await handle.result(30) for handle in handles if not isinstance(handle, BaseException)]

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
