"""Events to publish, for the triggers that match them."""

from collections.abc import Sequence
from typing import Any

import msgspec

from mainspring.client.calls import Request, ask
from mainspring.client.values import encode
from mainspring.contract.events import Published
from mainspring.contract.operations.events import PUBLISH_EVENTS


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event. Published again with the same id, it creates no second run of a trigger."""

    type: str
    data: Any = {}
    id: str | None = None


def publish_event(event: Event) -> Request[Published]:
    return ask(PUBLISH_EVENTS, body=encode(event, "data"), repeatable=event.id is not None)


def publish_events(events: Sequence[Event]) -> Request[Published]:
    named = all(event.id is not None for event in events)
    return ask(PUBLISH_EVENTS, body=encode({"events": events}, "data"), repeatable=named)
