"""Which of the goals a trial reached, as far as its records tell."""

from itertools import pairwise

from proof.checker.endings import settled, timed
from proof.checker.story import FINAL, Story
from proof.records import Execution, Records, Transition
from proof.sim.fires_goals import reach_by_fires
from proof.sim.limits.goals import reach_by_limits
from proof.sim.sometimes import Sometimes
from proof.sim.suspensions_goals import reach_by_suspensions
from proof.sim.workflows.goals import reach_by_flows

GOALS_OF_ENDS = {
    "quarantined": "quarantine",
    "deadline_passed": "deadline passed",
    "start_deadline_passed": "start deadline passed",
    "gave_up": "handler gave up",
    "budget_spent": "budget spent",
    "lost": "failed by a loss",
}
"""By the reason of a run that is over."""


def reach_goals(records: Records, sometimes: Sometimes) -> None:
    story = Story(records)
    for chain in story.chains.values():
        for before, line in pairwise(chain):
            for goal in goals_of(before, line):
                sometimes.reach(goal)
    for run, lines in story.executions.items():
        if overlaps(lines):
            sometimes.reach("two attempts of a run executed at once")
        if any(line.event == "stepped" and line.outcome != line.token for line in lines):
            sometimes.reach("step remembered by a later attempt")
        if run in story.chains and goes_on(story, run):
            sometimes.reach("handler given up")
        for goal in goals_of_effects(lines):
            sometimes.reach(goal)
    reach_by_cluster(story, sometimes)
    reach_by_time(story, sometimes)
    reach_by_sweeps(story, sometimes)
    reach_by_fires(story, sometimes)
    reach_by_suspensions(story, sometimes)
    reach_by_flows(story, sometimes)
    reach_by_limits(story, sometimes)


def goals_of_effects(lines: list[Execution]) -> list[str]:
    applied = {line.token for line in lines if line.event == "applied"}
    found = ["effect of unknown outcome"] if any(line.outcome == "unknown" for line in lines) else []
    if applied and any(line.event == "end" and line.token not in applied for line in lines):
        found.append("effect remembered")
    return found


def reach_by_time(story: Story, sometimes: Sometimes) -> None:
    for row in story.records.attempt_rows:
        if row.outcome == "timed_out":
            sometimes.reach("attempt timed out")
    for start, end, limit in timed(story):
        if end.event == "end" and end.at - start.at > limit - end.wait:
            sometimes.reach("timeout extended")
    for before, line, end in settled(story):
        if end.outcome == "failed" and end.wait and line.failures > before.failures and line.state == "queued":
            sometimes.reach("tried again when its handler said")


def reach_by_sweeps(story: Story, sometimes: Sometimes) -> None:
    for row in story.records.sweep_rows:
        if row.job and row.changed:
            sometimes.reach("dead letter put back by a sweep")
        if row.state == "stopped":
            sometimes.reach("sweep stopped by a canary")
        elif row.tried and row.changed > len(row.tried):
            sometimes.reach("canaries let a sweep go on")


def reach_by_cluster(story: Story, sometimes: Sometimes) -> None:
    for changes in story.sessions.values():
        if any(after.state == "dead" and after.lease_until < after.at for after in changes[1:]):
            sometimes.reach("lease expired")
    connections = {(frame.session, frame.connection) for frame in story.records.frames if frame.session}
    if len(connections) > len({session for session, _ in connections}):
        sometimes.reach("session moved to another server")
    repeated = [answer.run for asked, answer in story.answered("enqueue") if asked.key]
    if len(repeated) > len(set(repeated)):
        sometimes.reach("key repeated, same run")


def goals_of(before: Transition, line: Transition) -> list[str]:
    found = [GOALS_OF_ENDS[line.reason]] if line.state in FINAL and line.reason in GOALS_OF_ENDS else []
    if line.reason == "snoozed" and line.state == "queued" and before.state == "running":
        found.append("run snoozed")
    if line.reason == "lost" and line.state == "waiting":
        found.append("asked about a loss")
    if before.state == "running" and line.state == "queued":
        if line.failures > before.failures:
            found.append("retried after a failure")
        elif line.losses > before.losses:
            found.append("repeated after a loss")
        else:
            found += ["claim put back", "attempt handed back"]
    return found


def overlaps(lines: list[Execution]) -> bool:
    running: set[str] = set()
    for line in sorted(lines, key=lambda each: each.at):
        if line.event == "start":
            if running:
                return True
            running.add(line.token)
        elif line.event in {"end", "killed"}:
            running.discard(line.token)
    return False


def goes_on(story: Story, run: str) -> bool:
    ended = max((line.at for line in story.chains[run] if line.state in FINAL), default=0.0)
    return any(line.event == "end" and line.at > ended for line in story.executions[run])
