"""Bugs in breakers, blocking policies, rates, bookings and routes: most of them are of other systems."""

from mainspring.domain.routing import fit
from mainspring.scheduler.limits.sort_lanes import SortLanes
from mainspring.scheduler.sessions.connection import PoolCredit
from mainspring.store.acts.breakers import breakers
from mainspring.store.acts.limits import lanes
from mainspring.store.sqlite.hot.lanes import LaneClaim
from proof.zoo.bug import Bug
from proof.zoo.changing import requeries, rewrites

BUGS = [
    Bug(
        name="who finds a key's rate used up is put off by a fixed time",
        origin="https://github.com/sidekiq/sidekiq/issues/6141",
        breaks="L5: every run ends",
        needs=frozenset({"paced"}),
        change=rewrites(LaneClaim, "_put_back", ('"turn": opens}', '"turn": opens + 3_600_000_000}')),
    ),
    Bug(
        name="a rate is looked at and not drawn from",
        origin="a bucket that each server keeps for itself",
        breaks="S39: never more starts than a rate allows",
        needs=frozenset({"rated"}),
        change=requeries("pass_gates", (":taken * coalesce(gap, 0)", "0 * :taken")),
    ),
    Bug(
        name="a blocking policy looks at the runs that come together",
        origin="https://github.com/xuxueli/xxl-job/issues/3491",
        breaks="S46: only the latest waits",
        needs=frozenset({"latest"}),
        change=rewrites(lanes, "block", ('in await tx.all("lane_runs", lanes=sorted(newcomers)):', "in ():")),
    ),
    Bug(
        name="the run that a newer one replaces goes on",
        origin="https://github.com/xuxueli/xxl-job/issues/3581",
        breaks="S46: who is replaced makes way",
        needs=frozenset({"replaces"}),
        change=rewrites(
            SortLanes,
            "_replace",
            ("await self._steering.cancel(rule.gate.namespace, run, reason=REPLACED, actor=SYSTEM)", "return"),
        ),
    ),
    Bug(
        name="an open breaker is written down, and closes nothing",
        origin="a state in one place, and the limit that claims obey in another",
        breaks="S44: nothing starts through an open breaker",
        needs=frozenset({"guarded"}),
        change=rewrites(breakers, "write", ("await put_gates(tx, [breaker_gate(breaker)], new=True)", "None")),
    ),
    Bug(
        name="a breaker that is probed lets everything through",
        origin="https://github.com/gunnargrosch/circuitbreaker-lambda/issues/7",
        breaks="S44: no more attempts than there are probes",
        needs=frozenset({"guarded"}),
        change=rewrites(
            breakers,
            "breaker_gate",
            (
                "return probe_gate(breaker)",
                "return gate(breaker.namespace, Scope.BREAKER, breaker.name, None, None, breaker.revision)",
            ),
        ),
    ),
    Bug(
        name="slots are given out without a look at what is booked",
        origin="https://github.com/apache/dolphinscheduler/issues/16222",
        breaks="S42: no executor has more booked than it has",
        needs=frozenset({"booked"}),
        change=rewrites(PoolCredit, "fits", ("min(slots, self.attached.bookings.fits(needs))", "slots")),
    ),
    Bug(
        name="a run that is for one executor goes to any",
        origin="https://github.com/xuxueli/xxl-job/issues/1678",
        breaks="S42: a run that is for one executor is given to no other",
        needs=frozenset({"pinned"}),
        change=rewrites(fit, "answers", ('return address in ("", session.executor)', "return True")),
    ),
]
