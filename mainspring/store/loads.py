"""How busy an executor was, as a session's row keeps it."""

import msgspec

from mainspring.domain.cluster.session import SessionLoad
from mainspring.domain.jobs.job import Pool

_load = msgspec.json.Decoder(SessionLoad).decode


def read_load(load: str | bytes | None) -> SessionLoad | None:
    """None if the row has no load, or one that cannot be read."""
    try:
        return None if load is None else _load(load)
    except msgspec.DecodeError:
        return None


def stuck_pools(load: str | bytes | None) -> tuple[Pool, ...]:
    """The pools without a usable slot."""
    found = read_load(load)
    return () if found is None else tuple(stuck.pool for stuck in found.stuck)
