"""The parts of the chaos harness that need no root: plans, figures, plots, ledgers, repeats and leftovers."""

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from proof.chaos.collect import forgotten, sessions_left
from proof.chaos.figures import Figure
from proof.chaos.ledger import Ledger, Requests
from proof.chaos.leftovers import Leftovers, end_process
from proof.chaos.network import Loopback
from proof.chaos.places import PLACES
from proof.chaos.plan import KINDS, NAMESPACES, make_plan
from proof.chaos.plot import per_second, svg_plot, text_plot
from proof.chaos.report import Report, count_repeats, overlaps, render
from proof.checker import Verdict
from proof.records import (
    AttemptRow,
    Execution,
    Fault,
    Operation,
    Records,
    RunRow,
    SessionChange,
    Setup,
    Transition,
    encode,
)

ABLE = {need for kind in KINDS for need in kind.needs}
HOUR = 3600.0


def test_the_same_seed_makes_the_same_plan() -> None:
    one, other = (make_plan(HOUR, 7, able=ABLE) for _ in range(2))

    assert one == other
    assert [kind.name for kind in one.kinds] != [kind.name for kind in make_plan(HOUR, 8, able=ABLE).kinds]


def test_a_long_plan_has_every_fault_and_whole_rounds_of_them() -> None:
    plan = make_plan(HOUR, 1, able=ABLE)
    names = [kind.name for kind in plan.kinds]

    assert {names.count(kind.name) for kind in KINDS} == {len(names) // len(KINDS)}
    assert plan.left_out == {}


def test_eleven_minutes_are_enough_for_every_fault_twice() -> None:
    assert sorted(kind.name for kind in make_plan(660, 1, able=ABLE).kinds) == sorted(2 * [kind.name for kind in KINDS])


def test_two_minutes_are_the_short_round() -> None:
    short = {"kill_executor", "kill_server", "freeze_executor", "crash_postgres"}

    assert {kind.name for kind in make_plan(120, 1, able=()).kinds} == short


def test_what_the_machine_does_not_permit_is_left_out_and_said() -> None:
    plan = make_plan(660, 1, able=ABLE - {NAMESPACES})

    assert plan.left_out["every_pair"] == NAMESPACES
    assert "every_pair" not in {kind.name for kind in plan.kinds}
    assert "kill_server" in {kind.name for kind in plan.kinds}


def test_a_fault_can_be_asked_for_alone() -> None:
    [kind] = make_plan(60, 1, only=["kill_child"], able=ABLE).kinds

    assert kind.name == "kill_child"


@pytest.mark.parametrize(
    ("value", "target", "least", "held"),
    [(3.0, 3.0, False, True), (3.1, 3.0, False, False), (0.7, 0.7, True, True), (0.6, 0.7, True, False)],
)
def test_a_figure_is_held_against_its_target(value: float, target: float, least: bool, held: bool) -> None:
    assert Figure(fault="f", what="w", value=value, target=target, least=least).held is held


def test_a_figure_without_a_target_is_only_told() -> None:
    figure = Figure(fault="f", what="w", value=float("inf"))

    assert figure.held
    assert str(figure) == "inf s"


def execution(event: str, at: float, run: str = "r", attempt: int = 1, executor: str = "e1") -> Execution:
    return Execution(at=at, event=event, run=run, attempt=attempt, executor=executor)  # type: ignore[arg-type]


def test_the_ledger_is_read_on_while_others_append_and_half_a_line_waits(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "executions")
    assert ledger.executions() == []
    first, second = encode(execution("start", 1.0)), encode(execution("end", 2.0))
    ledger.path.write_bytes(first + second[:10])
    begun = [line.event for line in ledger.executions()]
    ledger.path.write_bytes(first + second)

    assert begun == ["start"]
    assert [line.event for line in ledger.executions()] == ["start", "end"]


def test_what_is_under_way_is_the_newest_start_without_an_end(tmp_path: Path) -> None:
    lines = [
        execution("start", 1.0, "done"),
        execution("end", 2.0, "done"),
        execution("start", 3.0, "lost"),
        execution("start", 4.0, "lost", attempt=2, executor="e2"),
        execution("start", 5.0, "new"),
    ]
    (tmp_path / "executions").write_bytes(b"".join(map(encode, lines)))
    ledger = Ledger(tmp_path / "executions")

    assert [(line.run, line.attempt) for line in ledger.under_way()] == [("lost", 2), ("new", 1)]
    assert [line.run for line in ledger.under_way("e1")] == ["new"]
    assert [line.run for line in ledger.starts(since=3.5)] == ["lost", "new"]
    assert ledger.ends_between(0, 2.5) == 1


def test_a_run_counts_as_accepted_from_its_first_confirmation(tmp_path: Path) -> None:
    operations = [
        Operation(at=1.0, id=1, client="cl", act="enqueue", phase="info"),
        Operation(at=2.0, id=2, client="cl", act="enqueue", phase="ok", run="r"),
        Operation(at=3.0, id=3, client="cl", act="enqueue", phase="ok", run="r"),
    ]
    (tmp_path / "operations").write_bytes(b"".join(map(encode, operations)))
    requests = Requests(tmp_path / "operations")

    assert requests.accepted() == {"r": 2.0}


def test_the_plot_counts_ends_by_the_second_and_marks_faults() -> None:
    executions = [execution("end", at) for at in (0.1, 0.2, 1.5, 2.9)] + [execution("start", 1.0)]
    counts = per_second(executions, 3.0)
    faults = [Fault(at=1.0, until=2.0, fault="kill_server", target="s1"), Fault(at=2.0, until=3.0, fault="<odd>")]
    drawn = ET.fromstring(svg_plot(counts, faults))
    text = text_plot(counts, faults)

    assert counts == [2, 1, 1, 0]
    assert text.splitlines()[2] == " ab "
    assert "a    1 to 2 s  kill_server s1" in text
    assert len(drawn.findall("{*}rect")) == 1 + len(faults)


def test_a_long_trial_still_fits_the_terminal() -> None:
    assert len(text_plot([3] * 5000, [Fault(at=4999, until=5000, fault="last")]).splitlines()[1]) <= 100


def test_executions_beyond_the_first_count_unless_a_failure_explains_them() -> None:
    lines = [
        execution("start", at, run, attempt=n)
        for run, at, n in [("a", 1, 1), ("b", 1, 1), ("b", 2, 2), ("c", 1, 1), ("c", 2, 2)]
    ]
    rows = [row("a"), row("b", failures=1), row("c", losses=1)]
    repeats = count_repeats(Records(setup=Setup(at=0, lease=3, grace=1), executions=lines, run_rows=rows))

    assert (repeats.runs, repeats.executions, repeats.extra) == (3, 5, 1)
    assert repeats.rate == pytest.approx(1 / 3)


def test_what_was_set_aside_is_executed_again_by_intent() -> None:
    lines = [execution("start", float(n), attempt=n) for n in (1, 2)]
    yielded = AttemptRow(at=9.0, run=lines[0].run, attempt=1, token="", outcome="suspended", ended_at=1.5)
    setup = Setup(at=0, lease=3, grace=1)

    assert count_repeats(Records(setup=setup, executions=lines, attempt_rows=[yielded])).extra == 0
    assert count_repeats(Records(setup=setup, executions=lines)).extra == 1


def test_two_executions_at_once_are_told_with_their_length() -> None:
    lines = [
        execution("start", 1.0),
        execution("end", 5.0),
        execution("start", 3.0, attempt=2),
        execution("end", 9.0, attempt=2),
    ]

    assert overlaps(lines) == [2.0]
    assert overlaps(lines[:3]) == []
    assert overlaps([lines[0], execution("stepped", 5.0), *lines[2:]]) == []


def row(run: str, *, failures: int = 0, losses: int = 0) -> RunRow:
    return RunRow(at=9.0, run=run, state="succeeded", attempt=1, failures=failures, losses=losses, due_at=0.0)


def test_the_session_that_an_executor_took_leave_of_is_its_newest_by_then() -> None:
    def beat(session: str, executor: str, at: float) -> SessionChange:
        return SessionChange(at=at, seq=0, session=session, executor=executor, state="live", lease_until=at + 3)

    changes = [beat("a", "e1", 1), beat("b", "e2", 1), beat("c", "e1", 5), beat("a", "e1", 6), beat("d", "e1", 9)]

    assert sessions_left([("e1", 7.0), ("e2", 7.0), ("e3", 7.0)], changes) == ["c", "b"]


def test_what_only_the_old_primary_had_is_what_the_fail_over_lost() -> None:
    kept, lost = (Transition(at=float(seq), seq=seq, run="r", state="queued") for seq in (1, 2))
    # The new primary gives the same numbers again.
    new = Transition(at=7.0, seq=2, run="s", state="queued")
    [line] = forgotten([kept, lost], [kept, new])

    assert isinstance(line, Transition)
    assert (line.run, line.seq, line.lost) == ("r", 2, True)


def test_every_place_has_an_address_of_its_own() -> None:
    network = Loopback()

    assert len({network.address(place) for place in PLACES}) == len(PLACES)
    assert not network.can_cut


def test_leftovers_are_ended_by_id_and_only_if_they_are_the_ones_meant(tmp_path: Path) -> None:
    ours, other = (subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) for _ in range(2))
    leftovers = Leftovers(tmp_path / "leftovers")
    leftovers.note_process(ours.pid)
    try:
        gone = Leftovers(tmp_path / "leftovers").sweep()

        assert gone == [f"process {ours.pid}"]
        assert ours.wait() == -9
        assert not end_process(str(other.pid), created_at=1.0)
        assert other.poll() is None
        assert Leftovers(tmp_path / "leftovers").sweep() == []
    finally:
        for process in (ours, other):
            process.kill()
            process.communicate()


LATE = Figure(fault="kill_server", what="working again", value=5.7, target=5.0)
LOST = Figure(fault="kill_server", what="attempts lost", value=1, unit="", target=0)
FOREVER = Figure(fault="kill_server", what="working again", value=float("inf"), target=5.0)


@pytest.mark.parametrize(("missed", "good"), [(LATE, True), (LOST, False), (FOREVER, False)])
def test_where_times_do_not_decide_only_a_late_recovery_is_forgiven(*, missed: Figure, good: bool) -> None:
    report = report_of(missed, times_decide=False)

    assert report.good is good
    assert not report_of(missed, times_decide=True).good
    assert ("which do not decide" in render(report)) is good


def report_of(figure: Figure, *, times_decide: bool) -> Report:
    return Report(
        plan=make_plan(60, 1, able=()),
        minutes=1,
        records=Records(setup=Setup(at=0, lease=3, grace=1)),
        figures=[figure],
        verdict=Verdict(verdict="valid"),
        broken=[],
        load=0.0,
        times_decide=times_decide,
    )
