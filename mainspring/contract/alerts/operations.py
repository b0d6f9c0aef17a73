"""Operations of alerts, their rules, channels and silences, and their bodies."""

from types import NoneType
from typing import Annotated, Any

import msgspec

from mainspring.contract.alerts.views import (
    AlertInfo,
    AlertPage,
    AlertPlanInfo,
    AlertRuleBody,
    AlertRuleInfo,
    AlertRulePage,
    ChannelBody,
    ChannelInfo,
    ChannelPage,
    FindingPage,
    NoticePage,
    SilenceInfo,
    SilencePage,
    SloBody,
    SloInfo,
    SloPage,
    TestedChannel,
)
from mainspring.contract.base.fields import IdText, Instant, Name, PageLimit, Reason, like
from mainspring.contract.base.operation import Operation, Query
from mainspring.contract.base.view import one_of
from mainspring.domain.access.permissions import Permission
from mainspring.domain.alerts.alert import AlertState
from mainspring.domain.alerts.notice import NoticeState
from mainspring.domain.triggers.plan import OWNER, OWNER_MAX

APPLIED_MAX = 16 * 1024 * 1024
"""Bytes of a set of definitions."""
AlertCursor = Annotated[str, like(r"^[0-9]{1,17}\.[0-9a-f-]{36}$", "The `next` of the previous page.")]


class AckBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    note: Reason = ""


class SilenceBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Which alerts to keep quiet about, by rule and subject, each with `*`; and until when."""

    rule: Name = "*"
    subject: Name = "*"
    until: Instant
    reason: Reason = ""


class AlertPlanBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The whole set of an owner's channels and rules; others of that owner are removed."""

    owner: Annotated[str, msgspec.Meta(min_length=1, max_length=OWNER_MAX, pattern=f"^{OWNER.pattern}$")]
    channels: dict[str, ChannelBody] = {}
    rules: dict[str, AlertRuleBody] = {}
    slos: dict[str, SloBody] = {}
    dry_run: bool = False
    """Plan only; change nothing."""
    adopt: bool = False
    """Take over names that belong to another owner."""


class AlertQuery(Query):
    state: list[Annotated[str, one_of(AlertState)]] = []
    rule: str | None = None
    limit: PageLimit = 50
    cursor: AlertCursor | None = None


class NoticeQuery(Query):
    state: Annotated[str, one_of(NoticeState)] | None = None
    limit: PageLimit = 50
    cursor: AlertCursor | None = None


