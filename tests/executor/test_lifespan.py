"""What lives as long as a process: entered before work, left after it, in the executor and in each of its children."""

import asyncio
import logging
import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest

from mainspring import Context, Inject, Job, Pool
from mainspring.errors import ConfigError
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.process.executor import EXIT_CONFIG, EXIT_OK, Executor
from mainspring.executor.process.lifespan import IN_CHILD, IN_PROCESS, Lifetime, opened
from mainspring.executor.process.loading import load_handlers
from tests.architecture.source import ROOT
from tests.executor.fakes import run_id, start
from tests.executor.stand_in import TOKEN_TEXT, stand_in
from tests.executor.test_executor import Running, gather, settings
from tests.executor.trial import attempted_in, result

CHILDREN = "tests.executor.children:app"


async def test_what_a_lifespan_yields_is_the_state_of_every_attempt() -> None:
    trace: list[str] = []
    handlers = Handlers()

    async def lifespan() -> AsyncIterator[dict[str, int]]:
        trace.append("open")
        yield {"answer": 42}
        trace.append("close")

    def shared(state: Annotated[dict[str, int], Inject(lifespan)]) -> int:
        return state["answer"] + 1

    def plain(ctx: Context) -> int:
        return int(ctx.state["answer"])

    async def on_loop(more: Annotated[int, Inject(shared, "process")], ctx: Context) -> list[int]:
        return [ctx.state["answer"], more]

    handlers.live(lifespan)
    handlers.add(plain)
    handlers.add(on_loop)
    async with opened(handlers) as served:
        results = [(await attempted_in(served, name)).result for name in ("plain", "on_loop")]
        during = list(trace)

    assert results == [b"42", b"[42,43]"]
    assert (during, trace) == (["open"], ["open", "close"])


async def test_a_plain_lifespan_works_as_well_and_state_is_none_without_one() -> None:
    with_one, without = Handlers(), Handlers()

    def lifespan() -> Iterator[str]:
        yield "state"

    def handler(ctx: Context) -> Any:
        return ctx.state

    with_one.live(lifespan)
    with_one.add(handler)
    without.add(handler)

    assert await result(with_one, "handler") == "state"
    assert await result(without, "handler") is None


async def test_a_test_may_have_a_lifespan_of_its_own() -> None:
    def lifespan() -> Iterator[str]:
        if not database:
            raise ConnectionError
        yield "real"

    def fake() -> Iterator[str]:
        yield "fake"

    def handler(ctx: Context, state: Annotated[str, Inject(lifespan)]) -> list[str]:
        return [ctx.state, state]

    database: list[str] = []
    handlers = Handlers()
    handlers.live(lifespan)
    handlers.add(handler)
    with handlers.override(lifespan, fake):
        assert await result(handlers, "handler") == ["fake", "fake"]
    with pytest.raises(ConfigError, match="has to yield once"), handlers.override(lifespan, lambda: "fake"):
        pass


async def test_a_task_group_may_span_the_life_of_the_process() -> None:
    ended = asyncio.Event()

    async def background() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def lifespan() -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as group:
            running = group.create_task(background())
            yield
            running.cancel()

    handlers = Handlers()
    handlers.live(lifespan)
    async with opened(handlers):
        await asyncio.sleep(0)

    assert ended.is_set()


async def test_two_processes_of_one_app_do_not_share_what_they_keep() -> None:
    made: list[object] = []

    def lifespan() -> Iterator[int]:
        made.append(None)
        yield len(made)

    def handler(ctx: Context) -> int:
        return int(ctx.state)

    handlers = Handlers()
    handlers.live(lifespan)
    handlers.add(handler)
    async with opened(handlers) as second:
        async with opened(handlers) as first:
            inner = (await attempted_in(first, "handler")).result
        outer = (await attempted_in(second, "handler")).result

    assert (outer, inner) == (b"1", b"2")


