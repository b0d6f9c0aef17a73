"""What is measured after a fault, beside what the project promises."""

from collections.abc import Sequence

import msgspec

from proof.chaos.places import EXECUTORS
from proof.chaos.stage import Stage
from proof.chaos.waiting import until
from proof.records import Execution

PATIENCE = 45.0
NEVER = float("inf")


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One measurement. Without a target it is only told."""

    fault: str
    what: str
    value: float
    unit: str = "s"
    target: float | None = None
    least: bool = False
    """Whether the target is the least that will do, not the most."""

    @property
    def is_time(self) -> bool:
        return self.unit == "s" and self.value != NEVER

    @property
    def held(self) -> bool:
        if self.target is None:
            return True
        return self.value >= self.target if self.least else self.value <= self.target

    def __str__(self) -> str:
        sign = "≥" if self.least else "≤"
        goal = "" if self.target is None else f"  (target {sign} {self.target:g} {self.unit})"
        return f"{self.value:.2f} {self.unit}{goal}"


async def restarted(stage: Stage, held: Sequence[Execution], since: float) -> float:
    """How long it took until each of these was started again, unless it had ended meanwhile; 0 if there were none."""

    def again(one: Execution) -> float | None:
        later = (
            line.at for line in stage.ledger.starts(since=since) if line.run == one.run and line.attempt > one.attempt
        )
        return next(later, None)

    async def all_again() -> bool:
        missing = [one.run for one in held if again(one) is None]
        return not missing or not await live(stage, missing)

    try:
        await until(all_again, "all that was lost started again", within=PATIENCE)
    except TimeoutError:
        return NEVER
    return max((at - since for one in held if (at := again(one)) is not None), default=0.0)


async def live(stage: Stage, runs: Sequence[str]) -> bool:
    """Whether any of these has still to be executed."""
    rows = await stage.ask(
        "SELECT FROM mainspring.live WHERE id = ANY ($1::text[]::uuid[]) AND reason IS NULL LIMIT 1", list(runs)
    )
    return bool(rows)


async def going(stage: Stage, since: float, executors: Sequence[str] = EXECUTORS) -> float:
    """How long after that it took until these executors had renewed their leases, and a run accepted since had begun.

    Which executor begins it is the servers' choice, so each of them is asked for a sign of life only.
    """

    async def renewed() -> bool:
        return set(executors) <= set(await stage.attachments(since=since))

    def begun() -> float | None:
        accepted = {run for run, at in stage.requests.accepted().items() if at > since}
        return next((line.at for line in stage.ledger.starts(since=since) if line.run in accepted), None)

    try:
        await until(renewed, f"leases of {', '.join(executors)} renewed", within=PATIENCE)
        renewed_at = stage.now()
        begun_at = await until(begun, "the start of a run accepted since", within=PATIENCE)
    except TimeoutError:
        return NEVER
    assert begun_at is not None
    return max(renewed_at, begun_at) - since


async def attached_elsewhere(stage: Stage, executors: Sequence[str], server: str, since: float) -> float:
    """How long it took until these executors were attached to another server, and a run accepted since had begun."""

    async def moved() -> bool:
        now = await stage.attachments(since=since)
        return all(now.get(name, server) != server for name in executors)

    try:
        await until(moved, f"{', '.join(executors)} at another server than {server}", within=PATIENCE)
    except TimeoutError:
        return NEVER
    return max(stage.now() - since, await going(stage, since, executors))


async def losses_since(stage: Stage, since: float) -> float:
    """Attempts that a lapsed lease took back; one that had lapsed by then, in a fault before, was only found later."""
    rows = await stage.ask(
        "SELECT count(*) FROM mainspring.attempts AS a JOIN mainspring.sessions AS s ON s.id = a.session"
        " WHERE a.error = 'executor_lost' AND a.ended_at > $1 AND s.lease_until > $1",
        stage.scale.instant(since),
    )
    return float(rows[0]["count"])
