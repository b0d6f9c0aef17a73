"""Some seeds of the simulation in every run of the suite, the plans that once failed, and the machine itself."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from proof.checker import check
from proof.records import gather, read, write
from proof.sim.draw import draw
from proof.sim.draw_lasting import SUBTLE
from proof.sim.plan import Plan, Trouble
from proof.sim.run import simulate, try_plan
from proof.sim.shrink import ddmin
from proof.sim.story import tell

PLANS = sorted((Path(__file__).parent / "plans").glob("*.json"))
SEEDS = (4, 6)
TRACE = "from proof.sim.run import try_plan; from proof.sim.draw import draw; print(try_plan(draw(4)).trace)"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_seed_holds_all_that_is_promised(seed: int) -> None:
    verdict = simulate(seed)

    assert verdict.valid, str(verdict)


@pytest.mark.parametrize("path", PLANS, ids=lambda path: path.stem)
def test_a_plan_that_once_failed_holds(path: Path) -> None:
    verdict = simulate(0, plan=Plan.load(path))

    assert verdict.valid, str(verdict)


def test_a_seed_gives_the_same_trace_in_every_process() -> None:
    traces = {traced(hash_seed) for hash_seed in ("1", "2")}

    assert traces == {try_plan(draw(4)).trace}


def traced(hash_seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", TRACE], env=environment, capture_output=True, text=True, check=True, cwd=Path.cwd()
    )
    return done.stdout.strip()


def test_two_seeds_give_two_plans_and_each_is_saved_and_loaded_whole(tmp_path: Path) -> None:
    one, other = draw(1), draw(2)
    one.save(tmp_path / "plan.json")

    assert one != other
    assert Plan.load(tmp_path / "plan.json") == one


def test_the_records_of_a_trial_survive_the_way_through_files(tmp_path: Path) -> None:
    trial = try_plan(draw(6))
    lines = list(trial.records.lines())
    write(tmp_path / "one.jsonl", lines[:500])
    write(tmp_path / "other.jsonl", lines[500:])

    found = read(tmp_path / "one.jsonl", tmp_path / "other.jsonl")

    assert found == gather(lines)
    assert check(found).valid


def test_a_story_names_what_went_wrong_and_what_came_of_it() -> None:
    trial = try_plan(draw(3))

    told = list(tell(trial.plan, trial.records))

    assert any("NEMESIS  store_outage" in line for line in told)
    assert any("queued -> running" in line for line in told)
    assert any("handler of r" in line for line in told)


def test_what_is_left_of_a_list_is_what_it_takes_to_fail() -> None:
    kept = ddmin(list(range(40)), lambda items: {3, 17, 31} <= set(items))

    assert list(kept) == [3, 17, 31]


def test_nothing_is_left_where_nothing_is_needed() -> None:
    assert list(ddmin([1, 2, 3], lambda _: True)) == []


def test_subtle_faults_come_alone_in_some_trials_and_meet_runs_that_last() -> None:
    plans = [draw(seed) for seed in range(100)]
    kinds = [frozenset(trouble.fault for trouble in plan.nemesis) for plan in plans]

    assert {frozenset({"fade"}), frozenset({"machine_jump"})} <= set(kinds)
    for plan, found in zip(plans, kinds, strict=True):
        assert any(act.mark.startswith("lasting-") for act in plan.workload) is not found.isdisjoint(SUBTLE)


def test_a_fault_nobody_knows_is_not_passed_over() -> None:
    plan = Plan(seed=1, config=draw(1).config, workload=(), nemesis=(Trouble(at=4.0, fault="no_such_fault"),))

    assert not simulate(1, plan=plan).valid
