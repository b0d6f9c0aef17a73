"""Checks of the store's invariants, evaluated by the server."""

from collections.abc import Iterator

from mainspring.cli.doctor.probe import fetch
from mainspring.client.calls import ask
from mainspring.contract.cluster import InvariantInfo
from mainspring.contract.operations.cluster import LIST_INVARIANTS
from mainspring.domain.cluster.finding import Finding, fail, ok
from mainspring.errors import ForbiddenError, MainspringError
from mainspring.settings import ClientSettings

ADVICE = "keep the database as it is, and report this with the examples"


def check_invariants(target: ClientSettings) -> Iterator[Finding]:
    """Yield a finding for each invariant; one `ok` if the token may not read them."""
    try:
        found = fetch(target, ask(LIST_INVARIANTS)).invariants
    except ForbiddenError:
        yield ok("invariants", "not asked for: that takes an admin of all namespaces")
        return
    except MainspringError as error:
        yield fail("invariants", f"the server did not say: {error}", "see the log of the server")
        return
    yield from map(judge, found)


def judge(invariant: InvariantInfo) -> Finding:
    if invariant.holds:
        return ok(invariant.name, invariant.says)
    return fail(invariant.name, f"violated: {invariant.says}; such as {', '.join(invariant.examples)}", ADVICE)
