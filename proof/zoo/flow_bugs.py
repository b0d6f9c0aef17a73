"""Bugs in how workflow runs are advanced: most of them are of other systems."""

from mainspring.domain.workflows import advance, again
from mainspring.domain.workflows.advance import Advance
from mainspring.store.acts.workflows import acts, waits
from proof.zoo.bug import Bug
from proof.zoo.changing import requeries, rewrites, together

FLOWS = frozenset({"workflow"})

BUGS = [
    Bug(
        name="two parents that end at once each take the other for unfinished",
        origin="https://github.com/celery/celery/issues/4207",
        breaks="S14: a step begins when its rule holds",
        functions={"hop": (("f.states = t.was_states AND f.maps", "f.maps"),)},
        caught_by="hop x hop of siblings",
    ),
    Bug(
        name="two servers move one workflow run without a lock",
        origin="https://github.com/apache/dolphinscheduler/issues/16759",
        breaks="S14: each place has one run",
        functions={"take_steps": (("ORDER BY f.run FOR UPDATE;", "ORDER BY f.run;"),)},
        change=requeries("lock_flows", ("FOR UPDATE OF f", ""), database="postgres"),
        caught_by="success x success of siblings",
    ),
    Bug(
        name="a hop counts the success of an attempt that was given up",
        origin="a short way that trusts its memory",
        breaks="S7: no outcome of a stale attempt is applied",
        functions={"hop": (("coalesce(found_count, 0) < cardinality(p_ended)", "false"),)},
        caught_by="hop x loss",
    ),
    Bug(
        name="a hop accepts an outcome by the run's id alone",
        origin="a short way that trusts its memory",
        breaks="S7: no outcome of a stale attempt is applied",
        functions={"hop": (("r.id = e.id AND r.token = e.token", "r.id = e.id"),)},
        caught_by="hop x loss and another attempt",
    ),
    Bug(
        name="a hop begins a step although a pause was answered",
        origin="a short way that looks at the flow, and not at requests to it",
        breaks="S14: nothing of a paused workflow run begins",
        functions={"hop": (("n.step = -1", "n.step = -9"),)},
        caught_by="hop x pause",
    ),
    Bug(
        name="an empty map never ends",
        origin="https://github.com/argoproj/argo-workflows/issues/3739",
        breaks="L5: every workflow run ends",
        needs=FLOWS,
        change=rewrites(
            advance,
            "settled_state",
            ("if counts.ended == counts.size:", "if counts.size and counts.ended == counts.size:"),
        ),
    ),
    Bug(
        name="a map is skipped before its list is known",
        origin="https://github.com/apache/airflow/issues/28973",
        breaks="S14: states follow from rules and ends",
        needs=FLOWS,
        change=rewrites(
            Advance,
            "decide",
            (
                "if verdict is None:\n        return",
                "if verdict is None:\n        return self.skip(number, Skip.PARENTS) if step.each is not None else None",
            ),
        ),
    ),
    Bug(
        name="a workflow run ends while a run of it lives",
        origin="https://github.com/flyteorg/flyte/issues/3931",
        breaks="S14: nothing of a workflow run that is over goes on",
        needs=FLOWS,
        change=rewrites(Advance, "run", ("and not under_way(self.flow, len(self.graph.steps))", "")),
    ),
    Bug(
        name="steps of a cancelled workflow run begin when their parents end",
        origin="https://github.com/ngageoint/scale/issues/1128",
        breaks="S14: nothing of a cancelled workflow run begins",
        change=together(
            rewrites(Advance, "stop", ("self.skip(step, Skip.STOPPED)", "pass")),
            rewrites(Advance, "decide", ("elif step.stage == MAIN and self.halted:", "elif False:")),
        ),
        caught_by="success x cancel x take up",
    ),
    Bug(
        name="a resume takes steps that never began for done",
        origin="https://github.com/dagster-io/dagster/issues/30077",
        breaks="S14: what had not succeeded runs",
        change=rewrites(
            again, "reconsider", ("(flow.state(number) == SKIPPED and not stays(graph, flow, number))", "False")
        ),
        caught_by="resume x resume",
    ),
    Bug(
        name="a resume runs succeeded steps again",
        origin="https://github.com/PrefectHQ/prefect/issues/13735",
        breaks="S14: nothing runs again that had succeeded",
        change=rewrites(again, "resume", ("if flow.state(n) in BAD]", "if flow.state(n) in (*BAD, SUCCEEDED)]")),
        caught_by="resume half-way x sweep",
    ),
    Bug(
        name="an event published just before its wait began is lost",
        origin="https://github.com/inngest/inngest/issues/1433",
        breaks="S36: an event within the look-back ends its wait",
        change=rewrites(acts, "begin_waits", ("looked=wait.since is None", "looked=True")),
        caught_by="event x beginning of its wait",
    ),
    Bug(
        name="an event is answered with a wait that had timed out",
        origin="found here",
        breaks="S36: an event ends a wait, or is answered with none",
        change=rewrites(waits, "end_waits", ("ended = [run for run in live if run in gone]", "ended = sorted(gone)")),
        caught_by="event x time-out",
    ),
]
