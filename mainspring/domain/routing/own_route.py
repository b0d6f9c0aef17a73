"""Routes of single runs: the address of their line carries the route, and the executor once one is chosen.

In the line `@?["",{"strategy":"round_robin"}]` such runs wait for their executor; in `@?["press-1",{…}]` stand those that are
for press-1 by the same route. So a run is routed again by its own route, and other runs of its job are not looked at for it.
"""

from functools import lru_cache

import msgspec

from mainspring.domain.jobs.job import Job
from mainspring.domain.queues.line import ADDRESS_ANY, Line
from mainspring.domain.routing.route import Route, Strategy

OWN = "@?"


class OwnRoute(msgspec.Struct, frozen=True, array_like=True):
    """An address read again."""

    executor: str
    """Empty: yet to be chosen."""
    route: Route


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(OwnRoute).decode


def own_address(route: Route, executor: str = "") -> str:
    return OWN + _encode(OwnRoute(executor, route)).decode()


@lru_cache(maxsize=4096)
def own_route(address: str) -> OwnRoute | None:
    """None: it is the address of no run's own route."""
    if not address.startswith(OWN):
        return None
    try:
        return _decode(address.removeprefix(OWN))
    except msgspec.DecodeError:
        # The version of a canary may begin so.
        return None


def waits_for_choice(address: str) -> bool:
    """Whether runs with this address have a route of their own and no executor yet."""
    own = own_route(address)
    return own is not None and not own.executor


def route_of(line: Line, job: Job | None) -> Route:
    """The route of a line's runs: their own, or else their job's."""
    own = own_route(line.address)
    if own is not None:
        return own.route
    return Route() if job is None else job.spec.policy.route


def executor_of(line: Line) -> str:
    """The executor, or the version, that a line is for; empty: any, or none yet."""
    own = own_route(line.address)
    return line.address if own is None else own.executor


def addressed_to(line: Line, executor: str) -> Line:
    """The line for the same runs once they have that executor."""
    own = own_route(line.address)
    address = executor if own is None else own_address(own.route, executor)
    return msgspec.structs.replace(line, address=address)


def lobby_of(line: Line) -> Line:
    """The line in which the runs stand that have no executor yet."""
    return addressed_to(line, ADDRESS_ANY)


def chosen_route(route: Route, job: Job) -> Route | None:
    """The route of a run that asked for this one; None: it is the job's own way, any free executor."""
    if route.strategy is not Strategy.ANY:
        return route
    # Among executors that the job's route would choose from one by one, any is the one with the most room.
    return msgspec.structs.replace(route, strategy=Strategy.LEAST_LOADED) if job.spec.policy.routed else None
