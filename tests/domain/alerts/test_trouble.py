"""What an operator is told to do first fits what the alert is about."""

import pytest

from mainspring.domain.alerts.rule import AlertKind
from mainspring.domain.alerts.trouble import remedy_of


@pytest.mark.parametrize(
    ("kind", "subject", "remedy"),
    [
        (AlertKind.RUN_FAILED, "job nightly", "mainspring dead list --job nightly"),
        (AlertKind.RUN_FAILED, "queue mail", "mainspring dead list"),
        (AlertKind.STALE, "trigger tick", "mainspring why tick; mainspring dead list"),
        (AlertKind.STALE, "job nightly", "mainspring runs list --job nightly; mainspring triggers list --job nightly"),
        (AlertKind.STORE, "clock", "mainspring doctor"),
    ],
)
def test_the_remedy_is_a_command_that_knows_the_subject(kind: AlertKind, subject: str, remedy: str) -> None:
    assert remedy_of(kind, subject, "") == remedy
