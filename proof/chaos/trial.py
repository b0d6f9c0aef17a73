"""One trial: build, a steady beginning, fault after fault, heal, drain, read all channels, check."""

import os
import random
import sys
from contextlib import suppress
from pathlib import Path

import asyncpg

from mainspring.errors import MainspringError
from proof.chaos.burst import pile_up
from proof.chaos.collect import read_audit, read_tables, sessions_left
from proof.chaos.figures import Figure, losses_since
from proof.chaos.flows import FLOWS, STEP
from proof.chaos.jobs import RULES
from proof.chaos.limits import breaking_down
from proof.chaos.places import GRACE, LEASE
from proof.chaos.plan import Kind, Plan
from proof.chaos.plot import per_second, svg_plot
from proof.chaos.report import Report
from proof.chaos.stage import Stage, staged
from proof.checker import check
from proof.records import Line, Records, Setup, gather, read_lines, write

STEADY = 10.0
REST = 3.0
DRAIN = 20 * LEASE
SLACK = 1.0
"""Seconds: two cores and a dozen processes."""
CLOCKS_APART = 0.5
TROUBLES = (OSError, TimeoutError, MainspringError, asyncpg.PostgresError, asyncpg.InterfaceError)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


async def play(plan: Plan, folder: Path, *, rate: float, loopback: bool = False) -> Report:
    figures: list[Figure] = []
    broken: list[str] = []
    loads: list[float] = []
    lot = random.Random(plan.seed)
    async with staged(folder, seed=plan.seed, rate=rate, loopback=loopback) as stage:
        say(f"seed {plan.seed}: {len(plan.kinds)} faults, after {STEADY:.0f} steady seconds")
        async with breaking_down(stage.fleet.down, stage.ground.clock):
            await stage.sleep(STEADY)
            lost = await losses_since(stage, 0.0)
            figures.append(Figure(fault="steady", what="attempts taken for lost", value=lost, unit="", target=0))
            for kind in plan.kinds:
                await inflict(stage, kind, lot, figures, broken)
                loads.append(os.getloadavg()[0])
        healed_at = stage.now()
        drained = await stage.drain(DRAIN)
        if not drained:
            broken.append(f"drain: not every run had ended {DRAIN:.0f} s after the last fault was healed")
        records = await collect(stage, healed_at, drained=drained)
        minutes = stage.now() / 60
    write(folder / "records.jsonl", records.lines())
    draw(folder, records)
    return Report(
        plan=plan,
        minutes=minutes,
        records=records,
        figures=figures,
        verdict=check(records),
        broken=broken,
        load=max(loads, default=0.0),
    )


async def inflict(stage: Stage, kind: Kind, lot: random.Random, figures: list[Figure], broken: list[str]) -> None:
    """One fault, in the midst of a backlog, and back to health before the next."""
    say(f"{stage.now():6.1f} s  {kind.name}")
    try:
        await pile_up(stage)
        found = await kind.inflict(stage, lot)
        figures += found
        for figure in found:
            say(f"          {figure.what}: {figure}{'' if figure.held else '  MISS'}")
        stage.mend_all()
        await stage.healthy()
    except TROUBLES as error:
        broken.append(f"{kind.name}: {str(error).splitlines()[0]}")
        say(f"          {broken[-1]}")
        with suppress(*TROUBLES):
            await stage.repair()
            await stage.healthy()
    await stage.sleep(REST)


async def collect(stage: Stage, healed_at: float, *, drained: bool) -> Records:
    audit = await read_audit(stage.primary, stage.scale)
    setup = Setup(
        at=0.0,
        lease=LEASE,
        grace=GRACE,
        healed_at=healed_at,
        drained=drained,
        failovers=stage.failovers,
        clocks_apart=CLOCKS_APART,
        slack=SLACK,
        sessions_left=sessions_left(stage.left, audit),
        jobs=RULES,
        steps=(STEP,),
        flows=tuple(FLOWS),
    )
    written = [
        line
        for name in ("operations", "bursts", "executions")
        if (path := stage.ground.folder / f"{name}.jsonl").exists()
        for line in read_lines(path.read_bytes())
    ]
    lines: list[Line] = [setup, *stage.faults, *written, *stage.forgotten, *audit]
    lines += await read_tables(stage.primary, stage.scale, stage.now())
    return gather(lines)


def draw(folder: Path, records: Records) -> None:
    until = max((line.at for line in records.executions), default=0.0)
    (folder / "throughput.svg").write_text(svg_plot(per_second(records.executions, until), records.faults))
