"""The bounds of a hello: how much an executor may say of itself before it is let in."""

from collections.abc import Iterable, Sequence, Sized

from mainspring.domain.amounts import AMOUNT_MAX
from mainspring.domain.cluster.pools import check_bounds
from mainspring.domain.cluster.server import check_zone
from mainspring.domain.cluster.session import Abilities, PoolSize
from mainspring.domain.names import JOB_MAX, check_queue_name, check_text
from mainspring.errors import ConfigError, InvalidInputError, TooLargeError
from mainspring.scheduler.operations.check_jobs import check_executor_name, check_spec
from mainspring.wire.messages import Hello, Holding

QUEUES_MAX = 200
HANDLERS_MAX = 2_000
# Each pair is a line that the executor may be asked to serve.
SERVED_MAX = 50_000
"""Queues times handlers."""
JOBS_MAX = 2_000
TRIGGERS_MAX = 5_000
LABELS_MAX = 50
HOLDING_MAX = 200_000
TEXT_MAX = 255
"""Characters of a label, a host, a version."""


def check_hello(hello: Hello) -> None:
    """Raises ConfigError, which ends the executor, unless all that it says of itself can be used."""
    try:
        check_counts(hello)
        check_executor_name(hello.executor)
        check_abilities(hello.abilities)
        for spec in hello.jobs:
            check_spec(spec)
        for name, digest in hello.triggers.items():
            check_plain("triggers", name, digest)
    except InvalidInputError as error:
        raise ConfigError(f"this executor's definitions cannot be used: {error}") from None


def check_counts(hello: Hello) -> None:
    """Raises InvalidInputError, as do the others; before any of the names is looked at."""
    abilities = hello.abilities
    check_count("queues", abilities.queues, QUEUES_MAX)
    check_count("handlers", abilities.handlers, HANDLERS_MAX)
    if len(abilities.queues) * len(abilities.handlers) > SERVED_MAX:
        raise too_many(
            "queues", f"{len(abilities.queues)} of them times {len(abilities.handlers)} handlers", SERVED_MAX
        )
    check_count("labels", abilities.labels, LABELS_MAX)
    check_count("resources", abilities.resources, LABELS_MAX)
    check_count("jobs", hello.jobs, JOBS_MAX)
    check_count("triggers", hello.triggers, TRIGGERS_MAX)
    check_holding(hello.holding)


def check_count(field: str, found: Sized, most: int) -> None:
    if len(found) > most:
        raise too_many(field, str(len(found)), most)


def check_holding(holding: Iterable[Holding]) -> None:
    held = sum(1 + len(batch.runs) for batch in holding)
    if held > HOLDING_MAX:
        raise too_many("holding", str(held), HOLDING_MAX)


def check_abilities(abilities: Abilities) -> None:
    for queue in abilities.queues:
        check_queue_name(queue, "queues")
    for handler in abilities.handlers:
        check_text(handler, "handlers", most=JOB_MAX, code="bad_handler")
    check_plain("labels", *abilities.labels, *abilities.labels.values())
    check_plain("resources", *abilities.resources)
    if not all(0 <= amount <= AMOUNT_MAX for amount in abilities.resources.values()):
        raise InvalidInputError("resources", f"an amount is outside 0 to {AMOUNT_MAX:.0e}", code="bad_resources")
    check_plain("code_version", abilities.code_version)
    check_plain("host", abilities.host)
    check_zone("zone", abilities.zone)
    check_pools(abilities.pools)


def check_pools(pools: Sequence[PoolSize]) -> None:
    if len({size.pool for size in pools}) < len(pools):
        raise InvalidInputError("pools", "one of them is named twice", code="bad_pools")
    for size in pools:
        check_bounds(size)


def check_plain(field: str, *texts: str) -> None:
    """Texts for people, which may be empty."""
    for text in texts:
        if len(text) > TEXT_MAX or not text.isprintable():
            raise InvalidInputError(field, f"needs at most {TEXT_MAX} printable characters", code=f"bad_{field}")


def too_many(field: str, found: str, most: int) -> TooLargeError:
    return TooLargeError(field, f"{found} are more than {most}", code="too_many")
