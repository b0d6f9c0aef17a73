"""The jobs of a trial: one for each behaviour of a handler, with what it promises."""

from typing import Any, Literal, get_args

import msgspec

from mainspring.domain.jobs.job import OnLost, RetryPolicy
from mainspring.domain.limits.policy import Blocking, KeptHistory, Rate
from mainspring.domain.routing.route import Route, Strategy
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
    "paced",
    "latest",
    "discards",
    "replaces",
    "guarded",
    "booked",
    "pinned",
    "hashed",
]

BACKOFF = 0.5
BACKOFF_MAX = 2.0
TIMEOUT = 1.5
BUDGET = 4.0
TRIES_ENDLESS = 50
GATEWAY = "gateway"
"""The breaker of a downstream that is down now and then."""
PROBES = 2
LICENCE, LICENCES = "licence", 2
"""A resource, and how much of it each executor has."""
HOME = "executor-0"
"""The executor whose runs wait for it."""


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
    rate_key: str = ""
    blocking: Blocking = Blocking.QUEUE
    breaker: str = ""
    licences: int = 0
    """What each attempt books."""
    route: Route = Route()

    @property
    def limits(self) -> dict[str, Any]:
        """As options of the job."""
        found = {
            "at_once": self.at_once,
            "limit_key": self.limit_key,
            "rate": self._rate,
            "blocking": self.blocking if self.blocking is not Blocking.QUEUE else None,
            "breaker": self.breaker,
            "uses": {LICENCE: self.licences} if self.licences else None,
            "route": self.route if self.route != Route() else None,
        }
        return {name: value for name, value in found.items() if value}

    @property
    def _rate(self) -> str | Rate | None:
        if not self.rate:
            return None
        return Rate(f"{self.rate:g}/s", key=self.rate_key, burst=1) if self.rate_key else f"{self.rate:g}/s"

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
            keyed=bool(self.limit_key or self.rate_key),
            rate=self.rate,
            blocking=self.blocking.value,
            breaker=self.breaker,
            probes=PROBES if self.breaker else 0,
            licences=self.licences,
            executor=self.route.executors[0] if self.route.strategy is Strategy.FIXED else "",
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
    "paced": Terms(queue="other", rate=1.0, rate_key="group"),
    "latest": Terms(at_once=1, limit_key="group", blocking=Blocking.LATEST),
    "discards": Terms(queue="other", at_once=1, limit_key="group", blocking=Blocking.DISCARD),
    "replaces": Terms(at_once=1, limit_key="group", blocking=Blocking.REPLACE),
    # However often the downstream is down, each comes to its end.
    "guarded": Terms(attempts=TRIES_ENDLESS, breaker=GATEWAY),
    "booked": Terms(licences=1),
    "pinned": Terms(queue="other", route=Route(Strategy.FIXED, executors=(HOME,))),
    "hashed": Terms(route=Route(Strategy.HASH, key=("group",))),
}
STEP_TERMS = Terms(queue="other", attempts=2)
"""Of the steps of workflows."""
LASTING = frozenset[Kind]({"long", "stubborn", "once", "asks"})
"""They take about as long as a lease does."""

assert set(TERMS) == set(get_args(Kind))
