"""Why the runs of a line are not started: in one order, each with its facts."""

from datetime import UTC, datetime, timedelta

import pytest

from mainspring.domain.jobs.job import Job, JobSpec
from mainspring.domain.limits.explain import AHEAD_MAX, LinePlace, turn
from mainspring.domain.limits.explain_lanes import lane_obstacle
from mainspring.domain.limits.gates import Scope
from mainspring.domain.limits.lanes import LaneRule, lane_gate, lane_of
from mainspring.domain.limits.obstacles import LineFacts, Serving, obstacles, switches
from mainspring.domain.queues.line import Line
from mainspring.domain.queues.pause import Pause
from mainspring.domain.queues.queue import CLUSTER_WHOLE, NAMESPACE_WHOLE, Place, QueueRule
from mainspring.domain.runs.run import RunState, WaitReason
from tests.domain.test_explain import run as explained_run

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
