"""Cases in which runs come to be, or come back, while something else happens to their key, job or history."""

from mainspring.domain.runs.attempt import Decision, Outcome
from mainspring.domain.runs.run import RunState
from mainspring.errors import ConflictError
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from proof.interleavings import acts
from proof.interleavings.case import Case, Ending
from proof.interleavings.claims import nothing
from proof.interleavings.endings import running
from proof.interleavings.stage import Facts


async def failed(store: Store, facts: Facts) -> None:
    """A run that has failed for good; its executor may still say otherwise."""
    await running(store, facts)
    spent = Decision(RunState.FAILED, reason="attempts_spent", failures=1)
    await store.runs.settle(acts.ends(facts.pairs, Outcome.FAILED), lambda _, __: spent, now=START)
    facts.revives = True


async def key_of_the_past(store: Store, facts: Facts) -> None:
    """A key whose run is over, so that pruning may take it."""
    await acts.create_new(key="order")(store, facts)
    await acts.cancel(store, facts)


def busy(answer: object) -> bool:
    return isinstance(answer, ConflictError) and answer.code == "key_busy"


def one_run_for_the_key(end: Ending) -> None:
    """Both are told of the same run; one that found the key locked for long is told to try again."""
    answers = {answer for answer in (end.a, end.b) if not busy(answer)}
    assert len(answers) == len(end.runs) == 1


def old_or_new_run(end: Ending) -> None:
    """The key still stands for the old run, or stands for a new one."""
    assert end.a in {run.id for run in end.runs} or busy(end.a)


def one_is_refused(end: Ending) -> None:
    refused = [answer for answer in (end.a, end.b) if isinstance(answer, ConflictError)]
    assert len(refused) == len(end.runs) == 1


def put_back_once(end: Ending) -> None:
    assert len([answer for answer in (end.a, end.b) if answer.line is not None]) == 1
    assert end.audited == ["run.retry"]
    assert (end.state, end.run.attempt) == (RunState.QUEUED, 1)


def put_back_by_one_of_them(end: Ending) -> None:
    """The first run by the one that came first, the second by the sweep in any case."""
    swept = set(end.b.changed)
    assert (end.facts.runs[0] in swept) == (end.a.line is None)
    assert end.facts.runs[1] in swept
    assert end.audited == ["run.retry"]
    assert {(run.state, run.attempt) for run in end.runs} == {(RunState.QUEUED, 1)}


def put_back_by_one_sweep(end: Ending) -> None:
    assert sorted([*end.a.changed, *end.b.changed]) == sorted(end.facts.runs)
    assert {(run.state, run.attempt) for run in end.runs} == {(RunState.QUEUED, 1)}


def late_word_is_not_heard(end: Ending) -> None:
    assert end.b == 0
    assert (end.state, end.run.result) == (RunState.QUEUED, None)


def back_or_cancelled(end: Ending) -> None:
    assert end.state in {RunState.QUEUED, RunState.CANCELLED}
    assert end.state is RunState.QUEUED or end.audited == ["run.retry", "run.cancel"]


def back_and_claimed(end: Ending) -> None:
    assert end.state is (RunState.RUNNING if end.b else RunState.QUEUED)
    assert end.run.attempt == 1 + bool(end.b)


def run_has_its_policies(end: Ending) -> None:
    """A run accepted in the moment of deletion is not lost; a job with runs is not deleted once they are seen."""
    assert len(end.runs) == 1
    if end.trace.precedes("a", "b"):
        assert isinstance(end.b, ConflictError)


CASES = [
    Case("create x create, one key", nothing, (acts.create_new(key="order"),) * 2, one_run_for_the_key),
    Case(
        "create x create, one key for two requests",
        nothing,
        (acts.create_new(key="order"), acts.create_new(key="order", digest=b"two")),
        one_is_refused,
    ),
    Case("create x prune, old key", key_of_the_past, (acts.create_new(key="order"), acts.prune), old_or_new_run),
    Case("create x delete job", nothing, (acts.create_new(), acts.delete_job), run_has_its_policies),
    Case("retry x retry", failed, (acts.retry, acts.retry), put_back_once),
    Case("retry x sweep", failed, (acts.retry, acts.sweep_retry), put_back_by_one_of_them),
    Case("sweep x sweep", failed, (acts.sweep_retry, acts.sweep_retry), put_back_by_one_sweep),
    Case("retry x late succeed", failed, (acts.retry, acts.succeed), late_word_is_not_heard),
    Case("retry x cancel", failed, (acts.retry, acts.cancel), back_or_cancelled),
    Case("retry x claim", failed, (acts.retry, acts.claim(session=1)), back_and_claimed),
]
