"""Those who wait for something to happen to a run."""

import asyncio

from mainspring.domain.ids import RunId
from mainspring.scheduler.facts import Facts, Listening, LogsStored, RunsChanged, RunsSettled

OfRuns = RunsSettled | RunsChanged | LogsStored


class Watch:
    """Wakes waiters at ends on this server; ends on others are found by polling."""

    def __init__(self, facts: Facts, *kinds: type[OfRuns]) -> None:
        self._waiting: dict[RunId, set[asyncio.Event]] = {}
        self._listening: Listening[OfRuns] = Listening(facts, self._wake, *kinds)

    def _wake(self, fact: OfRuns) -> None:
        for run in fact.runs:
            for event in self._waiting.get(run, ()):
                event.set()

    def enter(self, run: RunId, event: asyncio.Event | None = None) -> asyncio.Event:
        event = event or asyncio.Event()
        self._waiting.setdefault(run, set()).add(event)
        self._listening.switch(on=True)
        return event

    def leave(self, run: RunId, event: asyncio.Event) -> None:
        waiting = self._waiting.get(run, set())
        waiting.discard(event)
        if not waiting:
            self._waiting.pop(run, None)
        self._listening.switch(on=bool(self._waiting))
