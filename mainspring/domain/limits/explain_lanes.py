"""Why a run waits in its lane: who holds the limit of its key, and how many are before it."""

from collections.abc import Sequence
from shlex import quote

from mainspring.domain.ids import RunId, id_text
from mainspring.domain.limits.explain import counted
from mainspring.domain.limits.gates import Scope
from mainspring.domain.limits.lanes import Lane, LaneRule
from mainspring.domain.limits.obstacles import Obstacle
from mainspring.domain.runs.run import WaitReason


def lane_obstacle(
    rule: LaneRule, lane: Lane, *, at_once: int | None, held: int, ahead: int, holders: Sequence[RunId]
) -> Obstacle:
    """The reason of a run that waits in a lane."""
    runs = [id_text(run) for run in holders]
    what = f"{' and '.join(rule.key)} = {lane.key}" if rule.key else f"{rule.gate.scope} {rule.gate.name}"
    if rule.executor:
        what = f"executor {lane.key}"
    code, text = "turn", f"It is {what}'s turn as soon as a slot is free"
    if at_once is not None and held >= at_once:
        code = "executor_limit" if rule.executor else "key_limit" if rule.key else "job_limit"
        many = f"{held} runs ({', '.join(runs)})" if held > 1 else f"run {', '.join(runs)}"
        text = f"Limit {at_once} of {rule.gate.name} {'on' if rule.executor else 'for'} {what} is held by {many}"
    elif rule.gate.gap is not None:
        code, text = "rate", f"As many of {what} have started as the rate of {rule.gate.name} allows for now"
    elif rule.fair:
        code, text = "share", f"{what} takes turns with other keys"
    before = f"; {counted(ahead)} of it are before this one" if ahead else "; this one is next"
    facts = {"key": lane.key, "at_once": at_once, "held": held, "ahead": ahead, "runs": runs}
    return Obstacle(
        code=code, reason=WaitReason.LIMIT, text=text + before, remedy=remedy_of(rule, lane, code), facts=facts
    )


def remedy_of(rule: LaneRule, lane: Lane, code: str) -> str:
    """The command that makes room for a key."""
    name, job = quote(rule.gate.name), rule.gate.scope is Scope.JOB
    if code in ("key_limit", "share"):
        option = "--at-once N" if code == "key_limit" else "--weight N"
        return f"mainspring limits set-key {name} {quote(lane.key)}{' --job' if job else ''} {option}"
    if code == "turn":
        return ""
    return f"mainspring jobs edit {name}" if job else f"mainspring limits set {name} --rate N/s"
