"""Lanes: runs are put into them, and lanes that nothing uses any more are taken away."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.ids import RunId
from mainspring.domain.limits.blocking import LaneLoad, blocked
from mainspring.domain.limits.lanes import FIRST, LAST, Lane, LaneRule
from mainspring.domain.limits.policy import Blocking
from mainspring.domain.runs.run import PRIORITY_MAX, RunState
from mainspring.store.acts.audit import write_audit
from mainspring.store.acts.limits.arrivals import micros, sift
from mainspring.store.acts.runs.cancel import finish_idle
from mainspring.store.interface.lanes import Aged, Assign, AssignLine, Entered, LanePlace, LaneState
from mainspring.store.tx import Acts, Row, Tx, reads, struct_of, writes

EXECUTOR_ABSENT = "executor_absent"
"""The reason of runs that failed because the executor they were for stayed away."""


class LaneActs(Acts):
    """The contracts are in `store/interface/`."""

    @writes
    async def enter(
        self, tx: Tx, rule: LaneRule, lines: Sequence[int], assign: Assign, *, now: datetime, limit: int
    ) -> Entered:
        rows = await tx.all("unsorted_runs", lines=list(lines), now=now, limit=limit)
        if not rows:
            return Entered()
        lanes = {RunId(row["id"]): assign(row["job"], bytes(row["input"])) for row in rows}
        await hold_lanes(tx, rule, list(lanes.values()), now)
        # A run that was started before has passed these policies: it waits for its next attempt.
        new = {RunId(row["id"]): lanes[RunId(row["id"])] for row in rows if row["attempt"] == 0}
        skipped, kept, left = await sift(tx, rule, new, now)
        staying = kept | left
        replaced: list[RunId] = []
        if rule.blocking is not Blocking.QUEUE:
            rest = {run: lane for run, lane in new.items() if run not in skipped and run not in staying}
            blocked_ones, replaced = await block(tx, rule, rest)
            skipped |= blocked_ones
        for reason in sorted(set(skipped.values())):
            runs = sorted(run for run, why in skipped.items() if why == reason)
            await finish_idle(tx, runs, RunState.SKIPPED, reason, now)
        entering = [row for row in rows if row["id"] not in skipped and row["id"] not in staying]
        if entering:
            await put_in(tx, rule, entering, lanes, now)
        return Entered(len(rows), tuple(skipped), tuple(replaced), bool(left))

    @writes
    async def route(
        self, tx: Tx, lines: Sequence[int], assign: AssignLine, *, now: datetime, limit: int
    ) -> dict[int, int]:
        rows = await tx.all("unsorted_runs", lines=list(lines), now=now, limit=limit)
        found = [(row["id"], assign(row["job"], bytes(row["input"]))) for row in rows]
        moves = [{"run": run, "to": to} for run, to in found if to is not None]
        if moves:
            await tx.run("move_runs", rows=moves)
        return dict(Counter(move["to"] for move in moves))

    @writes
    async def unaddress(self, tx: Tx, line: int, to: int, *, limit: int) -> int:
        return await tx.run("unaddress_runs", line=line, to=to, limit=limit)

    @writes
    async def fail_line(self, tx: Tx, line: int, *, now: datetime, limit: int) -> list[RunId]:
        rows = await tx.all("idle_runs_of_line", line=line, limit=limit)
        runs = sorted(RunId(row["id"]) for row in rows)
        if runs:
            await finish_idle(tx, runs, RunState.FAILED, EXECUTOR_ABSENT, now)
        return runs

    @reads
    async def end(self, tx: Tx, *, after: int, limit: int) -> int | None:
        row = await tx.one("end_of_lanes", after=after, limit=limit)
        return None if row is None else row["last"]

    @writes
    async def wake(self, tx: Tx, rule: LaneRule, *, after: int, now: datetime, limit: int) -> int | None:
        looked = [row["id"] for row in await tx.all("lanes_after", gate=rule.gate.id, after=after, limit=limit)]
        full = await tx.all("unlooked_lanes", lanes=looked) if looked else []
        if full:
            begins = await fair_turns(tx, rule, sorted(row["lane"] for row in full), now)
            turns = [
                turn(row["line"], row["priority"], begins.get(row["lane"], micros(now)), row["lane"]) for row in full
            ]
            await tx.run("add_turns", rows=turns)
        return looked[-1] if len(looked) == limit else None

    @writes
    async def sweep(self, tx: Tx, *, now: datetime, after: int = FIRST, last: int = LAST) -> list[int]:
        rows = await tx.all("idle_lanes", after=after, last=last)
        if rows:
            await tx.run(
                "add_turns", rows=[turn(row["line"], row["priority"], micros(now), row["lane"]) for row in rows]
            )
        return sorted({row["line"] for row in rows})

    @writes
    async def age(
        self, tx: Tx, rule: LaneRule, lines: Sequence[int], *, after: int, before: datetime, now: datetime, limit: int
    ) -> Aged:
        looked = [row["id"] for row in await tx.all("lanes_after", gate=rule.gate.id, after=after, limit=limit)]
        raised = await tx.all("age_lanes", lanes=looked, lines=list(lines), before=before) if looked else []
        if raised:
            begins = await fair_turns(tx, rule, sorted({row["lane"] for row in raised}), now)
            turns = [
                turn(row["line"], PRIORITY_MAX, begins.get(row["lane"], micros(now)), row["lane"]) for row in raised
            ]
            await tx.run("add_turns", rows=turns)
        return Aged(looked[-1] if len(looked) == limit else None, tuple(sorted({row["line"] for row in raised})))

    @writes
    async def prune(self, tx: Tx, *, before: datetime, after: int = FIRST, last: int = LAST) -> int:
        return await tx.run("prune_lanes", before=before, until=micros(before), after=after, last=last)

    @writes
    async def release(self, tx: Tx, line: int, job: int, *, limit: int) -> int:
        released = await tx.run("release_lanes", line=line, job=job, limit=limit)
        # A turn that no claim asks for would keep its lane from the sweep and from pruning.
        await tx.run("drop_empty_turns", line=line)
        return released

    @writes
    async def set_key(
        self, tx: Tx, rule: LaneRule, lane: Lane, *, at_once: int | None, weight: float, entry: AuditEntry
    ) -> None:
        now = entry.at
        await tx.run("add_lanes", rows=[{"lane": lane.id, "key": lane.key}], gate=rule.gate.id, now=now)
        await tx.run("set_lane", lane=lane.id, at_once=at_once, weight=weight)
        await tx.run("wake_lane", lane=lane.id, turn=micros(now))
        await write_audit(tx, entry)

    @reads
    async def states(self, tx: Tx, gate: int, *, limit: int, lane: int | None = None) -> list[LaneState]:
        return [state_row(row) for row in await tx.all("lane_states", gate=gate, lane=lane, limit=limit)]

    @reads
    async def place(self, tx: Tx, run: RunId, *, limit: int) -> LanePlace | None:
        row = await tx.one("place_in_lane", run=run, limit=limit)
        return None if row is None else LanePlace(row["lane"], row["line"], row["ahead"])

    @reads
    async def holders(self, tx: Tx, lane: int, *, limit: int) -> list[RunId]:
        return [RunId(row["id"]) for row in await tx.all("lane_holders", lane=lane, limit=limit)]


async def hold_lanes(tx: Tx, rule: LaneRule, lanes: Sequence[Lane], now: datetime) -> None:
    """Make the lanes that are not there, and keep them from being pruned; where runs are sifted, from being claimed."""
    wanted = {lane.id: lane for lane in lanes}
    rows = [{"lane": lane, "key": wanted[lane].key} for lane in sorted(wanted)]
    found = -1
    while found < len(wanted):
        await tx.run("add_lanes", rows=rows, gate=rule.gate.id, now=now)
        statement = "hold_lanes" if rule.sifts else "share_lanes"
        found = len(await tx.all(statement, lanes=sorted(wanted)))


async def block(tx: Tx, rule: LaneRule, lanes: dict[RunId, Lane]) -> tuple[dict[RunId, str], list[RunId]]:
    """What becomes of these runs, and of those in their lanes, by the job's blocking policy."""
    newcomers: dict[int, list[RunId]] = defaultdict(list)
    for run, lane in lanes.items():
        newcomers[lane.id].append(run)
    loads = {lane: LaneLoad(at_once=rule.gate.at_once or 1) for lane in newcomers}
    for row in await tx.all("lane_runs", lanes=sorted(newcomers)):
        loads[row["lane"]].add(RunId(row["id"]), running=row["state"] == RunState.RUNNING)
    skipped: dict[RunId, str] = {}
    replaced: list[RunId] = []
    for number, runs in newcomers.items():
        verdict = blocked(rule.blocking, loads[number], runs)
        skipped |= verdict.skipped
        replaced += verdict.replaced
    return skipped, replaced


