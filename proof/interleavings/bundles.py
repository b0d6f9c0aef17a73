"""Cases in which what was claimed is kept in a bundle while something else happens to it, or to the bundle."""

from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.run import RunState
from proof.interleavings import acts
from proof.interleavings.bundling import (
    bundled,
    bundled_today,
    create_again,
    fail_first,
    fail_second,
    falter,
    own,
    succeed_first,
    succeed_second,
    undo,
    whole_and_torn,
)
from proof.interleavings.case import Case, Ending
from proof.interleavings.claims import (
    cancelled_or_to_be,
    nobody_gets_more_than_asked,
    one_gets_it,
    one_queued,
    taken_or_left,
    three_queued,
)
from proof.interleavings.endings import cancelled, stands, success_or_hand_back, success_or_loss
from proof.interleavings.fills import ask, nobody_is_missing
from proof.interleavings.suspensions import ended_in_spite, settled_in_spite


def taken_once(end: Ending) -> None:
    """To create a run again changes nothing, wherever the run is by then."""
    assert end.a == end.facts.runs
    assert (end.state, end.run.attempt) == (RunState.RUNNING, 1)


def all_heard(end: Ending) -> None:
    """Whatever becomes of its bundle: a success of the run's owner counts."""
    assert end.a == 2
    stands(end)


def heard_once(end: Ending) -> None:
    assert end.a + end.b == 2
    stands(end)


def each_its_own_end(end: Ending) -> None:
    """One fails, the other succeeds, as if they had never been together."""
    first, second = end.runs
    assert (first.state, first.failures, end.outcomes) == (RunState.QUEUED, 1, ["failed"])
    assert (end.b, second.state, end.attempts[1]) == (1, RunState.SUCCEEDED, [])


def one_failed(end: Ending) -> None:
    """The other is as it was, wherever it is kept."""
    first, second = end.runs
    assert list(end.a) == end.facts.runs[:1]
    assert (first.state, first.failures, first.attempt) == (RunState.QUEUED, 1, 1)
    assert (second.state, second.failures, second.attempt) == (RunState.RUNNING, 0, 1)


def one_succeeded(end: Ending) -> None:
    first, second = end.runs
    assert end.a == 1
    assert (first.state, end.outcomes) == (RunState.SUCCEEDED, [])
    assert (second.state, second.attempt) == (RunState.RUNNING, 1)


def one_succeeded_one_failed(end: Ending) -> None:
    first, second = end.runs
    assert (end.a, list(end.b)) == (1, end.facts.runs[1:])
    assert (first.state, second.state, second.failures) == (RunState.SUCCEEDED, RunState.QUEUED, 1)


def one_end_each(end: Ending) -> None:
    """The first failed or was lost, and never both; the second was lost."""
    first, second = end.runs
    assert (first.failures + first.losses, len(end.outcomes)) == (1, 1)
    assert (second.state, second.losses, len(end.attempts[1])) == (RunState.QUEUED, 1, 1)


def failed_or_put_back(end: Ending) -> None:
    """The second was put back, and the first too unless its failure was heard before."""
    assert {run.state for run in end.runs} == {RunState.QUEUED}
    assert (len(end.a), end.b) in {(1, 1), (0, 2)}
    assert [run.failures for run in end.runs] == [len(end.a), 0]


def both_failed(end: Ending) -> None:
    assert sorted(end.a) == sorted(end.facts.runs)
    assert {(run.state, run.failures, run.losses) for run in end.runs} == {(RunState.QUEUED, 1, 0)}


def both_lost(end: Ending) -> None:
    assert {(run.state, run.failures, run.losses) for run in end.runs} == {(RunState.QUEUED, 0, 1)}


def both_put_back(end: Ending) -> None:
    assert end.a == 2
    assert {(run.state, run.failures, run.losses) for run in end.runs} == {(RunState.QUEUED, 0, 0)}


def to_be_cancelled(end: Ending) -> None:
    assert sorted(end.a) == sorted(end.facts.runs)
    assert {(run.state, run.reason) for run in end.runs} == {(RunState.RUNNING, "cancelling")}


def kept(end: Ending) -> None:
    assert (end.a, end.remembered, end.state) == (set(), [acts.STEP], RunState.RUNNING)


def three_of_four(end: Ending) -> None:
    assert end.a == 3
    states = dict(zip(end.facts.runs, end.runs, strict=True))
    ended = {run for run, _ in end.facts.pairs}
    assert {states[run].state for run in ended} == {RunState.SUCCEEDED}
    [left] = [run for key, run in states.items() if key not in ended]
    assert (left.state, left.reason) == (RunState.RUNNING, "cancelling")


