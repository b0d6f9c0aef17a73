"""The figure that each measurement of real work has to reach, printed beside it."""

from bench.measurement import Measurement

ASYNC, THREADS, SQLITE = "mainspring-postgres-async", "mainspring-postgres-threads", "mainspring-sqlite-async"
TWO, DEFAULTS = "mainspring-postgres-two-processes", "mainspring-postgres-defaults"
FORGETFUL, CHILDREN = "mainspring-postgres-forgetful", "mainspring-postgres-processes"
GRAPHILE, PGQUEUER = "ratio to graphile-worker", "ratio to pgqueuer"

TARGETS: dict[tuple[str, str, str], str] = {
    ("drain", ASYNC, "ratio to best peer"): "≥ 1.8",
    ("drain", THREADS, "ratio to best peer"): "≥ 1.8",
    ("mail", TWO, GRAPHILE): "≥ 1.25",
    ("mail", TWO, PGQUEUER): "≥ 1.5",
    ("mail", DEFAULTS, GRAPHILE): "≥ 1.1",
    ("mixed", TWO, GRAPHILE): "≥ 1.8",
    ("payload", ASYNC, f"4 kB {GRAPHILE}"): "≥ 1.2",
    ("payload", ASYNC, f"32 kB {GRAPHILE}"): "≥ 0.9",
    ("payload", FORGETFUL, f"4 kB {GRAPHILE}"): "≥ 1.5",
    ("payload", FORGETFUL, f"32 kB {GRAPHILE}"): "≥ 1.2",
    ("pools", CHILDREN, f"no-op ratio to {ASYNC}"): "≥ 0.5",
    ("pools", CHILDREN, f"mail ratio to {ASYNC}"): "≥ 0.9",
    ("enqueue", ASYNC, "together"): "≥ 15,000",
    ("enqueue", ASYNC, "bulk ratio to best peer"): "≥ 1.8",
    ("client", ASYNC, "AsyncClient.enqueue, processor"): "≤ 0.25",
    ("steady", ASYNC, "p50"): "≤ 3",
    ("steady", ASYNC, "p99"): "≤ 15",
    ("history", ASYNC, "3,000,000 rows, cost over empty"): "≤ 1.05",
    ("history", ASYNC, "10,000,000 rows, cost over empty"): "≤ 1.05",
    ("workflows", ASYNC, "chain"): "≤ 2",
    ("workflows", SQLITE, "chain"): "≤ 2",
    ("workflows", ASYNC, "layers"): "≤ 0.5",
    ("workflows", ASYNC, "mapped"): "≤ 1.5",
    ("workflows", ASYNC, "broken"): "≤ 1",
    ("workflows", ASYNC, "chains / plain drain"): "≥ 0.5",
    ("workflows", ASYNC, "two servers / one"): "≥ 0.6",
    ("dispatch", ASYNC, "gates never reached"): "≥ 0.90",
    ("dispatch", ASYNC, "limit 20 over 1,000 keys"): "≥ 0.80",
    ("dispatch", ASYNC, "limit 1 over 100,000 keys"): "≥ 0.80",
    ("dispatch", ASYNC, "fair over 1,000 keys"): "≥ 0.80",
    ("dispatch", ASYNC, "other work beside 200,000 behind a limit"): "≥ 0.95",
    ("dispatch", ASYNC, "hand-over p50"): "≤ 5",
    ("dispatch", ASYNC, "hand-over p99"): "≤ 20",
    ("dispatch", ASYNC, "beside a flood, 0 ms, p95 above idle"): "≤ 20",
    ("dispatch", ASYNC, "beside a flood, 50 ms, p95 above idle"): "≤ 20",
    ("dispatch", ASYNC, "calls stop after"): "≤ 1",
    ("dispatch", ASYNC, "attempts while open"): "0",
    ("dispatch", ASYNC, "second trips"): "0",
    ("dispatch", ASYNC, "rate used"): "98 to 100",
    ("dispatch", ASYNC, "most starts in a second, of 500"): "≤ 510",
    ("dispatch", ASYNC, "processor time without policies"): "≤ 1.02",
    ("dispatch", ASYNC, "round-robin off even"): "≤ 1",
    ("dispatch", ASYNC, "why p99"): "≤ 20",
}
"""By bench, system and metric."""


def target_of(measurement: Measurement) -> str:
    return TARGETS.get((measurement.bench, measurement.system, measurement.metric), "")
