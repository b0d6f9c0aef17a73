"""One look at the condition of a database."""

from mainspring.store.interface import Store


async def test_a_look_finds_the_size_and_nobody_who_holds_back_vacuum_for_long(store: Store) -> None:
    found = await store.cluster.watch(now=await store.clock())

    assert found.size > 0
    assert found.trouble == ""
    assert found.notify_queue == 0.0
