"""Rows of breakers, of their calls and of their changes."""

from typing import Any

import msgspec

from mainspring.domain.breakers.breaker import Breaker, BreakerState, BreakerTransition
from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.domain.breakers.window import Calls
from mainspring.store.tx import Row, struct_of

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
    return struct_of(
        Breaker,
        row,
        spec=msgspec.json.decode(row["spec"], type=BreakerSpec),
        state=BreakerState(row["state"]),
        since=row["since_at"],
        was=BreakerState(row["was"]),
        by=row["author"],
    )


def calls_row(row: Row) -> Calls:
    return struct_of(Calls, row, retry_after=row["retry_at"])


def change_row(row: Row) -> BreakerTransition:
    was, state = BreakerState(row["was"]), BreakerState(row["state"])
    return struct_of(BreakerTransition, row, was=was, state=state, by=row["author"])
