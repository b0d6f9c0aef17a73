"""Looks for a bug of the process pool: real children are killed in the middle of batches."""

import os
import select
from collections import Counter
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory

import msgspec

from mainspring.clock import SystemClock
from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.ids import RunId, Token
from mainspring.domain.jobs.job import Pool
from mainspring.domain.runs.attempt import Outcome
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.link.lease import Lease
from mainspring.executor.link.telemetry import Telemetry
from mainspring.executor.pools.processes import ProcessPool
from mainspring.executor.process.loading import load_handlers
from proof.zoo.bug import Bug

APP = "proof.zoo.children_app:app"
ROUNDS, LINES = 25, 60
HALF = LINES - 10
"""When the outcome of this one is handled, the child goes on and dies with the next ones answered and not read."""
DEATH = 1.0
"""Seconds that it has for that; it takes some milliseconds if it has all of them at hand."""
PATIENCE = 20.0
TOKEN = Token(bytes(16))


def hunt_in_children(bug: Bug) -> str | None:
    """What a batch with a child's death in its middle came to wrongly; None if all was right."""
    with bug.change(), TemporaryDirectory() as folder:
        ended: SimpleQueue[Attempt] = SimpleQueue()
        journal = Telemetry(SystemClock(), lambda: None)
        size = PoolSize(Pool.PROCESSES, 1, 1, 2 * LINES)

        def end(attempt: Attempt) -> None:
            if attempt.run == as_run(HALF):
                wait_for_death(int(attempt.result))
            ended.put(attempt)

        pool = ProcessPool(size, app=APP, clock=SystemClock(), journal=journal, lease=Lease(), ended=end)
        try:
            rounds = (kill_one(pool, ended, Path(folder) / str(number)) for number in range(ROUNDS))
            return next((wrong for wrong in rounds if wrong is not None), None)
        finally:
            pool.close()


def kill_one(pool: ProcessPool, ended: SimpleQueue[Attempt], trace: Path) -> str | None:
    calls = [("leave_line", {"trace": str(trace), "number": number}) for number in range(2 * LINES)]
    calls.insert(LINES, ("kill_child", {}))
    attempts = [as_attempt(number, *call) for number, call in enumerate(calls)]
    pool.start(attempts)
    try:
        outcomes = Counter(ended.get(timeout=PATIENCE).outcome for _ in attempts)
    except Empty:
        return "an attempt never came to its end"
    if outcomes != {Outcome.SUCCEEDED: 2 * LINES, Outcome.LOST: 1}:
        return f"one attempt killed its child, and the outcomes were {dict(outcomes)}"
    ran = Counter(trace.read_text().split())
    wrong = [line for line in map(str, range(2 * LINES)) if ran[line] != 1]
    return f"{len(wrong)} attempts did not run exactly once" if wrong else None


def wait_for_death(child: int) -> None:
    death = os.pidfd_open(child)
    select.select([death], [], [], DEATH)
    os.close(death)


def as_run(number: int) -> RunId:
    return RunId(number.to_bytes(16, "big"))


def as_attempt(number: int, name: str, arguments: dict[str, object]) -> Attempt:
    handler = load_handlers(APP).get(name)
    assert handler is not None
    return Attempt(as_run(number), TOKEN, 1, msgspec.json.encode(arguments), handler, 0.0)
