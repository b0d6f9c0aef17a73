"""Operations of executors, and their bodies."""

from typing import Annotated

import msgspec

from mainspring.contract.base.fields import PageLimit, Reason, like
from mainspring.contract.base.operation import Operation, Query
from mainspring.contract.executors import ExecutorPage, ExecutorSessions
from mainspring.domain.access.permissions import Permission
from mainspring.domain.cluster.pools import ROOM_MAX
from mainspring.domain.cluster.session import GRACE_MAX
from mainspring.domain.jobs.job import Pool

GRACE_DEFAULT = 30.0
POOL_NAMES = {"propertyNames": {"enum": [pool.value for pool in Pool]}}


class CordonBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: Reason = ""


class DrainBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: Reason = ""
    grace: Annotated[float, msgspec.Meta(ge=0, le=GRACE_MAX)] = GRACE_DEFAULT
    """Seconds that attempts under way have to end by themselves."""


class PoolSizeBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A pool's size."""

    core: Annotated[int, msgspec.Meta(ge=0, le=ROOM_MAX)]
    """Slots that are kept."""
    max: Annotated[int, msgspec.Meta(ge=1, le=ROOM_MAX)]
    """Slots that there may be."""
    queue: Annotated[int, msgspec.Meta(ge=0, le=ROOM_MAX)]
    """Attempts that may wait on the executor for a slot."""


class ResizeBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    pools: Annotated[dict[Pool, PoolSizeBody | None], msgspec.Meta(min_length=1, extra_json_schema=POOL_NAMES)]
    """By pool: `loop`, `threads` or `processes`. Null: the size that the executor was started with. Pools that are not named
    stay as they are."""
    reason: Reason = ""


ExecutorCursor = Annotated[
    str, like(r"^(([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([^\x00]*))?$")
]


class ExecutorQuery(Query):
    limit: PageLimit = 50
    cursor: ExecutorCursor | None = None


LIST_EXECUTORS = Operation(
    "list_executors",
    "GET /api/v1/executors",
    Permission.EXECUTORS_READ,
    "List the connected executors by name.",
    ExecutorPage,
    query=ExecutorQuery,
)
GET_EXECUTOR = Operation(
    "get_executor",
    "GET /api/v1/executors/{name}",
    Permission.EXECUTORS_READ,
    "Get an executor with its handlers and some of its running attempts.",
    ExecutorSessions,
)
CORDON_EXECUTOR = Operation(
    "cordon_executor",
    "POST /api/v1/executors/{name}/cordon",
    Permission.EXECUTORS_STEER,
    "Stop sending new runs to an executor, across restarts. Running attempts continue.",
    ExecutorSessions,
    body=CordonBody,
    body_optional=True,
)
UNCORDON_EXECUTOR = Operation(
    "uncordon_executor",
    "POST /api/v1/executors/{name}/uncordon",
    Permission.EXECUTORS_STEER,
    "Send runs to an executor again, after a cordon or a drain.",
    ExecutorSessions,
    body=CordonBody,
    body_optional=True,
)
DRAIN_EXECUTOR = Operation(
    "drain_executor",
    "POST /api/v1/executors/{name}/drain",
    Permission.EXECUTORS_STEER,
    "Cordon an executor and let it finish or hand back its attempts. It stays connected, and idle.",
    ExecutorSessions,
    body=DrainBody,
    body_optional=True,
)
RESIZE_EXECUTOR = Operation(
    "resize_executor",
    "PATCH /api/v1/executors/{name}/pools",
    Permission.EXECUTORS_STEER,
    "Change the sizes of an executor's pools at run time, across reconnects and restarts.",
    ExecutorSessions,
    body=ResizeBody,
)
