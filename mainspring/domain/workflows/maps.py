"""Maps: a step that runs once for each element of a list."""

import msgspec

from mainspring.domain.workflows.flow import CANCELLED, FAILED, SUCCEEDED, Map
from mainspring.domain.workflows.graph import Step
from mainspring.domain.workflows.values import Read, UnusableError

ITEMS_MAX = 100_000

_items = msgspec.json.Decoder(list[msgspec.Raw])


class Mapping:
    """The elements of a map's list, and the argument that takes them."""

    def __init__(self, name: str, items: list[msgspec.Raw]) -> None:
        self.name = name
        self.items = items

    def __len__(self) -> int:
        return len(self.items)

    def arguments(self, item: int, shared: dict[str, msgspec.Raw]) -> bytes:
        return msgspec.json.encode({self.name: self.items[item], **shared})


def items_of(step: Step, read: Read) -> Mapping:
    """Raises UnusableError if the result is no list, or too long a one."""
    assert step.each is not None
    raw = step.each.value(read)
    if raw is None:
        raise UnusableError("missing_place", "the step that makes the list has not succeeded")
    try:
        items = _items.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        raise UnusableError("not_a_list", f"{step.each.text} is not a list") from None
    if len(items) > ITEMS_MAX:
        raise UnusableError("too_many_items", f"{len(items)} items are more than {ITEMS_MAX}")
    return Mapping(step.arguments.item, items)


def failures_allowed(step: Step, size: int) -> int:
    """A number below 1 is a share of all items."""
    return int(step.failures_max * size) if step.failures_max < 1 else int(step.failures_max)


def settled_state(step: Step, counts: Map, *, halted: bool) -> int | None:
    """How a map ends once no item is under way; None: there are items left to begin, or too few have ended."""
    if counts.failed > failures_allowed(step, counts.size):
        return FAILED
    if counts.ended == counts.size:
        return SUCCEEDED
    return CANCELLED if halted else None
