"""How alerts change: pending, firing, resolved; never resolved on old facts."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import count

import msgspec
import pytest

from mainspring.domain.alerts.alert import Alert, AlertId, AlertState, Breach, NoticeKind, NoticeTo, Silence, Transition
from mainspring.domain.alerts.decide import Round, decide
from mainspring.domain.alerts.rule import AlertKind, AlertRule, AlertSpec, Severity
from mainspring.testing.clock import START

SPEC = AlertSpec(kind=AlertKind.RUN_FAILED, job="nightly", notify=("ops",))
FAILS = [Breach("job nightly", 1, "1 failed")]
SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)


class Story:
    """One rule on one subject, evaluated again and again."""

    def __init__(self, **fields: object) -> None:
        spec = msgspec.structs.replace(SPEC, **fields)
        self.rule = AlertRule(namespace="default", name="fails", spec=spec, updated_at=START)
        self.alerts: list[Alert] = []
        self.silences: list[Silence] = []
        self.channels: list[str] = []
        """Those that the last evaluation told."""
        self.now = START
        self._numbers = count(1)

    def look(self, breaches: Sequence[Breach] | None, after: timedelta = 5 * SECOND) -> list[NoticeKind]:
        """Evaluate after a while; return the kinds of notices that were written."""
        self.now += after
        by = Round(
            now=self.now,
            new_id=lambda: AlertId(next(self._numbers).to_bytes(16, "big")),
            silences=self.silences,
            known={("default", "ops"), ("default", "boss")},
        )
        found = {("default", "fails"): breaches}
        changes = decide([self.rule], found, [one for one in self.alerts if one.is_open], by)
        for change in changes:
            self.take(change)
        notices = [to for change in changes for to in change.notices]
        self.channels = [to.channel for to in notices]
        return [to.kind for to in notices]

    def take(self, change: Transition) -> None:
        before = [one for one in self.alerts if one.id == change.alert.id]
        assert [one.revision for one in before] == ([change.before] if change.before else [])
        assert not before or change.alert.revision > change.before
        self.alerts = [*(one for one in self.alerts if one not in before), change.alert]

    @property
    def state(self) -> AlertState:
        return self.alerts[-1].state


def silence_of(rule: str, subject: str) -> Silence:
    return Silence(
        id=bytes(16),
        namespace="default",
        rule=rule,
        subject=subject,
        until=START + HOUR,
        author="anna",
        reason="",
        made_at=START,
    )


def round_at(story: Story) -> Round:
    """The next evaluation, in which no rule is known."""
    known = {("default", "ops"), ("default", "boss")}
    return Round(now=story.now, new_id=lambda: AlertId(bytes(16)), known=known)


def test_it_fires_once_and_says_when_it_is_over() -> None:
    story = Story()

    assert story.look(FAILS) == [NoticeKind.FIRE]
    assert story.look(FAILS) == []
    assert [story.look([]) for _ in range(5)] == [[], [], [], [], [NoticeKind.RECOVER]]
    assert story.state is AlertState.RESOLVED


def test_it_waits_for_as_long_as_the_rule_says() -> None:
    story = Story(for_=60.0)

    assert (story.look(FAILS), story.state) == ([], AlertState.PENDING)
    assert story.look(FAILS, 59 * SECOND) == []
    assert (story.look(FAILS), story.state) == ([NoticeKind.FIRE], AlertState.FIRING)


def test_a_condition_that_passes_while_it_is_pending_says_nothing() -> None:
    story = Story(for_=60.0)
    story.look(FAILS)

    assert (story.look([]), story.state) == ([], AlertState.RESOLVED)


def test_a_condition_that_comes_back_does_not_flap() -> None:
    story = Story()
    story.look(FAILS)

    assert [story.look(found) for found in ([], [], FAILS, [], FAILS)] == [[]] * 5
    assert story.state is AlertState.FIRING


def test_nothing_resolves_on_old_facts() -> None:
    story = Story()
    story.look(FAILS)

    assert [story.look(None, HOUR) for _ in range(3)] == [[]] * 3
    assert story.state is AlertState.FIRING


def test_repeats_come_after_growing_pauses_until_it_is_acknowledged() -> None:
    story = Story()
    story.look(FAILS)
    repeated = [hours for hours in range(1, 40) if story.look(FAILS, HOUR) == [NoticeKind.REPEAT]]
    story.alerts = [msgspec.structs.replace(story.alerts[0], acked_at=story.now, acked_by="anna")]

    assert repeated == [4, 12, 28]
    assert [story.look(FAILS, 24 * HOUR) for _ in range(5)] == [[]] * 5


def test_an_alert_that_nobody_acknowledges_is_escalated_once() -> None:
    story = Story(escalate_to=("boss",), escalate_after=600.0)
    story.look(FAILS)

    assert story.look(FAILS, 601 * SECOND) == [NoticeKind.ESCALATE]
    assert story.look(FAILS, 601 * SECOND) == []


def test_an_acknowledged_alert_is_not_escalated() -> None:
    story = Story(escalate_to=("boss",), escalate_after=600.0)
    story.look(FAILS)
    story.alerts = [msgspec.structs.replace(story.alerts[0], acked_at=story.now, acked_by="anna")]

    assert story.look(FAILS, HOUR) == []


@pytest.mark.parametrize(("rule", "subject", "quiet"), [("*", "*", True), ("fails", "job n*", True), ("x", "*", False)])
def test_a_silence_keeps_notices_back_and_not_the_alert(rule: str, subject: str, quiet: bool) -> None:
    story = Story()
    story.silences = [silence_of(rule, subject)]

    assert story.look(FAILS) == ([] if quiet else [NoticeKind.FIRE])
    assert story.state is AlertState.FIRING
    assert story.look(FAILS, 2 * HOUR) == ([NoticeKind.FIRE] if quiet else [])


@pytest.mark.parametrize(
    ("fields", "urgent"),
    [({"severity": Severity.PAGE}, True), ({"escalate_to": ("boss",), "escalate_after": 60.0}, True), ({}, False)],
)
def test_the_beginning_of_what_wakes_somebody_is_urgent(fields: dict[str, object], urgent: bool) -> None:
    story = Story(**fields)
    found = {("default", "fails"): FAILS}
    [change] = decide([story.rule], found, [], round_at(story))

    assert [to.urgent for to in change.notices] == [urgent]


def test_the_alerts_of_a_rule_that_is_gone_end() -> None:
    story = Story()
    story.look(FAILS)
    [change] = decide([], {}, story.alerts, round_at(story))

    assert change.alert.state is AlertState.RESOLVED


def test_whoever_was_told_is_told_that_the_rule_was_deleted() -> None:
    story = Story(escalate_to=("boss",), escalate_after=600.0)
    story.look(FAILS)
    story.look(FAILS, 601 * SECOND)
    [change] = decide([], {}, story.alerts, round_at(story))

    assert change.notices == (
        NoticeTo("ops", NoticeKind.RECOVER, "fails"),
        NoticeTo("boss", NoticeKind.RECOVER, "fails"),
    )
    assert change.alert.words == "1 failed; its rule was deleted"


def test_no_channel_hears_of_the_end_of_what_it_was_not_told() -> None:
    story = Story(for_=60.0)
    story.look(FAILS)
    [change] = decide([], {}, story.alerts, round_at(story))

    assert change.notices == ()


def test_a_channel_that_its_rule_no_longer_names_is_told_of_the_end() -> None:
    story = Story()
    story.look(FAILS)
    story.rule = msgspec.structs.replace(story.rule, spec=msgspec.structs.replace(SPEC, notify=("boss",)))
    story.look([])

    assert story.look([], HOUR) == [NoticeKind.RECOVER]
    assert story.channels == ["ops"]


def test_a_silence_keeps_back_no_end_of_what_was_told_before_it() -> None:
    story = Story()
    story.look(FAILS)
    story.silences = [silence_of("*", "*")]

    assert story.look([]) == []
    assert story.look([], 30 * SECOND) == [NoticeKind.RECOVER]


def test_a_rule_may_want_no_end_to_be_told() -> None:
    story = Story(recovery=False)
    story.look(FAILS)
    story.look([])

    assert story.look([], HOUR) == []
    assert story.state is AlertState.RESOLVED


def test_a_channel_that_is_gone_gets_no_notice() -> None:
    story = Story(notify=("nobody",))

    assert story.look(FAILS) == []
