"""The jobs of a trial: one for each behaviour of a handler, with what it promises."""

from typing import Any, Literal, get_args

import msgspec

from mainspring.domain.jobs.job import OnLost, RetryPolicy
from mainspring.domain.limits.policy import KeptHistory
from proof.records import JobRule

Kind = Literal[
    "quick",
    "long",
    "flaky",
    "stubborn",
    "poison",
    "steps",
    "effects",
    "timed",
    "again",
    "quits",
    "snoozes",
    "budgeted",
    "once",
    "asks",
    "checks",
    "parks",
    "capped",
    "keyed",
    "rated",
]

BACKOFF = 0.5
BACKOFF_MAX = 2.0
TIMEOUT = 1.5
BUDGET = 4.0
TRIES_ENDLESS = 50


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What a job's definition says."""

    queue: str = "default"
    attempts: int = 3
    timeout: float | None = None
    budget: float | None = None
    on_lost: OnLost = OnLost.RETRY
    history: KeptHistory = KeptHistory.ALL
    at_once: int | None = None
    limit_key: str = ""
    rate: float = 0.0
    """Starts a second."""

    @property
    def limits(self) -> dict[str, Any]:
        """As options of the job."""
        found = {
            "at_once": self.at_once,
            "limit_key": self.limit_key,
            "rate": f"{self.rate:g}/s" if self.rate else None,
        }
        return {name: value for name, value in found.items() if value}

    @property
    def policy(self) -> RetryPolicy:
        return RetryPolicy(attempts=self.attempts, backoff=BACKOFF, backoff_max=BACKOFF_MAX, budget=self.budget)

    @property
    def rule(self) -> JobRule:
        return JobRule(
            attempts=self.attempts,
            queue=self.queue,
            timeout=self.timeout or 0.0,
            budget=self.budget or 0.0,
            on_lost=self.on_lost.value,
            at_once=self.at_once or 0,
            keyed=bool(self.limit_key),
            rate=self.rate,
        )


TERMS: dict[Kind, Terms] = {
    # Their large inputs are noted for deletion while those of others beside them are still needed.
    "quick": Terms(history=KeptHistory.FAILURES),
    "long": Terms(),
    "flaky": Terms(queue="other", attempts=4),
    "stubborn": Terms(queue="other", attempts=2),
    "poison": Terms(),
    "steps": Terms(queue="other", attempts=5),
    "effects": Terms(attempts=5),
    "timed": Terms(queue="other", attempts=2, timeout=TIMEOUT),
    "again": Terms(attempts=4),
    "quits": Terms(queue="other", attempts=4),
    # One failure would be its end: a server that takes a snooze for one is found out.
    "snoozes": Terms(attempts=1),
    "budgeted": Terms(queue="other", attempts=TRIES_ENDLESS, budget=BUDGET),
    "once": Terms(attempts=2, on_lost=OnLost.FAIL),
    "asks": Terms(queue="other", attempts=2, on_lost=OnLost.ASK),
    # One failure would be the end of these too: no yield may count as one.
    "checks": Terms(attempts=1),
    "parks": Terms(queue="other", attempts=1),
    "capped": Terms(at_once=2),
    "keyed": Terms(queue="other", at_once=1, limit_key="group"),
    "rated": Terms(rate=4.0),
}
STEP_TERMS = Terms(queue="other", attempts=2)
"""Of the steps of workflows."""
LASTING = frozenset[Kind]({"long", "stubborn", "once", "asks"})
"""They take about as long as a lease does."""

assert set(TERMS) == set(get_args(Kind))
