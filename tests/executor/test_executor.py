"""A whole executor: real threads, real children, a real WebSocket."""

import asyncio
import logging
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Self

import pytest

from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.jobs.job import Pool
from mainspring.domain.runs.attempt import Outcome
from mainspring.errors import ConfigError
from mainspring.executor.attempts.context import Context
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.link.websocket import websocket_url
from mainspring.executor.process.executor import EXIT_CONFIG, EXIT_OK, Executor
from mainspring.settings import ExecutorSettings
from mainspring.wire.messages import Beat, Goodbye, Hello, Leave, Logs, Outcomes, Reports, Room
from tests.executor import sample
from tests.executor.fakes import run_id, start
from tests.executor.stand_in import TOKEN_TEXT, Dialogue, StandIn, stand_in
from tests.support.limits import HANG

POOLS = (
    PoolSize(Pool.LOOP, 0, 100, 10),
    PoolSize(Pool.THREADS, 1, 4, 100),
    PoolSize(Pool.PROCESSES, 0, 1, 2),
)


def settings(*servers: str, token: str = TOKEN_TEXT, grace: float = 5.0, stop_grace: float = 5.0) -> ExecutorSettings:
    return ExecutorSettings(servers=servers, token=token, name="e1", pools=POOLS, grace=grace, stop_grace=stop_grace)


class Running:
    """An executor in a thread of this process, as a context."""

    def __init__(
        self, handlers: Handlers, server: StandIn, *others: StandIn, app: str = "", grace: float = 5.0
    ) -> None:
        urls = [each.url for each in (server, *others)]
        self.executor = Executor(handlers, settings(*urls, grace=grace), app=app)
        self._ending: asyncio.Future[int] | None = None

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._ending = loop.run_in_executor(None, lambda: self.executor.run(signals=False))
        return self

    async def stop(self) -> int:
        assert self._ending is not None
        self.executor.stop()
        return await self._ending

    async def __aexit__(self, *_: object) -> None:
        await self.stop()


async def test_async_threaded_and_isolated_handlers_all_come_back() -> None:
    handlers = Handlers()

    async def add(one: int, two: int) -> int:
        await asyncio.sleep(0)
        return one + two

    def shout(text: str) -> str:
        return text.upper()

    handlers.add(add)
    handlers.add(shout)
    handlers.add(sample.double, pool=Pool.PROCESSES)
    async with stand_in() as server, Running(handlers, server, app="tests.executor.sample"):
        line = await server.connections.get()
        await line.say(
            start(1, 2, name="add", raw=b'{"one":1,"two":2}'),
            start(3, name="shout", raw=b'{"text":"hi"}', part=1),
            start(4, name="double", raw=b'{"number":21}', part=2),
        )
        results = await gather(line, 4)

    assert results == {run_id(1): b"3", run_id(2): b"3", run_id(3): b'"HI"', run_id(4): b"42"}
    assert server.paths == ["/api/v1/executors/connect"]


async def gather(line: Dialogue, count: int) -> dict[bytes, bytes]:
    results: dict[bytes, bytes] = {}
    while len(results) < count:
        outcomes = await line.heard.hear(Outcomes)
        assert outcomes.ended == []
        results |= dict(zip(outcomes.runs, outcomes.results, strict=True))
    return results


async def test_a_blocked_user_loop_does_not_stop_the_beats() -> None:
    gate, blocked = threading.Event(), threading.Event()
    handlers = Handlers()

    async def block() -> None:
        blocked.set()
        gate.wait(60)

    handlers.add(block)
    async with stand_in() as server, Running(handlers, server):
        line = await server.connections.get()
        await line.say(start(1, name="block"))
        await asyncio.to_thread(blocked.wait, 60)
        line.heard.heard(Beat)
        for _ in range(5):
            await line.heard.hear(Beat)
        gate.set()

        assert (await line.heard.hear(Outcomes)).runs == [run_id(1)]


async def test_logs_of_threads_and_coroutines_reach_the_run_s_log() -> None:
    handlers = Handlers()
    log = logging.getLogger("someone")

    async def on_loop(context: Context) -> None:
        log.warning("on the loop")
        context.progress(0.25, "quarter")

    def on_thread() -> None:
        log.warning("on a thread")

    handlers.add(on_loop)
    handlers.add(on_thread)
    async with stand_in() as server, Running(handlers, server):
        line = await server.connections.get()
        await line.say(start(1, name="on_loop"), start(2, name="on_thread", part=1))
        said: dict[bytes, str] = {}
        while len(said) < 2:
            said |= {entry.run: entry.message for entry in (await line.heard.hear(Logs)).entries}

        assert said == {run_id(1): "on the loop", run_id(2): "on a thread"}


async def test_progress_reaches_the_server() -> None:
    handlers = Handlers()

    async def work(context: Context) -> None:
        context.progress(0.25, "quarter")

    handlers.add(work)
    async with stand_in() as server, Running(handlers, server):
        line = await server.connections.get()
        await line.say(start(1, name="work"))
        (report,) = (await line.heard.hear(Reports)).entries

        assert (report.run, report.fraction, report.note) == (run_id(1), 0.25, "quarter")