BUNDLED = acts.claim(bundled=True)
TWO_BUNDLED = acts.claim(2, bundled=True)
FAIL = acts.settle(Outcome.FAILED)

CLAIMS = [
    Case("bundled claim x claim", one_queued, (BUNDLED, acts.claim(session=1)), one_gets_it),
    Case("bundled claim x bundled claim", one_queued, (BUNDLED, acts.claim(session=1, bundled=True)), one_gets_it),
    Case("two of three x two of three, bundled", three_queued, (TWO_BUNDLED,) * 2, nobody_gets_more_than_asked),
    Case("bundled claim x cancel", one_queued, (BUNDLED, acts.cancel), cancelled_or_to_be),
    Case("bundled claim x expire session", one_queued, (BUNDLED, acts.expire_sessions), taken_or_left),
    Case("bundled claim x close session", one_queued, (BUNDLED, acts.close_session), taken_or_left),
    Case("bundled claim x cordon", one_queued, (BUNDLED, acts.cordon), taken_or_left),
    Case("bundled claim x create again", one_queued, (BUNDLED, create_again), taken_once),
    Case(
        "bundled claim x expire session x lay to rest",
        one_queued,
        (BUNDLED, acts.expire_sessions, acts.mark_reclaimed),
        taken_or_left,
    ),
]
ENDINGS = [
    case
    for whose, succeed, second in (
        ("its own bundle", own(acts.succeed), own(succeed_second)),
        ("another's bundle", acts.succeed, succeed_second),
    )
    for case in (
        Case(f"succeed {whose} x cancel", bundled, (succeed, acts.cancel), all_heard),
        Case(f"succeed {whose} x undo", bundled, (succeed, undo), all_heard),
        Case(f"succeed {whose} x succeed", bundled, (succeed, acts.succeed), heard_once),
        Case(f"succeed {whose} x suspend", bundled, (succeed, acts.suspend), ended_in_spite),
        Case(f"succeed {whose} x unclaim", bundled, (succeed, acts.unclaim), success_or_hand_back),
        Case(f"succeed {whose} x reclaim", bundled, (succeed, acts.reclaim), success_or_loss),
        Case(f"succeed {whose} x states", bundled, (succeed, ask), nobody_is_missing),
        Case(f"fail x succeed the rest of {whose}", bundled, (fail_first, second), each_its_own_end),
    )
]
OWN = own(fail_first)
PARTING = [
    Case("fail one of its own bundle x undo", bundled, (OWN, undo), one_failed),
    Case("fail one of its own bundle x cancel", bundled, (OWN, acts.cancel), cancelled),
    Case("fail one of its own bundle x reclaim", bundled, (OWN, acts.reclaim), one_end_each),
    Case("fail one of its own bundle x unclaim", bundled, (OWN, acts.unclaim), failed_or_put_back),
    Case("fail one x succeed the other of its own bundle", bundled, (OWN, own(succeed_second)), each_its_own_end),
    Case("fail one of its own bundle x succeed the other elsewhere", bundled, (OWN, succeed_second), each_its_own_end),
    Case("succeed one of its own bundle x undo", bundled, (own(succeed_first), undo), one_succeeded),
    Case("succeed one of its own bundle x cancel", bundled, (own(succeed_first), acts.cancel), one_succeeded),
    Case(
        "succeed one of its own bundle x fail the other",
        bundled,
        (own(succeed_first), own(fail_second)),
        one_succeeded_one_failed,
    ),
    Case(
        "succeed one of its own bundle x fail the other elsewhere",
        bundled,
        (own(succeed_first), fail_second),
        one_succeeded_one_failed,
    ),
    Case(
        "succeed one of its own bundle x succeed the other elsewhere",
        bundled,
        (own(succeed_first), succeed_second),
        heard_once,
    ),
]
UNDOING = [
    Case("fail x undo", bundled, (FAIL, undo), both_failed),
    Case("cancel x undo", bundled, (acts.cancel, undo), to_be_cancelled),
    Case("unclaim x undo", bundled, (acts.unclaim, undo), both_put_back),
    Case("reclaim x undo", bundled, (acts.reclaim, undo), both_lost),
    Case("remember x undo", bundled, (acts.remember, undo), kept),
    Case("settle in SQL x undo", bundled_today, (acts.settle_in_sql, undo), settled_in_spite),
    Case(
        "succeed a whole bundle and a torn one x cancel x somebody fails",
        whole_and_torn,
        (own(acts.succeed), acts.cancel, falter),
        three_of_four,
    ),
]
CASES = [*CLAIMS, *ENDINGS, *PARTING, *UNDOING]
