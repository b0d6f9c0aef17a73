"""New runs become facts: which lines have due runs, when the next one falls due, and the first deadline."""

from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.runs.run import NewRun
from mainspring.scheduler.facts import DeadlineSet, Facts, RunsQueued, RunsScheduled


def publish_new_runs(facts: Facts, runs: Sequence[NewRun], now: datetime) -> None:
    """Publish stored runs, except those that were inserted already claimed."""
    waiting = [run for run in runs if run.token is None]
    if due := [run for run in waiting if run.due_at <= now]:
        facts.publish(RunsQueued({run.line for run in due}, since=min(run.due_at for run in due)))
    if later := [run.due_at for run in waiting if run.due_at > now]:
        facts.publish(RunsScheduled(min(later)))
    if deadlines := [run.deadline_at for run in waiting if run.deadline_at is not None]:
        facts.publish(DeadlineSet(min(deadlines)))
