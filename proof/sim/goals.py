"""Which of the goals a trial reached, as far as its records tell."""

from itertools import pairwise

from proof.checker.story import FINAL, Story
from proof.records import Execution, Records, Transition
from proof.sim.sometimes import Sometimes


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
    reach_by_cluster(story, sometimes)


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
    found = []
    if line.reason == "quarantined":
        found.append("quarantine")
    if line.reason == "deadline_passed" and line.state in FINAL:
        found.append("deadline passed")
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
