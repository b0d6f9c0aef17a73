"""From a run to the runs that its handler asked for, to theirs, and so on: depth first, a bounded piece at a time.

What is still to be looked into is a stack of pairs: a run, and the last of its children that was seen. It is as deep as
the family is, not as large, so it can be stored between two pieces.
"""

from collections.abc import Sequence

import msgspec

from mainspring.domain.ids import RunId
from mainspring.store.interface import Store

PARENTS, CHILDREN = 20, 10
"""How many runs are looked into at once, and how many children of each are taken."""

Stack = list[tuple[RunId, RunId | None]]

_read = msgspec.json.Decoder(Stack).decode


def write_stack(stack: Stack) -> bytes | None:
    return msgspec.json.encode(stack) if stack else None


def read_stack(raw: bytes) -> Stack:
    return _read(raw)


def stack_on(runs: Sequence[RunId]) -> Stack:
    return [(run, None) for run in runs]


async def descend(store: Store, namespace: str, stack: Stack) -> tuple[list[RunId], Stack]:
    """The next descendants, and the runs to look into after them."""
    rest, parents = stack[:-PARENTS], stack[-PARENTS:]
    families = await store.bulk.children(namespace, parents, limit=CHILDREN)
    found: list[RunId] = []
    for (parent, _), children in zip(parents, families, strict=True):
        if len(children) == CHILDREN:
            rest.append((parent, children[-1]))
        found += children
    return found, rest + stack_on(found)
