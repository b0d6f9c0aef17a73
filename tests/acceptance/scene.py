"""What tests with real processes have in common: a fleet, a ledger, gates, and the books to balance at the end."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from mainspring.client.transport.requests import Enqueue
from mainspring.contract.runs import RunInfo
from tests.acceptance.ledger import VARIABLE, Ledger
from tests.support.processes import ExecutorProcess, Fleet, ServerProcess, eventually

ROOT = Path(__file__).parents[2]
APP = "tests.acceptance.jobs:app"
PAGE = 100
QUICK = {"scheduler_lease": 5, "scheduler_beat": 0.5, "scheduler_grace": 0.5}
"""So that a dead executor is noticed soon, and one that a busy machine holds up for seconds is not taken for dead."""
LIVE = ("queued", "waiting", "running")
PATIENT = {"scheduler_lease": 300, "scheduler_beat": 0.5}
"""So that nothing that happens within a test is due to a lease that lapsed."""


class Gate:
    """Handlers wait at it until it is opened; then it stays open."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self._handle: int | None = None
        os.mkfifo(path)

    def open(self) -> None:
        self._handle = os.open(self.path, os.O_RDWR)

    def close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


class Scene:
    """One test's processes and records."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ledger = Ledger(folder / "ledger")
        self.fleet = Fleet(folder, code=ROOT, env={VARIABLE: str(self.ledger.path)})
        self._gates: list[Gate] = []

    def gate(self) -> Gate:
        gate = Gate(self.folder / f"gate-{len(self._gates)}")
        self._gates.append(gate)
        return gate

    async def server(self, database_url: str = "", /, *arguments: str, **settings: object) -> ServerProcess:
        return await self.fleet.server(database_url, *arguments, **settings).ready()

    async def servers(self, count: int, database_url: str, **settings: object) -> list[ServerProcess]:
        started = [
            self.fleet.server(database_url, home=self.folder / f"home-{number}", **settings) for number in range(count)
        ]
        return [await server.ready() for server in started]

    async def executors(
        self, names: str, *servers: ServerProcess, pools: tuple[str, ...] = (), **settings: object
    ) -> list[ExecutorProcess]:
        """One executor for each letter."""
        started = [self.fleet.executor(APP, *servers, name=name, pools=pools, **settings) for name in names]
        return [await executor.connected() for executor in started]

    async def begun(self, run: str, *, attempt: int = 1) -> int:
        """The process in which that attempt of the run has begun."""

        def found() -> list[int]:
            return [entry.pid for entry in self.ledger.starts().get(run, []) if entry.attempt >= attempt]

        return (await eventually(found, f"attempt {attempt} of run {run} in the ledger"))[0]

    async def written(self, lines: int) -> None:
        await eventually(lambda: self.ledger.lines() >= lines, f"{lines} lines in the ledger")

    def close(self) -> None:
        self.fleet.close()
        for gate in self._gates:
            gate.close()


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """Processes for one test; what they said is shown if it fails."""
    opened = Scene(tmp_path)
    try:
        yield opened
    finally:
        opened.close()
        with suppress(OSError):
            print(opened.fleet.logs)


def calls(job: str, count: int, *, keys: str = "") -> list[Enqueue]:
    return [Enqueue(job=job, key=f"{keys}-{number}" if keys else None) for number in range(count)]


async def enqueue(server: ServerProcess, job: str, count: int = 1, **arguments: object) -> list[str]:
    """Ask for runs; the ids that the server has accepted."""
    async with server.client() as client:
        accepted = await client.enqueue_many([Enqueue(job=job, input=arguments)] * count)
    return [run.id for run in accepted]


async def settled(server: ServerProcess, count: int | None = None) -> dict[str, RunInfo]:
    """Every run there is, once all are over; refuses a run that is there twice, and any other number of them."""

    async def none_live() -> bool:
        async with server.client() as client:
            live = await client.list(states=LIVE, limit=1)
            return not live.runs

    try:
        await eventually(none_live, "the end of every run")
    except TimeoutError as error:
        raise TimeoutError(f"{error}; still live: {await some_live(server)}") from None
    runs = await all_runs(server)
    twice = [run for run, times in Counter(run.id for run in runs).items() if times > 1]
    assert twice == []
    assert count in (None, len(runs))
    return {run.id: run for run in runs}


async def some_live(server: ServerProcess) -> list[str]:
    """What is known of the first that are not over."""
    async with server.client() as client:
        page = await client.list(states=LIVE, limit=5)
    return [f"{run.id} {run.state} {run.reason} {run.executor} {run.attempt} {run.started_at}" for run in page.runs]


async def all_runs(server: ServerProcess) -> list[RunInfo]:
    found: list[RunInfo] = []
    async with server.client() as client:
        page = await client.list(limit=PAGE, bodies=True)
        found += page.runs
        while page.next:
            page = await client.list(limit=PAGE, cursor=page.next, bodies=True)
            found += page.runs
    return found


def assert_each_ran_once(scene: Scene, runs: dict[str, RunInfo]) -> None:
    """Nothing was lost, nothing failed, nothing began twice."""
    starts, ends = scene.ledger.starts(), scene.ledger.ends()

    assert {run.state for run in runs.values()} == {"succeeded"}
    assert [run.id for run in runs.values() if run.failures or run.losses] == []
    assert starts.keys() == runs.keys()
    assert [run for run, entries in starts.items() if len(entries) != 1] == []
    assert [run for run, entries in ends.items() if len(entries) != 1] == []


def assert_only_the_dead_repeat(scene: Scene, runs: dict[str, RunInfo], *, dead: int) -> None:
    """Nothing was lost; only what the dead process held may have begun twice."""
    starts, ends = scene.ledger.starts(), scene.ledger.ends()
    again = {run: entries for run, entries in starts.items() if len(entries) > 1}

    assert {run.state for run in runs.values()} == {"succeeded"}
    assert starts.keys() == runs.keys() == ends.keys()
    assert {run.losses for run in runs.values()} <= {0, 1}
    assert {run.failures for run in runs.values()} == {0}
    assert {len(entries) for entries in again.values()} <= {2}
    assert {entries[0].pid for entries in again.values()} <= {dead}
    assert dead not in {entries[1].pid for entries in again.values()}
    assert {runs[run].losses for run in again} <= {1}
    assert [run.id for run in runs.values() if run.losses and ends[run.id][-1].pid == dead and run.id in again] == []
