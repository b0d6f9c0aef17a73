"""Many rows are worked on without holding up the event loop."""

import asyncio

from mainspring.store.postgres.cooperative import BREATH, each


async def test_each_row_is_worked_on_in_its_order() -> None:
    rows = list(range(2 * BREATH + 1))

    assert await each(rows, str) == [str(row) for row in rows]
    assert await each([], str) == []


async def test_others_get_their_turn_between_many_rows() -> None:
    turns: list[int] = []
    done: list[int] = []
    asyncio.get_running_loop().call_soon(lambda: turns.append(len(done)))
    await each(range(3 * BREATH), done.append)

    assert turns == [BREATH]


async def test_a_few_rows_are_worked_on_at_once() -> None:
    turns: list[int] = []
    asyncio.get_running_loop().call_soon(lambda: turns.append(1))
    await each(range(BREATH), str)

    assert turns == []
