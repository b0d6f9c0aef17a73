"""Bugs in how places under a limit are given back, in shares and in breakers: each was found in another system."""

from mainspring.domain.breakers import breaker
from mainspring.scheduler.dispatch import route_runs
from mainspring.scheduler.dispatch.take_turns import TakeTurns
from mainspring.scheduler.limits.keep_gates import KeepGates
from mainspring.store.acts.limits import lanes
from mainspring.store.sqlite.hot.lanes import LaneClaim
from proof.zoo.bug import TEST, Bug
from proof.zoo.changing import requeries, rewrites, together

OF_MOVED = "FROM (SELECT m.line, count(*) AS ended FROM moved AS m WHERE gated GROUP BY m.line) AS c"
OF_NAMED = (
    "FROM (SELECT r.line, count(*) AS ended FROM unnest(p_runs) AS e(id) JOIN mainspring.runs AS r ON r.id = e.id"
    " WHERE gated GROUP BY r.line) AS c"
)
RECENT = " AND r.claimed_at > (SELECT max(m.claimed_at) FROM runs AS m) - 500000"
HELD = "SELECT count(*) FROM runs AS r INDEXED BY runs_lane_held WHERE r.state = 2 AND r.lane = l.id"
MODEL = "tests/domain/breakers/test_breaker_model.py"
WHY = "tests/scheduler/test_why_is_true.py"
CANARY = "tests/scheduler/test_canary.py"
LANES = "tests/store/test_lanes.py"

BUGS = [
    Bug(
        name="a place is given back by the run's id, whoever ended the attempt",
        origin="https://github.com/rails/solid_queue/pull/761",
        breaks="S38: a limit holds as many as are under way",
        functions={"succeed": ((OF_MOVED, OF_NAMED),)},
        caught_by="gate: success x success x claim",
    ),
    Bug(
        name="a limit frees itself after a time",
        origin="https://github.com/rails/solid_queue/pull/689",
        breaks="S37: never more under way than the limit says",
        needs=frozenset({"keyed"}),
        change=requeries("lane_room", (HELD, HELD + RECENT)),
    ),
    Bug(
        name="a retry that waits holds its key's place",
        origin="https://github.com/apache/airflow/issues/14205",
        breaks="L5: every run ends",
        needs=frozenset({"keyed"}),
        change=requeries(
            "lane_room", (HELD, "SELECT count(*) FROM runs AS r WHERE (r.state = 2 OR r.attempt > 0) AND r.lane = l.id")
        ),
    ),
    Bug(
        name="what is cancelled while it runs keeps its place",
        origin="https://github.com/PrefectHQ/prefect/issues/8566",
        breaks="S38: a limit holds as many as are under way",
        functions={"finish": (("WHERE gated GROUP BY m.line", "WHERE gated AND m.final <> 5 GROUP BY m.line"),)},
        caught_by="gate: cancel x claim",
    ),
    Bug(
        name="a lost attempt's run is put back, and its place is not",
        origin="https://github.com/triggerdotdev/trigger.dev/pull/2907",
        breaks="S38: a limit holds as many as are under way",
        functions={"requeue": (("WHERE gated GROUP BY m.line", "WHERE false GROUP BY m.line"),)},
        caught_by="gate: success x loss x claim",
    ),
    Bug(
        name="a full lane holds up the others of its line",
        origin="https://github.com/ixti/sidekiq-throttled/issues/131",
        breaks="a full lane holds up no other",
        change=together(
            rewrites(LaneClaim, "_put_back", ("elif more:", "else:"), ("elif self._shared:", "if False:")),
            rewrites(
                LaneClaim,
                "take",
                ("yield from runs", "yield from runs\n            if not runs:\n                return"),
            ),
        ),
        caught_by=TEST,
        test=f"{LANES}::test_a_full_lane_that_comes_first_holds_up_no_other[sqlite]",
    ),
    Bug(
        name="a new key takes all turns until it has had as many as the others",
        origin="found here: it began at virtual time 0",
        breaks="S40: idling earns nothing",
        change=rewrites(lanes, "fair_turns", ("max(first, passes.get(lane, 0))", "passes.get(lane, 0)")),
        caught_by=TEST,
        test=f"{LANES}::test_a_key_that_comes_late_takes_no_more_than_its_turns[sqlite]",
    ),
    Bug(
        name="a raised limit waits for the end of a run of its key",
        origin="found here: a full lane has no turn",
        breaks="S47: the obstacle that why names, once gone, lets the run start",
        change=rewrites(KeepGates, "tick", ("if says_otherwise(", "if False and says_otherwise(")),
        caught_by=TEST,
        test=f"{WHY}::test_the_only_obstacle_once_removed_lets_the_run_start[sqlite-key limit]",
    ),
    Bug(
        name="a queue that has idled takes all slots until it has had as many as the others",
        origin="a share that is counted from the beginning of time",
        breaks="S40: idling earns nothing",
        change=rewrites(TakeTurns, "served", ("max(self._used.get(key, 0.0), least)", "self._used.get(key, 0.0)")),
        caught_by=TEST,
        test="tests/scheduler/test_queue_order.py::test_who_comes_back_begins_where_the_others_are",
    ),
    Bug(
        name="what waits for a stopped canary stays with it",
        origin="a share that is taken away, and runs that have had it before",
        breaks="a stopped canary is given no run",
        change=rewrites(route_runs, "is_unrouted", ("refuses(line.address, job.spec.policy.canary)", "False")),
        caught_by=TEST,
        test=f"{CANARY}::test_a_canary_that_fails_too_often_is_stopped_and_its_runs_go_to_the_others[sqlite]",
    ),
    Bug(
        name="an ignored error keeps its probe",
        origin="https://github.com/resilience4j/resilience4j/issues/544",
        breaks="S44: an ignored error gives its probe back",
        change=rewrites(
            breaker, "decided_half_open", ("if counted.calls + counted.ignored >= spec.probes:", "if False:")
        ),
        caught_by=TEST,
        test="tests/scheduler/test_breakers.py::test_an_ignored_error_gives_its_probe_back[sqlite]",
    ),
    Bug(
        name="one sick executor opens a breaker for all",
        origin="https://github.com/App-vNext/Polly/issues/287",
        breaks="S44: it takes two witnesses to open",
        change=rewrites(breaker, "trips", ("and counted.failing >= enough", "")),
        caught_by=TEST,
        test=MODEL,
    ),
]
