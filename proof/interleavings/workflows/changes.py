"""Cases in which operators mark, fork and move workflow runs that others move at the same time."""

from typing import Any

import msgspec

from mainspring.domain.ids import id_text
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.metadata import RunMetadata, encode_metadata
from mainspring.domain.runs.run import RunState
from mainspring.domain.workflows.again import Again, waiting_steps
from mainspring.domain.workflows.changes.versions import TargetVersion
from mainspring.domain.workflows.graph import graph_of
from mainspring.domain.workflows.spec import HANDLER, WorkflowSpec, write_workflow
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from proof.interleavings.case import Case, Ending
from proof.interleavings.stage import LATER, NAMESPACE, Facts, Play, Stage
from proof.interleavings.workflows import acts
from proof.interleavings.workflows.cases import CHAIN, chain, half_done
from proof.interleavings.workflows.endings import Seen
from proof.interleavings.workflows.endings import lead_to_its_end as to_its_end
from proof.interleavings.workflows.scene import JOB, Scene, job

NEWER = {"x": job(after=("a",))} | CHAIN
"""Another version: one step more, and other numbers."""


class Forked(msgspec.Struct):
    """A workflow run and its fork, in the end."""

    origin: Seen
    fork: Seen


async def with_fork(store: Store, facts: Facts) -> None:
    """A workflow run that has failed at its second step, and a fork of it that is due."""
    await half_done(store, facts)
    scene: Scene = facts.scene
    run = facts.new_run()
    view = await store.workflows.get(NAMESPACE, scene.run)
    assert view is not None
    run.job, run.line = view.job, scene.own_line
    run.extra = encode_metadata(RunMetadata(fork_of=id_text(scene.run), fork_step="b"))
    await store.runs.create(NAMESPACE, [run], now=START)
    scene.fork = run.id


async def with_newer_version(store: Store, facts: Facts) -> None:
    """A workflow run whose workflow was edited after it had begun."""
    await chain(store, facts)
    name, step = f"{facts.name}-flow", f"{facts.name}-step"
    workflow = write_workflow(WorkflowSpec(steps=NEWER)).replace(JOB.encode(), step.encode())
    spec = JobSpec(name=name, handler=HANDLER, workflow=workflow, queue=name)
    [made] = await store.jobs.register(NAMESPACE, [spec], now=START)
    facts.scene.target = TargetVersion(made.version, graph_of(workflow))


async def move(store: Store, facts: Facts) -> Any:
    scene: Scene = facts.scene
    return await store.workflows.change(
        scene.run,
        lambda graph, flow: Again(waiting_steps(graph, flow)),
        scene.mover(),
        acts.by(),
        act="workflow.move",
        now=LATER,
        target=scene.target,
    )


async def lead_both(stage: Stage, play: Play) -> Forked:
    scene: Scene = play.facts.scene
    origin = await to_its_end(stage, play)
    assert scene.fork is not None
    play.facts.scene = msgspec.structs.replace(scene, run=scene.fork)
    return Forked(origin, await to_its_end(stage, play))


async def lead_moved(stage: Stage, play: Play) -> Seen:
    """By the version that it was moved to."""
    play.facts.scene.graph = play.facts.scene.target.graph
    return await to_its_end(stage, play)


def marked_or_resumed(end: Ending) -> None:
    """The one that came second was refused: the step had succeeded, or was under way."""
    assert (end.a is None) != (end.b is None), "both were done, or neither"
    assert end.seen.final is RunState.SUCCEEDED
    assert end.seen.attempts == {"a": 1, "b": 1 if end.b is None else 2, "c": 1}


def marked(end: Ending) -> None:
    assert end.seen.final is RunState.SUCCEEDED
    assert end.seen.attempts == {"a": 1, "b": 1, "c": 1}


def marked_or_stopped(end: Ending) -> None:
    """A cancel of one that is over changes nothing; of one that a mark has brought back, it counts."""
    assert end.seen.final in {RunState.SUCCEEDED, RunState.CANCELLED, RunState.FAILED}
    assert end.a is not None


def apart(end: Ending) -> None:
    """Neither knows of the other: each runs what it has not."""
    assert end.seen.origin.final is RunState.SUCCEEDED
    assert end.seen.fork.final is RunState.SUCCEEDED
    assert end.seen.fork.attempts == {"a": 1, "b": 1, "c": 1}


def apart_resumed(end: Ending) -> None:
    apart(end)
    assert end.seen.origin.attempts == {"a": 1, "b": 2, "c": 1}


def apart_marked(end: Ending) -> None:
    apart(end)
    assert end.seen.origin.attempts == {"a": 1, "b": 1, "c": 1}


def moved(end: Ending) -> None:
    assert end.seen.final is RunState.SUCCEEDED
    assert end.seen.attempts == {"a": 1, "b": 1, "c": 1, "x": 1}


def moved_then_failed(end: Ending) -> None:
    assert end.seen.final is RunState.FAILED
    assert end.seen.states == {"a": "failed", "b": "skipped", "c": "skipped", "x": "skipped"}


def moved_or_over(end: Ending) -> None:
    assert end.seen.final is RunState.CANCELLED
    assert not {"c", "x"} & end.seen.attempts.keys()


CASES = [
    Case("mark x resume", half_done, (acts.mark("b"), acts.resume), marked_or_resumed, to_its_end),
    Case("mark x mark", half_done, (acts.mark("b"), acts.mark("b")), marked, to_its_end),
    Case("mark x sweep", half_done, (acts.mark("b"), acts.sweep), marked, to_its_end),
    Case(
        "mark x cancel x take up", half_done, (acts.mark("b"), acts.cancel, acts.take_up), marked_or_stopped, to_its_end
    ),
    Case("fork x resume of its origin", with_fork, (acts.begin, acts.resume), apart_resumed, lead_both),
    Case("fork x mark in its origin", with_fork, (acts.begin, acts.mark("b")), apart_marked, lead_both),
    Case("move x hop", with_newer_version, (move, acts.hop("a")), moved, lead_moved),
    Case("move x success", with_newer_version, (move, acts.succeed("a")), moved, lead_moved),
    Case("move x noted success", with_newer_version, (move, acts.succeed_alone("a"), acts.take_up), moved, lead_moved),
    Case(
        "move x failure x take up",
        with_newer_version,
        (move, acts.fail("a"), acts.take_up),
        moved_then_failed,
        lead_moved,
    ),
    Case("move x move", with_newer_version, (move, move), moved, lead_moved),
]
