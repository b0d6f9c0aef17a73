"""Those who wait for something to happen to a run."""

import asyncio

from mainspring.domain.ids import RunId
from mainspring.scheduler.facts import Facts, LogsStored, RunsChanged, RunsSettled

OfRuns = RunsSettled | RunsChanged | LogsStored


class Watch:
    """Wakes waiters when it happens on this server; what happens on others is found by polling."""

    def __init__(self, facts: Facts, *kinds: type[OfRuns]) -> None:
        self._waiting: dict[RunId, set[asyncio.Event]] = {}
        for kind in kinds:
            facts.subscribe(kind, self._wake)

    def _wake(self, fact: OfRuns) -> None:
        if not self._waiting:
            return
        for run in fact.runs:
            for event in self._waiting.get(run, ()):
                event.set()

    def enter(self, run: RunId, event: asyncio.Event | None = None) -> asyncio.Event:
        event = event or asyncio.Event()
        self._waiting.setdefault(run, set()).add(event)
        return event

    def leave(self, run: RunId, event: asyncio.Event) -> None:
        waiting = self._waiting.get(run, set())
        waiting.discard(event)
        if not waiting:
            self._waiting.pop(run, None)
