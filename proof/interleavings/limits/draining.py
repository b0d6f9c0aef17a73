"""Runs under a limit after a play: all of them come to their end, and never more at once than it says."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from mainspring.domain.ids import RunId, Token
from mainspring.domain.limits.gates import Gate
from mainspring.domain.limits.lanes import LaneRule, lane_of
from mainspring.domain.runs.attempt import CANCELLING, Outcome
from mainspring.domain.runs.run import RunState
from mainspring.store.interface import Store
from proof.interleavings import acts
from proof.interleavings.stage import LATER, Facts, Play, Stage, ids
from proof.interleavings.workflows.acts import give_up

ROUNDS_MAX = 20
QUIET = timedelta(minutes=1)
"""Longer than any debounce waits."""
LIVE = "SELECT r.id, r.state, r.reason, r.token FROM mainspring.live AS r WHERE r.line = $1 ORDER BY r.due_at, r.id"
HELD = """
SELECT g.held - coalesce((SELECT sum(e.ended) FROM mainspring.exits AS e WHERE e.gate = g.id), 0) AS held
FROM mainspring.gates AS g WHERE g.id = $1
"""


class Under(msgspec.Struct):
    """The limit of a play, and how its runs are claimed."""

    at_once: int
    gate: Gate | None = None
    rule: LaneRule | None = None


class Drained(msgspec.Struct):
    """What was seen after the play."""

    running: int
    """Attempts under way right after it."""
    order: list[RunId]
    """In which the rest was started."""
    past: dict[RunId, int]
    """Final states."""


Pairs = list[tuple[RunId, Token]]


async def claim_under(
    store: Store, facts: Facts, slots: int = 10, session: int = 0, *, now: datetime = LATER, bundled: bool = False
) -> Pairs:
    under: Under = facts.scene
    wanted, token = [facts.sessions[session]] * slots, ids.token()
    if under.rule is not None:
        found = await store.runs.claim_lanes(
            [], under.rule, [facts.line], wanted, token=token, now=now, bundled=bundled
        )
    else:
        assert under.gate is not None
        found = await store.runs.claim_gated([under.gate.id], [facts.line], wanted, token=token, now=now)
    return [(run, token) for one in found.claims for run in one.runs]


async def enter_under(store: Store, facts: Facts, *, now: datetime = LATER) -> int:
    rule = facts.scene.rule
    if rule is None:
        return 0
    entered = await store.lanes.enter(
        rule, [facts.line], lambda _job, arguments: lane_of(rule, arguments), now=now, limit=100
    )
    return entered.seen


async def drain(stage: Stage, play: Play) -> Drained:
    """Raises an AssertionError if a limit is exceeded, if runs are left that nothing starts, or if a place leaks."""
    facts = play.facts
    running = await check_limit(stage, facts)
    order: list[RunId] = []
    for _ in range(ROUNDS_MAX):
        rows = await stage.control.fetch(LIVE, facts.line)
        if not rows:
            break
        if not await end_all(stage, rows):
            claimed = await start(stage, facts, LATER + QUIET) or await start(stage, facts, LATER + 2 * QUIET)
            assert claimed, f"runs wait, there is room, and nothing is started: {rows}"
            order += [run for run, _ in claimed]
            await check_limit(stage, facts)
    else:
        raise AssertionError("runs are left")
    await check_nothing_held(stage, facts)
    return Drained(running, order, await stage.states(facts.runs))


async def start(stage: Stage, facts: Facts, now: datetime) -> Pairs:
    await enter_under(stage.plain, facts, now=now)
    return await claim_under(stage.plain, facts, now=now)


async def end_all(stage: Stage, rows: Any) -> bool:
    held = [row for row in rows if row["state"] == RunState.RUNNING]
    pairs = [(row["id"], row["token"]) for row in held if row["reason"] != CANCELLING]
    stopped = [(row["id"], row["token"]) for row in held if row["reason"] == CANCELLING]
    if pairs:
        await stage.plain.runs.succeed(acts.successes(pairs), now=LATER)
    if stopped:
        await stage.plain.runs.settle(acts.ends(stopped, Outcome.CANCELLED), give_up, now=LATER)
    return bool(held)


async def check_limit(stage: Stage, facts: Facts) -> int:
    rows = await stage.control.fetch(LIVE, facts.line)
    running = sum(1 for row in rows if row["state"] == RunState.RUNNING)
    assert running <= facts.scene.at_once, f"{running} are under way, {facts.scene.at_once} may be"
    return running


async def check_nothing_held(stage: Stage, facts: Facts) -> None:
    """Without a recount: a place that leaked, or was given back twice, shows."""
    if facts.scene.gate is not None:
        [row] = await stage.control.fetch(HELD, facts.scene.gate.id)
        assert row["held"] == 0, f"nothing is under way, and a gate thinks that {row['held']} are"
