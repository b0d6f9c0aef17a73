# mypy: disable-error-code="empty-body"
"""What a type checker makes of workflows. An ignored error that is none is an error itself, so each line here is tested."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import assert_type

from mainspring import App, Context, RunHandle, either, failed, otherwise, skipped, when

app = App("typed workflows")


@dataclass
class Payment:
    id: str
    total: float


@dataclass
class Parcel:
    label: str


@app.job
def charge(order: int) -> Payment: ...
@app.job
def refund(payment: Payment) -> None: ...
@app.job
def pack(order: int) -> Parcel: ...
@app.job
def ship(payment: Payment, parcel: Parcel) -> str: ...
@app.job
async def extract(day: date) -> list[int]: ...
@app.job
def transform(row: int, factor: float = 1.0) -> float: ...
@app.job
def load(values: list[float]) -> int: ...
@app.job
def publish(rows: list[int]) -> str: ...
@app.job
def tidy() -> None: ...


nightly = app.workflow(extract >> publish >> tidy, name="nightly")


def wrong_chain() -> None:
    extract >> ship  # type: ignore[operator]


@app.workflow(finally_=tidy, deadline=timedelta(hours=2), priority=7)
def fulfil(order: int) -> str:
    payment = charge.as_step(undo=refund)(order)
    parcel = pack.step(order)
    assert_type(payment, Payment)
    with when(payment.total > 1000):
        manual = ship.as_step(name="manual")(payment, parcel)
    with otherwise():
        automatic = ship.step(payment, parcel)
    tidy.as_step(rule=failed(payment) | (skipped(manual) & skipped(automatic)))()
    return either(manual, automatic, default="none")


@app.workflow
def etl(day: date) -> int:
    rows = extract.step(day)
    values = transform.as_step(at_once=50).map(rows, factor=2.0)
    assert_type(values, list[float])
    return load.step(values)


def wrong(order: int) -> int:
    payment = charge.step(order)
    ship.step(payment, payment)  # type: ignore[arg-type]
    ship.step(payment)  # type: ignore[call-arg]
    charge.step(payment.id)  # type: ignore[arg-type]
    transform.map(["a"], factor=1.0)  # type: ignore[list-item]
    transform.map([1], factor="a")  # type: ignore[arg-type]
    pack.as_step(undo=refund)  # type: ignore[arg-type]
    return payment.total  # type: ignore[return-value]


async def use() -> None:
    assert_type(await nightly.enqueue(date(2030, 1, 1)), RunHandle[None])
    await nightly.enqueue(7)  # type: ignore[arg-type]
    assert_type(await fulfil.enqueue(7), RunHandle[str])
    assert_type(await (await fulfil.enqueue(7)).result(), str)
    assert_type(fulfil.map([1, 2]), list[str])
    await fulfil.enqueue("7")  # type: ignore[arg-type]
    assert_type(await (await etl.enqueue(date(2030, 1, 1))).result(), int)


async def waits(ctx: Context) -> None:
    assert_type(await ctx.call("charge", charge, 7), Payment)
    assert_type(await ctx.call("fulfil", fulfil, 7), str)
    assert_type(await ctx.sleep("rest", timedelta(days=1)), None)
    assert_type(await ctx.event("paid", "bank.paid", data=Payment), Payment | None)
    assert_type(ctx.call("pack", pack, 7).wait_sync(), Parcel)
    await ctx.call("charge", charge, "7")  # type: ignore[arg-type]
    await ctx.call("charge", charge)  # type: ignore[call-arg]
    await ctx.gather(charge)  # type: ignore[arg-type]
