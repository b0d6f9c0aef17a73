"""Checks of the server: reachable, ready, version and clock."""

import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import msgspec

from mainspring.cli.doctor.probe import ProbeAnswer, probe_one
from mainspring.client.transport.versions import numbers
from mainspring.clock import Clock
from mainspring.contract.cluster import ReadinessInfo
from mainspring.domain.cluster.durability import Durability
from mainspring.domain.cluster.finding import Finding, Grade, fail, ok, warn
from mainspring.errors import UnavailableError
from mainspring.settings import ClientSettings
from mainspring.settings.loopback import is_loopback
from mainspring.version import __version__

APART_MAX = timedelta(seconds=5)
"""Tolerated difference of clocks; the server's Date header counts seconds."""
EXPIRES_SOON = timedelta(days=14)


def check_server(target: ClientSettings, clock: Clock) -> list[Finding]:
    """Check all servers, usable ones first; the failure of one is a warning if another works."""
    checked = [list(check_one(url, target, clock)) for url in target.url]
    good = [findings for findings in checked if findings[0].grade is not Grade.FAIL]
    bad = [findings for findings in checked if findings[0].grade is Grade.FAIL]
    if good:
        bad = [[warn(one.check, f"{one.found}; calls go to another server", one.advice)] for one, *_ in bad]
    return [finding for findings in (*good, *bad) for finding in findings]


def check_one(url: str, target: ClientSettings, clock: Clock) -> Iterator[Finding]:
    """Check one server, with a token in more detail; yields only a failure if it does not answer."""
    try:
        version, now = probe_one(url, target, "/version"), clock.now()
        readiness = probe_one(url, target, "/readyz")
    except UnavailableError as error:
        yield fail("server", str(error), "start one with 'mainspring up', or name another by --url or --context")
        return
    if not version.is_ours:
        found = f"{url} answers, but is not a Mainspring server"
        yield fail("server", found, "look at the address and the port")
        return
    yield check_readiness(url, readiness)
    yield check_versions(version.version)
    yield check_clock(version, now)
    yield check_encryption(url, version.certificate, now)


def check_readiness(url: str, answer: ProbeAnswer) -> Finding:
    found = msgspec.json.decode(answer.content, type=ReadinessInfo)
    if not found.ready:
        return fail("server", f"{url} is not ready: {found.reason}", "its log says more")
    if found.executors is None:
        return ok("server", f"{url} is ready")
    if found.durability == Durability.UNSAFE:
        wrong = (
            f"{url} is ready, but a crash of its database can lose what it has accepted (durability {found.durability})"
        )
        return warn("server", wrong, "set fsync, full_page_writes and synchronous_commit to on in PostgreSQL")
    kept = f"; commits of its database are {found.durability}" if found.durability else ""
    return ok("server", f"{url} is ready; executors connected to it: {found.executors}{kept}")


def check_versions(theirs: str, ours: str = __version__) -> Finding:
    if not theirs:
        return ok("versions", f"{ours} here; the server tells its own to callers with a good token")
    if theirs == ours:
        return ok("versions", f"{ours} here and there")
    if numbers(theirs)[:2] == numbers(ours)[:2]:
        return ok("versions", f"{ours} here, {theirs} there: they fit")
    newer = numbers(theirs) > numbers(ours)
    found = f"the server is {theirs}, {'newer' if newer else 'older'} than {ours} here"
    return warn("versions", found, "upgrade mainspring here" if newer else "upgrade the server")


def check_clock(answer: ProbeAnswer, now: datetime) -> Finding:
    if answer.said_at is None:
        return warn("clock", "the server does not tell its time", "is something between that takes it away?")
    apart = now - answer.said_at
    if abs(apart) <= APART_MAX:
        return ok("clock", "the same here and there")
    found = f"{abs(apart.total_seconds()):.0f} s {'ahead of' if apart > timedelta(0) else 'behind'} the server"
    return warn("clock", f"this machine is {found}", "let both follow a time server")


def check_encryption(url: str, certificate: dict[str, Any] | None, now: datetime) -> Finding:
    """Check that the connection is encrypted."""
    if certificate is None and is_loopback(urlsplit(url).hostname or ""):
        return ok("encryption", "none, and none needed on one machine")
    if certificate is None:
        return warn("encryption", "none: tokens and inputs can be read on the way", "give the server a certificate")
    ends = datetime.fromtimestamp(ssl.cert_time_to_seconds(certificate["notAfter"]), UTC)
    if ends - now < EXPIRES_SOON:
        found = f"the certificate expires in {(ends - now).days} days, on {ends:%Y-%m-%d}"
        return warn("encryption", found, "renew it")
    return ok("encryption", f"TLS, with a certificate until {ends:%Y-%m-%d}")
