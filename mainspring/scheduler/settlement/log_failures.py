"""A failed attempt is one line in the log: job, run, error and next step."""

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from mainspring.domain.ids import RunId, id_text
from mainspring.domain.jobs.job import Job
from mainspring.domain.runs.attempt import Decision, Ended, Held, Outcome
from mainspring.domain.runs.run import RunState
from mainspring.domain.runs.trace import parts_of

log = logging.getLogger("mainspring.runs")

TOLD = frozenset({Outcome.FAILED, Outcome.TIMED_OUT, Outcome.LOST})
ERROR_MAX = 300
"""Characters of an error's message; the run keeps the whole of it."""

Failed = tuple[Held, Ended, Decision]
"""The attempt, how it ended, and what becomes of its run."""


def tell_failures(failed: Iterable[Failed], states: Mapping[RunId, RunState], jobs: Mapping[int, Job]) -> None:
    """Tell of those that were written: a stale outcome changes nothing."""
    for held, end, decision in failed:
        if end.run in states:
            final, job = decision.state.final, jobs.get(held.job)
            fields: dict[str, Any]
            fields = {"namespace": "", "job": ""} if job is None else {"namespace": job.namespace, "job": job.name}
            fields |= {"run": id_text(end.run), "attempt": held.attempt, "outcome": end.outcome.label}
            fields |= {"error": error_of(end), "next": next_of(decision), "executor": held.executor}
            if parts := parts_of(held.traceparent):
                fields["trace_id"] = parts[0]
            log.log(
                logging.ERROR if final else logging.WARNING,
                "run %(run)s of job %(job)s: attempt %(attempt)s on %(executor)s %(outcome)s: %(error)s; %(next)s",
                fields,
                extra={"fields": fields},
            )


def error_of(end: Ended) -> str:
    if end.failure is None:
        return "its executor is gone"
    text = f"{end.failure.error}: {end.failure.message}" if end.failure.message else end.failure.error
    shown = "".join(each if each.isprintable() else " " for each in text[:ERROR_MAX])
    return shown if len(text) <= ERROR_MAX else f"{shown} …"


def next_of(decision: Decision) -> str:
    if decision.state.final:
        return f"the run is {decision.state.label} for good ({decision.reason or 'no tries left'}); see: mainspring dead list"
    if decision.state is RunState.WAITING:
        return f"the run waits ({decision.reason})"
    if decision.due_at is None:
        return "tried again at once"
    return f"tried again at {decision.due_at.isoformat(timespec='milliseconds').replace('+00:00', 'Z')}"
