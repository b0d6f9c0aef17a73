"""The checker is checked itself: histories that break one promise each must be rejected for it, good ones accepted."""

from collections.abc import Callable

import pytest

from proof.checker import check
from proof.records import Records
from tests.proof.histories import (
    BORN,
    ENDED,
    EXECUTED,
    OTHER,
    RUN,
    SECOND,
    TOKEN,
    ask,
    beat,
    claim,
    did,
    fault,
    frame,
    history,
    key,
    lines,
    record,
    row,
    rule,
    session,
    step,
)

Make = Callable[[], Records]
LOST = step(3, 7.0, "queued", "running", attempt=1, losses=1, due_at=1.0)
FAILED = step(3, 3.0, "queued", "running", attempt=1, failures=1, due_at=3.5)
FAILED_AT = did("end", 2.9, outcome="failed")


def put_back_behind_its_end(failover: tuple[float, float]) -> Records:
    """Its handler came to its end at 2.9."""
    return history(
        chain=[
            BORN,
            claim(2, 2.0, due_at=1.0),
            step(3, 7.0, "queued", "running", attempt=1, due_at=1.0),
            claim(4, 8.0, 2, SECOND, due_at=1.0),
            step(5, 9.0, "succeeded", "running", attempt=2, token=SECOND, due_at=1.0),
        ],
        executed=[*EXECUTED, did("start", 8.1, SECOND), did("end", 8.9, SECOND, "succeeded")],
        rows=[row(attempt=2)],
        failovers=[failover],
    )


GOOD: dict[str, Make] = {
    "one run": history,
    "a step was called again, for a fail-over forgot it": lambda: history(
        did("stepped", 2.3, outcome="x", name="one"),
        did("step", 2.5, name="one"),
        did("stepped", 2.6, outcome="y", name="one"),
        failovers=[(2.2, 2.4)],
    ),
    "born claimed": lambda: history(chain=[claim(1, 1.05, before="", due_at=1.0), ENDED]),
    "tried again after a failure": lambda: history(
        record(),
        chain=[
            BORN,
            claim(2, 2.0, due_at=1.0),
            FAILED,
            claim(4, 4.0, 2, SECOND, failures=1, due_at=3.5),
            step(5, 5.0, "succeeded", "running", attempt=2, failures=1, token=SECOND, due_at=3.5),
        ],
        executed=[did("start", 2.1), FAILED_AT, did("start", 4.1, SECOND), did("end", 4.9, SECOND, "succeeded")],
        rows=[row(attempt=2, failures=1)],
    ),
    "repeated after a loss": lambda: history(
        fault("kill_executor", 2.5, 6.0, "e1"),
        beat(2, 6.0, "dead"),
        beat(3, 6.5, session="s2"),
        chain=[
            BORN,
            claim(1, 2.0, due_at=1.0),
            LOST,
            claim(5, 8.0, 2, SECOND, "s2", losses=1, due_at=1.0),
            step(6, 9.0, "succeeded", "running", attempt=2, losses=1, token=SECOND, due_at=1.0),
        ],
        executed=[did("start", 2.1), did("start", 8.1, SECOND), did("end", 8.9, SECOND, "succeeded")],
        rows=[row(attempt=2, losses=1)],
    ),
    "cancelled in its line": lambda: history(
        *ask(2, 1.0, run=OTHER, mark="m2"),
        *ask(3, 1.5, act="cancel", run=OTHER, state="cancelled"),
        step(4, 1.05, "queued", run=OTHER),
        step(5, 1.55, "cancelled", "queued", run=OTHER),
        row("cancelled", run=OTHER, mark="m2", attempt=0),
    ),
    "retried by hand": lambda: history(
        *ask(2, 5.0, act="retry", run=RUN),
        chain=[
            BORN,
            claim(2, 2.0, due_at=1.0),
            ENDED,
            step(4, 5.05, "queued", "succeeded", attempt=1, due_at=5.0),
            claim(5, 6.0, 2, SECOND, due_at=5.0),
            step(6, 7.0, "succeeded", "running", attempt=2, token=SECOND, due_at=5.0),
        ],
        executed=[*EXECUTED, did("start", 6.1, SECOND), did("end", 6.9, SECOND, "succeeded")],
        rows=[row(attempt=2)],
    ),
    "a key asked for twice": lambda: history(
        *ask(2, 1.2, run=RUN, key="k", digest="d", mark="m1"), key("k"), rows=[row(key="k")]
    ),
    "nobody answered, and it is there": lambda: history(*ask(2, 1.2, "info", mark="m1")),
    "lost by a fail-over": lambda: history(*ask(2, 4.0, run=OTHER, mark="m2"), failovers=[(3.9, 5.0)]),
    "put back, for a fail-over forgot its end": lambda: put_back_behind_its_end((2.5, 6.0)),
    "an executor came and went": lambda: history(fault("kill_executor", 10.0, 12.0, "e1"), session()),
}

