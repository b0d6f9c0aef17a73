"""Due runs go to executors: one batched claim for all that have room, one frame for each of them."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from mainspring.clock import Clock
from mainspring.domain.ids import Ids, Token
from mainspring.domain.runs.attempt import Claim
from mainspring.errors import UnavailableError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.dispatch.claim_groups import LATENESS, ClaimRequest, LineGroup, waits_of
from mainspring.scheduler.dispatch.gated_claims import claim_for
from mainspring.scheduler.dispatch.group_lines import LineRules, group_lines
from mainspring.scheduler.dispatch.hand_over import HandOver
from mainspring.scheduler.dispatch.look_back import LookBack, NextDue
from mainspring.scheduler.dispatch.start_claims import StartClaims
from mainspring.scheduler.dispatch.start_runs import StartOnTime
from mainspring.scheduler.dispatch.take_turns import TakeTurns
from mainspring.scheduler.facts import (
    AttemptsEnded,
    AttemptsSucceeded,
    CatalogChanged,
    CreditFreed,
    Fact,
    Facts,
    HintReceived,
    LeasesReclaimed,
    QueuesSurveyed,
    RunsQueued,
    RunsScheduled,
    SessionsChanged,
)
from mainspring.scheduler.sessions.connection import PoolCredit
from mainspring.scheduler.sessions.gateway import Gateway
from mainspring.scheduler.triggers.attendance import AttendInstants
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store


class DispatchRuns:
    """Claims for the executors of this server, in lines where there may be a run and an executor has room."""

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
        self.starting = StartClaims(store, catalog, gateway, self.holding, self.wake)
        self.handing_over = HandOver(store, clock, ids, gateway, self.starting, self.group_of)
        self._store = store
        self._settings = settings
        self._clock = clock
        self._ids = ids
        self._catalog = catalog
        self._gateway = gateway
        self._attending = attending
        self._groups: list[LineGroup] = []
        self._by_line: dict[int, LineGroup] = {}
        self._regroup = True
        self._gated = False
        """Whether any of the groups leads through gates."""
        self._looking, self._turns = LookBack(clock), TakeTurns()
        self._next_due = NextDue(clock, settings.claim_ahead)
        facts.subscribe(CatalogChanged, self._changed)
        facts.subscribe(SessionsChanged, self._changed)
        facts.subscribe(CreditFreed, self._freed)
        for kind in (AttemptsSucceeded, AttemptsEnded):
            facts.subscribe(kind, self._ended)
        facts.subscribe(RunsQueued, lambda queued: self.woken(queued.lines, queued.since))
        facts.subscribe(RunsScheduled, lambda scheduled: self.due(scheduled.due_at))
        facts.subscribe(LeasesReclaimed, lambda _: self.woken_all())
        facts.subscribe(QueuesSurveyed, self._surveyed)
        facts.subscribe(HintReceived, lambda hint: self.woken_all() if hint.lines is None else self.woken(hint.lines))

    def _changed(self, _: Fact) -> None:
        self._regroup = True
        self.wake.set()

    def _surveyed(self, surveyed: QueuesSurveyed) -> None:
        for group in self._groups:
            group.heed_lateness(surveyed.survey.depths, self._clock.now())
        # The sort keeps the order of the others.
        self._groups.sort(key=lambda group: not group.late)

    def _freed(self, _: CreditFreed) -> None:
        """Wake if runs are known to wait for credit."""
        if self._wanted():
            self.wake.set()

    def _ended(self, ended: Fact) -> None:
        """Ask again for lines whose gates were full: an attempt that has ended may have made room."""
        if isinstance(ended, AttemptsSucceeded) and self.handing_over.filled:
            return
        if self._gated:
            for group in self._groups:
                group.reopen()
            self.wake.set()

    def woken(self, lines: Iterable[int], since: datetime | None = None) -> None:
        """There may be something in these lines, some of it due for as long as that."""
        if since is not None:
            self._heed(since)
        for line in lines:
            group = self._by_line.get(line)
            if group is not None:
                group.dirty.add(line)
                group.barred_until = None
                self.wake.set()

    def woken_all(self) -> None:
        self._looking.now()
        self.wake.set()

    def due(self, instant: datetime) -> None:
        """A run falls due then; be awake."""
        self._heed(instant)
        if self._next_due.sooner(instant):
            self.wake.set()

    def group_of(self, line: int) -> LineGroup | None:
        """The group that claims for a line at present; None while groups are about to change."""
        return None if self._regroup else self._by_line.get(line)

    def idle_credits(self, line: int) -> Sequence[PoolCredit]:
        """The pools that runs of this line may be given to; none while an older run of the line may be waiting."""
        group = self.group_of(line)
        if group is None or self.claiming or group.by_claim or group.backlog or line in group.dirty:
            return ()
        return group.credits

    def step_credits(self, line: int) -> tuple[Sequence[PoolCredit], int]:
        """The pools that steps in this line may be given to, and the room that is to be left in each of them.

        While an older run of the line may be waiting that is what its next claim may take.
        """
        # Without it, steps that are queued because of a claim bring about the next claim, and are never started directly again.
        if (group := self.group_of(line)) is None or group.by_claim:
            return (), 0
        waits = self.claiming or group.backlog or line in group.dirty
        return group.credits, self._settings.claim_batch if waits else 0

    async def tick(self) -> bool:
        await self._undo_doubtful()
        if self._regroup:
            self._group()
        began = self._clock.now()
        await self._claim_ahead()
        self._next_due.blind |= self._look_around()
        again = False
        for group in tuple(self._groups):
            await self._attending.be_sure()
            again |= await self._serve(group)
        if self._next_due.blind and not again:
            await self._look_ahead(began)
        self.period = self._until_next()
        return again

    def _group(self) -> None:
        self._regroup = False
        dirty = {line for group in self._groups for line in group.dirty}
        known = self._by_line
        rules = LineRules(self._catalog)
        self._groups = group_lines(self._gateway.takers(), self._catalog.lines, rules)
        self._gated = any(group.limited for group in self._groups)
        self._by_line = {line: group for group in self._groups for line in group.lines}
        for group in self._groups:
            group.heed_inputs(known)
        self.woken(line for line in self._by_line if line in dirty or line not in known)
        self._looking.now()

    def _heed(self, instant: datetime) -> None:
        """Something that fell due then has only now come in."""
        if instant < self._clock.now() - LATENESS:
            self._looking.now()

    def _look_around(self) -> bool:
        """Whether it is time to look into every line: polling is the truth, wakes are hints."""
        monotonic = self._clock.monotonic()
        due = self._next_due.has_come()
        polled = monotonic >= self._looking.poll_at
        if due or polled:
            self._next_due.forget()
            self._looking.poll_at = monotonic + self._settings.poll
            for group in self._groups:
                group.dirty.update(group.lines)
                group.barred_until = None
        if polled and monotonic >= self._looking.at:
            for group in self._groups:
                group.look_back()
        return due or polled

    async def _claim_ahead(self) -> None:
        """Claim runs that fall due in a moment; each starts at its time."""
        due = self._next_due.led(wanted=self._wanted())
        if due is None:
            return
        for group in self._groups:
            plan = None if group.by_claim else group.plan_ahead(self._settings.claim_batch, self._settings.lines_max)
            if plan is None:
                continue
            with plan.reserved():
                claims = await self._claim(group, plan, self._ids.token(), due, dict.fromkeys(plan.lines, due))
            for claim in claims:
                self.starting.start(group, claim, due)
            await self._undo_doubtful()

    def _wanted(self) -> bool:
        """Whether runs that are due may want the credit that one of later would take."""
        return any(group.dirty or group.backlog for group in self._groups)

    async def _serve(self, group: LineGroup) -> bool:
        """Claim for one group; True if more is known to wait and there is room for it."""
        batch = group.batch(self._settings.claim_batch)
        began = self._clock.monotonic()
        if group.is_barred(began) or group.lingers(batch, began):
            return False
        plan = group.plan(batch, self._settings.lines_max, self._clock.now())
        if plan is None:
            return False
        token, since = self._ids.token(), group.since
        now = self._clock.now()
        with plan.reserved():
            claims = await self._claim(
                group, plan, token, now, since, bundled=group.bundles(plan, self._settings.bundle_from)
            )
        if not since:
            self._looking.looked(began)
        group.learn(plan, claims, now)
        if claims and len(self._groups) > 1:
            self._turns.served(self._groups, group)
        self.handing_over.begin(group, claims)
        for claim in claims:
            self.starting.start(group, claim)
        await self._undo_doubtful()
        return group.calls_again(batch)

    async def _claim(
        self,
        group: LineGroup,
        plan: ClaimRequest,
        token: Token,
        now: datetime,
        since: Mapping[int, datetime],
        *,
        bundled: bool = False,
    ) -> list[Claim]:
        self.claiming = True
        try:
            claims = await claim_for(
                self._store, self._clock, group, plan, token=token, now=now, since=since, bundled=bundled
            )
            await self._catalog.ensure_jobs(set().union(*(claim.jobs for claim in claims)))
        except UnavailableError:
            self.starting.doubtful.add(plan.slots, token)
            self._looking.now()
            raise
        else:
            return claims
        finally:
            self.claiming = False

    async def _undo_doubtful(self) -> None:
        if await self.starting.undo_doubtful():
            self._looking.now()

    async def _look_ahead(self, since: datetime) -> None:
        """Find out what falls due next; runs that fell due during this tick's claims are among it."""
        self._next_due.blind = False
        lines = list(self._by_line)
        if lines:
            due = await self._store.runs.next_due(lines, after=since)
            if due is not None:
                self.due(due)

    def _until_next(self) -> float:
        now = self._clock.monotonic()
        wait = min(self._looking.poll_at - now, self._next_due.wait(wanted=self._wanted()))
        return max(0.0, min([wait, *waits_of(self._groups, now)]))
