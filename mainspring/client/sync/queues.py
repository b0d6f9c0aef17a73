"""Generated from mainspring/client/nouns/queues.py by `make client-sync`: do not edit."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from mainspring.client.calls import SyncCall, ask
from mainspring.client.nouns.queues import Length
from mainspring.client.values import instant_text
from mainspring.contract.insights import lookups, operations, saved_views
from mainspring.contract.insights.lookups import FoundThing, JobRuns, MarkInfo, SettingInfo, TriggerFigure
from mainspring.contract.insights.views import OverviewInfo, RunHistogram, SavedViewInfo
from mainspring.contract.operations import queues
from mainspring.contract.operations.queues import UNSET, Unset
from mainspring.contract.queues import (
    JobFigures,
    NamespaceBudget,
    NamespacePolicyInfo,
    QueueInfo,
    QueuePage,
    QueueScaling,
    RatesInfo,
)
from mainspring.domain.limits.policy import as_seconds
from mainspring.domain.queues.policy import WhenFull


class Queues:
    """`client.queues` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self, name: str) -> QueueInfo:
        return self._call(ask(queues.GET_QUEUE, name))

    def rates(
        self, name: str | None = None, *, step: str = "minute", steps: int = 60, job: str | None = None
    ) -> RatesInfo:
        """Count the finished runs of a queue, or of all, per minute, or per hour (`step="hour"`)."""
        query = queues.RatesQuery(step=step, steps=steps, job=job)
        if name is None:
            return self._call(ask(queues.GET_NAMESPACE_RATES, query=query))
        return self._call(ask(queues.GET_RATES, name, query=query))

    def figures(self, *, step: str = "hour", steps: int = 24) -> JobFigures:
        """Count the finished runs of each job over the last hours, or minutes (`step="minute"`)."""
        return self._call(ask(queues.GET_JOB_FIGURES, query=queues.FiguresQuery(step=step, steps=steps)))

    def scaling(self, name: str, *, slots: int = 1, within: float = 60.0) -> QueueScaling:
        """The numbers for an autoscaler whose executors have so many slots, to work a backlog off within so many seconds."""
        return self._call(ask(queues.GET_SCALING, name, query=queues.ScalingQuery(slots=slots, within=within)))

    def scaling_of(self, names: Sequence[str], *, slots: int = 1, within: float = 60.0) -> QueueScaling:
        """The same for executors that take runs from several queues."""
        query = queues.ScalingOfQuery(queues=",".join(names), slots=slots, within=within)
        return self._call(ask(queues.GET_SCALING_OF, query=query))

    def pause(self, name: str, *, reason: str = "", lasts: Length | None = None, new: bool = False) -> QueueInfo:
        """Stop starting its runs; `lasts`: for so long; `new`: create the queue if no run has used that name."""
        body = queues.PauseBody(reason=reason, lasts=as_seconds(lasts), new=new)
        return self._call(ask(queues.PAUSE_QUEUE, name, body=body))

    def resume(self, name: str) -> QueueInfo:
        return self._call(ask(queues.RESUME_QUEUE, name))

    def set_budget(self, name: str, max_queued: int | None, *, new: bool = False) -> QueueInfo:
        """Limit how many accepted runs may wait in it; None: any number."""
        return self._call(ask(queues.SET_BUDGET, name, body=queues.BudgetBody(max_queued=max_queued, new=new)))

    def change(
        self,
        name: str,
        *,
        ageing: Length | Unset | None = UNSET,
        hurry: Length | Unset | None = UNSET,
        late_after: Length | Unset | None = UNSET,
        blackout: str | Unset = UNSET,
        when_full: WhenFull | Literal["refuse", "wait", "shed"] | Unset = UNSET,
        weight: float | Unset | None = UNSET,
        new: bool = False,
    ) -> QueueInfo:
        """Change the order in which its runs start; None takes a rule away, and what is not named stays.

        `ageing`: half of all starts go to runs that have been due for so long, whatever their priority. `hurry`: runs whose
        deadline is so near go before the others of their priority. Both are seconds, or texts such as `10m`.
        `late_after`: once a run has been due for so long, the queue gets three of four turns at the slots that it shares.
        `blackout`: the calendar by which nothing starts on days that do not count and in its blackouts; empty for none.
        `when_full`: `wait` holds requests over the budget until there is room, up to 10 seconds; `shed` skips waiting runs
        that are less urgent. `weight`: its part of the slots that the namespace's queues share, beside 1 of each other one.
        """
        full = when_full if isinstance(when_full, Unset) else WhenFull(when_full)
        body = queues.QueuePolicyBody(
            ageing=as_seconds(ageing),
            hurry=as_seconds(hurry),
            late_after=as_seconds(late_after),
            blackout=blackout,
            when_full=full,
            weight=weight,
            new=new,
        )
        return self._call(ask(queues.CHANGE_QUEUE, name, body=body))

    def change_namespace(
        self,
        namespace: str,
        *,
        blackout: str | Unset = UNSET,
        when_full: WhenFull | Literal["refuse", "wait", "shed"] | Unset = UNSET,
        weight: float | Unset | None = UNSET,
    ) -> NamespacePolicyInfo:
        """Start none of its runs while that calendar is closed (empty: no calendar); `when_full` as of a queue.

        `weight`: how often its runs are claimed beside those of other namespaces.
        """
        full = when_full if isinstance(when_full, Unset) else WhenFull(when_full)
        body = queues.NamespacePolicyBody(blackout=blackout, when_full=full, weight=weight)
        return self._call(ask(queues.CHANGE_NAMESPACE, namespace, body=body))

    def namespace_budget(self, namespace: str) -> NamespaceBudget:
        return self._call(ask(queues.GET_NAMESPACE_BUDGET, namespace))

    def set_namespace_budget(self, namespace: str, max_queued: int | None) -> NamespaceBudget:
        """Limit how many accepted runs may wait in all queues of a namespace together; None: any number."""
        body = queues.NamespaceBudgetBody(max_queued=max_queued)
        return self._call(ask(queues.SET_NAMESPACE_BUDGET, namespace, body=body))

    def list(self, *, limit: int = 100, cursor: str | None = None) -> QueuePage:
        return self._call(ask(queues.LIST_QUEUES, query=queues.QueueQuery(limit=limit, cursor=cursor)))