async def test_attempts_go_on_while_the_executor_moves_to_another_server() -> None:
    handlers = Handlers()
    gate = threading.Event()

    def wait() -> None:
        gate.wait(60)

    handlers.add(wait)
    async with stand_in() as first, stand_in() as second, Running(handlers, first, second):
        line = await first.connections.get()
        await line.say(start(1, name="wait"))
        await line.say(Leave())
        line = await second.connections.get()
        hello = await line.heard.hear(Hello)
        gate.set()

        assert [held.runs for held in hello.holding] == [[run_id(1)]]
        assert (await line.heard.hear(Outcomes)).runs == [run_id(1)]


async def test_a_drain_hands_back_what_waits_and_interrupts_what_does_not_end() -> None:
    handlers = Handlers()
    started = threading.Event()

    async def for_ever() -> None:
        started.set()
        await asyncio.Event().wait()

    handlers.add(for_ever)
    async with stand_in() as server, Running(handlers, server, grace=0.05) as running:
        line = await server.connections.get()
        await line.say(start(*range(110), name="for_ever"))
        await asyncio.to_thread(started.wait, HANG)

        code = await running.stop()

        ended = [one for outcomes in line.heard.heard(Outcomes) for one in outcomes.ended]
        assert code == EXIT_OK
        assert {one.outcome for one in ended} == {Outcome.RELEASED}
        assert {one.run for one in ended} == {run_id(number) for number in range(110)}


async def test_a_bad_token_ends_it_with_a_clear_error(caplog: pytest.LogCaptureFixture) -> None:
    async with stand_in() as server:
        executor = Executor(Handlers(), settings(server.url, token="wrong"))

        code = await asyncio.to_thread(executor.run, signals=False)

    assert code == EXIT_CONFIG
    assert "does not let this executor in: the token is not known" in caplog.text


@pytest.mark.slow
async def test_a_signal_drains_the_process() -> None:
    async with stand_in() as server:
        process = await serve_sample(server)
        line = await server.connections.get()
        await line.say(start(1, name="pid"))
        outcomes = await line.heard.hear(Outcomes)
        gone = watch(int(outcomes.results[0]))
        process.send_signal(signal.SIGTERM)

        room = await line.heard.hear(Room)
        await line.heard.hear(Goodbye)
        assert await process.wait() == 0
        assert room.pools == {"loop": 0, "threads": 0, "processes": 0}
        await gone


@pytest.mark.slow
async def test_children_die_with_their_parent(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    async with stand_in() as server:
        process = await serve_sample(server)
        line = await server.connections.get()
        await line.say(start(1, name="hang", raw=f'{{"pipe":"{pipe}"}}'.encode()))
        gone = watch(int(await asyncio.to_thread(pipe.read_text)))
        process.kill()
        await process.wait()

        async with asyncio.timeout(HANG):
            await gone


@pytest.mark.slow
async def test_a_handler_that_blocks_the_loop_cannot_keep_the_process_alive(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    async with stand_in() as server:
        process = await serve_sample(server, grace=0.1)
        line = await server.connections.get()
        await line.say(start(1, name="block", raw=f'{{"pipe":"{pipe}"}}'.encode()))
        await asyncio.to_thread(pipe.read_text)
        process.terminate()

        (ended,) = (await line.heard.hear(Outcomes)).ended
        assert ended.outcome is Outcome.RELEASED
        assert await process.wait() == EXIT_OK


async def serve_sample(server: StandIn, grace: float = 5.0) -> asyncio.subprocess.Process:
    command = [sys.executable, "-m", "tests.executor.serve_sample", server.url, TOKEN_TEXT, str(grace)]
    return await asyncio.create_subprocess_exec(*command, cwd=Path(__file__).parents[2])


def watch(pid: int) -> asyncio.Future[None]:
    """Done when that process is."""
    loop = asyncio.get_running_loop()
    descriptor, gone = os.pidfd_open(pid), loop.create_future()

    def note() -> None:
        loop.remove_reader(descriptor)
        os.close(descriptor)
        gone.set_result(None)

    loop.add_reader(descriptor, note)
    return gone


def test_a_handler_without_a_pool_or_an_app_is_refused() -> None:
    handlers = Handlers()
    handlers.add(sample.double, pool=Pool.PROCESSES)
    with pytest.raises(ConfigError, match="module:name"):
        Executor(handlers, settings("http://h"))
    with pytest.raises(ConfigError, match="needs a processes pool"):
        Executor(handlers, ExecutorSettings(pools=()), app="x:y")


@pytest.mark.parametrize(
    ("written", "dialled"),
    [
        ("http://h:8484", "ws://h:8484/api/v1/executors/connect"),
        ("https://h/base/", "wss://h/base/api/v1/executors/connect"),
        ("ws://h/api/v1/executors/connect", "ws://h/api/v1/executors/connect"),
    ],
)
def test_an_address_is_written_as_people_do(written: str, dialled: str) -> None:
    assert websocket_url(written) == dialled


@pytest.mark.parametrize(
    "written", ["h:8484", "ftp://h", "http://", "http://h:0", "http://h:99999999", "http://me:secret@h"]
)
def test_an_address_that_is_none_is_refused(written: str) -> None:
    with pytest.raises(ConfigError):
        websocket_url(written)


@pytest.mark.parametrize("urls", [(), ("http://h", "h:8484")])
def test_every_address_is_looked_at_before_the_first_is_dialled(urls: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError, match="address of a server"):
        Executor(Handlers(), settings(*urls))
