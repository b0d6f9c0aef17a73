"""The doctor's checks of servers and of what always holds: from what was found to findings."""

from collections import Counter
from collections.abc import Iterator, Sequence

from mainspring.domain.cluster.finding import Finding, fail, ok, warn
from mainspring.domain.cluster.invariants import INVARIANTS, Violation

REPORT = "keep the database as it is, and report this with the examples"
SHARED = "give each its own advertise_url, or leave it out and set balance = false where they share a load balancer"
LOCKED = "some secrets of webhooks were sealed with a key that is not here: their callers are refused"


def check_servers(named: Sequence[tuple[str, str]]) -> Finding:
    """Check for servers, given by name and address, that name one address."""
    # Executors sent to another server would come back to any of them.
    taken = Counter(url for _, url in named if url)
    shared = [url for url, count in taken.items() if count > 1]
    if not shared:
        return ok("servers", f"{len(named)} alive, each with an address of its own", "servers", servers=len(named))
    names = " and ".join(name for name, url in named if url == shared[0])
    found = f"{names} name one address, {shared[0]}"
    return warn("servers", found, SHARED, "servers_shared", names=names, url=shared[0])


def check_seals(seals: Sequence[bytes], known: frozenset[bytes], mark: bytes) -> Finding:
    """Check that secrets of webhooks, by how they begin, can be opened with the keys that are known."""
    plain = [seal for seal in seals if not seal.startswith(mark)]
    locked = [seal for seal in seals if seal.startswith(mark) and seal not in known]
    if locked:
        return fail("secrets", LOCKED, "give all servers the same secret_keys, or those webhooks new secrets", "locked")
    if plain:
        advice = "rotate them: mainspring triggers secret NAME"
        return warn("secrets", "some secrets of webhooks are not sealed", advice, "unsealed")
    return ok("secrets", "sealed, with keys that are here" if seals else "none", "sealed" if seals else "no_secrets")


def check_invariants(broken: Sequence[Violation]) -> Iterator[Finding]:
    if not broken:
        yield ok("invariants", f"all {len(INVARIANTS)} hold", "invariants", invariants=len(INVARIANTS))
    for one in broken:
        examples = ", ".join(one.examples)
        found = f"violated: {one.says}; such as {examples}"
        yield fail(one.name, found, REPORT, "invariant_broken", invariant=one.name, examples=examples)
