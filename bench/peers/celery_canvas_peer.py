"""Celery's canvas on Redis: messages carry what is left of a chain, and a counter in Redis tells when a chord is full."""
# mypy: disable-error-code="import-not-found,import-untyped"

import os
import sys
from collections.abc import Sequence

from celery import Celery, chain, chord, group
from script import PROCESSES, URL, replace_by
from shapes import LAYERS, LINKS, measure

app = Celery("celery_canvas_peer", broker=URL, backend=URL)
app.conf.update(
    task_store_errors_even_if_ignored=False,
    worker_prefetch_multiplier=128,
    worker_disable_rate_limits=True,
    worker_send_task_events=False,
    broker_connection_retry_on_startup=True,
    result_expires=None,
)
WORKER = "-A celery_canvas_peer worker --pool prefork -l ERROR --without-gossip --without-mingle --without-heartbeat"
PATIENCE = float(os.environ.get("BENCH_PATIENCE", "300"))


@app.task
def step(n: int) -> int:
    return n


@app.task
def total(numbers: Sequence[int]) -> int:
    return sum(numbers)


@app.task
def join(_: Sequence[int], n: int) -> int:
    return n


def run_chain(count: int) -> object:
    return chain(step.s(1), *(step.s() for _ in range(count - 1)))().get(timeout=PATIENCE)


def run_layers(count: int) -> object:
    """A chain of groups, each with the task that joins it: chords, as Celery makes of them."""
    parts = [part for _ in range(LAYERS) for part in (group(step.si(1) for _ in range(count)), join.s(1))]
    return chain(*parts)().get(timeout=PATIENCE)


def run_mapped(count: int) -> object:
    return chord((step.s(n) for n in range(count)), total.s())().get(timeout=PATIENCE)


def run_chains(count: int) -> object:
    ended = [chain(step.s(1), *(step.s() for _ in range(LINKS - 1)))() for _ in range(count)]
    return sum(one.get(timeout=PATIENCE) for one in ended)


if __name__ == "__main__":
    if sys.argv[1] == "work":
        replace_by("celery", *WORKER.split(), "-c", str(PROCESSES))
    shapes = {"chain": run_chain, "layers": run_layers, "mapped": run_mapped, "chains": run_chains}
    measure(shapes, run_mapped)
