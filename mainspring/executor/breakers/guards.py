"""All breakers that handlers of an executor call, and their way to the server."""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence

import msgspec

from mainspring.clock import Clock
from mainspring.domain.breakers.breaker import BreakerState
from mainspring.executor.breakers.guard import Admission, CallGuard
from mainspring.wire.base import Message
from mainspring.wire.breakers import (
    BREAKERS_MAX,
    AnnounceBreakers,
    AskPermits,
    BreakerView,
    CallReport,
    Permitted,
    ReportCalls,
)

PERIOD = 0.2
"""Seconds between two reports."""
PATIENCE = 2.0
"""Seconds that a server has to answer before the executor decides by its own count."""
LOOK = 0.05
"""Seconds between two looks for calls that wait in their place."""
WAVE_PATIENCE = 2.0
"""Seconds that a call waits in its place for its turn in a wave, instead of parking its run."""
ASKED_MAX = 10_000

Admitted = Callable[[Admission], None]
"""Called once, from any thread."""


class CallEnd(msgspec.Struct, frozen=True, array_like=True):
    """A call that has ended."""

    breaker: str
    admission: Admission
    kinds: tuple[str, ...] = ()
    """Names of the error that ended it; empty: it succeeded."""
    retry_in: float | None = None
    ignored: bool = False


class WaitingCall(msgspec.Struct, eq=False):
    """A call that waits in its place."""

    breaker: str
    admitted: Admitted
    until: float
    """When it is refused, on the monotonic clock."""
    gives_up_at: float
    """The same while permits come by and by."""
    asked: float | None = None
    """When a server was asked for a permit."""


