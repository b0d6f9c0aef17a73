"""Operations of webhooks, and their bodies."""

from typing import Annotated, Any

import msgspec

from mainspring.contract.base.fields import NAME_MAX, like
from mainspring.contract.base.operation import Operation
from mainspring.contract.operations.triggers import TriggerName
from mainspring.contract.runs import AcceptedRun
from mainspring.contract.webhooks import HookCallList, HookInfo, HookSecret, TriedCall
from mainspring.domain.access.permissions import Permission
from mainspring.domain.webhooks.call import HEADER_NAME
from mainspring.domain.webhooks.webhook import GRACE_MAX, HOOK_ID

HEADERS_MAX = 100
HeaderName = Annotated[str, msgspec.Meta(pattern=f"^{HEADER_NAME.pattern}$", max_length=NAME_MAX)]
HeaderValue = Annotated[str, msgspec.Meta(max_length=8192)]


class SecretBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    grace: Annotated[float, msgspec.Meta(ge=0, le=GRACE_MAX.total_seconds())] = 0
    """Seconds for which the old secret stays good."""
    new_address: bool = False
    """Whether the address changes as well; the old one ends at once."""


class TryBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A call to try out: as a webhook would be sent it, or the data of an event."""

    headers: Annotated[dict[HeaderName, HeaderValue], msgspec.Meta(max_length=HEADERS_MAX)] = {}
    """Of a webhook; their names in small letters."""
    body: str = "{}"
    """As it is sent, to the letter: a signature is of that."""


HOOK_BODY_MAX = 1024 * 1024
TRY_BODY_MAX = HOOK_BODY_MAX + 64 * 1024
HookId = Annotated[str, like(f"^{HOOK_ID.pattern}$")]

CALL_HOOK = Operation(
    "call_hook",
    "POST /hooks/{id}",
    Permission.OPEN,
    "Call a webhook. A signature or the webhook's secret stands in for a token.",
    AcceptedRun,
    status=202,
    body=Any,
    body_max=HOOK_BODY_MAX,
    parts={"id": HookId},
    tag="webhooks",
)
GET_HOOK = Operation(
    "get_hook",
    "GET /api/v1/triggers/{name}/secret",
    Permission.TRIGGERS_READ,
    "Get the address of a webhook and the age of its secret.",
    HookInfo,
    parts={"name": TriggerName},
    tag="webhooks",
)
LIST_HOOK_CALLS = Operation(
    "list_hook_calls",
    "GET /api/v1/triggers/{name}/calls",
    Permission.TRIGGERS_READ,
    "List the newest calls of a webhook: the run of each, or why it was refused.",
    HookCallList,
    parts={"name": TriggerName},
    tag="webhooks",
)
ROTATE_SECRET = Operation(
    "rotate_secret",
    "POST /api/v1/triggers/{name}/secret",
    Permission.TRIGGERS_WRITE,
    "Give a webhook its address and first secret, or a new secret. Only this answer contains it.",
    HookSecret,
    body=SecretBody,
    body_optional=True,
    parts={"name": TriggerName},
    tag="webhooks",
)
TRY_CALL = Operation(
    "try_call",
    "POST /api/v1/triggers/{name}/test",
    Permission.TRIGGERS_WRITE,
    "Show what a call of a webhook, or an event with these data, would do. Nothing is changed.",
    TriedCall,
    body=TryBody,
    body_max=TRY_BODY_MAX,
    parts={"name": TriggerName},
    tag="webhooks",
)
