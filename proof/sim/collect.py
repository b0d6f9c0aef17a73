"""The records of a trial, from all who kept some of them."""

from collections.abc import Mapping
from typing import Any

import msgspec

from mainspring.domain.bulk.operation import Sweep
from mainspring.domain.calendars.spec import CalendarSpec
from mainspring.domain.cluster.session import SessionState
from mainspring.domain.ids import id_text
from mainspring.domain.jobs.job import LOSSES_MAX
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.run import RunState
from mainspring.store.sqlite.rows import micros
from proof.records import (
    AttemptRow,
    Fault,
    FireChange,
    KeyRow,
    LogRow,
    Records,
    RuleChange,
    RunRow,
    SessionChange,
    SessionRow,
    Setup,
    SkipChange,
    SweepRow,
    Transition,
    TriggerChange,
)
from proof.sim.audit import hexed
from proof.sim.fires import fired_by
from proof.sim.jobs import LICENCES, STEP_TERMS, TERMS
from proof.sim.plan import Plan, start_of
from proof.sim.workflows.collect import flow_rows, step_rows
from proof.sim.workflows.draw import FLOW, STEP
from proof.sim.world import World

CLOCKS_FOLLOW = 0.05
"""Seconds that a server's clock may be off the database's although it follows it."""
CLOCKS_LOOK = 4
"""Leases behind which what a server has learnt of the database's clock is forgotten."""
FORGOTTEN = b"\0"
"""In history, for an input that is not kept."""
RESTARTS = frozenset({"kill_server", "stop_server"})


def collect(world: World, faults: list[Fault], *, drained: bool) -> Records:
    changes = world.database.audit.changes
    flows = flow_rows(world.plan.config.flows, world.database.rows, world.loop.time())
    return Records(
        setup=setup_of(world, drained=drained),
        operations=world.clients.operations,
        executions=world.executions,
        transitions=[line for line in changes if isinstance(line, Transition)],
        sessions=[line for line in changes if isinstance(line, SessionChange)],
        rules=[line for line in changes if isinstance(line, RuleChange)],
        triggers=[line for line in changes if isinstance(line, TriggerChange)],
        fires=[line for line in changes if isinstance(line, FireChange)],
        skips=[line for line in changes if isinstance(line, SkipChange)],
        run_rows=run_rows(world),
        attempt_rows=attempt_rows(world),
        session_rows=session_rows(world),
        key_rows=key_rows(world),
        log_rows=log_rows(world),
        sweep_rows=sweep_rows(world),
        flow_rows=flows,
        step_rows=step_rows(flows, world.database.rows, days(world, "history"), world.loop.time()),
        faults=faults,
        frames=world.network.frames,
    )


def setup_of(world: World, *, drained: bool) -> Setup:
    plan = world.plan
    apart = clocks_apart(plan)
    return Setup(
        at=0.0,
        lease=plan.config.lease,
        grace=plan.config.grace,
        poll=plan.config.poll,
        stop_grace=plan.config.stop_grace,
        losses_max=LOSSES_MAX,
        healed_at=plan.config.heal_at,
        drained=drained,
        failovers=world.fail_overs,
        clocks_apart=apart,
        calm=not plan.nemesis and not plan.config.skews,
        sessions_left=[session for actor in world.executors.values() for session in actor.sessions_left],
        licences=LICENCES,
        jobs={kind: terms.rule for kind, terms in TERMS.items()} | {STEP: STEP_TERMS.rule},
        steps=(STEP,),
        flows=tuple(f"{FLOW}{number}" for number in range(len(plan.config.flows))),
        epoch=start_of(plan.config).timestamp(),
        look_ahead=plan.config.look_ahead,
        servers=plan.config.servers,
        calendars={act.name: blackouts(act.calendar) for act in plan.workload if act.calendar is not None},
    )


def blackouts(calendar: CalendarSpec) -> list[tuple[int, int]]:
    return [(micros(one.since), micros(one.until)) for one in calendar.blackouts]


def clocks_apart(plan: Plan) -> float:
    """How far off a server may be: by what it starts with, by jumps of the database's clock, by drifting between two looks."""
    jumps = sum(abs(one.strength) for one in plan.nemesis if one.fault == "clock_jump")
    drifts = max((abs(one.strength) for one in plan.nemesis if one.fault == "machine_drift"), default=0.0)
    starts = {one.target for one in plan.nemesis if one.fault in RESTARTS}
    set_by_hand = sum(abs(one.strength) for one in plan.nemesis if one.fault == "machine_jump" and one.target in starts)
    skew = max(map(abs, plan.config.skews), default=0.0) + set_by_hand
    return CLOCKS_FOLLOW + jumps + skew + drifts * plan.config.lease * CLOCKS_LOOK


