"""Due runs go to executors: one batched claim for all that have room, one frame for each of them."""

import asyncio
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial

from mainspring.clock import Clock
from mainspring.domain.ids import Ids, Token
from mainspring.domain.runs.attempt import Claim
from mainspring.errors import UnavailableError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.dispatch.claim_groups import LATENESS, ClaimRequest, LineGroup, group_lines
from mainspring.scheduler.dispatch.start_on_time import StartOnTime
from mainspring.scheduler.dispatch.unclaim import DoubtfulClaims
from mainspring.scheduler.facts import (
    CatalogChanged,
    CreditFreed,
    Fact,
    Facts,
    HintReceived,
    LeasesReclaimed,
    RunsQueued,
    RunsScheduled,
    SessionsChanged,
)
from mainspring.scheduler.sessions.connection import ExecutorConnection, PoolCredit
from mainspring.scheduler.sessions.gateway import Gateway
from mainspring.scheduler.triggers.attendance import AttendInstants
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

SPARING = 20
"""Looks from the start take at most one part in so many of the time ..."""
LOOK_BACK_MAX = 0.8
"""... but so many seconds after one the next poll looks again: what a dead executor had is put back behind the marks."""
LOOK_USUAL = 0.005
"""Seconds that a look from the start may well take."""
LINGER = 0.003
"""How long a backlog waits for more credit, so that claims stay large."""