class Guards:
    """Calls come from any thread; messages from the runner's loop."""

    def __init__(self, clock: Clock, wake: Callable[[], None]) -> None:
        self._clock = clock
        self._wake = wake
        self._lock = threading.Lock()
        self.in_use = False
        """Whether a handler or a server has named a breaker yet: until then there is nothing to ask here."""
        self.heeded: dict[str, str] = {}
        """By job: the breaker that its attempts stop for, while it is open."""
        self._guards: dict[str, CallGuard] = {}
        self._waiting: deque[WaitingCall] = deque()
        self._asks: dict[str, float] = {}
        """When a server may be asked again for permits, by breaker."""
        self._connected = False
        self._unsent = False
        self._report_at = 0.0

    # Called by handlers

    def admit(self, breaker: str) -> Admission | None:
        """The answer to a call, if it is known at once."""
        with self._lock:
            return self._admit(breaker)

    def await_admission(self, breaker: str, wait: float, admitted: Admitted) -> None:
        """Answer later: with a permit, or with a refusal after so many seconds."""
        now = self._clock.monotonic()
        with self._lock:
            self._waiting.append(WaitingCall(breaker, admitted, now + wait, now + max(wait, WAVE_PATIENCE)))
        self._wake()

    def note(self, end: CallEnd) -> None:
        seconds = self._clock.monotonic() - end.admission.at
        with self._lock:
            guard = self._guards.get(end.breaker)
            if guard is None:
                return
            quiet = not self._unsent
            self._unsent = True
            urgent = guard.note(
                end.admission.epoch,
                end.kinds,
                seconds,
                end.retry_in,
                self._clock.now(),
                governed=self._connected,
                ignored=end.ignored,
            )
            if urgent:
                self._report_at = 0.0
        if quiet or urgent:
            self._wake()

    def state(self, breaker: str) -> BreakerState:
        with self._lock:
            guard = self._guards.get(breaker)
            return BreakerState.CLOSED if guard is None else guard.state(self._clock.now(), governed=self._connected)

    def stopper(self, job: str) -> Admission | None:
        """The refusal of the open breaker that attempts of a job stop for; None: they go on."""
        name = self.heeded.get(job)
        if name is None:
            return None
        now = self._clock.now()
        with self._lock:
            guard = self._guards.get(name)
            refuses = guard is not None and guard.state(now, governed=self._connected).refuses
            return msgspec.structs.replace(guard.refusal(now), breaker=name) if guard is not None and refuses else None

    # Called by the link

    def connect(self) -> None:
        """A server is there; it tells of its breakers by itself."""
        with self._lock:
            self._connected = True
            self._asks.clear()

    def part(self) -> None:
        """No server is there: breakers are kept by this executor's own calls."""
        with self._lock:
            self._connected = False

    def receive(self, message: AnnounceBreakers | Permitted) -> None:
        if isinstance(message, AnnounceBreakers):
            self.follow(message.breakers)
        else:
            self.permit(message)

    def follow(self, views: Sequence[BreakerView]) -> None:
        now = self._clock.now()
        with self._lock:
            for view in views:
                if (guard := self._guard(view.breaker)) is not None:
                    guard.follow(view, now)
                kept = {job: name for job, name in self.heeded.items() if name != view.breaker}
                self.heeded = kept | dict.fromkeys(view.stops, view.breaker)
            self._asks.clear()
        self._wake()

    def permit(self, message: Permitted) -> None:
        """Let calls that wait for a permit through, the first that came first."""
        monotonic = self._clock.monotonic()
        answers: list[tuple[WaitingCall, Admission]] = []
        with self._lock:
            guard = self._guards.get(message.breaker)
            if guard is None or guard.server_epoch != message.epoch:
                return
            self._asks[message.breaker] = monotonic + (PATIENCE if message.wait is None else message.wait)
            mine = [one for one in self._waiting if one.breaker == message.breaker and one.asked is not None]
            for position, one in enumerate(mine):
                one.asked = None
                if position < message.count:
                    answers.append((one, self._begun(guard.passed())))
                elif message.wait is None and monotonic >= one.until:
                    # Probes are under way: how they end decides.
                    answers.append((one, guard.refusal(self._clock.now())))
            self._drop([one for one, _ in answers])
        self._answer(answers)

    def take(self) -> Iterator[list[Message]]:
        """The frames that are due."""
        self._answer(self._look())
        if asks := self._ask():
            yield list(asks)
        due = self._unsent and self._connected and self._clock.monotonic() >= self._report_at
        if due and (reports := self._reports()):
            yield [ReportCalls(reports)]

    def due_in(self) -> float | None:
        """Seconds until there is something to do; None: nothing is known."""
        if self._waiting:
            return LOOK
        return max(0.0, self._report_at - self._clock.monotonic()) if self._unsent and self._connected else None

    def _reports(self) -> list[CallReport]:
        with self._lock:
            self._unsent = False
            self._report_at = self._clock.monotonic() + PERIOD
            now = self._clock.now()
            found = [guard.report(now) for guard in self._guards.values()]
        return [one for one in found if one is not None]

    def _look(self) -> list[tuple[WaitingCall, Admission]]:
        """Answer calls that wait in their place, as far as there is an answer by now."""
        monotonic = self._clock.monotonic()
        answers: list[tuple[WaitingCall, Admission]] = []
        with self._lock:
            for one in self._waiting:
                found = self._settled(one, monotonic)
                if found is not None:
                    answers.append((one, found))
            self._drop([one for one, _ in answers])
        return answers

    def _settled(self, one: WaitingCall, monotonic: float) -> Admission | None:
        found = self._admit(one.breaker)
        if found is not None:
            return None if found.refused and monotonic < one.until else found
        guard, now = self._guards[one.breaker], self._clock.now()
        if one.asked is not None:
            return self._begun(guard.own_permit(now)) if monotonic >= one.asked + PATIENCE else None
        return guard.refusal(now) if monotonic >= one.gives_up_at else None

    def _ask(self) -> list[AskPermits]:
        """Requests for permits, one for each breaker that calls wait for."""
        monotonic = self._clock.monotonic()
        wanted: dict[str, int] = {}
        with self._lock:
            if not self._connected:
                return []
            for one in self._waiting:
                guard = self._guards.get(one.breaker)
                if one.asked is None and guard is not None and monotonic >= self._asks.get(one.breaker, 0.0):
                    one.asked = monotonic
                    wanted[one.breaker] = wanted.get(one.breaker, 0) + 1
            return [
                AskPermits(breaker, self._guards[breaker].server_epoch, min(count, ASKED_MAX))
                for breaker, count in wanted.items()
            ]

    def _admit(self, breaker: str) -> Admission | None:
        guard = self._guard(breaker)
        if guard is None:
            # More breakers than an executor keeps: this one is not kept.
            return Admission(BreakerState.CLOSED)
        found = guard.admit(self._clock.now(), governed=self._connected)
        return None if found is None else self._begun(found)

    def _begun(self, admission: Admission) -> Admission:
        return msgspec.structs.replace(admission, at=self._clock.monotonic())

    def _guard(self, breaker: str) -> CallGuard | None:
        found = self._guards.get(breaker)
        if found is None:
            if len(self._guards) >= BREAKERS_MAX and not self._make_room():
                return None
            found = self._guards[breaker] = CallGuard(breaker, self._clock.now())
            self.in_use = True
        return found

    def _make_room(self) -> bool:
        idle = next((label for label, guard in self._guards.items() if guard.at_rest), None)
        if idle is not None:
            del self._guards[idle]
        return idle is not None

    def _drop(self, answered: Sequence[WaitingCall]) -> None:
        if answered:
            gone = set(map(id, answered))
            self._waiting = deque(one for one in self._waiting if id(one) not in gone)

    @staticmethod
    def _answer(answers: Sequence[tuple[WaitingCall, Admission]]) -> None:
        for one, admission in answers:
            one.admitted(admission)
