"""Bugs in what a server decides and whom it tells."""

from mainspring.domain.runs import retry
from mainspring.executor.link.lease import Lease
from mainspring.scheduler.dispatch.dispatch_runs import DispatchRuns
from mainspring.scheduler.dispatch.group_lines import LineRules
from mainspring.scheduler.dispatch.start_claims import StartClaims
from mainspring.scheduler.intake.accept_runs import AcceptRuns
from mainspring.scheduler.sessions.gateway import Gateway
from mainspring.scheduler.sessions.receive_messages import ReceiveMessages
from mainspring.scheduler.sessions.reclaim_leases import ReclaimLeases
from mainspring.scheduler.sessions.reconcile import Reconcile
from mainspring.scheduler.settlement.settle_attempts import SettleAttempts
from proof.zoo.bug import DEATHS, STORE, TEST, Bug
from proof.zoo.changing import requeries, rewrites, together

TAKE = "attached.take(credit, claim.token, claim.runs)"
GIVE_BACK = "attached.give_back([end.token for end in ended])"
TRY_ANEW = """except UnavailableError:
        direct.abandon()
        for run, other in zip(runs, self._ids.runs(len(runs), now), strict=True):
            run.id = other
        holders = await self._store.runs.create(together[0].namespace, runs, now=now)"""
ACKNOWLEDGE = """self._under_way = frames
    for attached, outcomes in frames:
        attached.send(Settled(outcomes.seq, []))
"""

KEEP_UNNAMED = rewrites(Reconcile, "inventory", ("attached.give_back_unnamed(", "dict("))
"""Or what one part forgets, another would make up for at the second inventory."""

