"""Checks of the database: from here where this machine is configured to use it, else by the server."""

import asyncio
from collections.abc import Iterator
from datetime import datetime

from mainspring.cli.doctor.probe import fetch
from mainspring.client.calls import ask
from mainspring.contract.operations.cluster import EXAMINE
from mainspring.domain.cluster.cluster_checks import check_seals
from mainspring.domain.cluster.database_checks import check_product, check_running, check_schema
from mainspring.domain.cluster.database_facts import StoreFacts
from mainspring.domain.cluster.finding import Finding, Grade, fail, ok
from mainspring.errors import ConfigError, ForbiddenError, MainspringError, StoreUnavailableError
from mainspring.settings import ClientSettings, ServerSettings
from mainspring.settings.keys import SEAL_MARK, kept_keys, name_of
from mainspring.settings.origins import hidden
from mainspring.store import look_at


def check_database(settings: ServerSettings, now: datetime) -> Iterator[Finding]:
    """Check the database; yields only a failure if it is unreachable."""
    try:
        facts = asyncio.run(look_at(settings.store_url))
    except (StoreUnavailableError, ConfigError) as error:
        yield fail("database", f"{hidden(settings.store_url)}: {error}", "see database_url and whether it is running")
        return
    yield check_product(facts)
    yield check_schema(facts)
    yield check_secrets(facts, settings)
    days = settings.scheduler.retention_days
    yield from check_running(facts, now, pool_size=settings.pool_size, retention_days=days)


def ask_server(target: ClientSettings) -> Iterator[Finding]:
    """What a server finds of its database, for a machine that cannot reach that; one `ok` if the token may not ask."""
    try:
        found = fetch(target, ask(EXAMINE)).findings
    except ForbiddenError:
        yield ok("database", "not asked for: that takes an admin of all namespaces")
        return
    except MainspringError as error:
        yield fail("database", f"the server did not say: {error}", "see the log of the server")
        return
    for one in found:
        yield Finding(one.check, Grade(one.grade), one.found, one.advice, one.code, one.values)


def check_secrets(facts: StoreFacts, settings: ServerSettings) -> Finding:
    """Check that a server with these settings can decrypt the secrets of webhooks."""
    try:
        known = frozenset(SEAL_MARK + name_of(key) for key in kept_keys(settings))
    except ConfigError as error:
        return fail("secrets", str(error), "see secret_keys")
    return check_seals(facts.seals, known, SEAL_MARK)
