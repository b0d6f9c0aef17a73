"""python -m proof.zoo.hunt NAME: look for one bug with the harness that must find it, and tell how that went."""

import asyncio
import sys
import time

import msgspec

from proof.zoo.animals import BUGS
from proof.zoo.bug import CHILDREN, SIMULATION, TEST, Bug
from proof.zoo.changing import Outgrown
from proof.zoo.children_hunt import hunt_in_children
from proof.zoo.postgres_hunt import hunt_in_postgres
from proof.zoo.simulation_hunt import hunt_in_simulation
from proof.zoo.suite_hunt import hunt_in_suite
from tests.support.postgres import start_postgres


class Hunt(msgspec.Struct, frozen=True, kw_only=True):
    """How the hunt for one bug went."""

    bug: str
    caught: bool
    by: str
    told: str
    took: float

    def __str__(self) -> str:
        return (
            f"{'caught ' if self.caught else 'ESCAPED'} {self.took:6.1f} s  {self.bug}\n{'':18}{self.by}: {self.told}"
        )


def hunt(name: str) -> Hunt:
    [bug] = [bug for bug in BUGS if bug.name == name]
    began = time.perf_counter()
    try:
        by, told = HUNTS.get(bug.caught_by, provoked)(bug)
    except Outgrown as error:
        by, told = None, f"cannot be put in any more: {error}"
    took = time.perf_counter() - began
    return Hunt(bug=name, caught=by is not None, by=by or bug.caught_by, told=told, took=took)


def simulated(bug: Bug) -> tuple[str | None, str]:
    catch = hunt_in_simulation(bug)
    if catch is None:
        return None, "no seed shows it"
    return f"seed {catch.seed}", f"{', '.join(catch.broken)}: {catch.message}"


def in_children(bug: Bug) -> tuple[str | None, str]:
    told = hunt_in_children(bug)
    return (None, "no child shows it") if told is None else ("children", told)


def provoked(bug: Bug) -> tuple[str | None, str]:
    server, cluster = start_postgres()
    try:
        told = asyncio.run(hunt_in_postgres(bug, server))
    finally:
        if cluster is not None:
            cluster.stop()
    return (None, "the case holds with it") if told is None else (f"case '{bug.caught_by}'", told)


def in_suite(bug: Bug) -> tuple[str | None, str]:
    told = hunt_in_suite(bug)
    return (None, "its test passes with it") if told is None else ("its test", told)


HUNTS = {SIMULATION: simulated, CHILDREN: in_children, TEST: in_suite}


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(hunt(sys.argv[1])))
