"""What people do to a trigger takes effect at once, also inside the look-ahead, and leaves every instant in one place."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainspring.domain.runs.run import RunState
from mainspring.domain.triggers.fire_times.build_timer import timer_of
from mainspring.domain.triggers.fire_times.misfires import Misfire, SkipReason
from mainspring.domain.triggers.fire_times.timers import TICK
from mainspring.domain.triggers.spec import AnyRule, At, Cron, Delay, Every, Overlap, TriggerSpec, Windows
from mainspring.domain.triggers.trigger import TriggerState
from mainspring.errors import ConflictError
from tests.domain.trigger_scene import MINUTELY, Story, at, clocks

DONE = RunState.SUCCEEDED
HOURLY = Cron(expressions=("0 * * * *",))


def test_a_pause_withdraws_what_was_prepared_and_its_instants_are_skipped_when_it_ends() -> None:
    story = Story()
    story.until("12:01:45")
    assert story.fired() == ["12:01", "12:02"]

    story.pause()
    assert (story.fired(), story.trigger.state, story.trigger.fired) == (["12:01"], TriggerState.PAUSED, 1)
    story.until("12:04:30")
    story.resume()
    story.until("12:05:00")

    assert story.left_out() == ["12:02 paused", "12:03 paused", "12:04 paused"]
    assert story.fired() == ["12:01", "12:05"]


def test_a_short_pause_skips_nothing() -> None:
    story = Story()
    story.until("12:00:40")
    story.pause()
    story.pass_by(10)
    story.resume()
    story.until("12:02:00")

    assert (story.fired(), story.left_out()) == (["12:01", "12:02"], [])


def test_what_happens_once_and_came_during_a_pause_is_over() -> None:
    story = Story(At(at=at("12:01:00")))
    story.pause()
    story.until("12:02:00")
    story.resume()

    assert (story.left_out(), story.trigger.state) == (["12:01 paused"], TriggerState.ENDED)


def test_the_next_instant_is_skipped_although_it_was_prepared() -> None:
    story = Story()
    story.until("12:00:45")

    assert story.skip_next() == at("12:01:00")
    assert story.skip_next() == at("12:02:00")
    story.until("12:03:00")

    assert (story.fired(), story.left_out()) == (["12:03"], ["12:01 asked", "12:02 asked"])


def test_nothing_is_skipped_where_nothing_is_to_come() -> None:
    over, paused = Story(At(at=at("12:00:01"))), Story()
    over.until("12:01:00")
    paused.pause()

    for story, code in ((over, "trigger_ended"), (paused, "trigger_paused")):
        with pytest.raises(ConflictError) as refused:
            story.skip_next()
        assert refused.value.code == code


def test_another_rule_begins_behind_now_and_what_was_prepared_is_not_skipped() -> None:
    story = Story()
    story.until("12:00:45")

    story.edit(when=Cron(expressions=("*/5 * * * *",)))
    story.until("12:10:00")

    assert (story.fired(), story.left_out(), story.trigger.revision) == (["12:05", "12:10"], [], 2)


def test_another_description_neither_skips_nor_repeats_an_instant() -> None:
    story = Story()
    for second in range(0, 300, 7):
        story.pass_by(7)
        story.fire()
        story.edit(description=f"after {second} seconds")

    assert story.fired()[:5] == ["12:01", "12:02", "12:03", "12:04", "12:05"]
    assert story.left_out() == []


def test_the_same_definition_again_changes_nothing() -> None:
    story = Story()
    story.until("12:00:45")
    before = story.trigger
    story.edit()

    assert (story.trigger.revision, story.trigger.updated_at) == (1, before.updated_at)
    story.fire()
    assert story.trigger == before


def test_what_was_due_is_fired_by_the_rule_that_was_in_force() -> None:
    story = Story(overlap=Overlap.SKIP)
    story.until("12:00:59")
    story.pass_by(1.5)

    story.edit(when=HOURLY)

    assert (story.fired(), story.trigger.next_due) == (["12:01"], at("13:00:00"))


def test_without_overlap_rules_all_that_waited_is_fired() -> None:
    story = Story(overlap=Overlap.QUEUE_ALL)
    story.until("12:03:30")

    story.edit(overlap=Overlap.ALLOW)

    assert (story.fired(), story.trigger.held, story.trigger.pending) == (["12:01", "12:02", "12:03"], (), ())


def test_what_waited_goes_on_waiting_through_a_pause() -> None:
    story = Story(overlap=Overlap.QUEUE_ONE)
    story.until("12:02:30")
    story.pause()
    story.ended(DONE)
    assert (story.fired(), clocks(story.trigger.held)) == (["12:01"], ["12:02"])

    story.resume()

    assert (story.fired(), story.trigger.held) == (["12:01", "12:02"], ())


def test_a_fixed_delay_becomes_shorter_and_longer() -> None:
    story = Story(Delay(delay=600))
    story.fire()
    story.ended(DONE)
    assert story.trigger.next_due == at("12:10:00")

    story.edit(when=Delay(delay=300))
    assert story.trigger.next_due == at("12:05:00")
    story.skip_next()

    assert (story.trigger.next_due, story.left_out()) == (at("12:10:00"), ["12:05 asked"])


def test_more_fires_bring_a_trigger_back_to_life() -> None:
    story = Story(fires_max=1)
    story.until("12:05:30")
    assert story.trigger.state is TriggerState.ENDED

    story.edit(fires_max=2)
    story.until("12:10:00")

    assert story.fired() == ["12:01", "12:06"]


def test_failures_are_counted_anew_behind_a_pause() -> None:
    story = Story(pause_after=1)
    story.until("12:01:00")
    story.ended(RunState.FAILED)
    assert story.trigger.state is TriggerState.PAUSED

    story.resume()

    assert (story.trigger.failures, story.trigger.state) == (0, TriggerState.ACTIVE)


RULES: list[AnyRule] = [
    MINUTELY,
    Cron(expressions=("*/3 * * * *", "30 12 * * *")),
    Cron(expressions=("*/7 * * * * *",)),
    Every(every=11),
    Every(every=45, anchor=at("11:59:50")),
    Windows(every=20, opens="12:02", closes="12:04"),
]
STEPS = st.one_of(
    st.tuples(st.just("pass"), st.floats(min_value=0.01, max_value=200)),
    st.tuples(st.just("die"), st.none()),
    st.tuples(st.just("pause"), st.none()),
    st.tuples(st.just("resume"), st.none()),
    st.tuples(st.just("skip"), st.none()),
    st.tuples(st.just("rule"), st.sampled_from(RULES)),
    st.tuples(st.just("name"), st.text("ab", max_size=3)),
)


class Oracle:
    """Which instants the rules named while they were in force: found by a plain walk, apart from all bookkeeping."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.expected: list[datetime] = []
        self.since = story.now

    def close(self, spec: TriggerSpec, until: datetime) -> None:
        timer = timer_of(spec, created_at=self.story.trigger.created_at)
        found = timer.next(self.since)
        while found is not None and found <= until:
            self.expected.append(found)
            found = timer.next(found)
        self.since = until


