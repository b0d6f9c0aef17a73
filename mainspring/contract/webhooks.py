"""Bodies and views of webhooks."""

from datetime import datetime
from typing import Annotated, Any

import msgspec

from mainspring.contract.fields import NAME_MAX
from mainspring.contract.view import View, one_of
from mainspring.domain.triggers.spec import HookAuth
from mainspring.domain.webhooks.call import HEADER_NAME
from mainspring.domain.webhooks.webhook import GRACE_MAX

HEADERS_MAX = 100
HeaderName = Annotated[str, msgspec.Meta(pattern=f"^{HEADER_NAME.pattern}$", max_length=NAME_MAX)]
HeaderValue = Annotated[str, msgspec.Meta(max_length=8192)]


HookAuthText = Annotated[str, one_of(HookAuth)]


class SecretBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    grace: Annotated[float, msgspec.Meta(ge=0, le=GRACE_MAX.total_seconds())] = 0
    """Seconds for which the old secret stays good."""
    new_address: bool = False
    """Whether the address changes as well; the old one ends at once."""


class HookInfo(View, frozen=True, kw_only=True):
    """How a webhook is called; its secret is not shown again."""

    path: str
    """The path of its address on the server."""
    auth: HookAuthText
    made_at: datetime
    """When it got its secret."""
    old_until: datetime | None = None
    """Until when the one before is good as well."""


class HookSecret(View, frozen=True):
    """`secret` is shown only once."""

    secret: str
    hook: HookInfo


class TryBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A call to try out: as a webhook would be sent it, or the data of an event."""

    headers: Annotated[dict[HeaderName, HeaderValue], msgspec.Meta(max_length=HEADERS_MAX)] = {}
    """Of a webhook; their names in small letters."""
    body: str = "{}"
    """As it is sent, to the letter: a signature is of that."""


class CallProblem(View, frozen=True):
    code: str
    detail: str
    field: str | None = None


class TriedCall(View, frozen=True, kw_only=True):
    """What would happen; nothing did."""

    would_run: bool
    signed: bool | None = None
    """For a webhook: whether the signature is accepted."""
    matched: bool | None = None
    """For an event: whether the data match the trigger's filter."""
    unmet: str | None = None
    """The first place in the data that does not match."""
    input: Annotated[Any, msgspec.Meta(extra_json_schema={"type": ["object", "null"]})] = None
    key: str | None = None
    problem: CallProblem | None = None