async def test_several_apps_have_their_own_states_and_are_left_in_reverse_order() -> None:
    trace: list[str] = []

    def app(name: str) -> Handlers:
        def lifespan() -> Iterator[str]:
            trace.append(f"open {name}")
            yield name
            trace.append(f"close {name}")

        def handler(ctx: Context) -> str:
            return str(ctx.state)

        handlers = Handlers()
        handlers.live(lifespan)
        handlers.add(handler, name=f"handler of {name}")
        return handlers

    joined = Handlers(app("a"), app("b"))

    assert await result(joined, "handler of a") == "a"
    assert await result(joined, "handler of b") == "b"
    assert trace == ["open a", "open b", "close b", "close a"] * 2


async def test_what_fails_at_the_start_undoes_what_was_entered() -> None:
    trace: list[str] = []

    async def lifespan() -> AsyncIterator[None]:
        trace.append("open")
        yield
        trace.append("close")

    def engine() -> None:
        raise ConnectionRefusedError("no database\nat all")

    def handler(on: Annotated[None, Inject(engine, "process")]) -> None: ...

    handlers = Handlers()
    handlers.live(lifespan)
    handlers.add(handler)
    with pytest.raises(ConfigError) as failed:
        async with opened(handlers):
            pass

    assert str(failed.value).endswith("engine failed at the start: ConnectionRefusedError: no database at all")
    assert trace == ["open"]


@pytest.mark.parametrize("swallowing", [True, False])
async def test_what_failed_at_the_start_is_told_whatever_others_make_of_it(*, swallowing: bool) -> None:
    async def lifespan() -> AsyncIterator[None]:
        try:
            async with asyncio.TaskGroup():
                yield
        except* ConfigError:
            if not swallowing:
                raise

    def engine() -> None:
        raise OSError("no")

    def handler(on: Annotated[None, Inject(engine, "process")]) -> None: ...

    handlers = Handlers()
    handlers.live(lifespan)
    handlers.add(handler)
    with pytest.raises(ConfigError, match="engine failed at the start: OSError: no"):
        await Lifetime(handlers).open()


async def test_what_fails_at_the_end_is_logged_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    async def lifespan() -> AsyncIterator[None]:
        yield
        raise OSError("cannot close")

    handlers = Handlers()
    handlers.live(lifespan)
    with caplog.at_level(logging.INFO):
        async with opened(handlers):
            pass

    assert [record.getMessage() for record in caplog.records] == [
        "a lifespan or a provider failed while it ended: OSError: cannot close"
    ]


async def test_a_start_that_is_called_off_is_undone() -> None:
    began, undone = asyncio.Event(), asyncio.Event()

    async def lifespan() -> AsyncIterator[None]:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            undone.set()
        yield

    handlers = Handlers()
    handlers.live(lifespan)
    opening = asyncio.create_task(Lifetime(handlers).open())
    await began.wait()
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening

    assert undone.is_set()


def test_one_lifespan_is_enough_and_it_has_to_yield() -> None:
    def lifespan() -> Iterator[None]:
        yield

    handlers = Handlers()
    handlers.live(lifespan)

    with pytest.raises(ConfigError, match="there is a lifespan already"):
        handlers.live(lifespan)
    with pytest.raises(ConfigError, match="has to yield once"):
        Handlers().live(lambda: None)


def test_only_what_the_handlers_of_a_process_need_is_made_in_it() -> None:
    def engine() -> None: ...

    def isolated(on: Annotated[None, Inject(engine, "process")]) -> None: ...

    def brief(on: Annotated[Path, Inject(Path)]) -> None: ...

    handlers = Handlers()
    handlers.add(isolated, pool=Pool.PROCESSES)
    handlers.add(brief)

    assert not Lifetime(handlers, IN_PROCESS).is_needed
    assert Lifetime(handlers, IN_CHILD).is_needed


