"""A handful of bugs, put in and caught: by seeds that are known to show them, and by cases on a real PostgreSQL."""

import inspect
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from mainspring.executor.attempts.holdings import Holdings
from mainspring.executor.link.session import ExecutorSession
from mainspring.store.sqlite.tx import load_queries
from proof.zoo.__main__ import hunt_apart, keep, main, recorded
from proof.zoo.animals import BUGS
from proof.zoo.bug import CHILDREN, SIMULATION, TEST, Bug
from proof.zoo.changing import Outgrown, rewrites
from proof.zoo.children_hunt import hunt_in_children
from proof.zoo.hunt import Hunt
from proof.zoo.postgres_hunt import CASES, LEFTOVERS, hunt_in_postgres
from proof.zoo.simulation_hunt import hunt_in_simulation
from scripts.write_bug_zoo import PAGE, page
from tests.support.postgres import Postgres

SIMULATED = [bug for bug in BUGS if bug.caught_by == SIMULATION]
IN_CHILDREN = [bug for bug in BUGS if bug.caught_by == CHILDREN]
PROVOKED = [bug for bug in BUGS if bug.caught_by not in (SIMULATION, CHILDREN, TEST)]
TESTED = [bug for bug in BUGS if bug.caught_by == TEST]
KEYLESS = "a key is not looked at when a request comes again"
KNOWN = {
    KEYLESS: 0,
    "a success is accepted by the run's id alone": 96,
    "more is sent than there is room for": 0,
    "attempts are reclaimed while their session lives on": 0,
    "a look-ahead fires once, however short the period": 0,
    "what was prepared starts however late it is": 28,
}
"""Seeds that show them, so that this is quick; `make zoo` looks for all of them."""


def named(bug: Bug) -> str:
    return bug.name


@pytest.mark.parametrize("bug", [bug for bug in SIMULATED if bug.name in KNOWN], ids=named)
def test_a_known_seed_catches_it(bug: Bug) -> None:
    assert hunt_in_simulation(bug, first=KNOWN[bug.name], seeds=1) is not None


@pytest.mark.postgres
@pytest.mark.parametrize("bug", PROVOKED, ids=named)
async def test_its_case_catches_it(postgres: Postgres, bug: Bug) -> None:
    assert await hunt_in_postgres(bug, postgres) is not None


@pytest.mark.slow
@pytest.mark.parametrize("bug", TESTED, ids=named)
def test_its_test_catches_it(bug: Bug) -> None:
    assert hunt_apart(bug.name).caught


@pytest.mark.slow
@pytest.mark.parametrize("bug", IN_CHILDREN, ids=named)
def test_real_children_catch_it(bug: Bug) -> None:
    assert hunt_in_children(bug) is not None


@pytest.mark.slow
def test_real_children_find_nothing_without_a_bug() -> None:
    assert hunt_in_children(Bug(name="none", origin="", breaks="")) is None


@pytest.mark.parametrize("bug", [*SIMULATED, *TESTED], ids=named)
def test_it_can_still_be_put_in_and_leaves_nothing_behind(bug: Bug) -> None:
    before = {name: inspect.getattr_static(ExecutorSession, name) for name in vars(ExecutorSession)}
    with bug.change():
        load_queries()

    assert {name: inspect.getattr_static(ExecutorSession, name) for name in vars(ExecutorSession)} == before


def test_a_bug_that_the_product_has_outgrown_is_noticed() -> None:
    with pytest.raises(Outgrown), rewrites(Holdings, "is_repeat", ("words that are not there", ""))():
        pass


def test_what_was_caught_is_recorded_and_not_hunted_again(tmp_path: Path) -> None:
    record = tmp_path / "caught.jsonl"
    caught = Hunt(bug=KEYLESS, caught=True, by="seed 0", told="S15", took=1.0)
    keep(record, caught)
    keep(record, msgspec.structs.replace(caught, bug="another", caught=False))

    assert recorded(record) == {KEYLESS: caught}
    assert main([KEYLESS, "--record", str(record)]) == 0
    # No minute is left for those that are not recorded.
    assert main([KEYLESS, "poison", "--record", str(record), "--minutes", "0"]) == 1


def test_there_are_enough_and_each_is_told_apart() -> None:
    assert len(BUGS) >= 25
    assert [name for name, count in Counter(map(named, BUGS)).items() if count > 1] == []
    assert {bug.caught_by for bug in PROVOKED} <= {*CASES, LEFTOVERS}


def test_the_page_lists_them_all() -> None:
    assert PAGE.read_text() == page(), "run: python -m scripts.write_bug_zoo"
