"""Generated from mainspring/client/nouns/limits.py by `make client-sync`: do not edit."""

from collections.abc import Sequence
from datetime import timedelta

from mainspring.client.calls import SyncCall, ask
from mainspring.client.nouns.limits import body_of
from mainspring.contract import breakers, limits
from mainspring.contract.breakers import (
    BreakerBody,
    BreakerHistory,
    BreakerInfo,
    BreakerPage,
    BreakerReasonBody,
    BreakerTrial,
    BreakerTrialBody,
    HistoryQuery,
)
from mainspring.contract.limits import KeyBody, KeyInfo, KeyPage, LimitBody, LimitInfo, LimitPage, PauseInfo, WhyInfo
from mainspring.domain.limits.policy import as_seconds


class Limits:
    """`client.limits` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def why(self, run: str) -> WhyInfo:
        """Why a run is not running, the weightiest reason first."""
        return self._call(ask(limits.EXPLAIN_RUN, run))

    def why_trigger(self, name: str) -> WhyInfo:
        """Why a trigger has not fired."""
        return self._call(ask(limits.EXPLAIN_TRIGGER, name))

    def get(self, name: str) -> LimitInfo:
        """A limit that jobs share by name, and how much of it is taken."""
        return self._call(ask(limits.GET_LIMIT, name))

    def set(
        self,
        name: str,
        *,
        at_once: int | None = None,
        rate: str | None = None,
        burst: int | None = None,
        key: Sequence[str] = (),
    ) -> LimitInfo:
        """Set a limit that any number of jobs may name; with a key, of each key so many."""
        body = LimitBody(at_once=at_once, rate=rate, burst=burst, key=tuple(key))
        return self._call(ask(limits.SET_LIMIT, name, body=body))

    def delete(self, name: str) -> None:
        """Only one that no job names."""
        self._call(ask(limits.DELETE_LIMIT, name))

    def job_keys(self, job: str) -> KeyPage:
        """Keys of a job's limit, rate or share."""
        return self._call(ask(limits.LIST_JOB_KEYS, job))

    def set_job_key(self, job: str, key: str, *, at_once: int | None = None, weight: float = 1.0) -> KeyInfo:
        """Give one key of a job a limit and a weight of its own."""
        return self._call(ask(limits.SET_JOB_KEY, job, key, body=KeyBody(at_once=at_once, weight=weight)))

    def keys(self, name: str) -> KeyPage:
        """Keys of a limit that jobs share."""
        return self._call(ask(limits.LIST_LIMIT_KEYS, name))

    def set_key(self, name: str, key: str, *, at_once: int | None = None, weight: float = 1.0) -> KeyInfo:
        """Give one key of a shared limit a number of its own."""
        return self._call(ask(limits.SET_LIMIT_KEY, name, key, body=KeyBody(at_once=at_once, weight=weight)))

    def set_queue(
        self, queue: str, *, at_once: int | None = None, rate: str | None = None, burst: int | None = None
    ) -> LimitInfo:
        """Limit how many attempts of a queue's runs may be under way at once, and how fast they start."""
        return self._call(ask(limits.SET_QUEUE_LIMIT, queue, body=body_of(at_once, rate, burst)))

    def delete_queue(self, queue: str) -> None:
        self._call(ask(limits.DELETE_QUEUE_LIMIT, queue))

    def set_namespace(
        self, namespace: str, *, at_once: int | None = None, rate: str | None = None, burst: int | None = None
    ) -> LimitInfo:
        """Limit how many attempts of a namespace's runs may be under way at once, and how fast they start."""
        return self._call(ask(limits.SET_NAMESPACE_LIMIT, namespace, body=body_of(at_once, rate, burst)))

    def delete_namespace(self, namespace: str) -> None:
        self._call(ask(limits.DELETE_NAMESPACE_LIMIT, namespace))

    def pause_namespace(
        self, name: str, *, reason: str = "", lasts: float | str | timedelta | None = None
    ) -> PauseInfo:
        """Stop starting its runs; running attempts continue, and runs are still accepted. `lasts`: for so long."""
        body = limits.StopNamespaceBody(reason=reason, lasts=as_seconds(lasts))
        return self._call(ask(limits.PAUSE_NAMESPACE, name, body=body))

    def resume_namespace(self, name: str) -> PauseInfo:
        return self._call(ask(limits.RESUME_NAMESPACE, name))

    def maintenance(self) -> PauseInfo:
        """Whether the cluster accepts runs and starts none."""
        return self._call(ask(limits.GET_MAINTENANCE))

    def begin_maintenance(self, *, reason: str = "", lasts: float | str | timedelta | None = None) -> PauseInfo:
        """Accept runs and start none, in the whole cluster; running attempts continue. `lasts`: for so long."""
        body = limits.MaintenanceBody(on=True, reason=reason, lasts=as_seconds(lasts))
        return self._call(ask(limits.SET_MAINTENANCE, body=body))

    def end_maintenance(self) -> PauseInfo:
        """Start runs again."""
        return self._call(ask(limits.SET_MAINTENANCE, body=limits.MaintenanceBody(on=False)))

    def list(self) -> LimitPage:
        """Every limit of the namespace, of its queues, and those that jobs share by name."""
        return self._call(ask(limits.LIST_LIMITS))