BAD: dict[str, tuple[str, Make]] = {}


def bad(invariant: str, name: str, make: Make) -> None:
    BAD[f"{invariant}: {name}"] = (invariant, make)


bad("S1", "an accepted run is gone", lambda: history(*ask(2, 4.0, run=OTHER, mark="m2")))
bad("S1", "gone, and long before the fail-over", lambda: history(*ask(2, 4.0, run=OTHER), failovers=[(8.0, 9.0)]))
bad("S1", "the store had it", lambda: history(step(9, 4.0, "queued", run=OTHER)))
bad("S2", "nobody asked for it", lambda: history(did("start", 5.0, run=OTHER)))
bad("S2", "nobody claimed it", lambda: history(did("start", 5.0, SECOND)))
bad("S2", "before its claim", lambda: history(executed=[did("start", 1.9), EXECUTED[1]]))
bad("S3", "queued became succeeded", lambda: history(chain=[BORN, step(3, 3.0, "succeeded", "queued")]))
bad(
    "S3",
    "a final state was left by itself",
    lambda: history(step(4, 4.0, "queued", "succeeded", attempt=1, due_at=1.0), rows=[row("queued")], drained=False),
)
bad("S4", "a number was left out", lambda: history(chain=[BORN, claim(2, 2.0, 2), ENDED]))
bad(
    "S4",
    "a number came twice",
    lambda: history(chain=[BORN, claim(2, 2.0), FAILED, claim(4, 4.0, 1, SECOND, failures=1), ENDED]),
)
bad("S5", "claimed over another claim", lambda: history(claim(2, 2.5, 2, SECOND, before="running")))
bad("S5", "running without an owner", lambda: history(chain=[BORN, claim(2, 2.0, token=""), ENDED]))
bad("S5", "owned in its line", lambda: history(chain=[step(1, 1.05, "queued", token=TOKEN), claim(2, 2.0), ENDED]))
bad(
    "S6",
    "a token came twice",
    lambda: history(chain=[BORN, claim(2, 2.0), FAILED, claim(4, 4.0, 2, TOKEN, failures=1), ENDED]),
)
bad("S6", "a start was executed twice", lambda: history(did("start", 2.2)))
bad(
    "S6",
    "the same without tokens",
    lambda: history(executed=[did("start", 2.1, ""), did("start", 2.2, ""), EXECUTED[1]]),
)
bad(
    "S7",
    "ended by another attempt",
    lambda: history(chain=[BORN, claim(2, 2.0), step(3, 3.0, "succeeded", "running", attempt=1, token=SECOND)]),
)
bad("S7", "the handler never returned", lambda: history(executed=EXECUTED[:1]))
bad("S7", "the handler failed", lambda: history(executed=[EXECUTED[0], FAILED_AT]))
bad("S7", "it returned later", lambda: history(executed=[EXECUTED[0], did("end", 3.5, outcome="succeeded")]))
bad("S8", "two ends", lambda: history(step(4, 3.1, "failed", "succeeded", attempt=1, token=TOKEN)))
bad("S8", "put back behind its end, long before the fail-over", lambda: put_back_behind_its_end((20.0, 21.0)))
bad("S8", "two records of one attempt", lambda: history(record(), record(attempt=2)))
bad(
    "S12",
    "claimed before it was due",
    lambda: history(chain=[step(1, 1.05, "queued", due_at=9.0), claim(2, 2.0), ENDED]),
)
bad("S12", "executed before it was due", lambda: history(*ask(2, 1.0, run=RUN, due_at=2.5)))
bad("S15", "two runs for one key", lambda: history(*ask(2, 1.2, run=RUN, key="k"), *ask(3, 1.5, run=OTHER, key="k")))
bad(
    "S15",
    "two requests under one key",
    lambda: history(*ask(2, 1.2, run=RUN, key="k", digest="d"), *ask(3, 1.5, run=RUN, key="k", digest="e")),
)
bad("S15", "two runs hold one key", lambda: history(rows=[row(key="k"), row(run=OTHER, key="k", mark="m2")]))
bad(
    "S16",
    "claimed after its last failure",
    lambda: history(
        chain=[
            BORN,
            claim(2, 2.0),
            step(3, 3.0, "queued", "running", attempt=1, failures=1),
            claim(4, 4.0, 2, SECOND, failures=2),
            ENDED,
        ]
    ),
)
bad("S16", "claimed after its last loss", lambda: history(chain=[BORN, claim(2, 2.0, losses=3), ENDED]))
bad(
    "S16",
    "quarantined too early",
    lambda: history(chain=[BORN, claim(2, 2.0), step(3, 3.0, "failed", "running", losses=1, reason="quarantined")]),
)
bad(
    "S16",
    "given up too early",
    lambda: history(
        chain=[BORN, claim(2, 2.0), step(3, 3.0, "failed", "running", failures=1, reason="attempts_spent")]
    ),
)
bad(
    "S16",
    "one end counted twice",
    lambda: history(chain=[BORN, claim(2, 2.0), step(3, 3.0, "queued", "running", failures=2)]),
)
bad("S16", "a loss of a living session", lambda: history(chain=[BORN, claim(2, 2.0), LOST]))
bad(
    "S16",
    "a failure of nothing",
    lambda: history(chain=[BORN, claim(2, 2.0), FAILED], executed=[did("start", 1, run=OTHER)]),
)
bad("S17", "claimed behind its deadline", lambda: history(chain=[BORN, claim(2, 2.0, deadline_at=1.5), ENDED]))
bad(
    "S17",
    "went on behind its deadline",
    lambda: history(
        chain=[BORN, claim(2, 2.0, deadline_at=3.0), step(3, 3.1, "failed", "running", attempt=1, deadline_at=3.0)],
        executed=[did("start", 2.1), did("killed", 20.0)],
    ),
)
bad("S18", "claimed after its cancel", lambda: history(*ask(2, 1.5, act="cancel", run=RUN)))
bad("S18", "the wish was forgotten", lambda: history(chain=[BORN, claim(2, 2.0, wish=True), FAILED]))
bad(
    "S19", "claimed while paused", lambda: history(rule(0, 0.0, "pause", "default"), chain=[BORN, claim(2, 9.0), ENDED])
)
bad("S20", "more than there is room for", lambda: history(frame("room", 2), frame("start", 3, token=TOKEN)))
bad(
    "S20",
    "credit given back twice",
    lambda: history(
        frame("room", 2),
        frame("start", 2, 1.1, TOKEN),
        frame("end", 1, 1.2, TOKEN),
        frame("start", 2, 1.3, SECOND),
    ),
)
bad("S21", "claimed for a cordoned session", lambda: history(beat(1, 0.9, "cordoned")))
bad("S21", "claimed for a dead session", lambda: history(beat(1, 0.9, "dead")))
bad("S21", "claimed for nobody", lambda: history(chain=[BORN, claim(2, 2.0, session="s9"), ENDED]))
bad("S26", "a line twice", lambda: history(lines([0, 1, 1])))
bad("S26", "lines out of order", lambda: history(lines([1, 0]), calm=True))
bad("S26", "lines of no attempt", lambda: history(lines([0], SECOND)))
bad("S26", "a line that was never written", lambda: history(lines([0, 1, 2])))
bad("S26", "a line is missing", lambda: history(lines([1]), calm=True))
bad("S27", "another state", lambda: history(rows=[row("failed")]))
bad("S27", "another count", lambda: history(rows=[row(losses=1)]))
bad("S27", "no change made it", lambda: history(rows=[row(), row(run=OTHER, mark="m2")]))
bad("S27", "the key is another's", lambda: history(key("k", OTHER), rows=[row(key="k")]))
bad(
    "S28",
    "refused, and there",
    lambda: history(*ask(2, 1.2, "fail", mark="m2"), rows=[row(), row(run=OTHER, mark="m2")]),
)
bad("S28", "there twice", lambda: history(rows=[row(), row(run=OTHER)]))
bad(
    "S28",
    "refused as unknown, and known",
    lambda: history(*ask(2, 1.2, run=RUN, mark="m1", job="job"), *ask(3, 2.0, "fail", job="job", code="unknown_job")),
)
bad("S29", "time went back", lambda: history(chain=[BORN, claim(2, 2.0, instant=0.5), ENDED]))
bad("S29", "ahead of time", lambda: history(chain=[BORN, claim(2, 2.0, instant=2.5), ENDED]))
bad(
    "S31",
    "a step was called again",
    lambda: history(
        did("step", 2.2, name="one"),
        did("stepped", 2.3, outcome="x", name="one"),
        did("step", 2.4, SECOND, name="one"),
    ),
)
bad(
    "S31",
    "a step was called again, and a fail-over forgot nothing of it",
    lambda: history(
        did("stepped", 2.3, outcome="x", name="one"),
        did("step", 2.4, SECOND, name="one"),
        failovers=[(20.0, 21.0)],
    ),
)
bad(
    "S31",
    "a step gave another result",
    lambda: history(did("stepped", 2.3, outcome="x", name="one"), did("stepped", 2.5, SECOND, outcome="y", name="one")),
)
bad("L1", "a calm start took long", lambda: history(chain=[BORN, claim(2, 8.0), ENDED], calm=True))
bad(
    "L2",
    "held long after the death of its executor",
    lambda: history(fault("kill_executor", 10.0, 12.0, "e1"), chain=[BORN, claim(2, 2.0)], rows=[row("running")]),
)
bad(
    "L4",
    "nothing moved after the outage",
    lambda: history(fault("store_outage", 10.0, 12.0), chain=[BORN], rows=[row("queued", attempt=0)]),
)
bad("L5", "still queued", lambda: history(chain=[BORN], rows=[row("queued", attempt=0)]))
bad("L6", "still held", lambda: history(session("dead", 1)))
bad("L10", "a drain was charged", lambda: history(chain=[BORN, claim(2, 2.0), LOST], sessions_left=["s1"]))
bad(
    "L10",
    "that it was told to leave excuses nothing",
    lambda: history(fault("stop_executor", 6.0, 8.0, "e1"), chain=[BORN, claim(2, 2.0), LOST], sessions_left=["s1"]),
)