BUGS = [
    Bug(
        name="an enqueue is answered before it is committed",
        origin="https://jepsen.io/analyses/nats-2.12.1",
        breaks="S1: what is accepted is durable",
        needs=STORE,
        change=rewrites(
            AcceptRuns,
            "_commit_together",
            (
                "try:\n        holders",
                "for pending in together:\n        answer(pending, {})\n    try:\n        holders",
            ),
        ),
    ),
    Bug(
        name="after an unknown commit the request is written again under another id",
        origin="a commit that got no answer, and was taken for one that failed",
        breaks="S28: asked for once, there once",
        needs=STORE,
        change=rewrites(
            AcceptRuns,
            "_create",
            (
                "except BaseException:\n        direct.abandon()\n        raise",
                TRY_ANEW,
            ),
        ),
    ),
    Bug(
        name="outcomes are acknowledged before they are durable",
        origin="https://github.com/celery/celery/issues/1628",
        breaks="S8: an outcome that was acknowledged is kept",
        needs=STORE,
        change=rewrites(
            SettleAttempts,
            "tick",
            (
                "self._under_way = frames\n",
                ACKNOWLEDGE,
            ),
            ("stale = await", "self._under_way = []\n    stale = await"),
        ),
    ),
    Bug(
        name="a failed attempt keeps its credit",
        origin="https://github.com/apache/airflow/issues/14205",
        breaks="L5: what waits gets its turn",
        change=together(
            rewrites(
                ReceiveMessages,
                "_outcomes",
                (GIVE_BACK, "attached.give_back([end.token for end in ended if end.outcome != 1])"),
            ),
            KEEP_UNNAMED,
        ),
    ),
    Bug(
        name="what is handed back keeps its credit",
        origin="credit that only an outcome of its own gives back",
        breaks="L11: all the room there is can be used",
        needs=frozenset({"drain"}),
        change=together(
            rewrites(
                ReceiveMessages,
                "_outcomes",
                (GIVE_BACK, "attached.give_back([end.token for end in ended if end.outcome != 6])"),
            ),
            KEEP_UNNAMED,
        ),
    ),
    Bug(
        name="what an executor is told to forget keeps its credit",
        origin="found here: behind a fail-over an executor had room that nobody used",
        breaks="L11: all the room there is can be used",
        needs=frozenset({"fail_over"}),
        change=KEEP_UNNAMED,
    ),
    Bug(
        name="behind an outage of the store every lease has lapsed",
        origin="the end of an outage that looks like the death of everybody",
        breaks="S34: nobody is given up before there was time to be heard again",
        change=rewrites(ReclaimLeases, "_steady", ("return tick - self._steady_since >=", "return True or")),
        # The simulation sees it too, but by one of 60 seeds with an outage.
        caught_by=TEST,
        test="tests/scheduler/test_sessions.py::test_a_server_that_stood_still_reclaims_nothing_for_a_lease[sqlite]",
    ),
    Bug(
        name="more is sent than there is room for",
        origin="credit that is counted when the answer comes",
        breaks="S20: nobody is given more than its room",
        change=rewrites(
            StartClaims,
            "start",
            (
                "attached.take(credit, claim.token, claim.runs, group.needs)",
                "attached.owned.add(claim.token, claim.runs)",
            ),
        ),
    ),
    Bug(
        name="a hand-back counts as a loss",
        origin="a deploy that counts as a failure",
        breaks="L10: a drain costs no run a loss",
        change=rewrites(
            retry,
            "after_outcome",
            (
                "case Outcome.RELEASED:\n            return Decision(RunState.QUEUED)",
                "case Outcome.RELEASED:\n            return Decision(RunState.QUEUED, losses=1)",
            ),
        ),
    ),
    Bug(
        name="a loss counts as a failure",
        origin="https://github.com/celery/celery/issues/1628",
        breaks="S16: losses are counted apart from failures",
        needs=DEATHS,
        change=rewrites(
            retry,
            "after_outcome",
            ("case Outcome.LOST:", "case Outcome.LOST if False:"),
            ("case Outcome.FAILED | Outcome.TIMED_OUT:", "case Outcome.FAILED | Outcome.TIMED_OUT | Outcome.LOST:"),
        ),
    ),
    Bug(
        name="a poison pill is never quarantined",
        origin="https://github.com/OasisLMF/OasisPlatform/pull/975",
        breaks="S16: no more losses than make a poison pill",
        needs=DEATHS,
        change=rewrites(retry, "after_loss", ("losses >= spec.losses_max", "losses >= 10_000")),
    ),
    Bug(
        name="a failing handler is tried once more than its policy says",
        origin="off by one",
        breaks="S16: no more failures than the job allows",
        change=rewrites(retry, "retry_or_fail", ("failures >= policy.attempts", "failures > policy.attempts")),
    ),
    Bug(
        name="a paused queue is still served",
        origin="a rule that one of several servers does not hear of",
        breaks="S19: nothing of a paused queue is claimed",
        needs=frozenset({"pause"}),
        change=rewrites(LineRules, "asks_for", ("self._catalog is None or self._catalog.asks_for(line)", "True")),
    ),
    Bug(
        name="a cordoned executor is still given runs",
        origin="a rule that one of several servers does not hear of",
        breaks="S21: a claim is for a session that takes runs",
        needs=frozenset({"cordon"}),
        change=together(
            rewrites(Gateway, "takers", ("if self._catalog.cordon_of(one.session) is None", "")),
            requeries("living", ("WHERE s.state = 0", "WHERE s.state IN (0, 3)")),
        ),
    ),
    Bug(
        name="a claim is kept in mind by nobody when its commit gets no answer, nor is the inventory compared",
        origin="https://github.com/celery/celery/issues/8091",
        breaks="L5: what nobody works on gets its turn",
        needs=frozenset({"store_mutes"}),
        change=together(
            rewrites(DispatchRuns, "_claim", ("self.starting.doubtful.add(plan.slots, token)", "pass")),
            rewrites(
                ReceiveMessages, "_receive", ("await self._reconcile.inventory(attached, message.holding)", "pass")
            ),
        ),
    ),
    Bug(
        name="a lost wake is never made up for",
        origin="https://github.com/rails/solid_queue/issues/689",
        breaks="L5: what waits gets its turn",
        change=rewrites(DispatchRuns, "_look_around", ("group.dirty.update(group.lines)", "group.dirty.update(())")),
    ),
    Bug(
        name="a lease is worth as long as the time from one beat to the next",
        origin="https://github.com/riverqueue/river/pull/217",
        breaks="S16: nothing is lost where nothing went wrong",
        change=together(
            rewrites(Gateway, "_greet", ("server.lease, server.beat", "server.lease, server.lease")),
            # An executor that hears nothing for half a lease connects anew, and beats at once: that would make up for it.
            rewrites(Lease, "silent", ("return now", "return False and now")),
        ),
    ),
]