class Breakers:
    """`client.breakers` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self, name: str) -> BreakerInfo:
        """A breaker, its rule, and the calls that were counted in its window."""
        return self._call(ask(breakers.GET_BREAKER, name))

    def history(self, name: str, *, limit: int = 50) -> BreakerHistory:
        """Its changes of state, the newest first."""
        return self._call(ask(breakers.GET_BREAKER_HISTORY, name, query=HistoryQuery(limit=limit)))

    def set(self, name: str, rule: BreakerBody) -> BreakerInfo:
        """Define a breaker, or replace its rule; its state stays."""
        return self._call(ask(breakers.SET_BREAKER, name, body=rule))

    def what_if(self, name: str, rule: BreakerBody, *, runs: int = 500) -> BreakerTrial:
        """Try a rule on the past attempts of the jobs that name the breaker; nothing is changed."""
        return self._call(ask(breakers.TRY_BREAKER, name, body=BreakerTrialBody(rule=rule, runs=runs)))

    def delete(self, name: str) -> None:
        """Only one that no job names."""
        self._call(ask(breakers.DELETE_BREAKER, name))

    def force_open(self, name: str, *, reason: str = "") -> BreakerInfo:
        """Hold it open until it is resumed or reset."""
        return self._call(ask(breakers.FORCE_BREAKER_OPEN, name, body=BreakerReasonBody(reason=reason)))

    def disable(self, name: str, *, reason: str = "") -> BreakerInfo:
        """Let everything through and count nothing, until it is resumed or reset."""
        return self._call(ask(breakers.DISABLE_BREAKER, name, body=BreakerReasonBody(reason=reason)))

    def watch_only(self, name: str, *, reason: str = "") -> BreakerInfo:
        """Let everything through and count it, until it is resumed or reset."""
        return self._call(ask(breakers.WATCH_BREAKER, name, body=BreakerReasonBody(reason=reason)))

    def resume(self, name: str, *, reason: str = "") -> BreakerInfo:
        """Put it back into the state it had before an operator's word."""
        return self._call(ask(breakers.RESUME_BREAKER, name, body=BreakerReasonBody(reason=reason)))

    def reset(self, name: str, *, reason: str = "") -> BreakerInfo:
        """Close it, forget what was counted, and let everything go."""
        return self._call(ask(breakers.RESET_BREAKER, name, body=BreakerReasonBody(reason=reason)))

    def list(self) -> BreakerPage:
        """Every breaker of the namespace."""
        return self._call(ask(breakers.LIST_BREAKERS))
