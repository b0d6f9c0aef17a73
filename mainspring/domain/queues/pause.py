"""A pause: runs are accepted and not started; attempts under way go on."""

from datetime import datetime

import msgspec


class Pause(msgspec.Struct, frozen=True, kw_only=True):
    """Of a queue, a job, a namespace, or (as maintenance) the whole cluster."""

    reason: str
    by: str
    since: datetime
    until: datetime | None = None
    """When it ends by itself; None: by an operator's word alone."""
