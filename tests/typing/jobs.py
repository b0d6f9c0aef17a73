"""What a type checker makes of jobs. An ignored error that is none is an error itself, so each line here is tested."""

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, assert_type

from mainspring import INJECTED, App, AsyncClient, Context, Inject, Job, JobHandle, Middleware, Pool, RunHandle
from mainspring.client import Enqueue, SyncRunHandle
from mainspring.testing import Kit

app = App("typed")


@dataclass
class Receipt:
    number: int


class Session: ...


async def get_session() -> AsyncIterator[Session]:
    yield Session()


@app.job
def add(left: int, right: int = 2) -> int:
    return left + right


@app.job(queue="mail", pool=Pool.LOOP)
async def send(ctx: Context, to: str, *, copies: int = 1) -> Receipt:
    return Receipt(copies)


@app.job
async def store(name: str, db: Annotated[Session, Inject(get_session)] = INJECTED, ctx: Context = INJECTED) -> None: ...


@app.job
class Announce(Job):
    queue = "slow"
    pool = Pool.THREADS

    def run(self, what: str, ctx: Context = INJECTED) -> list[str]:
        return [what]


@app.job(priority=7)
class Ship(Job):
    def __init__(self, db: Annotated[Session, Inject(get_session, "process")]) -> None:
        self.db = db

    async def run(self, ctx: Context, number: int) -> Receipt:
        return Receipt(number)


async def enqueueing() -> None:
    assert_type(await add.enqueue(1), RunHandle[int])
    assert_type(await add.enqueue(left=1, right=2), RunHandle[int])
    assert_type(await (await add.enqueue(1)).result(), int)
    assert_type(add.enqueue_sync(1, 2), SyncRunHandle[int])
    assert_type(add.enqueue_sync(1, 2).result(), int)
    assert_type(add.options(priority=9, delay=5).call(1), Enqueue)
    await add.enqueue()  # type: ignore[call-arg]
    await add.enqueue("1")  # type: ignore[arg-type]
    await add.enqueue(lef=1)  # type: ignore[call-arg]
    add.enqueue_sync(1, 2, 3)  # type: ignore[call-arg]
    add.call(left="1")  # type: ignore[arg-type]
    add.options(prio=9)  # type: ignore[call-arg]


async def leaving_out_what_the_executor_fills_in() -> None:
    assert_type(await send.enqueue("anna", copies=2), RunHandle[Receipt])
    assert_type((await (await send.enqueue(to="anna")).result()).number, int)
    assert_type(await store.enqueue("x"), RunHandle[None])
    await send.enqueue()  # type: ignore[call-arg]
    await send.enqueue("anna", 2)  # type: ignore[call-arg]
    await send.enqueue(7)  # type: ignore[arg-type]


async def calling_in_place(ctx: Context) -> None:
    assert_type(add(1, 2), int)
    assert_type(await send(ctx, "anna"), Receipt)
    add("1")  # type: ignore[arg-type]
    await send("anna")  # type: ignore[call-arg, arg-type]


async def classes() -> None:
    assert_type(await Announce.enqueue("sale"), RunHandle[list[str]])
    assert_type(await Ship.enqueue(number=7), RunHandle[Receipt])
    assert_type(Ship.enqueue_sync(7).result().number, int)
    assert_type(await Ship.handle.options(queue="q").enqueue(7), RunHandle[Receipt])
    assert_type(await Ship.options(queue="q").enqueue(7), RunHandle[Receipt])
    assert_type(Ship.call(7), Enqueue)
    assert_type(await Ship.enqueue_in(Session(), number=7), RunHandle[Receipt])
    assert_type(Announce.enqueue_in_sync(Session(), "sale"), SyncRunHandle[list[str]])
    assert_type(Ship(Session()).db, Session)
    await Announce.enqueue(waht="sale")  # type: ignore[call-arg]
    await Ship.enqueue("7")  # type: ignore[arg-type]
    Ship.enqueue_sync()  # type: ignore[call-arg]
    Ship.options(prio=9)  # type: ignore[call-arg]
    Ship.call("7")  # type: ignore[arg-type]
    await Ship.enqueue_in(Session(), "7")  # type: ignore[arg-type]
    Announce.enqueue_in_sync(Session())  # type: ignore[call-arg]


async def trying(kit: Kit) -> None:
    assert_type(kit.run_sync(add, 1), int)
    assert_type(kit.run_sync(Announce, "sale"), list[str])
    assert_type(await kit.run(Ship, number=7), Receipt)
    kit.run_sync(Announce, waht="sale")  # type: ignore[call-overload]
    await kit.run(Ship, "7")  # type: ignore[call-overload]


class Added(Job):
    async def run(self, number: int) -> str:
        return str(number)


async def adding() -> None:
    handle = app.add(Added, queue="q")
    assert_type(await (await handle.enqueue(1)).result(), str)
    await handle.enqueue("1")  # type: ignore[arg-type]
    app.add(Added, queu="q")  # type: ignore[call-overload]


def any_job(job: JobHandle[..., int]) -> None:
    assert_type(job.enqueue_sync().result(), int)


any_job(add)
any_job(send)  # type: ignore[arg-type]


class Timing(Middleware):
    def before_enqueue(self, wanted: Enqueue) -> Enqueue:
        wanted.replace(quue="x")  # type: ignore[call-arg]
        return wanted.replace(queue="x", tags=["t"])

    async def after_enqueue(self, wanted: Enqueue, handle: RunHandle[Any] | SyncRunHandle[Any]) -> None: ...

    def around(self, ctx: Context, arguments: Mapping[str, Any]) -> Iterator[None]:
        yield


class Tracing(Middleware):
    async def around(self, ctx: Context, arguments: Mapping[str, Any]) -> AsyncIterator[None]:
        yield


app.use(Timing())


@app.lifespan
async def lifespan() -> AsyncIterator[int]:
    yield 1


assert_type(lifespan(), AsyncIterator[int])


async def by_name(client: AsyncClient) -> None:
    assert_type(await client.enqueue("add", {"left": 1}), RunHandle[Any])
