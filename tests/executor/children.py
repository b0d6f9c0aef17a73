"""An app whose jobs run in child processes, with all that an app may have; it writes what happens to $TRACE."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Annotated, Any

from mainspring import App, Context, Inject, Job, Middleware, Pool

app = App("children")


def note(what: str) -> None:
    with Path(os.environ["TRACE"]).open("a") as trace:
        trace.write(f"{what} {os.getpid()}\n")


@app.lifespan
async def lifespan() -> AsyncIterator[Iterator[int]]:
    note("open")
    yield count(1)
    for _ in range(10_000):
        await asyncio.sleep(0)
    note("close")


class Noting(Middleware):
    def around(self, ctx: Context, arguments: Mapping[str, Any]) -> Iterator[None]:
        note("around")
        yield


app.use(Noting())


@app.job
class Count(Job):
    pool = Pool.PROCESSES

    def __init__(self, numbers: Annotated[Iterator[int], Inject(lifespan)]) -> None:
        self._numbers = numbers

    def run(self) -> int:
        return next(self._numbers)


@app.job(pool=Pool.PROCESSES)
async def count_async(ctx: Context) -> int:
    return int(next(ctx.state))
