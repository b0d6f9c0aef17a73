"""A hello says only so much, or is refused before anything is done with it."""

import asyncio
from typing import Any, cast

import msgspec
import pytest

from mainspring.domain.cluster.session import Abilities, PoolSize
from mainspring.domain.ids import RunId, Token
from mainspring.domain.jobs.job import JobSpec, Pool
from mainspring.errors import ConfigError
from mainspring.scheduler.sessions.gateway import CLOSE_PROTOCOL
from mainspring.scheduler.sessions.hello import check_hello as bounds
from mainspring.scheduler.sessions.hello.check_hello import check_hello
from mainspring.wire.codec import encode
from mainspring.wire.messages import HELLO_MAX, Hello, Holding, Refused
from tests.scheduler.scene import MemoryLink, Scene
from tests.wire.samples import FROM_EXECUTOR

HELLO = cast("Hello", FROM_EXECUTOR["hello"])
RUN, TOKEN = RunId(bytes(16)), Token(bytes(16))


def named(count: int) -> list[str]:
    return [f"name-{number}" for number in range(count)]


def able(**changes: Any) -> dict[str, Any]:
    return {"abilities": msgspec.structs.replace(HELLO.abilities, **changes)}


TOO_MUCH: dict[str, dict[str, Any]] = {
    "executor": {"executor": "x" * 201},
    "executor_nul": {"executor": "a\x00b"},
    "queues": able(queues=named(bounds.QUEUES_MAX + 1)),
    "queue_of_1_mb": able(queues=["q" * 1_000_000]),
    "queue_nul": able(queues=["a\x00"]),
    "handlers": able(handlers=dict.fromkeys(named(100_000), Pool.LOOP)),
    "handler_nul": able(handlers={"a\x00": Pool.LOOP}),
    "served": able(queues=named(100), handlers=dict.fromkeys(named(501), Pool.LOOP)),
    "labels": able(labels=dict.fromkeys(named(bounds.LABELS_MAX + 1), "")),
    "label_key": able(labels={"x" * 256: ""}),
    "label_value": able(labels={"zone": "\x00"}),
    "code_version": able(code_version="v" * 256),
    "code_version_nul": able(code_version="1\x00"),
    "host": able(host="h" * 5_000_000),
    "pool_twice": able(pools=[PoolSize(Pool.LOOP, 0, 1, 0)] * 2),
    "pool_negative": able(pools=[PoolSize(Pool.LOOP, 0, -1, 0)]),
    "pool_huge": able(pools=[PoolSize(Pool.LOOP, 0, 2**62, 2**62)]),
    "jobs": {"jobs": [JobSpec(name=name, handler=name) for name in named(20_000)]},
    "job_name": {"jobs": [JobSpec(name="\x00", handler="x")]},
    "schema": {"jobs": [JobSpec(name="x", handler="x", schema=b'{"title":"' + b"x" * 200_000 + b'"}')]},
    "holding": {"holding": [Holding(TOKEN, [RUN] * bounds.HOLDING_MAX)]},
    "tokens": {"holding": [Holding(TOKEN, [])] * (bounds.HOLDING_MAX + 1)},
    "triggers": {"triggers": dict.fromkeys(named(bounds.TRIGGERS_MAX + 1), "")},
    "trigger_name": {"triggers": {"x" * 256: ""}},
    "trigger_digest": {"triggers": {"x": "\x00"}},
}


@pytest.mark.parametrize("changes", TOO_MUCH.values(), ids=TOO_MUCH)
def test_more_than_a_hello_may_say_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="this executor's definitions cannot be used"):
        check_hello(msgspec.structs.replace(HELLO, **changes))


def test_what_executors_say_is_taken() -> None:
    full = Abilities(
        queues=named(25),
        handlers=dict.fromkeys(named(bounds.HANDLERS_MAX), Pool.LOOP),
        pools=[PoolSize(pool, 0, 100_000, 0) for pool in Pool],
        labels=dict.fromkeys(named(bounds.LABELS_MAX), "ä" * 255),
    )

    check_hello(HELLO)
    check_hello(msgspec.structs.replace(HELLO, abilities=full, holding=[Holding(TOKEN, [RUN] * 100_000)]))


async def refused(scene: Scene, frame: bytes) -> tuple[Refused, int]:
    link = MemoryLink()
    serving = asyncio.create_task(scene.scheduler.attach(link))
    link.say_bytes(frame)
    answer = await link.expect(Refused)
    await serving
    assert link.closed is not None
    return answer, link.closed[0]


async def test_a_hello_without_bounds_is_refused_as_a_matter_of_configuration(scene: Scene) -> None:
    hello = msgspec.structs.replace(HELLO, **TOO_MUCH["handlers"])
    answer, code = await refused(scene, encode([hello]))

    assert (answer.code, code) == ("config", CLOSE_PROTOCOL)
    assert "100000 are more than 2000" in answer.reason
    assert await scene.store.cluster.sessions() == []


async def test_a_first_frame_over_its_limit_is_not_even_read(scene: Scene) -> None:
    answer, code = await refused(scene, b"\xc1" * (HELLO_MAX + 1))

    assert (answer.code, code) == ("config", CLOSE_PROTOCOL)
    assert "over the limit of 4194304" in answer.reason
