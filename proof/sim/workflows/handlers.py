"""Workflows and the handler of their steps, whose behaviour follows from the run's id."""

import asyncio
import hashlib
from typing import Any

import msgspec

from mainspring import Context
from mainspring.executor.handlers.registry import Handlers, read_handler
from proof.sim.handlers import Entry, Ledger, PlannedError
from proof.sim.jobs import STEP_TERMS
from proof.sim.workflows.draw import FLOW, STEP

FAILS = 0.2
"""Of the steps that fail once; half of these fail for good."""
LIST_MAX = 4


def add_flows(registry: Handlers, ledger: Ledger, flows: tuple[str, ...]) -> None:
    if not flows:
        return
    registry.add(step_of(ledger), name=STEP, queue=STEP_TERMS.queue, retry=STEP_TERMS.policy)
    for number, spec in enumerate(flows):
        handler = read_handler(asked_with, {"name": f"{FLOW}{number}", "queue": STEP_TERMS.queue})
        registry.add_workflow(msgspec.structs.replace(handler, workflow=spec.encode(), has_code=False))


def asked_with(mark: str, seconds: float, fails: int, wait: float = 0.0, text: str = "") -> None:
    """The arguments of a workflow are those of all jobs here."""


def step_of(ledger: Ledger) -> Any:
    async def step(ctx: Context, value: Any = None, item: Any = None) -> dict[str, Any]:  # noqa: ARG001 workflows fill them
        entry = Entry(ledger, 0.0)
        entry.began(ctx, "")
        lot = hashlib.sha256(entry.run.encode()).digest()
        failed = ctx.attempt <= failures_of(lot)
        try:
            await asyncio.sleep(lot[1] / 256)
        except asyncio.CancelledError:
            entry.note("killed")
            raise
        entry.note("end", "failed" if failed else "succeeded")
        if failed:
            raise PlannedError(entry.run)
        return {"list": list(range(lot[2] % LIST_MAX)), "big": bool(lot[3] & 1)}

    return step


def failures_of(lot: bytes) -> int:
    if lot[0] >= 256 * FAILS:
        return 0
    return STEP_TERMS.attempts if lot[0] & 1 else 1
