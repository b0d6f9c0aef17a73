"""What executors say of attempts: heard if the attempt is their session's own, and if it fits.

A token names a whole claim, which may have given runs to several executors, of several namespaces; ids of runs and sessions
are there for all who may look. So the pair (run, token) is not enough: the store, or what this server was told by it,
has to say that the session has the attempt.
"""

from mainspring.domain.ids import RunId
from mainspring.domain.runs.attempt import Ended, Verdict
from mainspring.domain.runs.checkpoints import Memory, Pair
from mainspring.domain.runs.log import LINE_MAX, LogEntry, Progress
from mainspring.errors import FrameError, InvalidInputError
from mainspring.scheduler.sessions.connection import ExecutorConnection
from mainspring.scheduler.sessions.refusals import Refusals
from mainspring.scheduler.sessions.store_checkpoints import StoreCheckpoints, holding_of
from mainspring.scheduler.sessions.store_telemetry import StoreTelemetry
from mainspring.scheduler.settlement.settle_attempts import SettleAttempts
from mainspring.store.interface import Store
from mainspring.wire.fit import check_memory, chosen, fitted
from mainspring.wire.messages import (
    ENTRIES_MAX,
    CheckpointsLoaded,
    LoadCheckpoints,
    Logs,
    Outcomes,
    Reports,
    SaveCheckpoints,
)

OfAttempts = Outcomes | Logs | Reports | SaveCheckpoints | LoadCheckpoints


class AttemptMessages:
    """Passes on to the duties what the sessions may say."""

    def __init__(
        self,
        store: Store,
        settling: SettleAttempts,
        telemetry: StoreTelemetry,
        memories: StoreCheckpoints,
        refusals: Refusals,
    ) -> None:
        self._store = store
        self._settling = settling
        self._telemetry = telemetry
        self._memories = memories
        self._refusals = refusals
        self._refuse = refusals.refuse

    @property
    def refused(self) -> int:
        """Statements that were dropped, of all sessions."""
        return self._refusals.count

    async def hear(self, attached: ExecutorConnection, message: OfAttempts) -> None:
        match message:
            case Outcomes():
                await self._outcomes(attached, message)
            case Logs():
                lines = [entry for entry in message.entries if may_tell(attached, entry, entry.message)]
                self._refuse(attached, len(message.entries) - len(lines))
                self._telemetry.add(Logs(lines))
            case Reports():
                reports = [entry for entry in message.entries if may_tell(attached, entry, entry.note)]
                self._refuse(attached, len(message.entries) - len(reports))
                self._telemetry.add(Reports(reports))
            case SaveCheckpoints():
                await self._remember(attached, message)
            case LoadCheckpoints():
                await self._recall(attached, message)

    async def _outcomes(self, attached: ExecutorConnection, message: Outcomes) -> None:
        """Settle those of attempts that the session has; of the rest say only whether they were settled before."""
        owned = attached.owned
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
        """What there is to settle of a batch once the store was asked, and the runs that had another owner."""
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
        pairs = {(run, batch.token) for batch in message.holding for run in batch.runs}
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


def may_tell(attached: ExecutorConnection, entry: LogEntry | Progress, text: str) -> bool:
    """Whether the session may say this of that run."""
    return len(text) <= LINE_MAX and attached.owned.had(entry.run, entry.token)


def flaw_of(memory: Memory) -> InvalidInputError | None:
    try:
        check_memory(memory)
    except InvalidInputError as flaw:
        return flaw
    return None
