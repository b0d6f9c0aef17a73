"""Leads a workflow run to its end after a play, and looks whether all of it fits together on the way."""

from collections.abc import Sequence
from typing import Any

import msgspec

from mainspring.domain.ids import RunId, Token
from mainspring.domain.runs.attempt import CANCELLING, Outcome, Successes
from mainspring.domain.runs.run import RunState
from mainspring.domain.workflows.flow import BEGUN, HAS_RUN, STATE, STATES, WAITING
from proof.interleavings import acts
from proof.interleavings.stage import LATER, NAMESPACE, Play, Stage, ids
from proof.interleavings.workflows.acts import give_up
from proof.interleavings.workflows.scene import RESULT, Scene

ROUNDS_MAX = 30
"""More than any workflow run here takes."""
RUNS = """
SELECT s.step, s.item, s.run, l.state AS live, l.token, l.reason, l.attempt, h.state AS past, h.attempt AS attempts
FROM mainspring.steps AS s
LEFT JOIN mainspring.live AS l ON l.id = s.run
LEFT JOIN mainspring.history AS h ON h.id = s.run
WHERE s.workflow = $1
ORDER BY s.step, s.item
"""
STRAYS = """
SELECT r.id FROM mainspring.live AS r
WHERE r.line = $1 AND NOT EXISTS (SELECT FROM mainspring.steps AS s WHERE s.run = r.id)
"""
NOTES = "SELECT n.step, n.state FROM mainspring.notes AS n WHERE n.workflow = $1"
WAITS = "SELECT w.run FROM mainspring.waits AS w WHERE w.run = ANY ($1::uuid[])"


class Seen(msgspec.Struct):
    """A workflow run after the play, and in the end."""

    after: dict[str, str]
    """States of steps once all notes were taken up."""
    begun: dict[str, int]
    """How often each step had been begun by then."""
    final: RunState
    states: dict[str, str]
    attempts: dict[str, int]
    """Of each step, of maps of all items."""


async def lead_to_its_end(stage: Stage, play: Play) -> Seen:
    """Raises an AssertionError if the workflow run, its flow and the runs of its steps do not fit, or if it stands still."""
    scene: Scene = play.facts.scene
    await take_up_all(stage, scene)
    await check(stage, scene)
    after, begun = await states_of(stage, scene), await attempts_of(stage, scene)
    for _ in range(ROUNDS_MAX):
        run = await stage.plain.runs.get(NAMESPACE, scene.run)
        assert run is not None, "a workflow run is gone"
        if run.state.final:
            await check_end(stage, scene)
            return Seen(after, begun, run.state, await states_of(stage, scene), await attempts_of(stage, scene))
        moved = await move_on(stage, play, scene)
        assert moved, f"a workflow run stands still: {await states_of(stage, scene)}"
        await check(stage, scene)
    raise AssertionError("a workflow run does not end")


async def take_up_all(stage: Stage, scene: Scene) -> bool:
    moved = False
    while await stage.control.fetch(NOTES, scene.run):
        await stage.plain.workflows.advance([scene.run], scene.mover(), now=LATER)
        moved = True
    return moved


async def move_on(stage: Stage, play: Play, scene: Scene) -> bool:
    """End all that is under way, begin and claim all that is due; whether there was anything."""
    store = stage.plain
    begun = await store.workflows.begin([scene.own_line], scene.mover(), now=LATER, limit=10)
    unpaused = await unpause(stage, scene)
    token = ids.token()
    claims = await store.runs.claim([scene.line], play.facts.sessions * 5, token=token, now=LATER)
    rows = await stage.control.fetch(RUNS, scene.run)
    held = [row for row in rows if row["live"] == RunState.RUNNING]
    running = [(row["run"], row["token"]) for row in held if row["reason"] != CANCELLING]
    stopping = [(row["run"], row["token"]) for row in held if row["reason"] == CANCELLING]
    if running:
        await store.runs.succeed(results(running), now=LATER)
    if stopping:
        await store.runs.settle(acts.ends(stopping, Outcome.CANCELLED), give_up, now=LATER)
    waiting = [row["run"] for row in rows if row["live"] == RunState.WAITING]
    waited = await store.waits.finish(dict.fromkeys(waiting, b"{}"), now=LATER) if waiting else []
    noted = await take_up_all(stage, scene)
    return bool(begun.moves or unpaused or claims or running or stopping or waited or noted)


