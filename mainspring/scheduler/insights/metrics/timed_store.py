"""A store whose calls are timed: one measurement for each call, whatever the number of runs in it."""

from functools import cache
from typing import Any, cast

from mainspring.clock import Clock
from mainspring.domain.metrics import declared
from mainspring.domain.metrics.family import Series
from mainspring.domain.metrics.numbers import Histogram, Totals
from mainspring.store.interface import Store

ACTS = {
    ("runs", "create"): "create",
    ("runs", "claim"): "claim",
    ("runs", "claim_gated"): "claim",
    ("runs", "claim_lanes"): "claim",
    ("runs", "hand_over"): "settle",
    ("runs", "settle"): "settle",
    ("runs", "succeed"): "settle",
    ("triggers", "fire"): "fire",
    ("cluster", "renew"): "renew",
}
"""The calls that every run, fire or lease passes through; others are `read` or `other`."""
WRITES = frozenset(ACTS.values())
READ, OTHER = "read", "other"
READING = ("get", "list", "find", "count", "states", "attempts", "depths", "rollups", "stamp", "open")
"""How the names of verbs begin that only read."""


class StoreTimes:
    """How long calls of the store took, and how many failed."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.seconds, self._errors = Histogram(declared.STORE_SECONDS), Totals(declared.STORE_ERRORS)

    def series(self) -> list[Series]:
        return [self.seconds.series(), self._errors.series()]

    def watch(self, store: Store) -> Store:
        """The same store, timed."""
        return cast("Store", TimedStore(store, self))

    async def call(self, noun: str, verb: str, acting: Any) -> Any:
        act, began = act_of(noun, verb), self._clock.monotonic()
        try:
            return await acting
        except Exception as error:
            self._errors.add((act, type(error).__name__))
            raise
        finally:
            self.seconds.observe(self._clock.monotonic() - began, (act,))


@cache
def act_of(noun: str, verb: str) -> str:
    return ACTS.get((noun, verb)) or (READ if noun == "findings" or verb.startswith(READING) else OTHER)


class TimedStore:
    """Passes every noun on, timed."""

    def __init__(self, store: Store, times: StoreTimes) -> None:
        self._store, self._times = store, times

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if name == "aside" or callable(found):
            return found
        timed = self.__dict__[name] = TimedNoun(name, found, self._times)
        return timed


class TimedNoun:
    """Passes every verb on, timed."""

    def __init__(self, noun: str, acts: Any, times: StoreTimes) -> None:
        self._noun, self._acts, self._times = noun, acts, times

    def __getattr__(self, verb: str) -> Any:
        def timed(*args: Any, **kwargs: Any) -> Any:
            return self._times.call(self._noun, verb, getattr(self._acts, verb)(*args, **kwargs))

        self.__dict__[verb] = timed
        return timed