@settings(max_examples=80)
@given(rule=st.sampled_from(RULES), misfire=st.sampled_from(Misfire), steps=st.lists(STEPS, max_size=25))
def test_every_instant_of_the_rule_in_force_is_in_one_place(
    rule: AnyRule, misfire: Misfire, steps: list[tuple[str, object]]
) -> None:
    story = Story(rule, misfire=misfire)
    oracle = Oracle(story)
    for act, given_ in steps:
        if act == "pass":
            story.pass_by(float(given_))  # type: ignore[arg-type]
            story.fire()
        elif act == "die":
            # A server decides, and dies before its commit: the row stays, and is decided upon again.
            decided = story.trigger
            fires, skips, skipped = dict(story.fires), list(story.skips), list(story.skipped)
            story.pass_by(20)
            story.fire()
            story.trigger, story.fires, story.skips, story.skipped = decided, fires, skips, skipped
        elif act == "pause" and story.trigger.paused is None:
            story.pause()
        elif act == "resume" and story.trigger.paused is not None:
            story.resume()
        elif act == "skip" and story.trigger.state is TriggerState.ACTIVE:
            story.skip_next()
        elif act == "rule":
            oracle.close(story.spec, story.now)
            story.edit(when=given_)
        elif act == "name":
            story.edit(description=given_)
    if story.trigger.paused is not None:
        story.resume()
    story.fire()
    oracle.close(story.spec, story.now)

    # What an operator wanted left out is in the ledger at once, and stays there if another rule does not name it.
    asked = {each for each, reason in story.skipped if reason is SkipReason.ASKED} - set(oracle.expected)
    places = [each for each in story.fires if each <= story.now] + [each for each, _ in story.skipped]
    assert sorted(each for each in places if each not in asked) == sorted(oracle.expected)
    assert all(run.due_at >= instant for instant, run in story.fires.items())
    assert story.trigger.next_due is None or story.trigger.next_due > story.now


def test_the_oracle_sees_an_instant_that_is_lost() -> None:
    story = Story()
    oracle = Oracle(story)
    story.until("12:03:00")
    del story.fires[at("12:02:00")]
    oracle.close(story.spec, story.now + timedelta(seconds=1) - TICK)

    assert sorted(each for each in story.fires if each <= story.now) != oracle.expected


def test_another_rule_begins_after_the_last_change_although_the_clock_was_set_back() -> None:
    story = Story(At(at=at("12:01:00")), misfire=Misfire.SKIP)
    story.until("12:02:00")
    story.pause()
    story.resume()

    story.pass_by(-90)
    story.edit(when=MINUTELY, overlap=Overlap.QUEUE_ONE)
    story.until("12:04:00")

    assert story.trigger.updated_at == at("12:02:00")
    assert (story.fired(), story.left_out()) == (["12:01", "12:03"], [])


def test_a_clock_that_was_set_back_turns_no_trigger_back_over_what_was_skipped_or_queued() -> None:
    story = Story(overlap=Overlap.QUEUE_ONE)
    story.until("12:04:00")
    assert (story.fired(), story.left_out()) == (["12:01"], ["12:03 held_full", "12:04 held_full"])

    story.pass_by(-210)
    assert story.skip_next() == at("12:05:00")
    story.edit(pause_after=3)
    story.ended(DONE)
    story.until("12:05:00")

    assert story.fired() == ["12:01", "12:02"]
    assert story.left_out() == ["12:03 held_full", "12:04 held_full", "12:05 asked"]


def test_a_rule_begins_after_fire_times_that_were_skipped_ahead_of_a_clock_that_was_set_back() -> None:
    story = Story(overlap=Overlap.SKIP)
    story.until("12:03:00")

    story.pass_by(-150)
    story.edit(when=Cron(expressions=("*/1 * * * *",)))
    story.ended(DONE)
    story.until("12:04:00")

    assert (story.fired(), story.left_out()) == (["12:01", "12:04"], ["12:02 overlap", "12:03 overlap"])


def test_a_change_leads_back_from_a_clock_that_was_wrong_by_more_than_an_hour() -> None:
    story = Story(overlap=Overlap.SKIP)
    story.pass_by(7200)
    story.fire()
    story.pass_by(-7140)

    story.edit(when=Cron(expressions=("*/1 * * * *",)))

    assert story.trigger.next_due == at("12:02:00")
