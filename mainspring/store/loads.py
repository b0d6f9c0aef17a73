"""How busy an executor was, as a session's row keeps it."""

import msgspec

from mainspring.domain.cluster.session import SessionLoad
from mainspring.domain.jobs.job import Pool

_load = msgspec.json.Decoder(SessionLoad).decode


def stuck_pools(load: str | bytes | None) -> tuple[Pool, ...]:
    """The pools without a usable slot; none if the row has no load, or one that cannot be read."""
    if load is None:
        return ()
    try:
        return tuple(stuck.pool for stuck in _load(load).stuck)
    except msgspec.DecodeError:
        return ()