bad(
    "S9",
    "two attempts at once",
    lambda: history(
        chain=[
            BORN,
            claim(2, 2.0, due_at=1.0),
            step(3, 2.3, "queued", "running", attempt=1, due_at=1.0),
            claim(4, 2.4, 2, SECOND, due_at=1.0),
            step(5, 3.0, "succeeded", "running", attempt=2, token=SECOND, due_at=1.0),
        ],
        executed=[
            did("start", 2.1),
            did("start", 2.5, SECOND),
            did("end", 2.8, TOKEN, "succeeded"),
            did("end", 2.9, SECOND, "succeeded"),
        ],
    ),
)
bad(
    "S8",
    "its end was not heard",
    lambda: history(
        chain=[
            BORN,
            claim(2, 2.0, due_at=1.0),
            step(3, 2.95, "queued", "running", attempt=1, due_at=1.0),
            step(4, 3.5, "cancelled", "queued", attempt=1, due_at=1.0),
        ],
        rows=[row("cancelled")],
    ),
)
bad(
    "S16",
    "lost without a cause",
    lambda: history(
        beat(2, 6.0, "dead"),
        beat(3, 6.5, session="s2"),
        chain=[BORN, claim(1, 2.0, due_at=1.0), LOST],
        rows=[row("queued", losses=1)],
        drained=False,
    ),
)


@pytest.mark.parametrize("name", GOOD)
def test_a_good_history_is_valid(name: str) -> None:
    verdict = check(GOOD[name]())

    assert verdict.valid, str(verdict)


@pytest.mark.parametrize("name", BAD)
def test_a_bad_history_is_rejected_for_what_is_wrong(name: str) -> None:
    invariant, make = BAD[name]

    verdict = check(make())

    assert verdict.verdict == "invalid"
    assert invariant in verdict.broken, str(verdict)
    assert all(violation.witness for violation in verdict.violations)


@pytest.mark.parametrize("channel", ["operations", "executions", "transitions", "run_rows"])
def test_a_missing_channel_makes_the_verdict_unknown(channel: str) -> None:
    records = history()
    setattr(records, channel, [])

    verdict = check(records)

    assert verdict.verdict == "unknown"
    assert not verdict.valid
    assert len(verdict.missing) == 1


def test_tables_alone_are_checked_for_what_they_can_tell() -> None:
    records = history(audit=False)
    records.transitions = []

    verdict = check(records)

    assert verdict.valid
    assert "S1" in verdict.checked
    assert "S7" not in verdict.checked