async def put_in(tx: Tx, rule: LaneRule, rows: Sequence[Row], lanes: dict[RunId, Lane], now: datetime) -> None:
    await tx.run("enter_lanes", rows=[{"run": row["id"], "lane": lanes[RunId(row["id"])].id} for row in rows])
    highest: dict[tuple[int, int], int] = {}
    for row in rows:
        place = (lanes[RunId(row["id"])].id, row["line"])
        highest[place] = max(highest.get(place, 0), row["priority"])
    begins = await fair_turns(tx, rule, sorted({lane for lane, _ in highest}), now)
    turns = [
        turn(line, priority, begins.get(lane, micros(now)), lane) for (lane, line), priority in sorted(highest.items())
    ]
    await tx.run("add_turns", rows=turns)


async def fair_turns(tx: Tx, rule: LaneRule, lanes: Sequence[int], now: datetime) -> dict[int, int]:
    """Where keys take turns by weight."""
    # No lane begins before those that wait already, so that idling earns nothing.
    if not rule.fair:
        return {}
    row = await tx.one("first_turn", gate=rule.gate.id)
    first = max(1, row["turn"] or 1) if row is not None else 1
    passes = {one["id"]: one["pass"] for one in await tx.all("lane_passes", lanes=list(lanes), now=now)}
    return {lane: max(first, passes.get(lane, 0)) for lane in lanes}


def turn(line: int, priority: int, at: int, lane: int) -> dict[str, int]:
    return {"line": line, "priority": priority, "turn": at, "lane": lane}


def state_row(row: Row) -> LaneState:
    return struct_of(LaneState, row, waiting=row["queued"])
