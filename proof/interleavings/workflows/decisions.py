"""Cases in which what a step needs cannot be had, does not come, or is another workflow run."""

from mainspring.domain.runs.attempt import Successes
from mainspring.domain.runs.run import RunState
from mainspring.domain.workflows.spec import StepSpec
from mainspring.store.interface import Store
from proof.interleavings.case import Case, Ending
from proof.interleavings.stage import LATER, NAMESPACE, Facts, Play, Stage, ids
from proof.interleavings.workflows import acts
from proof.interleavings.workflows.cases import MAP, half_done
from proof.interleavings.workflows.endings import NOTES, RUNS, check_end
from proof.interleavings.workflows.endings import lead_to_its_end as to_its_end
from proof.interleavings.workflows.scene import INNER, RESULT, job, under_way

ROUNDS_MAX = 20
OTHERWISE = {"$.a.list[0]": 2}
"""A condition that does not hold."""
missing = under_way({"a": job(), "b": job(mapping={"x": "$.a.nothing"})}, "a")
reading = under_way({"a": job(), "b": job(mapping={"x": "$.a.list"})}, "a")
branches = under_way(
    {"a": job(), "b": job(), "s": job(when=OTHERWISE), "j": job(after=("s", "b"), rule="none_failed")}, "a", "b"
)
unasked = under_way(
    {"a": job(), "w": StepSpec(event="paid", when=OTHERWISE), "b": job(after=("w",), rule="all_done")}, "a"
)
nested = under_way({"s": StepSpec(job=INNER), "b": job(after=("s",))}, inner={"x": job(), "y": job(after=("x",))})


async def half_mapped(store: Store, facts: Facts) -> None:
    """One item of a map is under way, and one has not begun."""
    await under_way(MAP | {"m": job(each="$.a.list", item="n", at_once=1)}, "a")(store, facts)
    await acts.succeed("a")(store, facts)


async def lead_nested(stage: Stage, play: Play) -> RunState:
    """Lead both workflow runs to their end; the step behind the inner one waits for it."""
    scene, store = play.facts.scene, stage.plain
    for _ in range(ROUNDS_MAX):
        rows = {scene.graph.steps[row["step"]].name: row for row in await stage.control.fetch(RUNS, scene.run)}
        assert "b" not in rows or rows["s"]["past"] == RunState.SUCCEEDED, "it began before the inner one had ended"
        run = await store.runs.get(NAMESPACE, scene.run)
        assert run is not None, "a workflow run is gone"
        if run.state.final:
            await check_end(stage, scene)
            return run.state
        await store.workflows.begin([scene.own_line], scene.mover(), now=LATER, limit=10)
        token = ids.token()
        for claim in await store.runs.claim([scene.line], play.facts.sessions * 5, token=token, now=LATER):
            size = len(claim)
            done = Successes(claim.runs, [token] * size, [RESULT] * size, [0] * size, [1] * size)
            await store.runs.succeed(done, now=LATER)
        for flow in (rows["s"]["run"], scene.run):
            while await stage.control.fetch(NOTES, flow):
                await store.workflows.advance([flow], scene.mover(), now=LATER)
    raise AssertionError("a workflow run does not end")


def refused(end: Ending) -> None:
    assert end.seen.final is RunState.FAILED
    assert end.seen.states == {"a": "succeeded", "b": "failed"}


def all_again(end: Ending) -> None:
    assert end.seen.final is RunState.SUCCEEDED
    assert end.seen.attempts == {"a": 2, "b": 2, "c": 1}


def joined(end: Ending) -> None:
    """A skipped parent has not failed, whichever of the two came first."""
    assert end.seen.final is RunState.SUCCEEDED
    assert end.seen.states == {"a": "succeeded", "b": "succeeded", "s": "skipped", "j": "succeeded"}


def passed_by(end: Ending) -> None:
    assert end.seen.final is RunState.SUCCEEDED
    assert end.seen.states == {"a": "succeeded", "w": "skipped", "b": "succeeded"}


def too_late(end: Ending) -> None:
    assert end.seen.final is RunState.FAILED
    assert end.seen.states["m"] != "succeeded"
    assert end.seen.states["z"] == "skipped"


def waited_for(end: Ending) -> None:
    assert end.seen is RunState.SUCCEEDED


CASES = [
    Case("success x sweep before an input that misses", missing, (acts.succeed("a"), acts.sweep), refused, to_its_end),
    Case(
        "success without a readable result x sweep",
        reading,
        (acts.succeed("a", result=b'{"list":[1'), acts.sweep),
        refused,
        to_its_end,
    ),
    Case("retry from a step x sweep", half_done, (acts.retry_from("a"), acts.sweep), all_again, to_its_end),
    Case("success x success of branches", branches, (acts.succeed("a"), acts.succeed("b")), joined, to_its_end),
    Case(
        "success x sweep before a wait that is skipped", unasked, (acts.succeed("a"), acts.sweep), passed_by, to_its_end
    ),
    Case("deadline x take up of a map", half_mapped, (acts.come_late, acts.take_up), too_late, to_its_end),
    Case("begin of an inner workflow run x take up", nested, (acts.begin, acts.take_up), waited_for, lead_nested),
]
