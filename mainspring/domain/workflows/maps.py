"""Maps: a step that runs once for each element of a list."""

import msgspec

from mainspring.domain.workflows.flow import CANCELLED, FAILED, SUCCEEDED, Map
from mainspring.domain.workflows.graph import Step
from mainspring.domain.workflows.values import Children, Read, UnusableError

ITEMS_MAX = 100_000
NULL = msgspec.Raw(b"null")

_items = msgspec.json.Decoder(list[msgspec.Raw])


class Mapping:
    """The elements of a map's list, and the argument that takes them."""

    def __init__(self, name: str, items: list[msgspec.Raw]) -> None:
        self.name = name
        self.items = items

    def __len__(self) -> int:
        return len(self.items)

    def arguments(self, item: int, shared: dict[str, msgspec.Raw]) -> bytes:
        """Without a name, no argument takes the element."""
        return msgspec.json.encode({self.name: self.items[item], **shared} if self.name else shared)


def items_of(step: Step, read: Read, counts: Map | None = None) -> Mapping:
    """The items of a map, of which some may have begun; raises UnusableError if the result is no list, or too long a one."""
    assert step.each is not None
    if isinstance(step.each, Children) and counts is not None:
        return Mapping("", [NULL] * counts.size)
    raw = step.each.value(read)
    if raw is None:
        raise UnusableError("missing_place", "the step that makes the list has not succeeded")
    try:
        items = _items.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        raise UnusableError("not_a_list", f"{step.each.text} is not a list") from None
    if len(items) > ITEMS_MAX:
        raise UnusableError("too_many_items", f"{len(items)} items are more than {ITEMS_MAX}")
    if step.enough is not None and len(items) < step.enough:
        raise UnusableError("too_few_executors", f"{len(items)} are there, and {step.enough} must succeed")
    return Mapping(step.arguments.item, items)


def members_of(step: Step, items: Mapping) -> tuple[str, ...]:
    """The executors that the children of a broadcast are for."""
    if not isinstance(step.each, Children) or step.each.slices is not None:
        return ()
    return tuple(msgspec.json.decode(item, type=str) for item in items.items)


def failures_allowed(step: Step, size: int) -> int:
    """A number below 1 is a share of all items."""
    return int(step.failures_max * size) if step.failures_max < 1 else int(step.failures_max)


def settled_state(step: Step, counts: Map, *, halted: bool) -> int | None:
    """How a map ends once no item is under way; None: there are items left to begin or to add, or too few have ended."""
    if counts.open and not halted:
        return None
    if step.enough is not None:
        return settled_by_count(step.enough, counts, halted=halted)
    if counts.failed > failures_allowed(step, counts.size):
        return FAILED
    if counts.ended == counts.size:
        return SUCCEEDED
    return CANCELLED if halted else None


def settled_by_count(enough: int, counts: Map, *, halted: bool) -> int | None:
    """The same where so many items must succeed."""
    if counts.succeeded >= enough:
        return SUCCEEDED
    if counts.size - counts.failed < enough:
        return FAILED
    return CANCELLED if halted else None
