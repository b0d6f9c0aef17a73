"""The parts that set runs aside and let them go on, and who of them hears of what."""

from collections.abc import Callable, Sequence

from mainspring.clock import Clock
from mainspring.domain.ids import RunId
from mainspring.scheduler.dispatch.dispatch_runs import DispatchRuns
from mainspring.scheduler.duty import Duty
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.operations.suspension import SuspendRuns
from mainspring.scheduler.sessions.gateway import Gateway
from mainspring.scheduler.sessions.relays.suspensions import TellSuspensions
from mainspring.scheduler.sessions.store_checkpoints import KeepMemories
from mainspring.scheduler.settlement.resume_runs import ResumeRuns
from mainspring.scheduler.settlement.settle_attempts import SettleAttempts
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store


class SetAside:
    """What a server does about suspended runs, and about what runs remember meanwhile."""

    def __init__(
        self, store: Store, settings: SchedulerSettings, clock: Clock, gateway: Gateway, hints: ExchangeHints
    ) -> None:
        self.suspending = SuspendRuns(store, clock, hints)
        self.telling = TellSuspensions(store, settings, gateway)
        self.resuming = ResumeRuns(store, settings, clock)
        self.memories = KeepMemories(store, clock)
        gateway.hearing.on_memory(self.memories.remember, self.memories.recall)
        self.memories.on_full(gateway.hearing.fail)
        self.suspending.on_wish(self.telling.tell)
        self.suspending.on_instant(self.resuming.due)
        gateway.on_change(self.telling.wake.set)

    def attend(
        self, settling: SettleAttempts, dispatch: DispatchRuns, on_change: Callable[[Sequence[RunId]], None]
    ) -> None:
        """Hear of what handlers set aside; tell of what stands in its line again, and of whatever has changed."""
        settling.on_resume(self.resuming.due)
        self.suspending.on_suspended(on_change)
        self.resuming.on_resumed(on_change)
        self.suspending.on_queued(dispatch.woken)
        self.resuming.on_queued(dispatch.woken)

    @property
    def duties(self) -> list[Duty]:
        return [self.memories, self.telling, self.resuming]