LIST_ALERT_RULES = Operation(
    "list_alert_rules",
    "GET /api/v1/alert-rules",
    Permission.ALERTS_READ,
    "List the alert rules of a namespace.",
    AlertRulePage,
)
GET_ALERT_RULE = Operation(
    "get_alert_rule", "GET /api/v1/alert-rules/{name}", Permission.ALERTS_READ, "Get an alert rule.", AlertRuleInfo
)
SET_ALERT_RULE = Operation(
    "set_alert_rule",
    "PUT /api/v1/alert-rules/{name}",
    Permission.ALERTS_WRITE,
    "Define an alert rule, or replace it.",
    AlertRuleInfo,
    body=AlertRuleBody,
    repeatable=True,
)
DELETE_ALERT_RULE = Operation(
    "delete_alert_rule",
    "DELETE /api/v1/alert-rules/{name}",
    Permission.ALERTS_WRITE,
    "Delete an alert rule; its alerts end.",
    NoneType,
)
APPLY_ALERTS = Operation(
    "apply_alerts",
    "POST /api/v1/alert-rules/apply",
    Permission.ALERTS_WRITE,
    "Make an owner's channels and alert rules equal to a set of definitions.",
    AlertPlanInfo,
    body=AlertPlanBody,
    body_max=APPLIED_MAX,
    repeatable=True,
)
LIST_ALERTS = Operation(
    "list_alerts",
    "GET /api/v1/alerts",
    Permission.ALERTS_READ,
    "List the alerts of a namespace, the newest first.",
    AlertPage,
    query=AlertQuery,
)
LIST_FINDINGS = Operation(
    "list_findings",
    "GET /api/v1/findings",
    Permission.ALERTS_READ,
    "List what is wrong in a namespace now, since when, and what to do.",
    FindingPage,
)
GET_ALERT = Operation(
    "get_alert",
    "GET /api/v1/alerts/{alert_id}",
    Permission.ALERTS_READ,
    "Get an alert.",
    AlertInfo,
    parts={"alert_id": IdText},
)
ACKNOWLEDGE_ALERT = Operation(
    "acknowledge_alert",
    "POST /api/v1/alerts/{alert_id}/acknowledge",
    Permission.ALERTS_STEER,
    "Acknowledge an alert: no repeats, no escalation.",
    AlertInfo,
    body=AckBody,
    body_optional=True,
    parts={"alert_id": IdText},
    repeatable=True,
)
LIST_SILENCES = Operation(
    "list_silences",
    "GET /api/v1/silences",
    Permission.ALERTS_READ,
    "List the silences of a namespace that have not ended.",
    SilencePage,
)
CREATE_SILENCE = Operation(
    "create_silence",
    "POST /api/v1/silences",
    Permission.ALERTS_STEER,
    "Send no notices about matching alerts until an instant.",
    SilenceInfo,
    status=201,
    body=SilenceBody,
)
END_SILENCE = Operation(
    "end_silence",
    "DELETE /api/v1/silences/{silence_id}",
    Permission.ALERTS_STEER,
    "End a silence before its time.",
    NoneType,
    parts={"silence_id": IdText},
)
LIST_SLOS = Operation(
    "list_slos",
    "GET /api/v1/slos",
    Permission.ALERTS_READ,
    "List the SLOs of a namespace, and how they stand.",
    SloPage,
)
GET_SLO = Operation(
    "get_slo", "GET /api/v1/slos/{name}", Permission.ALERTS_READ, "Get an SLO, and how it stands.", SloInfo
)
SET_SLO = Operation(
    "set_slo",
    "PUT /api/v1/slos/{name}",
    Permission.ALERTS_WRITE,
    "Define an SLO, or replace it. Its burn-rate alerts come with it.",
    SloInfo,
    body=SloBody,
    repeatable=True,
)
DELETE_SLO = Operation(
    "delete_slo",
    "DELETE /api/v1/slos/{name}",
    Permission.ALERTS_WRITE,
    "Delete an SLO that no alert rule names.",
    NoneType,
)
LIST_CHANNELS = Operation(
    "list_channels",
    "GET /api/v1/channels",
    Permission.ALERTS_READ,
    "List the channels of a namespace.",
    ChannelPage,
)
GET_CHANNEL = Operation(
    "get_channel", "GET /api/v1/channels/{name}", Permission.ALERTS_READ, "Get a channel.", ChannelInfo
)
SET_CHANNEL = Operation(
    "set_channel",
    "PUT /api/v1/channels/{name}",
    Permission.ALERTS_WRITE,
    "Define a channel, or replace it.",
    ChannelInfo,
    body=ChannelBody,
    repeatable=True,
)
DELETE_CHANNEL = Operation(
    "delete_channel",
    "DELETE /api/v1/channels/{name}",
    Permission.ALERTS_WRITE,
    "Delete a channel that no alert rule names.",
    NoneType,
)
TEST_CHANNEL = Operation(
    "test_channel",
    "POST /api/v1/channels/{name}/test",
    Permission.ALERTS_STEER,
    "Send a marked message to a channel now, and return its answer.",
    TestedChannel,
)
LIST_NOTICES = Operation(
    "list_notices",
    "GET /api/v1/channels/{name}/notices",
    Permission.ALERTS_READ,
    "List the notices of a channel and what became of them, the newest first.",
    NoticePage,
    query=NoticeQuery,
)
SHOW_ACK_LINK = Operation[Any](
    "show_ack_link",
    "GET /acknowledge/{link}",
    Permission.OPEN,
    "Show the alert of a link in a message, with a button; programs that look at links ahead acknowledge nothing.",
    str,
    documented=False,
)
USE_ACK_LINK = Operation[Any](
    "use_ack_link",
    "POST /acknowledge/{link}",
    Permission.OPEN,
    "Acknowledge the alert of a link in a message; the link stands in for a token.",
    str,
    documented=False,
)
