"""Prefect with a server of its own on SQLite: flows are functions of this process that tell the server of their tasks."""
# mypy: disable-error-code="import-not-found,import-untyped,no-any-return,misc,untyped-decorator"

import os
import sys
from collections.abc import Sequence

from prefect import flow, task
from prefect.task_runners import ThreadPoolTaskRunner
from script import replace_by
from shapes import LAYERS, LINKS, measure

WORKERS = 50


@task
def step(n: int) -> int:
    return n


@task
def total(numbers: Sequence[int]) -> int:
    return sum(numbers)


@flow
def linked(count: int) -> int:
    value = 1
    for _ in range(count):
        value = step(value)
    return value


@flow(task_runner=ThreadPoolTaskRunner(max_workers=WORKERS))
def layered(count: int) -> int:
    value = 1
    for _ in range(LAYERS):
        value = max(step.map([value] * count).result())
    return value


@flow(task_runner=ThreadPoolTaskRunner(max_workers=WORKERS))
def summed(count: int) -> int:
    return total(step.map(range(count)).result())


def run_chains(count: int) -> object:
    """A flow is a call: flows of one process come one after the other."""
    return sum(linked(LINKS) for _ in range(count))


if __name__ == "__main__":
    if sys.argv[1] == "work":
        port = os.environ["PREFECT_API_URL"].split(":")[2].split("/")[0]
        replace_by("prefect", "server", "start", "--host", "127.0.0.1", "--port", port, "--no-ui")
    measure({"chain": linked, "layers": layered, "mapped": summed, "chains": run_chains}, summed)
