"""Limits, breakers, pauses, maintenance, and why a run is not running."""

from collections.abc import Sequence
from datetime import timedelta

from mainspring.client.calls import AsyncCall, ask
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


def body_of(at_once: int | None, rate: str | None, burst: int | None) -> LimitBody:
    return LimitBody(at_once=at_once, rate=rate, burst=burst)


class AsyncLimits:
    """`client.limits` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def why(self, run: str) -> WhyInfo:
        """Why a run is not running, the weightiest reason first."""
        return await self._call(ask(limits.EXPLAIN_RUN, run))

    async def why_trigger(self, name: str) -> WhyInfo:
        """Why a trigger has not fired."""
        return await self._call(ask(limits.EXPLAIN_TRIGGER, name))

    async def get(self, name: str) -> LimitInfo:
        """A limit that jobs share by name, and how much of it is taken."""
        return await self._call(ask(limits.GET_LIMIT, name))

    async def set(
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
        return await self._call(ask(limits.SET_LIMIT, name, body=body))

    async def delete(self, name: str) -> None:
        """Only one that no job names."""
        await self._call(ask(limits.DELETE_LIMIT, name))

    async def job_keys(self, job: str) -> KeyPage:
        """Keys of a job's limit, rate or share."""
        return await self._call(ask(limits.LIST_JOB_KEYS, job))

    async def set_job_key(self, job: str, key: str, *, at_once: int | None = None, weight: float = 1.0) -> KeyInfo:
        """Give one key of a job a limit and a weight of its own."""
        return await self._call(ask(limits.SET_JOB_KEY, job, key, body=KeyBody(at_once=at_once, weight=weight)))

    async def keys(self, name: str) -> KeyPage:
        """Keys of a limit that jobs share."""
        return await self._call(ask(limits.LIST_LIMIT_KEYS, name))

    async def set_key(self, name: str, key: str, *, at_once: int | None = None, weight: float = 1.0) -> KeyInfo:
        """Give one key of a shared limit a number of its own."""
        return await self._call(ask(limits.SET_LIMIT_KEY, name, key, body=KeyBody(at_once=at_once, weight=weight)))

    async def set_queue(
        self, queue: str, *, at_once: int | None = None, rate: str | None = None, burst: int | None = None
    ) -> LimitInfo:
        """Limit how many attempts of a queue's runs may be under way at once, and how fast they start."""
        return await self._call(ask(limits.SET_QUEUE_LIMIT, queue, body=body_of(at_once, rate, burst)))

    async def delete_queue(self, queue: str) -> None:
        await self._call(ask(limits.DELETE_QUEUE_LIMIT, queue))

    async def set_namespace(
        self, namespace: str, *, at_once: int | None = None, rate: str | None = None, burst: int | None = None
    ) -> LimitInfo:
        """Limit how many attempts of a namespace's runs may be under way at once, and how fast they start."""
        return await self._call(ask(limits.SET_NAMESPACE_LIMIT, namespace, body=body_of(at_once, rate, burst)))

    async def delete_namespace(self, namespace: str) -> None:
        await self._call(ask(limits.DELETE_NAMESPACE_LIMIT, namespace))

    async def pause_namespace(
        self, name: str, *, reason: str = "", lasts: float | str | timedelta | None = None
    ) -> PauseInfo:
        """Stop starting its runs; running attempts continue, and runs are still accepted. `lasts`: for so long."""
        body = limits.StopNamespaceBody(reason=reason, lasts=as_seconds(lasts))
        return await self._call(ask(limits.PAUSE_NAMESPACE, name, body=body))

    async def resume_namespace(self, name: str) -> PauseInfo:
        return await self._call(ask(limits.RESUME_NAMESPACE, name))

    async def maintenance(self) -> PauseInfo:
        """Whether the cluster accepts runs and starts none."""
        return await self._call(ask(limits.GET_MAINTENANCE))

    async def begin_maintenance(self, *, reason: str = "", lasts: float | str | timedelta | None = None) -> PauseInfo:
        """Accept runs and start none, in the whole cluster; running attempts continue. `lasts`: for so long."""
        body = limits.MaintenanceBody(on=True, reason=reason, lasts=as_seconds(lasts))
        return await self._call(ask(limits.SET_MAINTENANCE, body=body))

    async def end_maintenance(self) -> PauseInfo:
        """Start runs again."""
        return await self._call(ask(limits.SET_MAINTENANCE, body=limits.MaintenanceBody(on=False)))

    async def list(self) -> LimitPage:
        """Every limit of the namespace, of its queues, and those that jobs share by name."""
        return await self._call(ask(limits.LIST_LIMITS))


class AsyncBreakers:
    """`client.breakers` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, name: str) -> BreakerInfo:
        """A breaker, its rule, and the calls that were counted in its window."""
        return await self._call(ask(breakers.GET_BREAKER, name))

    async def history(self, name: str, *, limit: int = 50) -> BreakerHistory:
        """Its changes of state, the newest first."""
        return await self._call(ask(breakers.GET_BREAKER_HISTORY, name, query=HistoryQuery(limit=limit)))

    async def set(self, name: str, rule: BreakerBody) -> BreakerInfo:
        """Define a breaker, or replace its rule; its state stays."""
        return await self._call(ask(breakers.SET_BREAKER, name, body=rule))

    async def what_if(self, name: str, rule: BreakerBody, *, runs: int = 500) -> BreakerTrial:
        """Try a rule on the past attempts of the jobs that name the breaker; nothing is changed."""
        return await self._call(ask(breakers.TRY_BREAKER, name, body=BreakerTrialBody(rule=rule, runs=runs)))

    async def delete(self, name: str) -> None:
        """Only one that no job names."""
        await self._call(ask(breakers.DELETE_BREAKER, name))

    async def force_open(self, name: str, *, reason: str = "") -> BreakerInfo:
        """Hold it open until it is resumed or reset."""
        return await self._call(ask(breakers.FORCE_BREAKER_OPEN, name, body=BreakerReasonBody(reason=reason)))

    async def disable(self, name: str, *, reason: str = "") -> BreakerInfo:
        """Let everything through and count nothing, until it is resumed or reset."""
        return await self._call(ask(breakers.DISABLE_BREAKER, name, body=BreakerReasonBody(reason=reason)))

    async def watch_only(self, name: str, *, reason: str = "") -> BreakerInfo:
        """Let everything through and count it, until it is resumed or reset."""
        return await self._call(ask(breakers.WATCH_BREAKER, name, body=BreakerReasonBody(reason=reason)))

    async def resume(self, name: str, *, reason: str = "") -> BreakerInfo:
        """Put it back into the state it had before an operator's word."""
        return await self._call(ask(breakers.RESUME_BREAKER, name, body=BreakerReasonBody(reason=reason)))

    async def reset(self, name: str, *, reason: str = "") -> BreakerInfo:
        """Close it, forget what was counted, and let everything go."""
        return await self._call(ask(breakers.RESET_BREAKER, name, body=BreakerReasonBody(reason=reason)))

    async def list(self) -> BreakerPage:
        """Every breaker of the namespace."""
        return await self._call(ask(breakers.LIST_BREAKERS))