class DispatchRuns:
    """Claims for the executors of this server, in lines where there may be something and somebody has room."""

    name = "dispatch_runs"

    def __init__(
        self,
        store: Store,
        settings: SchedulerSettings,
        clock: Clock,
        ids: Ids,
        catalog: Catalog,
        gateway: Gateway,
        attending: AttendInstants,
        facts: Facts,
    ) -> None:
        self.wake = asyncio.Event()
        self.period = settings.poll
        self.claiming = False
        self.holding = StartOnTime(clock)
        self._store = store
        self._settings = settings
        self._clock = clock
        self._ids = ids
        self._claim_ahead_by = timedelta(seconds=settings.claim_ahead)
        self._catalog = catalog
        self._gateway = gateway
        self._attending = attending
        self._groups: list[LineGroup] = []
        self._by_line: dict[int, LineGroup] = {}
        self._regroup = True
        self._poll_at = 0.0
        self._look_back_at = 0.0
        self._look_cost = 0.0
        self._next_due: datetime | None = None
        self._led: datetime | None = None
        """The instant for which was claimed ahead, once."""
        self._blind = False
        """Whether it is not known what falls due next: while there is a backlog, nobody needs to know."""
        self._doubtful = DoubtfulClaims(store)
        facts.subscribe(CatalogChanged, self._changed)
        facts.subscribe(SessionsChanged, self._changed)
        facts.subscribe(CreditFreed, self._freed)
        facts.subscribe(RunsQueued, lambda queued: self.woken(queued.lines, queued.since))
        facts.subscribe(RunsScheduled, lambda scheduled: self.due(scheduled.due_at))
        facts.subscribe(LeasesReclaimed, lambda _: self.woken_all())
        facts.subscribe(HintReceived, lambda hint: self.woken_all() if hint.lines is None else self.woken(hint.lines))

    def _changed(self, _: Fact) -> None:
        self._regroup = True
        self.wake.set()

    def _freed(self, _: CreditFreed) -> None:
        """Wake if runs are known to wait for credit."""
        if any(group.backlog or group.dirty for group in self._groups):
            self.wake.set()

    def woken(self, lines: Iterable[int], since: datetime | None = None) -> None:
        """There may be something in these lines, some of it due for as long as that."""
        if since is not None:
            self._heed(since)
        for line in lines:
            group = self._by_line.get(line)
            if group is not None:
                group.dirty.add(line)
                self.wake.set()

    def woken_all(self) -> None:
        self._look_back()
        self.wake.set()

    def due(self, instant: datetime) -> None:
        """A run falls due then; be awake."""
        self._heed(instant)
        if self._next_due is None or instant < self._next_due:
            self._next_due = instant
            self.wake.set()

    def idle_credit(self, line: int) -> PoolCredit | None:
        """A pool with free credit for a run of this line, unless an older run of the line may be waiting."""
        group = self._by_line.get(line)
        if group is None or self.claiming or self._regroup or group.backlog or line in group.dirty:
            return None
        return max((credit for credit in group.credits if credit.free), key=lambda credit: credit.free, default=None)

    async def tick(self) -> bool:
        await self._undo_doubtful()
        if self._regroup:
            self._group()
        await self._claim_ahead()
        self._blind |= self._look_around()
        again = False
        for group in self._groups:
            await self._attending.be_sure()
            again |= await self._serve(group)
        if self._blind and not again:
            await self._look_ahead()
        self.period = self._until_next()
        return again

    def _group(self) -> None:
        self._regroup = False
        dirty = {line for group in self._groups for line in group.dirty}
        known = set(self._by_line)
        self._groups = group_lines(self._gateway.takers(), self._catalog.lines, self._catalog.paused)
        self._by_line = {line: group for group in self._groups for line in group.lines}
        self.woken(line for line in self._by_line if line in dirty or line not in known)
        self._look_back()

    def _heed(self, instant: datetime) -> None:
        """Something that fell due then has only now come in."""
        if instant < self._clock.now() - LATENESS:
            self._look_back()

    def _look_back(self) -> None:
        """Look into every line at once, from its start."""
        self._poll_at = self._look_back_at = 0.0

    def _look_around(self) -> bool:
        """Whether it is time to look into every line: polling is the truth, wakes are hints."""
        monotonic = self._clock.monotonic()
        due = self._next_due is not None and self._next_due <= self._clock.now()
        polled = monotonic >= self._poll_at
        if due or polled:
            self._next_due = None
            self._poll_at = monotonic + self._settings.poll
            for group in self._groups:
                group.dirty.update(group.lines)
        if polled and monotonic >= self._look_back_at:
            for group in self._groups:
                group.look_back()
        return due or polled

    async def _claim_ahead(self) -> None:
        """Claim what falls due in a moment; it starts when that has come."""
        due = self._next_due
        if due is None or not self._clock.now() < due <= self._clock.now() + self._lead(due):
            return
        self._led, self._next_due, self._blind = due, None, True
        for group in self._groups:
            plan = group.plan_ahead(self._settings.claim_batch, self._settings.lines_max)
            if plan is None:
                continue
            with plan.reserved():
                claims = await self._claim(plan, self._ids.token(), due, dict.fromkeys(plan.lines, due))
            for claim in claims:
                await self._start(group, claim, due)

    def _lead(self, due: datetime) -> timedelta:
        """How long before its due time a run may take credit: not at all where other runs may want it."""
        wanted = any(group.dirty or group.backlog for group in self._groups)
        return timedelta() if wanted or due == self._led else self._claim_ahead_by

    async def _serve(self, group: LineGroup) -> bool:
        """Claim for one group; True if more is known to wait and there is room for it."""
        batch = self._settings.claim_batch
        if self._lingers(group) or (plan := group.plan(batch, self._settings.lines_max)) is None:
            return False
        token, since = self._ids.token(), group.since
        now, began = self._clock.now(), self._clock.monotonic()
        with plan.reserved():
            claims = await self._claim(plan, token, now, since, bundled=self._bundles(group, plan))
        if not since:
            self._looked_back(began)
        group.learn(plan, claims, now)
        for claim in claims:
            await self._start(group, claim)
        return group.calls_again(batch)

    def _bundles(self, group: LineGroup, plan: ClaimRequest) -> bool:
        """Whether much is to be taken at once, and more of it waits behind."""
        return group.backlog and 0 < self._settings.bundle_from <= len(plan.slots)

    def _lingers(self, group: LineGroup) -> bool:
        """With a backlog, wait a moment until the credit is worth a claim."""
        free = group.free
        if not group.backlog or not free or free >= group.min_claim_size(self._settings.claim_batch):
            group.lingers_until = None
            return False
        now = self._clock.monotonic()
        if group.lingers_until is None:
            group.lingers_until = now + LINGER
        return now < group.lingers_until

    async def _claim(
        self, plan: ClaimRequest, token: Token, now: datetime, since: Mapping[int, datetime], *, bundled: bool = False
    ) -> list[Claim]:
        self.claiming = True
        try:
            claims = await self._store.runs.claim(
                plan.lines, plan.slots, token=token, now=now, since=since, bundled=bundled
            )
            await self._catalog.ensure_jobs(set().union(*(claim.jobs for claim in claims)))
        except UnavailableError:
            self._doubtful.add(plan.slots, token)
            self._look_back()
            raise
        else:
            return claims
        finally:
            self.claiming = False

    def _looked_back(self, began: float) -> None:
        """A look from the start is slow while what was there before cannot be cleaned up: then it is rarer.

        That lasts, and so shows by one look after the other; a single slow one may have any reason.
        """
        now = self._clock.monotonic()
        self._look_cost = min(now - began, 2 * self._look_cost + LOOK_USUAL)
        self._look_back_at = now + min(LOOK_BACK_MAX, SPARING * self._look_cost)

    async def _start(self, group: LineGroup, claim: Claim, at: datetime | None = None) -> None:
        """Send the attempts of a claim, now or at an instant ahead."""
        attached = self._gateway.attached.get(claim.session)
        credit = group.credit_of(claim.session)
        if attached is None or credit is None or credit.attached is not attached:
            # It left while the claim was under way: nobody will ever hear of these attempts.
            self._doubtful.add([claim.session], claim.token)
            await self._undo_doubtful()
            return
        attached.take(credit, claim.token, claim.runs)
        if at is None:
            attached.start(claim, self._catalog.frames)
        else:
            self.holding.keep(at, partial(self._start_held, attached, claim))

    def _start_held(self, attached: ExecutorConnection, claim: Claim) -> None:
        if self._gateway.attached.get(claim.session) is attached:
            attached.start(claim, self._catalog.frames)
        else:
            # The next tick puts it back: this is not the one that undoes.
            self._doubtful.add([claim.session], claim.token)
            self.wake.set()

    async def _undo_doubtful(self) -> None:
        while self._doubtful:
            if await self._doubtful.undo_next():
                self._look_back()

    async def _look_ahead(self) -> None:
        self._blind = False
        lines = list(self._by_line)
        if lines:
            due = await self._store.runs.next_due(lines, after=self._clock.now())
            if due is not None:
                self.due(due)

    def _until_next(self) -> float:
        wait = self._poll_at - self._clock.monotonic()
        if self._next_due is not None:
            wait = min(wait, (self._next_due - self._clock.now() - self._lead(self._next_due)).total_seconds())
        if any(group.lingers_until is not None for group in self._groups):
            wait = min(wait, LINGER)
        return max(0.0, wait)
