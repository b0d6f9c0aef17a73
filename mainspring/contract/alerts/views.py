"""Views of alerts, their rules, channels and silences."""

from datetime import date, datetime
from typing import Annotated, Any

from mainspring.contract.base.view import View, one_of, schema_of
from mainspring.domain.alerts.alert import AlertState, NoticeKind
from mainspring.domain.alerts.channel import ChannelSpec
from mainspring.domain.alerts.notice import NoticeState
from mainspring.domain.alerts.plan import PlannedAct
from mainspring.domain.alerts.rule import AlertKind, AlertSpec, Severity
from mainspring.domain.slos.slo import SloSpec


class AlertRuleBody(AlertSpec, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"for_": "for"}):
    """A whole rule; fields left out have their defaults."""


class ChannelBody(ChannelSpec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole channel. A secret that is sent as `sealed:` stays as it is."""


AlertRuleJson = Annotated[Any, schema_of(AlertRuleBody)]
ChannelJson = Annotated[Any, schema_of(ChannelBody)]


class AlertRuleInfo(View, frozen=True, kw_only=True):
    """A rule."""

    name: str
    namespace: str
    version: int
    spec: AlertRuleJson
    owner: str = ""
    """The owner that applied it; empty: it was defined through the API."""
    author: str = ""
    updated_at: datetime


class AlertRulePage(View, frozen=True):
    alert_rules: list[AlertRuleInfo]


class ChannelInfo(View, frozen=True, kw_only=True):
    """A channel. Secrets that are kept in the database are shown as `sealed:`."""

    name: str
    namespace: str
    version: int
    spec: ChannelJson
    owner: str = ""
    author: str = ""
    updated_at: datetime
    warnings: list[str] = []
    """What would keep messages from being sent, such as a reference that is not set on this server."""


class ChannelPage(View, frozen=True):
    channels: list[ChannelInfo]


class AlertInfo(View, frozen=True, kw_only=True):
    """An alert: a rule's condition on one subject, from its beginning to its end."""

    id: str
    namespace: str
    rule: str
    subject: str
    severity: Annotated[str, one_of(Severity)]
    state: Annotated[str, one_of(AlertState)]
    since_at: datetime
    fired_at: datetime | None = None
    ended_at: datetime | None = None
    value: float = 0.0
    words: str = ""
    run: str = ""
    """A run that shows it; empty: none does."""
    notified_at: datetime | None = None
    notices: int = 0
    escalated_at: datetime | None = None
    acked_at: datetime | None = None
    acked_by: str = ""
    note: str = ""
    rule_deleted: bool = False
    """It is over because its rule was deleted, and nobody looks any more: perhaps nothing has got better."""


class FindingInfo(View, frozen=True, kw_only=True):
    """Something that is wrong now, and what to do about it."""

    kind: Annotated[str, one_of(AlertKind)]
    severity: Annotated[str, one_of(Severity)]
    subject: str
    words: str
    since_at: datetime | None = None
    """Since when, as far as it is known."""
    remedy: str
    """A command to begin with, or the runbook of the rule."""
    run: str = ""
    """A run that shows it; empty: none does."""
    rule: str = ""
    """The alert rule that found it; empty: it is looked for without a rule, and no channel is told."""
    alert: str = ""
    """The alert; empty: there is none."""
    acked_by: str = ""


class FindingPage(View, frozen=True, kw_only=True):
    """The findings of a namespace, the worst first."""

    findings: list[FindingInfo]
    more: int
    """How many are left out."""
    taken_at: datetime
    """When the facts were gathered."""
    fresh: bool
    """Whether roll-ups and the survey are new enough to say that something is well."""


class AlertPage(View, frozen=True):
    """A page; `next` is the cursor of the next one."""

    alerts: list[AlertInfo]
    next: str | None


class NoticeInfo(View, frozen=True, kw_only=True):
    """A message to a channel, and what became of it."""

    id: str
    channel: str
    kind: Annotated[str, one_of(NoticeKind)]
    rule: str = ""
    alerts: list[str] = []
    state: Annotated[str, one_of(NoticeState)]
    tries: int = 0
    made_at: datetime
    next_at: datetime
    sent_at: datetime | None = None
    answer: str = ""


class NoticePage(View, frozen=True):
    """A page; `next` is the cursor of the next one."""

    notices: list[NoticeInfo]
    next: str | None


class TestedChannel(View, frozen=True):
    """The channel's answer to a test message."""

    ok: bool
    answer: str


class SilenceInfo(View, frozen=True, kw_only=True):
    id: str
    rule: str
    subject: str
    until: datetime
    author: str
    reason: str
    made_at: datetime


class SilencePage(View, frozen=True):
    silences: list[SilenceInfo]


class SloBody(SloSpec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole SLO; fields left out have their defaults."""


SloJson = Annotated[Any, schema_of(SloBody)]


class SloDayInfo(View, frozen=True):
    """A day of an SLO, in UTC."""

    day: date
    good: int
    bad: int
    """Runs; of `fired` fire times, and of `fresh` minutes."""


class SloInfo(View, frozen=True, kw_only=True):
    """An SLO, and how it stands."""

    name: str
    namespace: str
    version: int
    spec: SloJson
    within: float | None = None
    """The time that counts: that of the SLO, rounded up to the edge of a bucket."""
    good: int = 0
    bad: int = 0
    """Runs in its window."""
    budget_left: float | None = None
    """The share of the error budget that is left, below 0 once it is overspent; null: its job does not exist."""
    few: bool = True
    """Whether there are too few runs for burn rates: then bad runs are counted."""
    burn_1h: float = 0.0
    burn_6h: float = 0.0
    burn_3d: float = 0.0
    worst: list[SloDayInfo] = []
    """The five days of its window with most that was bad, the worst first."""
    owner: str = ""
    author: str = ""
    updated_at: datetime


class SloPage(View, frozen=True):
    slos: list[SloInfo]


class PlannedAlert(View, frozen=True, kw_only=True):
    """One change of a plan."""

    noun: str
    """`rule`, `channel` or `slo`."""
    name: str
    act: Annotated[str, one_of(PlannedAct)]
    fields: list[str] = []
    owner: str = ""


class AlertPlanInfo(View, frozen=True, kw_only=True):
    owner: str
    applied: bool
    kept: int
    items: list[PlannedAlert]
