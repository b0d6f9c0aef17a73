"""Cases in which an attempt ends while something else happens to it."""

from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.run import RunState
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from proof.interleavings import acts
from proof.interleavings.case import Case, Ending
from proof.interleavings.stage import NAMESPACE, Facts, ids


async def running(store: Store, facts: Facts) -> None:
    """Two runs of one claim, of the first session."""
    runs = [facts.new_run(), facts.new_run()]
    await store.runs.create(NAMESPACE, runs, now=START)
    token = ids.token()
    await store.runs.claim([facts.line], [facts.sessions[0]] * 2, token=token, now=START)
    facts.runs = [run.id for run in runs]
    facts.pairs = [(run, token) for run in facts.runs]


async def put_back(store: Store, facts: Facts) -> None:
    """The attempts were given up as lost, but their executor does not know it."""
    await running(store, facts)
    await store.runs.settle(acts.ends(facts.pairs, Outcome.LOST), acts.decide, now=START)


def stands(end: Ending) -> None:
    """A success that was applied is final, and nothing else is said of its attempt."""
    for run, attempts in zip(end.runs, end.attempts, strict=True):
        assert run.state is RunState.SUCCEEDED
        assert [one.outcome for one in attempts] == []


def success_or_loss(end: Ending) -> None:
    """Either the executor's word counts or the reclaim's, never both."""
    assert end.a in (0, 2)
    if end.a:
        stands(end)
        return
    for run, attempts in zip(end.runs, end.attempts, strict=True):
        assert (run.state, run.losses) == (RunState.QUEUED, 1)
        assert [one.outcome for one in attempts] == ["lost"]


def cancelled(end: Ending) -> None:
    assert end.state in {RunState.CANCELLED, RunState.RUNNING}
    assert end.state is RunState.CANCELLED or end.run.reason == "cancelling"
    assert end.audited == ["run.cancel"]


def settled_once(end: Ending) -> None:
    assert (end.run.failures + end.run.losses, len(end.outcomes)) == (1, 1)
    assert len([answer for answer in (end.a, end.b) if answer]) == 1


def success_or_hand_back(end: Ending) -> None:
    assert (end.a, end.b) in {(2, 0), (0, 2)}
    assert end.state is (RunState.SUCCEEDED if end.a else RunState.QUEUED)


def stale_changed_nothing(end: Ending) -> None:
    """The success of an attempt that was given up: a claim meanwhile is not disturbed."""
    assert end.b == 0
    assert sorted(end.a) == sorted(end.facts.runs)
    assert {(run.state, run.attempt, run.result) for run in end.runs} == {(RunState.RUNNING, 2, None)}


def stale_failure_changed_nothing(end: Ending) -> None:
    assert end.b == {}
    assert {(run.state, run.attempt, run.failures) for run in end.runs} == {(RunState.RUNNING, 2, 0)}


def one_word_counts(end: Ending) -> None:
    """A success, a cancel and a reclaim: it succeeded, or it is cancelled for good, or is about to be."""
    if end.a:
        stands(end)
    else:
        assert end.state in {RunState.CANCELLED, RunState.RUNNING}
        assert end.outcomes in ([], ["lost"])


CASES = [
    Case("succeed x cancel", running, (acts.succeed, acts.cancel), stands),
    Case("succeed x reclaim", running, (acts.succeed, acts.reclaim), success_or_loss),
    Case("succeed x succeed", running, (acts.succeed, acts.succeed), stands),
    Case("succeed x unclaim", running, (acts.succeed, acts.unclaim), success_or_hand_back),
    Case("stale succeed x claim", put_back, (acts.claim(2, session=1), acts.succeed), stale_changed_nothing),
    Case(
        "stale fail x claim",
        put_back,
        (acts.claim(2, session=1), acts.settle(Outcome.FAILED)),
        stale_failure_changed_nothing,
    ),
    Case("fail x cancel", running, (acts.settle(Outcome.FAILED), acts.cancel), cancelled),
    Case("hand back x cancel", running, (acts.settle(Outcome.RELEASED), acts.cancel), cancelled),
    Case("unclaim x cancel", running, (acts.unclaim, acts.cancel), cancelled),
    Case("fail x fail", running, (acts.settle(Outcome.FAILED), acts.settle(Outcome.FAILED)), settled_once),
    Case("fail x reclaim", running, (acts.settle(Outcome.FAILED), acts.reclaim), settled_once),
    Case("reclaim x reclaim", running, (acts.reclaim, acts.reclaim), settled_once),
    Case("succeed x cancel x reclaim", running, (acts.succeed, acts.cancel, acts.reclaim), one_word_counts),
]
