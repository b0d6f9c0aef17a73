"""A fire by hand names the policies that would have kept the trigger from firing."""

from typing import Any

import pytest

from mainspring.domain.calendars.spec import CalendarSpec, CalendarVersion
from mainspring.domain.calendars.working_days import Calendar
from mainspring.domain.triggers.by_hand import passed_over
from mainspring.domain.triggers.spec import Overlap
from tests.domain.trigger_scene import NOON, Story, at


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({}, []),
        ({"overlap": Overlap.SKIP}, []),
        ({"start_at": at("13:00:00")}, ["not_started"]),
        ({"end_at": at("12:00:30")}, ["ended"]),
    ],
)
def test_a_fire_by_hand_names_the_policies_that_it_passes_over(said: dict[str, Any], expected: list[str]) -> None:
    story = Story(**said)
    story.until("12:00:30")

    assert list(passed_over(story.trigger, None, story.now)) == expected


def test_a_fire_by_hand_beside_a_live_run_while_it_is_paused_and_on_a_holiday_names_all_three() -> None:
    story = Story(overlap=Overlap.SKIP)
    story.until("12:01:00")
    story.pause()
    spec = CalendarSpec(name="work", dates={"2030-01-01": "New Year"})
    days = Calendar(CalendarVersion(namespace="default", version=1, spec=spec, author="anna", at=NOON))

    assert list(passed_over(story.trigger, days, story.now)) == ["paused", "overlap", "calendar"]
