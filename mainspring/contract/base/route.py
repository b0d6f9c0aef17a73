"""The route of a single run."""

from typing import Annotated

import msgspec

from mainspring.contract.base.fields import Name
from mainspring.domain.limits.rules import KEYS_MAX
from mainspring.domain.names import EXECUTOR_MAX
from mainspring.domain.routing.route import OnAbsent, Strategy
from mainspring.domain.routing.rules import NAMES_MAX, PATIENCE_MAX

ExecutorName = Annotated[str, msgspec.Meta(min_length=1, max_length=EXECUTOR_MAX)]


class RouteBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The route of a single run."""

    strategy: Strategy
    """Any but `broadcast`."""
    executors: Annotated[tuple[ExecutorName, ...], msgspec.Meta(max_length=NAMES_MAX)] = ()
    """Of `fixed` and `failover`: by name, in order."""
    key: Annotated[tuple[Name, ...], msgspec.Meta(max_length=KEYS_MAX)] = ()
    """Of `hash`: places in the input."""
    on_absent: OnAbsent | None = None
    """Once its executor stays away or full: `wait` is the default of `fixed`, `reroute` that of the others."""
    patience: Annotated[float, msgspec.Meta(ge=0, le=PATIENCE_MAX)] = 5.0
    """Seconds that its executor may be away, or full, before that."""