class Insights:
    """`client.insights` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def overview(self) -> OverviewInfo:
        """Findings, totals, rates, late queues, failures, next fires and open approvals; at most a second old."""
        return self._call(ask(operations.GET_OVERVIEW))

    def histogram(self, q: str = "", *, steps: int = 60) -> RunHistogram:
        """Count the runs that match a query by time; without `since:` those of the last hour."""
        return self._call(ask(operations.GET_HISTOGRAM, query=operations.HistogramQuery(q=q, steps=steps)))

    def search(self, q: str) -> Sequence[FoundThing]:
        """Find runs by part of an id, key, `#tag` or `label=value`, and the rest by the beginning of a name."""
        return (self._call(ask(lookups.SEARCH, query=lookups.SearchQuery(q=q)))).found

    def instants(self, triggers: Sequence[str]) -> Sequence[TriggerFigure]:
        """The last 30 instants of each of up to 50 triggers."""
        query = lookups.TriggerFiguresQuery(name=[*triggers])
        return (self._call(ask(lookups.GET_TRIGGER_FIGURES, query=query))).triggers

    def last_runs(self, jobs: Sequence[str]) -> Sequence[JobRuns]:
        """The last 30 runs of each of up to 20 jobs."""
        return (self._call(ask(lookups.GET_JOB_RUNS, query=lookups.JobRunsQuery(name=[*jobs])))).jobs

    def marks(self, *, since: datetime | None = None) -> Sequence[MarkInfo]:
        """Changes that may explain a chart, oldest first; by default those of the last day."""
        query = lookups.MarksQuery(since=instant_text(since, "since"))
        return (self._call(ask(lookups.GET_MARKS, query=query))).marks

    def settings(self) -> Sequence[SettingInfo]:
        """The settings of the server that answers, each with its origin."""
        return (self._call(ask(lookups.GET_SETTINGS))).settings


class Views:
    """`client.views` of a `Client`: queries of runs under names."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def save(self, name: str, q: str, *, shared: bool = False) -> SavedViewInfo:
        """Keep a query under a name, or replace the one of that name; `shared`: for all of the namespace."""
        operation = saved_views.SHARE_VIEW if shared else saved_views.SAVE_VIEW
        return self._call(ask(operation, name, body=saved_views.ViewBody(q=q)))

    def delete(self, name: str, *, shared: bool = False) -> None:
        operation = saved_views.DELETE_SHARED_VIEW if shared else saved_views.DELETE_VIEW
        self._call(ask(operation, name))

    def list(self) -> tuple[SavedViewInfo, ...]:
        """One's own, then those that are shared in the namespace."""
        return tuple((self._call(ask(saved_views.LIST_VIEWS))).views)
