"""Messages of executors go to the duty concerned; one about an attempt only if it is the session's own, and if it fits.

A token names a whole claim, which may have given runs to several executors, of several namespaces; ids of runs and sessions
are there for all who may look. So the pair (run, token) is not enough: the store, or what this server was told by it,
has to say that the session has the attempt.
"""

from collections.abc import Mapping, Sequence
from typing import assert_never

from mainspring.clock import Clock
from mainspring.domain.cluster.pools import ROOM_MAX
from mainspring.domain.ids import RunId, SessionId
from mainspring.domain.runs.attempt import Ended, Verdict
from mainspring.domain.runs.checkpoints import Memory, Pair
from mainspring.domain.runs.log import LINE_MAX, LogEntry, Progress
from mainspring.errors import FrameError, InvalidInputError
from mainspring.scheduler.access.cache import AccessCache
from mainspring.scheduler.breakers.hear_calls import HearCalls
from mainspring.scheduler.facts import Facts, SessionsChanged
from mainspring.scheduler.sessions.connection import ExecutorConnection
from mainspring.scheduler.sessions.hello.check_hello import check_pools
from mainspring.scheduler.sessions.reconcile import Reconcile
from mainspring.scheduler.sessions.refusals import Refusals
from mainspring.scheduler.sessions.renew_leases import RenewLeases
from mainspring.scheduler.sessions.store_checkpoints import StoreCheckpoints
from mainspring.scheduler.sessions.store_telemetry import StoreTelemetry
from mainspring.scheduler.settlement.settle_attempts import SettleAttempts
from mainspring.store.interface import Store
from mainspring.wire.breakers import AskPermits, ReportCalls
from mainspring.wire.codec import check_memory, chosen, decode_from_executor, fitted, holding_of, pairs_of
from mainspring.wire.messages import (
    ENTRIES_MAX,
    Beat,
    CheckpointsLoaded,
    FromExecutor,
    Goodbye,
    Hello,
    Inventory,
    LoadCheckpoints,
    Logs,
    Outcomes,
    Reports,
    Room,
    SaveCheckpoints,
)
from mainspring.wire.pools import Resized


