"""Why a trigger has not fired."""

import pytest

from mainspring.domain.limits.explain_trigger import trigger_reasons
from mainspring.domain.triggers.spec import AnyRule, Event, Webhook
from tests.domain.trigger_scene import MINUTELY, NOON, Story


@pytest.mark.parametrize(
    ("when", "code"), [(Event(type="paid"), "not_timed"), (Webhook(), "not_timed"), (MINUTELY, "not_due")]
)
def test_a_trigger_that_has_not_fired_says_what_it_waits_for(when: AnyRule, code: str) -> None:
    [found] = trigger_reasons(Story(when).trigger, [], NOON)

    assert found.code == code
    assert (found.until is None) is (code == "not_timed")
