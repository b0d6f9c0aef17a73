"""Cases in which a run is claimed while something else happens to it, or to the session that is to have it."""

from mainspring.domain.runs.run import RunState
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from proof.interleavings import acts
from proof.interleavings.case import Case, Ending
from proof.interleavings.stage import LATER, NAMESPACE, Facts


async def one_queued(store: Store, facts: Facts) -> None:
    run = facts.new_run()
    await store.runs.create(NAMESPACE, [run], now=START)
    facts.runs = [run.id]


async def three_queued(store: Store, facts: Facts) -> None:
    runs = [facts.new_run() for _ in range(3)]
    await store.runs.create(NAMESPACE, runs, now=START)
    facts.runs = [run.id for run in runs]


async def one_short_of_time(store: Store, facts: Facts) -> None:
    run = facts.new_run(deadline_at=LATER)
    await store.runs.create(NAMESPACE, [run], now=START)
    facts.runs = [run.id]


async def nothing(_store: Store, _facts: Facts) -> None: ...


def one_gets_it(end: Ending) -> None:
    assert sorted([end.a, end.b]) == [[], end.facts.runs]
    assert (end.state, end.run.attempt) == (RunState.RUNNING, 1)


def nobody_gets_more_than_asked(end: Ending) -> None:
    assert len(end.a) <= 2
    assert len(end.b) <= 2
    assert not set(end.a) & set(end.b)
    assert sum(run.state is RunState.RUNNING for run in end.runs) == len(end.a) + len(end.b)


def cancelled_or_to_be(end: Ending) -> None:
    assert end.state is (RunState.RUNNING if end.a else RunState.CANCELLED)
    assert end.state is RunState.CANCELLED or end.run.reason == "cancelling"


def one_of_two_and_cancelled(end: Ending) -> None:
    assert len(end.a) + len(end.b) <= 1
    assert end.state is (RunState.RUNNING if end.a or end.b else RunState.CANCELLED)


def taken_or_left(end: Ending) -> None:
    """What the session got it still has; otherwise the run waits for another session."""
    assert end.state is (RunState.RUNNING if end.a else RunState.QUEUED)
    if end.trace.precedes("b", "a"):
        assert end.a == []


def late_or_taken(end: Ending) -> None:
    assert end.state is (RunState.RUNNING if end.a else RunState.FAILED)
    assert bool(end.a) != (end.run.id in end.b)


def renewed_or_dead(end: Ending) -> None:
    """A renewal that was answered is good: the session lives."""
    session = end.facts.sessions[0]
    assert (session in end.a) != (session in end.b)


def born_or_refused(end: Ending) -> None:
    """A run that is born claimed belongs to a session that lives, or is not born."""
    assert isinstance(end.a, bytes) == (len(end.runs) == 1)
    if end.trace.precedes("b", "a"):
        assert end.runs == []


CASES = [
    Case("claim x claim", one_queued, (acts.claim(), acts.claim(session=1)), one_gets_it),
    Case("two of three x two of three", three_queued, (acts.claim(2), acts.claim(2)), nobody_gets_more_than_asked),
    Case("claim x cancel", one_queued, (acts.claim(), acts.cancel), cancelled_or_to_be),
    Case("claim x expire session", one_queued, (acts.claim(), acts.expire_sessions), taken_or_left),
    Case("claim x close session", one_queued, (acts.claim(), acts.close_session), taken_or_left),
    Case("claim x drain session", one_queued, (acts.claim(), acts.drain_session), taken_or_left),
    Case("claim x cordon", one_queued, (acts.claim(), acts.cordon), taken_or_left),
    Case("claim x expire run", one_short_of_time, (acts.claim(), acts.expire_runs), late_or_taken),
    Case("renew x expire session", nothing, (acts.renew, acts.expire_sessions), renewed_or_dead),
    Case("born claimed x close session", nothing, (acts.create_new(claimed=True), acts.close_session), born_or_refused),
    Case("born claimed x cordon", nothing, (acts.create_new(claimed=True), acts.cordon), born_or_refused),
    Case(
        "claim x claim x cancel",
        one_queued,
        (acts.claim(), acts.claim(session=1), acts.cancel),
        one_of_two_and_cancelled,
    ),
    Case(
        "claim x expire session x lay to rest",
        one_queued,
        (acts.claim(), acts.expire_sessions, acts.mark_reclaimed),
        taken_or_left,
    ),
    Case(
        "claim x close session x lay to rest",
        one_queued,
        (acts.claim(), acts.close_session, acts.mark_reclaimed),
        taken_or_left,
    ),
    Case(
        "born claimed x close session x lay to rest",
        nothing,
        (acts.create_new(claimed=True), acts.close_session, acts.mark_reclaimed),
        born_or_refused,
    ),
]
