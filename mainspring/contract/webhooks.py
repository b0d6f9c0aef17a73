"""Bodies and views of webhooks."""

from datetime import datetime
from typing import Annotated, Any

import msgspec

from mainspring.contract.base.view import View, one_of
from mainspring.domain.triggers.spec import HookAuth

HookAuthText = Annotated[str, one_of(HookAuth)]


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


class HookCallInfo(View, frozen=True, kw_only=True):
    """One call of a webhook; bodies and headers are not kept."""

    at: datetime
    run: str | None
    """The run that it made, or that had its key before; null: it was refused."""
    existing: bool
    """Whether that run was there before."""
    code: str | None
    """Of the refusal,"""
    detail: str | None
    """and its sentence."""


class HookCallList(View, frozen=True):
    """The newest 50, written down within a second or two."""

    calls: list[HookCallInfo]


class CallProblem(View, frozen=True):
    code: str
    detail: str
    field: str | None = None


class TriedCall(View, frozen=True, kw_only=True):
    """The effect that a call would have; nothing was done."""

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
