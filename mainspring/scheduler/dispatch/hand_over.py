"""The settlement that frees a place in a lane starts the lane's next run, in the same commit and on the same executor."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime

import msgspec

from mainspring.clock import Clock
from mainspring.domain.ids import Ids, RunId, SessionId, Token
from mainspring.domain.limits.lanes import LaneRule
from mainspring.domain.routing.resources import Needs
from mainspring.domain.runs.attempt import Claim, HandedOver, Successes
from mainspring.errors import UnavailableError
from mainspring.scheduler.dispatch.claim_groups import LineGroup, reserved
from mainspring.scheduler.dispatch.start_claims import StartClaims
from mainspring.scheduler.sessions.connection import ExecutorConnection, PoolCredit
from mainspring.scheduler.sessions.gateway import Gateway
from mainspring.scheduler.settlement.settle_attempts import SettleAttempts
from mainspring.store.interface import Store
from mainspring.wire.messages import Outcomes

LENGTH = 16
"""Settlements in a row that may hand over; then the lanes wait for their turn like the others."""
# It saves nothing where handlers take that long.
LIFE = 5.0
"""Seconds after which a chain is forgotten."""

Rooms = list[tuple[PoolCredit, int]]


class LaneChain(msgspec.Struct):
    """Attempts from lanes whose ends may start the next runs."""

    group: LineGroup
    rule: LaneRule
    until: float
    left: int
    claims: list[Claim]
    sessions: dict[RunId, SessionId] = {}
    """By run, where there are several."""

    @property
    def hands_over(self) -> bool:
        """Whether the ends of whole bundles start the next runs; gates, rates and shares want a claim by turns."""
        return not self.group.gates and self.rule.gate.gap is None and not self.rule.fair

    def session_of(self, run: RunId) -> SessionId:
        if len(self.claims) == 1:
            return self.claims[0].session
        if not self.sessions:
            self.sessions = {run: claim.session for claim in self.claims for run in claim.runs}
        return self.sessions[run]


class HandOver:
    """Knows which attempts came from lanes. Nothing depends on it but speed: what is not known here goes by turns."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        ids: Ids,
        gateway: Gateway,
        starting: StartClaims,
        group_of: Callable[[int], LineGroup | None],
    ) -> None:
        self.filled = False
        """Whether every place that the last settlement freed was taken again at once."""
        self._store = store
        self._clock = clock
        self._ids = ids
        self._gateway = gateway
        self._starting = starting
        self._group_of = group_of
        self._settling: SettleAttempts | None = None
        """The settlements that do not ask yet."""
        self._chains: dict[Token, LaneChain] = {}
        self._next: list[tuple[LineGroup, PoolCredit, Claim]] = []
        """Claims that start after the answers, and the credit that is kept for each."""

    def follow(self, settling: SettleAttempts) -> None:
        """From the first claim of a lane on, be asked by settlements, and start the next runs after their answers."""
        self._settling = settling

    def begin(self, group: LineGroup, claims: Sequence[Claim], left: int = LENGTH) -> None:
        """Know a claim from lanes."""
        if group.lanes is None or not claims or left <= 0:
            return
        if self._settling is not None:
            self._settling.succeeding, self._settling.answered, self._settling.keeping = (
                self.succeed,
                self._start_next,
                self.keep,
            )
            self._settling = None
        self._forget_old()
        until = self._clock.monotonic() + LIFE
        self._chains[claims[0].token] = LaneChain(group, group.lanes, until, left, list(claims))

    def keep(self, attached: ExecutorConnection, outcomes: Outcomes) -> Callable[[], None]:
        """Keep the room of attempts that have ended for those that follow them: dispatch would take it for a claim by turns.

        Called in the moment in which their credit comes back; what is returned lets go of the room, once.
        """
        kept: list[tuple[PoolCredit, int, Needs | None]] = []
        for token, count in Counter(outcomes.tokens if self._chains else ()).items():
            chain = self._chains.get(token)
            if chain is not None and chain.hands_over and (credit := chain.group.credit_of(attached.id)) is not None:
                credit.reserve(count, chain.group.needs)
                kept.append((credit, count, chain.group.needs))

        def let_go() -> None:
            while kept:
                credit, count, needs = kept.pop()
                credit.reserve(-count, needs)

        return let_go

    async def succeed(self, successes: Successes, now: datetime) -> int:
        """Move successes to history, and start the next runs of their lanes; how many matched."""
        self.filled = False
        if not self._chains:
            return await self._store.runs.succeed(successes, now=now)
        plain, chained = self._split(successes)
        # Before the first commit: meanwhile dispatch may forget old chains.
        slots = [self._sessions_of(part) for part, _ in chained]
        moved = 0
        if len(plain):
            moved += await self._store.runs.succeed(plain, now=now)
        filled = not len(plain)
        for (part, chain), sessions in zip(chained, slots, strict=True):
            handed = await self._hand_over(part, chain, sessions, now)
            moved += handed.moved
            filled &= sum(map(len, handed.claims)) == len(part)
        self.filled = filled
        return moved

    def _split(self, successes: Successes) -> tuple[Successes, list[tuple[Successes, LaneChain]]]:
        """Those that cannot be handed over, and the others by the lines that they come from."""
        tokens = successes.tokens
        usable = {token: chain for token in set(tokens) if (chain := self._usable(token)) is not None}
        if not usable:
            return successes, []
        groups = {id(chain.group): chain for chain in usable.values()}
        if len(groups) == 1 and len(usable) == len(set(tokens)):
            return successes.picked([]), [(successes, shortest(list(usable.values())))]
        parts: dict[int, list[int]] = {}
        for at, token in enumerate(tokens):
            parts.setdefault(id(usable[token].group) if token in usable else 0, []).append(at)
        plain = successes.picked(parts.pop(0, []))
        return plain, [
            (
                successes.picked(positions),
                shortest([chain for chain in usable.values() if id(chain.group) == number]),
            )
            for number, positions in parts.items()
        ]

    def _usable(self, token: Token) -> LaneChain | None:
        """The chain of a token, unless its lines are not asked for any more, or in another way."""
        chain = self._chains.get(token)
        if chain is None or self._group_of(chain.group.lines[0]) is not chain.group:
            return None
        takers = {one.id for one in self._gateway.takers()}
        return chain if all(claim.session in takers for claim in chain.claims) else None

    def _sessions_of(self, successes: Successes) -> list[SessionId]:
        pairs = zip(successes.runs, successes.tokens, strict=True)
        return [self._chains[token].session_of(run) for run, token in pairs]

    async def _hand_over(
        self, successes: Successes, chain: LaneChain, slots: list[SessionId], now: datetime
    ) -> HandedOver:
        """Start the next runs where room for them is certain; the other places go by turns."""
        rooms = rooms_for(chain.group, slots)
        if len(rooms) == len(set(slots)):
            return await self._claim_next(successes, chain, slots, rooms, now)
        roomy = {credit.attached.id for credit, _ in rooms}
        kept = [at for at, session in enumerate(slots) if session in roomy]
        full = [at for at, session in enumerate(slots) if session not in roomy]
        handed = HandedOver(0, [])
        if kept:
            # First: the room that was found is certain until the next commit.
            handed = await self._claim_next(successes.picked(kept), chain, [slots[at] for at in kept], rooms, now)
        moved = await self._store.runs.succeed(successes.picked(full), now=now)
        return HandedOver(moved + handed.moved, handed.claims)

    async def _claim_next(
        self, successes: Successes, chain: LaneChain, slots: list[SessionId], rooms: Rooms, now: datetime
    ) -> HandedOver:
        token, group = self._ids.token(), chain.group
        with reserved(rooms, group.needs):
            try:
                handed = await self._store.runs.hand_over(
                    successes, group.gates, chain.rule, group.lines, slots, token=token, now=now
                )
            except UnavailableError:
                self._starting.doubtful.add(slots, token)
                raise
        self.begin(group, handed.claims, chain.left - 1)
        seats = {credit.attached.id: credit for credit, _ in rooms}
        for claim in handed.claims:
            # Dispatch must not give the room away while the settlement's other outcomes are written.
            seats[claim.session].reserve(len(claim), group.needs)
            self._next.append((group, seats[claim.session], claim))
        return handed

    def _start_next(self) -> None:
        """Send the next runs once executors know that the ones before are settled."""
        # They have no room until then.
        following, self._next = self._next, []
        for group, credit, claim in following:
            credit.reserve(-len(claim), group.needs)
            self._starting.start(group, claim)

    def _forget_old(self) -> None:
        now = self._clock.monotonic()
        while self._chains:
            token, chain = next(iter(self._chains.items()))
            if chain.until > now:
                return
            del self._chains[token]


def rooms_for(group: LineGroup, slots: Sequence[SessionId]) -> Rooms:
    """The pools that have room for all of their slots.

    Attempts that ended may have given their credit back before, such as after an inventory that did not name them, and
    dispatch may be claiming for the credit that they give back now.
    """
    counts = Counter(slots)
    found = [(credit, counts[credit.attached.id]) for credit in group.credits if credit.attached.id in counts]
    return [(credit, count) for credit, count in found if credit.fits(group.needs) >= count]


def shortest(chains: Sequence[LaneChain]) -> LaneChain:
    return min(chains, key=lambda chain: chain.left)
