"""Checks of the store's invariants, evaluated by the server."""

from collections.abc import Iterator

import msgspec

from mainspring.cli.doctor.checks.finding import Finding, fail, ok
from mainspring.cli.doctor.probe import fetch
from mainspring.errors import ForbiddenError, MainspringError
from mainspring.settings import ClientSettings

PATH = "/api/v1/invariants"
ADVICE = "keep the database as it is, and report this with the examples"


class Invariant(msgspec.Struct, frozen=True):
    name: str
    says: str
    holds: bool
    examples: list[str] = []


class Invariants(msgspec.Struct, frozen=True):
    invariants: list[Invariant]


def check_invariants(target: ClientSettings) -> Iterator[Finding]:
    """Yield a finding for each invariant; one `ok` if the token may not read them."""
    try:
        found = fetch(target, PATH, Invariants).invariants
    except ForbiddenError:
        yield ok("invariants", "not asked for: that takes an admin of all namespaces")
        return
    except MainspringError as error:
        yield fail("invariants", f"the server did not say: {error}", "see the log of the server")
        return
    yield from map(judge, found)


def judge(invariant: Invariant) -> Finding:
    if invariant.holds:
        return ok(invariant.name, invariant.says)
    return fail(invariant.name, f"violated: {invariant.says}; such as {', '.join(invariant.examples)}", ADVICE)