def run_rows(world: World) -> list[RunRow]:
    shown = "id, state, attempt, failures, losses, due_at, token, reason, key, job, extra, input"
    live = f"SELECT {shown}, session FROM runs"  # noqa: S608 columns of ours
    past = f"SELECT {shown}, NULL AS session FROM {{}}"  # noqa: S608 columns of ours
    payloads = {row["run"]: row["input"] for row in world.database.rows("SELECT run, input FROM payloads")}
    queries = [live, *(past.format(table) for table in days(world, "history"))]
    audit, at = world.database.audit, world.loop.time()
    return [
        RunRow(
            at=at,
            run=id_text(row["id"]),
            state=RunState(row["state"]).label,
            attempt=row["attempt"],
            failures=row["failures"],
            losses=row["losses"],
            due_at=audit.since_start(row["due_at"]),
            token=hexed(row["token"]),
            session=hexed(row["session"]),
            reason=row["reason"] or "",
            key=row["key"] or "",
            job=audit.named("job", row["job"]),
            **{name: given_to(world, row, payloads).get(name, "") for name in ("mark", "group")},
            **fired_by(row["extra"]),
        )
        for query in queries
        for row in world.database.rows(query)
    ]


def given_to(world: World, row: Any, payloads: Mapping[bytes, bytes]) -> dict[str, Any]:
    """The input of a run, which may be kept apart from it; of one that was forgotten, what its handler was told."""
    if row["input"] == FORGOTTEN:
        return {"mark": world.marks.get(id_text(row["id"]), "")}
    found: dict[str, Any] = msgspec.json.decode(row["input"] or payloads.get(row["id"], b"{}"))
    return found


def attempt_rows(world: World) -> list[AttemptRow]:
    at = world.loop.time()
    return [
        AttemptRow(
            at=at,
            run=id_text(row["run"]),
            attempt=row["number"],
            token=row["token"].hex(),
            outcome=Outcome(row["outcome"]).label,
            ended_at=world.database.audit.since_start(row["ended_at"]),
        )
        for table in days(world, "attempts")
        for row in world.database.rows(f"SELECT * FROM {table}")  # noqa: S608 a table's own name
    ]


def session_rows(world: World) -> list[SessionRow]:
    query = """
    SELECT s.id, s.executor, s.state, (SELECT count(*) FROM runs AS r WHERE r.session = s.id AND r.state = 2) AS holds
    FROM sessions AS s
    """
    return [
        SessionRow(
            at=world.loop.time(),
            session=row["id"].hex(),
            executor=row["executor"],
            state=SessionState(row["state"]).name.lower(),
            holds=row["holds"],
        )
        for row in world.database.rows(query)
    ]


def key_rows(world: World) -> list[KeyRow]:
    rows = world.database.rows("SELECT key, run, digest FROM keys")
    at = world.loop.time()
    return [KeyRow(at=at, key=row["key"], run=id_text(row["run"]), digest=row["digest"].hex()) for row in rows]


def log_rows(world: World) -> list[LogRow]:
    numbers: dict[tuple[bytes, bytes], list[int]] = {}
    for table in days(world, "logs"):
        for row in world.database.rows(f"SELECT run, token, seq FROM {table} ORDER BY position"):  # noqa: S608 likewise
            numbers.setdefault((row["run"], row["token"]), []).append(row["seq"])
    at = world.loop.time()
    return [LogRow(at=at, run=id_text(run), token=token.hex(), numbers=seqs) for (run, token), seqs in numbers.items()]


def sweep_rows(world: World) -> list[SweepRow]:
    found = [msgspec.json.decode(row["body"], type=Sweep) for row in world.database.rows("SELECT body FROM sweeps")]
    return [
        SweepRow(
            at=world.loop.time(),
            sweep=id_text(sweep.id),
            job=sweep.filter.job or "",
            state=sweep.state.value,
            canaries=sweep.canaries,
            tried=[id_text(run) for run in sweep.tried],
            changed=sweep.changed,
        )
        for sweep in found
    ]


def days(world: World, kind: str) -> list[str]:
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB ? ORDER BY name"
    return [row["name"] for row in world.database.rows(query, f"{kind}_[0-9]*")]