async def unpause(stage: Stage, scene: Scene) -> bool:
    """Let a paused workflow run go on; its notes are taken up with those of the others."""
    rows = await stage.control.fetch("SELECT FROM mainspring.flows WHERE run = $1 AND requests & 4 <> 0", scene.run)
    if rows:
        await stage.control.execute("INSERT INTO mainspring.notes VALUES ($1, -1, 32, 1)", scene.run)
    return bool(rows)


def results(pairs: Sequence[tuple[RunId, Token]]) -> Successes:
    size = len(pairs)
    runs, tokens = [run for run, _ in pairs], [token for _, token in pairs]
    return Successes(runs, tokens, [RESULT] * size, [0] * size, [1] * size)


async def check(stage: Stage, scene: Scene) -> None:
    """With all notes taken up, a flow says of each step what the step's runs say."""
    view = await stage.plain.workflows.get(NAMESPACE, scene.run)
    if view is None:
        return
    rows = await stage.control.fetch(RUNS, scene.run)
    by_step: dict[int, list[Any]] = {}
    for row in rows:
        assert (row["live"] is None) != (row["past"] is None), f"the run of a step is lost or doubled: {row}"
        by_step.setdefault(row["step"], []).append(row)
    for number, byte in enumerate(view.flow.states):
        found, state = by_step.get(number, []), byte & STATE
        name = f"{scene.graph.steps[number].name} is {STATES[state]}"
        live = [row for row in found if row["live"] is not None]
        assert not (live and state != BEGUN), f"{name}, and a run of it lives"
        if number in view.flow.maps:
            counts = view.flow.maps[number]
            assert counts.begun == len(found), f"{name}: {counts.begun} items have begun, and {len(found)} have runs"
            assert counts.begun - counts.ended == len(live) or state != BEGUN, f"{name}: {counts}, {len(live)} live"
            continue
        assert len(found) <= 1, f"{name}, and has {len(found)} runs"
        # A fork has the runs of its origin, and no runs of its own yet.
        shared = scene.run == scene.fork and state != BEGUN
        assert bool(found) == bool(byte & HAS_RUN) or shared, f"{name}, and has {len(found)} runs"
        if state == BEGUN:
            assert live, f"{name}, and its run has ended"
        elif found and state != WAITING and STATES[state] != "skipped":
            assert found[0]["past"] == state, f"{name}, and its run ended as {found[0]['past']}"
    assert not await stage.control.fetch(STRAYS, scene.line), "a run of a step whose place nobody knows"


async def check_end(stage: Stage, scene: Scene) -> None:
    rows = await stage.control.fetch(RUNS, scene.run)
    assert all(row["live"] is None for row in rows), "a workflow run has ended, and a run of it lives"
    assert not await stage.control.fetch(NOTES, scene.run), "an end is noted of a workflow run that is over"
    left = await stage.control.fetch("SELECT FROM mainspring.flows WHERE run = $1", scene.run)
    assert not left, "a workflow run has ended, and its flow is there"


async def states_of(stage: Stage, scene: Scene) -> dict[str, str]:
    view = await stage.plain.workflows.get(NAMESPACE, scene.run)
    if view is None:
        return {}
    return {step.name: STATES[view.flow.state(number)] for number, step in enumerate(scene.graph.steps)}


async def attempts_of(stage: Stage, scene: Scene) -> dict[str, int]:
    found: dict[str, int] = {}
    for row in await stage.control.fetch(RUNS, scene.run):
        name = scene.graph.steps[row["step"]].name
        found[name] = found.get(name, 0) + (row["attempt"] or row["attempts"] or 0)
    return found
