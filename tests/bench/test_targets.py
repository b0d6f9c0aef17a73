"""Targets stand beside figures that a bench prints, and bulk enqueues are compared with the best peer's."""

from bench.__main__ import NAMES
from bench.benches import bulk_ratios
from bench.measurement import Measurement
from bench.report import table
from bench.systems.registry import all_systems, is_ours
from bench.targets import ASYNC, TARGETS


def bulk(system: str, *rounds: float) -> Measurement:
    return Measurement("enqueue", system, "bulk", sorted(rounds)[len(rounds) // 2], "runs/s", {"rounds": list(rounds)})


def test_a_target_is_one_of_ours_in_a_bench_that_it_takes_part_in() -> None:
    benches = {system.name: system.benches for system in all_systems() if is_ours(system)}

    assert {name for name, _, _ in TARGETS} <= set(NAMES)
    assert [key for key in TARGETS if key[0] not in benches[key[1]]] == []


def test_a_target_is_printed_beside_its_figure() -> None:
    shown = table([Measurement("steady", ASYNC, "p99", 12.0, "ms", {})])

    assert "12.00  ≤ 15    ms" in shown


def test_a_bulk_enqueue_is_compared_with_the_best_peer_round_by_round() -> None:
    found = [bulk(ASYNC, 80.0, 90.0, 100.0), bulk("graphile-worker", 40.0, 50.0, 50.0), bulk("pg-boss", 10.0)]

    [ratio] = bulk_ratios(found, [ASYNC])
    assert (ratio.value, ratio.details["best_peer"]) == (2.0, "graphile-worker")
    assert bulk_ratios(found[:1], [ASYNC]) == []
