"""Why a run is not running: its own reasons, then the obstacles of its line, then its place in line."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import msgspec

from mainspring.domain.ids import id_text
from mainspring.domain.limits.obstacles import LineFacts, Obstacle, obstacles
from mainspring.domain.queues.line import Line
from mainspring.domain.runs.explain import standing_of
from mainspring.domain.runs.run import Run, RunState, WaitReason

AHEAD_MAX = 1_000
"""Runs that are counted before one; a run with more before it is that far back at least.

Each may be on a page of its own that is not in memory, and an answer has 20 ms.
"""


REMEDIES: dict[str, str] = {
    WaitReason.SUSPENDED: "runs resume",
    WaitReason.LOST: "runs retry",
    WaitReason.APPROVAL: "approvals approve",
    WaitReason.STEPS: "workflows runs show",
}
"""By reason to wait."""


class LinePlace(msgspec.Struct, frozen=True, kw_only=True):
    """Where a queued run stands, as far as it was counted."""

    line: int
    ahead: int = 0
    """Due runs that are claimed before it."""
    rate: float = 0.0
    """Runs of its queue that ended in a second, lately; 0: none did."""


def reasons(
    run: Run,
    line: Line | None,
    facts: LineFacts,
    place: LinePlace | None,
    now: datetime,
    *,
    limits: Sequence[Obstacle] = (),
) -> list[Obstacle]:
    """Why the run is where it is, the weightiest reason first; `run` is as the store has it, `limits` those of its line."""
    own = list(own_reasons(run, now))
    if run.state is not RunState.QUEUED:
        return own
    held_up = [] if line is None else [*obstacles(line, facts), *limits]
    return [*own, *held_up, *turn(run, place, now, alone=not own and not held_up)]


def own_reasons(run: Run, now: datetime) -> Iterator[Obstacle]:
    """The reasons that are the run's own, whatever its line does."""
    if run.state.final:
        yield Obstacle(code="over", reason=None, text=f"It is over: {run.state.label}", since=run.finished_at)
    elif run.state is RunState.QUEUED:
        if run.due_at > now:
            yield not_due(run)
    elif (standing := standing_of(run)) is not None:
        code = run.reason or run.state.label
        reason = WaitReason(run.reason) if run.state is RunState.WAITING and run.reason in set(WaitReason) else None
        facts = {"executor": run.executor, "attempt": run.attempt} if run.state is RunState.RUNNING else {}
        text = standing.why[:1].upper() + standing.why[1:]
        yield Obstacle(
            code=code,
            reason=reason,
            text=text,
            remedy=remedy_of(run),
            since=run.started_at,
            until=standing.until,
            facts=facts,
        )


def remedy_of(run: Run) -> str:
    """The command that ends what a waiting run waits for, if people do that."""
    verb = REMEDIES.get(run.reason or "") if run.state is RunState.WAITING else None
    return "" if verb is None else f"mainspring {verb} {id_text(run.id)}"


def not_due(run: Run) -> Obstacle:
    code, text = "not_due", "It is not due yet"
    if run.reason == "retry":
        error = "" if run.failure is None else f" with {run.failure.error}"
        code, text = "retry", f"It is not due yet: attempt {run.attempt} failed{error}, and its retry policy waits"
    elif run.reason == "snoozed":
        code, text = "snoozed", f"It is not due yet: attempt {run.attempt} asked for a later time"
    verb = "retry" if run.reason == "retry" else "change"
    remedy = f"mainspring runs {verb} {id_text(run.id)}" + (" --at +1s" if verb == "change" else "")
    return Obstacle(code=code, reason=None, text=text, remedy=remedy, until=run.due_at)


def turn(run: Run, place: LinePlace | None, now: datetime, *, alone: bool) -> Iterator[Obstacle]:
    """Its place in line, and about when it starts if nothing but the line is before it."""
    if place is None or run.due_at > now:
        return
    starts = None
    if alone and place.rate > 0 and place.ahead < AHEAD_MAX:
        starts = now + timedelta(seconds=place.ahead / place.rate)
    text = "It is the next of its line, and starts as soon as a slot is free"
    if place.ahead:
        text = f"{counted(place.ahead)} runs of its line are before it"
    yield Obstacle(
        code="turn",
        reason=None,
        text=text,
        remedy=f"mainspring runs change {id_text(run.id)} --priority 9" if place.ahead else "",
        until=starts,
        facts={"ahead": place.ahead, "rate": place.rate},
    )


def counted(ahead: int) -> str:
    """The number of runs before one in words that stay true where the count ended."""
    return f"{AHEAD_MAX} or more" if ahead >= AHEAD_MAX else str(ahead)