class ReceiveMessages:
    """Reads the frames of connections."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        settling: SettleAttempts,
        renewing: RenewLeases,
        telemetry: StoreTelemetry,
        memories: StoreCheckpoints,
        refusals: Refusals,
        access: AccessCache,
        reconcile: Reconcile,
        sessions: Mapping[SessionId, ExecutorConnection],
        facts: Facts,
    ) -> None:
        self._store = store
        self._clock = clock
        self._access = access
        self._reconcile = reconcile
        self._sessions = sessions
        self._facts = facts
        self._renewing = renewing
        self._settling = settling
        self._telemetry = telemetry
        self._memories = memories
        self._refusals = refusals
        self._refuse = refusals.refuse
        self.calls: HearCalls | None = None
        """Set once the parts that keep breakers are there."""

    @property
    def refused(self) -> int:
        """Statements that were dropped, of all sessions."""
        return self._refusals.count

    async def serve(self, attached: ExecutorConnection) -> None:
        """Read until the connection ends."""
        while True:
            messages = decode_from_executor(await attached.link.receive())
            if attached.unarrived:
                await self._reconcile.confirm(attached)
            for message in messages:
                await self._receive(attached, message)

    async def _receive(self, attached: ExecutorConnection, message: FromExecutor) -> None:
        match message:
            case Outcomes():
                await self._outcomes(attached, message)
            case Logs() | Reports():
                self._add_telemetry(attached, message)
            case SaveCheckpoints() | LoadCheckpoints():
                await self._checkpoints(attached, message)
            case ReportCalls() | AskPermits():
                await self._hear_calls(attached, message)
            case Beat():
                attached.hear_beat(message)
                self._renewing.add(attached)
                self._access.note_use(attached.grant, self._clock.now())
            case Room() | Resized():
                await self._change_pools(attached, message)
            case Inventory():
                await self._reconcile.inventory(attached, message.holding)
            case Goodbye():
                await self._reconcile.part(attached)
                raise ConnectionError("goodbye")
            case Hello():
                raise FrameError("a second hello on one connection")
            case _:
                assert_never(message)

    async def _hear_calls(self, attached: ExecutorConnection, message: ReportCalls | AskPermits) -> None:
        assert self.calls is not None
        if isinstance(message, AskPermits):
            await self.calls.permit(attached, message)
        else:
            self._refuse(attached, self.calls.report(attached, message))

    def _add_telemetry(self, attached: ExecutorConnection, message: Logs | Reports) -> None:
        fit: Logs | Reports
        if isinstance(message, Logs):
            fit = Logs([entry for entry in message.entries if may_report(attached, entry, entry.message)])
        else:
            fit = Reports([entry for entry in message.entries if may_report(attached, entry, entry.note)])
        self._refuse(attached, len(message.entries) - len(fit.entries))
        self._telemetry.add(fit)

    async def _change_pools(self, attached: ExecutorConnection, message: Room | Resized) -> None:
        if isinstance(message, Room):
            await self._set_room(attached, message)
        else:
            await self._set_sizes(attached, message)
        self._facts.publish(SessionsChanged(self._sessions.keys()))

    async def _set_room(self, attached: ExecutorConnection, message: Room) -> None:
        for pool, credit in attached.credits.items():
            credit.room = min(message.pools.get(pool.value, credit.room), ROOM_MAX)
        if not any(credit.room for credit in attached.credits.values()):
            await self._store.cluster.drain_session(attached.id)

    async def _set_sizes(self, attached: ExecutorConnection, message: Resized) -> None:
        """Take in the sizes that pools have now; an executor may not come by pools that its hello did not name."""
        try:
            check_pools(message.pools)
        except InvalidInputError as flaw:
            raise FrameError(str(flaw)) from None
        if {size.pool for size in message.pools} != attached.credits.keys():
            raise FrameError("resized pools are not those of the hello")
        attached.resize(message.pools)
        attached.told.pools = tuple(message.wanted)
        await self._store.cluster.resize_session(attached.id, attached.session.abilities)

    async def _outcomes(self, attached: ExecutorConnection, message: Outcomes) -> None:
        """Settle those of attempts that the session has; of the rest say only whether they were settled before."""
        owned = attached.owned
        kept: Sequence[int] = range(len(message.runs))
        if not owned.end_all(message.runs, message.tokens):
            kept = [at for at, pair in enumerate(zip(message.runs, message.tokens, strict=True)) if owned.end(*pair)]
        ended = [end for end in message.ended if owned.end(end.run, end.token)]
        stale: list[RunId] = []
        if len(kept) < len(message.runs) or len(ended) < len(message.ended):
            kept, ended, stale = await self._doubted(attached, message, set(kept), ended)
            message = chosen(message, kept, ended)
        attached.give_back(message.tokens)
        attached.give_back([end.token for end in ended])
        fit = fitted(message)
        if fit is not message:
            self._refuse(attached, len(message.runs) - len(fit.runs) or 1)
        self._settling.add(attached, fit, stale)

    async def _doubted(
        self, attached: ExecutorConnection, message: Outcomes, sure: set[int], ended: list[Ended]
    ) -> tuple[list[int], list[Ended], list[RunId]]:
        """The outcomes of a batch to settle once the store was asked, and the runs that had another owner."""
        pairs = list(zip(message.runs, message.tokens, strict=True))
        counted = {(end.run, end.token) for end in ended}
        asked = {pair for at, pair in enumerate(pairs) if at not in sure}
        asked |= {(end.run, end.token) for end in message.ended} - counted
        asked = {pair for pair in asked if not attached.owned.had(*pair)}
        mine = await self._look_up(attached, asked, kin=True)
        for run, token in mine:
            attached.owned.add(token, (run,))
        kept = [at for at, pair in enumerate(pairs) if at in sure or (pair in mine and attached.owned.end(*pair))]
        late = [end for end in message.ended if (end.run, end.token) in mine and attached.owned.end(end.run, end.token)]
        return kept, [*ended, *late], await self._stale(attached, asked - mine)

    async def _stale(self, attached: ExecutorConnection, foreign: set[Pair]) -> list[RunId]:
        """Those of these attempts that were not settled by the very outcomes which now come again."""
        if not foreign:
            return []
        verdicts = await self._store.runs.verdicts(list(foreign))
        stale = [run for run, verdict in verdicts.items() if verdict is Verdict.STALE]
        self._refuse(attached, len(stale))
        return stale

    async def _checkpoints(self, attached: ExecutorConnection, message: SaveCheckpoints | LoadCheckpoints) -> None:
        if isinstance(message, SaveCheckpoints):
            await self._remember(attached, message)
        else:
            await self._recall(attached, message)

    async def _remember(self, attached: ExecutorConnection, message: SaveCheckpoints) -> None:
        lost = await self._foreign(attached, {memory.pair for memory in message.entries})
        self._refuse(attached, len(lost))
        flaws: dict[Pair, InvalidInputError] = {}
        for memory in message.entries:
            if memory.pair not in lost and (flaw := flaw_of(memory)) is not None:
                flaws.setdefault(memory.pair, flaw)
        await self._refusals.fail(attached, flaws)
        lost |= flaws.keys()
        kept = [memory for memory in message.entries if memory.pair not in lost]
        self._memories.remember(attached, SaveCheckpoints(message.seq, kept), lost)

    async def _recall(self, attached: ExecutorConnection, message: LoadCheckpoints) -> None:
        pairs = pairs_of(message.holding)
        if len(pairs) > ENTRIES_MAX:
            raise FrameError(f"a recall names {len(pairs)} attempts: at most {ENTRIES_MAX}")
        foreign = await self._foreign(attached, pairs)
        self._refuse(attached, len(foreign))
        for run, token in foreign:
            attached.send(CheckpointsLoaded(run, token, [], [], [], stale=True))
        if known := pairs - foreign:
            self._memories.recall(attached, LoadCheckpoints(holding_of(list(known))))

    async def _foreign(self, attached: ExecutorConnection, pairs: set[Pair]) -> set[Pair]:
        """Those of these attempts that the session never had."""
        doubtful = {pair for pair in pairs if not attached.owned.had(*pair)}
        mine = await self._look_up(attached, doubtful)
        for run, token in mine:
            attached.owned.add(token, (run,))
        return doubtful - mine

    async def _look_up(self, attached: ExecutorConnection, pairs: set[Pair], *, kin: bool = False) -> set[Pair]:
        """Those of these attempts that the store gives to the session, or to an earlier one of the same executor's start."""
        if not pairs:
            return set()
        tokens = list({token for _, token in pairs})
        held = await self._store.runs.held_under(attached.id, tokens)
        if kin and len(held) < len(pairs):
            for one in await self._store.cluster.kin(attached.id):
                held += await self._store.runs.held_under(one, tokens)
        return pairs & {(one.run, one.token) for one in held}


def may_report(attached: ExecutorConnection, entry: LogEntry | Progress, text: str) -> bool:
    """Whether the session has the attempt, or had it a moment ago."""
    return len(text) <= LINE_MAX and attached.owned.had(entry.run, entry.token)


def flaw_of(memory: Memory) -> InvalidInputError | None:
    try:
        check_memory(memory)
    except InvalidInputError as flaw:
        return flaw
    return None
