"""The order of steps, and the shortest cycle if there is none."""

from collections import deque
from collections.abc import Mapping, Sequence

from mainspring.errors import InvalidInputError


def sorted_steps(parents: Mapping[str, Sequence[str]]) -> list[str]:
    """Each after its parents, otherwise in the order given; raises InvalidInputError with the path of a cycle."""
    order: list[str] = []
    left = {name: len(set(mine)) for name, mine in parents.items()}
    children: dict[str, list[str]] = {name: [] for name in parents}
    for name, mine in parents.items():
        for parent in dict.fromkeys(mine):
            children[parent].append(name)
    ready = deque(name for name, count in left.items() if not count)
    while ready:
        name = ready.popleft()
        order.append(name)
        for child in children[name]:
            left[child] -= 1
            if not left[child]:
                ready.append(child)
    if len(order) < len(parents):
        path = " -> ".join(shortest_cycle({name: mine for name, mine in parents.items() if left[name]}))
        raise InvalidInputError("steps", f"they wait for each other: {path}", code="cycle")
    return order


def shortest_cycle(parents: Mapping[str, Sequence[str]]) -> list[str]:
    """From a step to itself, along its children; there must be one."""
    children: dict[str, list[str]] = {name: [] for name in parents}
    for name, mine in parents.items():
        for parent in mine:
            if parent in children:
                children[parent].append(name)
    cycles = (path for name in parents if (path := cycle_through(name, children)))
    return min(cycles, key=len)


def cycle_through(start: str, children: Mapping[str, Sequence[str]]) -> list[str]:
    came_from: dict[str, str] = {}
    pending = deque([start])
    while pending:
        name = pending.popleft()
        for child in children[name]:
            if child == start:
                path = [start, name]
                while path[-1] != start:
                    path.append(came_from[path[-1]])
                return path[::-1] if len(path) > 1 else [start, start]
            if child not in came_from:
                came_from[child] = name
                pending.append(child)
    return []
