"""Why the runs of a line are not started: in one order, each with its facts."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from mainspring.domain.breakers.breaker import BreakerState, new_breaker
from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.domain.jobs.job import Job, JobSpec
from mainspring.domain.limits.explain import AHEAD_MAX, LinePlace, own_reasons, turn
from mainspring.domain.limits.explain_gates import gate_obstacles, parked_obstacle
from mainspring.domain.limits.explain_lanes import lane_obstacle
from mainspring.domain.limits.gates import Gate, GateState, Scope, gate
from mainspring.domain.limits.lanes import LaneRule, lane_gate, lane_of
from mainspring.domain.limits.obstacles import LineFacts, Serving, obstacles, switches
from mainspring.domain.limits.policy import Rate
from mainspring.domain.queues.line import Line
from mainspring.domain.queues.pause import Pause
from mainspring.domain.queues.queue import CLUSTER_WHOLE, NAMESPACE_WHOLE, Place, QueueRule
from mainspring.domain.runs.run import Parking, RunState, WaitReason
from tests.domain.test_explain import run as explained_run
from tests.factories import run_ids

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
PAUSE = Pause(reason="gateway moves", by="anna", since=NOON)
LINE = Line("default", "mail", "send")
OWN = Line("default", "mail", "send", "", "send")
SERVED = Serving(served={("default", "mail", "send")})


def rule(place: Place) -> dict[Place, QueueRule]:
    return {place: QueueRule(namespace=place[0], queue=place[1], pause=PAUSE)}


def job(pause: Pause | None = None) -> Job:
    spec = JobSpec(name="send", handler="send")
    return Job(id=1, namespace="default", spec=spec, version=1, code=None, updated_at=NOON, own_line=True, pause=pause)


def codes(line: Line, facts: LineFacts) -> list[str]:
    return [one.code for one in obstacles(line, facts)]


def test_a_served_line_has_no_obstacle() -> None:
    assert codes(LINE, LineFacts(serving=SERVED)) == []


@pytest.mark.parametrize(
    ("place", "code"),
    [
        (("default", NAMESPACE_WHOLE), "namespace_paused"),
        (("default", "mail"), "queue_paused"),
        (CLUSTER_WHOLE, "maintenance"),
    ],
)
def test_a_pause_names_its_place_its_author_and_its_reason(place: Place, code: str) -> None:
    [found] = obstacles(LINE, LineFacts(rules=rule(place), serving=SERVED))

    assert (found.code, found.reason, found.since) == (code, WaitReason.PAUSED, NOON)
    assert "anna" in found.text
    assert "gateway moves" in found.text
    assert found.remedy.startswith("mainspring ")


def test_a_paused_job_stops_its_own_lines_only() -> None:
    facts = LineFacts(jobs={("default", "send"): job(PAUSE)}, serving=SERVED)

    assert codes(OWN, facts) == ["job_paused"]
    assert codes(LINE, facts) == []


def test_rules_of_other_places_do_not_count() -> None:
    facts = LineFacts(rules=rule(("other", "mail")) | rule(("default", "slow")), serving=SERVED)

    assert codes(LINE, facts) == []


def test_pauses_come_before_missing_executors() -> None:
    facts = LineFacts(rules=rule(("default", "mail")) | rule(CLUSTER_WHOLE), jobs={("default", "send"): job(PAUSE)})

    assert codes(OWN, facts) == ["job_paused", "queue_paused", "maintenance", "no_executor"]
    assert [one.code for one in switches(OWN, facts)] == ["job_paused", "queue_paused", "maintenance"]


@pytest.mark.parametrize(
    ("serving", "reason"),
    [
        (Serving(), WaitReason.NO_EXECUTOR),
        (Serving(withheld={("default", "mail", "send")}), WaitReason.CORDONED),
        (Serving(stuck={("default", "mail", "send")}), WaitReason.STUCK),
        (Serving(served={("default", "mail", "other")}), WaitReason.NO_EXECUTOR),
    ],
)
def test_a_line_without_a_taker_says_what_is_missing(serving: Serving, reason: WaitReason) -> None:
    [found] = obstacles(LINE, LineFacts(serving=serving))

    assert found.reason is reason
    assert found.code == reason.value


def test_facts_are_for_programs() -> None:
    [found] = obstacles(LINE, LineFacts(rules=rule(("default", "mail")), serving=SERVED))

    assert found.facts == {"queue": "mail", "by": "anna", "reason": "gateway moves"}
    assert found.since is not None
    assert found.since < NOON + timedelta(seconds=1)


@pytest.mark.parametrize(
    ("ahead", "text", "starts"),
    [
        (0, "It is the next of its line, and starts as soon as a slot is free", NOON),
        (AHEAD_MAX - 1, f"{AHEAD_MAX - 1} runs of its line are before it", NOON + timedelta(seconds=AHEAD_MAX - 1)),
        (AHEAD_MAX, f"{AHEAD_MAX} or more runs of its line are before it", None),
    ],
)
def test_a_place_that_was_not_counted_to_the_end_says_so(ahead: int, text: str, starts: datetime | None) -> None:
    place = LinePlace(line=1, ahead=ahead, rate=1.0)
    [found] = turn(explained_run(RunState.QUEUED, due_at=NOON), place, NOON, alone=True)

    assert (found.text, found.until) == (text, starts)


@pytest.mark.parametrize(("ahead", "words"), [(AHEAD_MAX - 1, "999 of it"), (AHEAD_MAX, "1000 or more of it")])
def test_a_place_in_a_lane_that_was_not_counted_to_the_end_says_so(ahead: int, words: str) -> None:
    keyed = LaneRule(gate=lane_gate("default", Scope.JOB, "send", 1, None, 1), key=("customer",))
    found = lane_obstacle(keyed, lane_of(keyed, b'{"customer":1}'), at_once=1, held=1, ahead=ahead, holders=[])

    assert found.text.endswith(f"; {words} are before this one")


def gate_of(scope: Scope, *, at_once: int | None = 2, rate: str | None = None) -> Gate:
    return gate("default", scope, "mail", at_once, None if rate is None else Rate(rate), 1)


@pytest.mark.parametrize(
    ("scope", "code", "remedy"),
    [
        (Scope.JOB, "job_limit", "mainspring jobs edit mail"),
        (Scope.QUEUE, "queue_limit", "mainspring limits set mail --scope queue --at-once N"),
        (Scope.NAMESPACE, "namespace_limit", "mainspring limits set mail --scope namespace --at-once N"),
        (Scope.NAMED, "named_limit", "mainspring limits set mail --at-once N"),
    ],
)
def test_a_full_limit_names_its_place_and_what_raises_it(scope: Scope, code: str, remedy: str) -> None:
    full = gate_of(scope)
    [found] = gate_obstacles([full], [GateState(id=full.id, at_once=2, held=2)], run_ids(2))

    assert (found.code, found.remedy, found.reason) == (code, remedy, WaitReason.LIMIT)
    assert (found.facts["at_once"], found.facts["held"], len(found.facts["runs"])) == (2, 2, 2)


def test_a_rate_that_is_used_up_names_the_next_start() -> None:
    spent = gate_of(Scope.NAMED, at_once=None, rate="10/s")
    [found] = gate_obstacles([spent], [GateState(id=spent.id, at_once=None, held=0, opens_at=NOON)], [])

    assert (found.code, found.until, found.remedy) == ("rate", NOON, "mainspring limits set mail --rate N/s")


@pytest.mark.parametrize(
    ("state", "wave", "code", "remedy"),
    [
        (BreakerState.OPEN, 0, "breaker_open", "mainspring breakers reset gateway"),
        (BreakerState.FORCED_OPEN, 0, "breaker_forced_open", "mainspring breakers resume gateway"),
        (BreakerState.HALF_OPEN, 0, "breaker_half_open", "mainspring breakers reset gateway"),
        (BreakerState.CLOSED, 10, "breaker_wave", "mainspring breakers reset gateway"),
    ],
)
def test_a_parked_run_names_its_breaker_and_what_closes_it(
    state: BreakerState, wave: int, code: str, remedy: str
) -> None:
    breaker = msgspec.structs.replace(
        new_breaker(1, "default", "gateway", BreakerSpec(), NOON), state=state, wave=wave, until=NOON
    )
    found = parked_obstacle(Parking("gateway", 2), breaker)

    assert (found.code, found.remedy, found.facts["breaker"]) == (code, remedy, "gateway")


@pytest.mark.parametrize(
    ("reason", "remedy"),
    [
        (WaitReason.SUSPENDED, "mainspring runs resume "),
        (WaitReason.LOST, "mainspring runs retry "),
        (WaitReason.STEPS, "mainspring workflows runs show "),
    ],
)
def test_a_run_that_waits_for_people_names_their_command(reason: WaitReason, remedy: str) -> None:
    [found] = own_reasons(explained_run(RunState.WAITING, reason), NOON)

    assert found.code == reason
    assert found.remedy.startswith(remedy)
    assert bool(found.remedy) is bool(remedy)


@pytest.mark.parametrize(
    ("limit", "held", "code", "remedy"),
    [
        (2, 2, "key_limit", "mainspring limits set-key send '4 2' --job --at-once N"),
        (2, 1, "share", "mainspring limits set-key send '4 2' --job --weight N"),
    ],
)
def test_a_lane_names_what_makes_room_for_its_key(limit: int, held: int, code: str, remedy: str) -> None:
    keyed = LaneRule(gate=lane_gate("default", Scope.JOB, "send", limit, None, 1), key=("to",), fair=True)
    lane = lane_of(keyed, b'{"to":"4 2"}')
    found = lane_obstacle(keyed, lane, at_once=limit, held=held, ahead=0, holders=run_ids(held))

    assert (found.code, found.remedy) == (code, remedy)