async def test_an_executor_opens_before_it_serves_and_closes_after_it_drained() -> None:
    trace: list[str] = []
    handlers = Handlers()

    async def lifespan() -> AsyncIterator[str]:
        trace.append("open")
        yield "state"
        trace.append("close")

    class Shout(Job):
        def __init__(self) -> None:
            self.calls = 0

        def run(self, text: str, ctx: Context) -> str:
            self.calls += 1
            return f"{text.upper()} {self.calls} {ctx.state}"

    handlers.live(lifespan)
    handlers.add(Shout)
    async with stand_in() as server, Running(handlers, server) as running:
        line = await server.connections.get()
        during = list(trace)
        await line.say(start(1, name="Shout", raw=b'{"text":"hi"}'))
        first = await gather(line, 1)
        await line.say(start(2, name="Shout", raw=b'{"text":"hi"}', part=1))
        second = await gather(line, 1)
        code = await running.stop()

    assert first | second == {run_id(1): b'"HI 1 state"', run_id(2): b'"HI 2 state"'}
    assert (during, trace, code) == (["open"], ["open", "close"], EXIT_OK)


def test_a_lifespan_that_fails_stops_the_executor_with_one_line(caplog: pytest.LogCaptureFixture) -> None:
    async def connect() -> AsyncIterator[None]:
        if not database:
            raise ConnectionRefusedError("no database")
        yield

    database: list[str] = []
    handlers = Handlers()
    handlers.live(connect)
    with caplog.at_level(logging.INFO):
        code = Executor(handlers, settings("http://127.0.0.1:1")).run(signals=False)

    assert code == EXIT_CONFIG
    (record,) = caplog.records
    assert record.getMessage().startswith("the executor cannot start: the lifespan")
    assert record.getMessage().endswith("connect failed at the start: ConnectionRefusedError: no database")
    assert not record.exc_info


@pytest.mark.slow
async def test_each_child_process_has_a_life_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = tmp_path / "trace"
    monkeypatch.setenv("TRACE", str(trace))
    async with stand_in() as server, Running(load_handlers(CHILDREN), server, app=CHILDREN) as running:
        line = await server.connections.get()
        await line.say(
            start(1, name="Count"),
            start(2, name="Count", part=1),
            start(3, name="count_async", part=2),
        )
        results = await gather(line, 3)
        code = await running.stop()

    lines = [line.split() for line in trace.read_text().splitlines()]
    child = {pid for what, pid in lines if what == "around"}
    assert sorted(results.values()) == [b"1", b"2", b"3"]
    assert code == EXIT_OK
    assert len(child) == 1
    assert [what for what, pid in lines if pid in child] == ["open", *["around"] * 3, "close"]
    assert [what for what, pid in lines if pid not in child] == ["open", "close"]


@pytest.mark.slow
async def test_a_process_that_serves_several_apps_waits_for_the_lives_of_its_children(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    apps = ("tests.executor.sample:app", CHILDREN)
    async with stand_in() as server:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "mainspring", "executor", *apps, "--server", server.url),
            cwd=ROOT,
            env={**os.environ, "TRACE": str(trace), "MAINSPRING_EXECUTOR_TOKEN": TOKEN_TEXT},
        )
        line = await server.connections.get()
        await line.say(start(1, name="Count"), start(2, name="double", raw=b'{"number":2}', part=1))
        results = await gather(line, 2)
        process.terminate()
        code = await process.wait()

    lives: dict[str, list[str]] = {}
    for what, pid in (line.split() for line in trace.read_text().splitlines()):
        lives.setdefault(pid, []).append(what)
    assert results == {run_id(1): b"1", run_id(2): b"4"}
    assert code == EXIT_OK
    assert len(lives) >= 2
    assert {(life[0], life[-1]) for life in lives.values()} == {("open", "close")}


@pytest.mark.slow
async def test_a_lifespan_that_fails_ends_the_command_with_one_line(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "mainspring", "executor", CHILDREN, "--server", "http://127.0.0.1:1"),
        cwd=ROOT,
        env={**os.environ, "TRACE": str(tmp_path / "no" / "trace"), "MAINSPRING_EXECUTOR_TOKEN": TOKEN_TEXT},
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await process.communicate()

    assert process.returncode == EXIT_CONFIG
    assert said.decode().count("\n") == 1
    assert "the executor cannot start: the lifespan lifespan failed at the start: FileNotFoundError" in said.decode()
