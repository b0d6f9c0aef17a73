"""Rows of breakers, of their calls and of their changes."""

from typing import Any

import msgspec

from mainspring.domain.breakers.breaker import Breaker, BreakerState, BreakerTransition
from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.domain.breakers.window import Calls
from mainspring.store.tx import Row

KEY = ("namespace", "name")
"""The columns that name a breaker."""


def fields_of(breaker: Breaker) -> dict[str, Any]:
    fields = msgspec.structs.asdict(breaker)
    fields |= {"spec": msgspec.json.encode(breaker.spec), "state": breaker.state.value, "was": breaker.was.value}
    return {**fields, "author": fields.pop("by")}


def call_fields(breaker: int, epoch: int, calls: Calls) -> dict[str, Any]:
    fields = msgspec.structs.asdict(calls)
    return {**fields, "id": breaker, "epoch": epoch, "retry_at": fields.pop("retry_after")}


def breaker_row(row: Row) -> Breaker:
    return Breaker(
        id=row["id"],
        namespace=row["namespace"],
        name=row["name"],
        spec=msgspec.json.decode(row["spec"], type=BreakerSpec),
        state=BreakerState(row["state"]),
        epoch=row["epoch"],
        revision=row["revision"],
        since=row["since_at"],
        until=row["until"],
        streak=row["streak"],
        wave=row["wave"],
        rate_before=row["rate_before"],
        was=BreakerState(row["was"]),
        reason=row["reason"],
        by=row["author"],
    )


def calls_row(row: Row) -> Calls:
    return Calls(
        executor=row["executor"],
        at=row["at"],
        calls=row["calls"],
        failures=row["failures"],
        slow=row["slow"],
        ignored=row["ignored"],
        retry_after=row["retry_at"],
    )


def change_row(row: Row) -> BreakerTransition:
    return BreakerTransition(
        epoch=row["epoch"],
        at=row["at"],
        was=BreakerState(row["was"]),
        state=BreakerState(row["state"]),
        until=row["until"],
        calls=row["calls"],
        failures=row["failures"],
        slow=row["slow"],
        reason=row["reason"],
        by=row["author"],
    )
