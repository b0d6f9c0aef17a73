"""The rate beside a transaction that stays open for half an hour, against the rate without one.

Two clusters of PostgreSQL, because a transaction with an id of its own holds the other databases of its cluster back
too: every snapshot taken there counts it among those that run. Both carry the same steady load; every three minutes the
same bursts are drained on each in turn.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from statistics import median

from bench.measurement import Measurement
from bench.processes import CommandError, stop
from bench.systems.mainspring_drain import Drainable, DrainError
from bench.systems.mainspring_installation import Installation
from bench.systems.mainspring_store import PostgresStore, Reader

MINUTES = float(os.environ.get("OPEN_MINUTES", "30"))
MINUTES_QUICK = 0.5
ROUND, ROUND_QUICK = 180.0, 10.0
COUNT, COUNT_QUICK = 6000, 1000
AHEAD = 20.0
PATIENCE = 120.0
MARGIN = 600.0
PAUSE = 1.0


@dataclass(slots=True)
class Bursts:
    """One installation under steady load, and the rates of its bursts."""

    place: Installation
    reader: Reader
    rates: list[float] = field(default_factory=list)

    def drain(self, count: int) -> None:
        """Let `count` runs fall due at one instant, and see in history how long after it the last one was settled."""
        due = round(time.time() + AHEAD, 3)
        self.place.ask("client", "later", str(count), str(due))
        if time.time() > due:
            raise DrainError(f"enqueueing {count} runs took longer than {AHEAD:.0f} s")
        instant = self.place.store.instant(due)
        time.sleep(max(0.0, due - time.time()))
        self.wait(f"SELECT count(*) = {count} FROM mainspring.history WHERE due_at = {instant}")
        last = (
            f"SELECT extract(epoch FROM max(finished_at) - {instant}) FROM mainspring.history WHERE due_at = {instant}"
        )
        self.rates.append(count / float(self.reader.value(last)))

    def wait(self, question: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not self.reader.value(question):
            self.place.check_alive()
            if time.monotonic() > deadline:
                raise DrainError(f"a burst was not done in {PATIENCE:.0f} s\n{self.place.log()}")
            time.sleep(PAUSE)

    def dead_rows(self) -> int:
        return int(self.reader.value("SELECT n_dead_tup FROM pg_stat_user_tables WHERE relname = 'runs'"))


def open_transaction(system: Drainable, *, quick: bool) -> list[Measurement]:
    minutes, count = (MINUTES_QUICK, COUNT_QUICK) if quick else (MINUTES, COUNT)
    there = system.open_another(f"{system.name}-open", PostgresStore(cluster="postgres-open"))
    with ExitStack() as stack:
        usual, beside = (Bursts(place, stack.enter_context(place.store.read())) for place in (system.here, there))
        stack.enter_context(transaction_held(there))
        for bursts in (usual, beside):
            stack.enter_context(steady_load(system, bursts.place, minutes * 60 + MARGIN))
            bursts.drain(count)
            # The first one met cold caches and new connections.
            bursts.rates.clear()
        ages = drain_in_turn(usual, beside, minutes * 60, ROUND_QUICK if quick else ROUND, count)
        dead = {"dead_rows_usual": usual.dead_rows(), "dead_rows": beside.dead_rows()}
    return as_measurements(system, usual, beside, {"count": count, "ages": ages, **dead})


def drain_in_turn(usual: Bursts, beside: Bursts, seconds: float, pause: float, count: int) -> list[float]:
    """Two pairs of bursts a round, each order once; return how old the transaction was at each pair, in minutes."""
    begin, ages = time.monotonic(), []
    while (age := time.monotonic() - begin) < seconds:
        for pair in ((usual, beside), (beside, usual)):
            ages.append(round((time.monotonic() - begin) / 60, 1))
            for bursts in pair:
                bursts.drain(count)
            rates = f"{usual.rates[-1]:,.0f} and beside it {beside.rates[-1]:,.0f} runs/s"
            print(f"open_transaction, minute {ages[-1]}: {rates}", file=sys.stderr, flush=True)
        time.sleep(max(0.0, min(age + pause, seconds) - (time.monotonic() - begin)))
    return ages


@contextmanager
def transaction_held(place: Installation) -> Iterator[None]:
    """A snapshot and an id that are held all the while; at the end it must still be the same transaction."""
    question = "SELECT pg_current_xact_id()::text"
    with place.store.read() as holder:
        holder.value("BEGIN ISOLATION LEVEL REPEATABLE READ")
        name = holder.value(question)
        yield
        if holder.value(question) != name:
            raise DrainError("the transaction did not stay open")


@contextmanager
def steady_load(system: Drainable, place: Installation, seconds: float) -> Iterator[None]:
    """An executor, and a client that keeps it busy with 50 runs a second."""
    place.start_executor(system.app, "--pool", system.pool)
    client = place.start("steady.log", "-m", "bench.mainspring.steady", str(seconds))
    try:
        yield
        if client.poll() is not None:
            raise CommandError([place.name, "steady"], f"the steady load has ended\n{place.log()}")
    finally:
        stop(client)


def as_measurements(system: Drainable, usual: Bursts, beside: Bursts, more: dict[str, object]) -> list[Measurement]:
    pairs = [one / other for one, other in zip(beside.rates, usual.rates, strict=True)]
    late = len(pairs) - len(pairs) // 3
    lines = {
        "usual": (usual.rates, "runs/s"),
        "beside": (beside.rates, "runs/s"),
        "beside over usual": (pairs, "x"),
        "beside over usual, last third": (pairs[late:] or pairs, "x"),
    }
    return [
        Measurement(
            "open_transaction", system.name, metric, median(values), unit, {**system.details, **more, **ends(values)}
        )
        for metric, (values, unit) in lines.items()
    ]


def ends(values: list[float]) -> dict[str, object]:
    return {"rounds": values, "min": min(values), "max": max(values)}
