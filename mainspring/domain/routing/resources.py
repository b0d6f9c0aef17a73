"""Resources: numbers that an executor has, and that attempts book while they run."""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from mainspring.domain.cluster.session import RunOnExecutor, Session
from mainspring.domain.jobs.job import Job
from mainspring.domain.limits.policy import Policy

SLOTS = "slots"
"""The resource that every pool has: how many slots of it an attempt takes."""
DIGITS = 6
"""Decimals that are told apart, so that sums of shares come out even."""


class Needs(msgspec.Struct, frozen=True):
    """All that each attempt of a job books on its executor."""

    amounts: tuple[tuple[str, float], ...] = ()
    slots: int = 1
    job: str = ""
    """With `at_once`: the job of which an executor takes no more at once."""
    at_once: int = 0

    def most(self, resources: Mapping[str, float]) -> int | None:
        """How many attempts an executor with these resources has room for; None: any number."""
        rooms = [int(round(resources.get(name, 0.0) / amount, DIGITS)) for name, amount in self.amounts]
        return min([*rooms, *([self.at_once] if self.at_once else [])], default=None)


def needs_of(job: Job | None) -> Needs | None:
    """None: attempts of the job book nothing."""
    if job is None:
        return None
    policy = job.spec.policy
    if not policy.uses and policy.executor_limit is None:
        return None
    amounts = tuple(sorted((name, float(amount)) for name, amount in policy.uses.items() if name != SLOTS))
    limit = policy.executor_limit or 0
    return Needs(amounts, int(policy.uses.get(SLOTS, 1)), job.name if limit else "", limit)


def short_of(session: Session, policy: Policy, handler: str) -> tuple[str, float] | None:
    """The resource of which an executor has less in all than one attempt books, and how much it has."""
    for name, amount in policy.uses.items():
        has = slots_of(session, handler) if name == SLOTS else session.abilities.resources.get(name, 0.0)
        if has < float(amount):
            return name, has
    return None


def overbooked(session: Session, held: Sequence[RunOnExecutor], jobs: Mapping[tuple[str, str], Job]) -> str | None:
    """The resource of which the attempts of an executor have booked more than it has; None: none.

    Attempts that were claimed before their job changed last are left out: an edit holds for those that follow.
    """
    used: Counter[str] = Counter()
    for run in held:
        job = jobs.get((session.namespace, run.job))
        needs = needs_of(job)
        if job is None or needs is None or run.claimed_at < job.updated_at:
            continue
        used.update(dict(needs.amounts))
        used[f"={run.job}"] += 1 if needs.at_once else 0
    limits = {f"={job.name}": job.spec.policy.executor_limit for job in jobs.values()}
    for name, amount in used.items():
        most = limits[name] if name.startswith("=") else session.abilities.resources.get(name, 0.0)
        if most is not None and round(amount - most, DIGITS) > 0:
            return name
    return None


def slots_of(session: Session, handler: str) -> float:
    pool = session.abilities.handlers.get(handler)
    return next((float(size.max) for size in session.abilities.pools if size.pool == pool), 0.0)
