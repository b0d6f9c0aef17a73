"""Which alerts a list has."""

from datetime import UTC, datetime

import msgspec
import pytest

from mainspring.domain.alerts.alert import Alert, AlertId, AlertState, Transition
from mainspring.domain.alerts.notice import NoticeId
from mainspring.domain.alerts.rule import Severity
from mainspring.store.interface import AlertFilter, Store

AT = datetime(2026, 1, 1, tzinfo=UTC)
STATES = (AlertState.PENDING, AlertState.FIRING, AlertState.RESOLVED)


def made(number: int, state: AlertState) -> Alert:
    over = AT if state is AlertState.RESOLVED else None
    fired = None if state is AlertState.PENDING else AT
    return Alert(
        id=AlertId(bytes([number]) * 16),
        namespace="default",
        rule="fails",
        subject=f"job {state}",
        severity=Severity.WARN,
        state=state,
        since_at=AT,
        fired_at=fired,
        ended_at=over,
    )


@pytest.mark.parametrize(
    "asked", [(), ("firing",), ("pending", "firing"), ("pending", "firing", "resolved"), ("resolved",)]
)
async def test_a_list_has_the_alerts_in_any_of_the_states_that_are_asked_for(
    store: Store, asked: tuple[str, ...]
) -> None:
    alerts = [made(number, state) for number, state in enumerate(STATES)]
    for one in alerts:
        begun = msgspec.structs.replace(one, ended_at=None)
        await store.alerts.change([Transition(alert=begun, before=0)], lambda: NoticeId(bytes(16)), now=AT)
        if one.ended_at is not None:
            await store.alerts.change([Transition(alert=one, before=1)], lambda: NoticeId(bytes(16)), now=AT)
    found = await store.alerts.list(AlertFilter(namespace="default", states=asked))

    assert {one.state for one in found} == set(asked or STATES)
