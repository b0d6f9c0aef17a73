"""Generated from mainspring/client/nouns/alerts.py by `make client-sync`: do not edit."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from mainspring.client.calls import SyncCall, ask
from mainspring.client.values import encode
from mainspring.contract.alerts import operations
from mainspring.contract.alerts.views import (
    AlertInfo,
    AlertPage,
    AlertPlanInfo,
    AlertRuleInfo,
    AlertRulePage,
    ChannelInfo,
    ChannelPage,
    FindingPage,
    NoticePage,
    SilenceInfo,
    SilencePage,
    SloInfo,
    SloPage,
    TestedChannel,
)
from mainspring.domain.alerts.channel import ChannelSpec
from mainspring.domain.alerts.rule import AlertSpec
from mainspring.domain.slos.slo import SloSpec


class AlertRules:
    """`client.alert_rules` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self, name: str) -> AlertRuleInfo:
        return self._call(ask(operations.GET_ALERT_RULE, name))

    def set(self, name: str, rule: AlertSpec) -> AlertRuleInfo:
        """Define a rule, or replace it."""
        return self._call(ask(operations.SET_ALERT_RULE, name, body=encode(rule, "rule")))

    def delete(self, name: str) -> None:
        """Delete a rule; its alerts end."""
        self._call(ask(operations.DELETE_ALERT_RULE, name))

    def apply(
        self,
        owner: str,
        *,
        channels: Mapping[str, ChannelSpec] | None = None,
        rules: Mapping[str, AlertSpec] | None = None,
        slos: Mapping[str, SloSpec] | None = None,
        dry_run: bool = False,
        adopt: bool = False,
    ) -> AlertPlanInfo:
        """Make the owner's channels, rules and SLOs equal to these; with `dry_run`, only show the changes."""
        body: dict[str, Any] = {"owner": owner, "channels": channels or {}, "rules": rules or {}, "slos": slos or {}}
        body |= {"dry_run": dry_run, "adopt": adopt}
        return self._call(ask(operations.APPLY_ALERTS, body=encode(body, "rules"), wait=60.0))

    def list(self) -> AlertRulePage:
        """Every rule of the namespace."""
        return self._call(ask(operations.LIST_ALERT_RULES))


class Alerts:
    """`client.alerts` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self, alert: str) -> AlertInfo:
        return self._call(ask(operations.GET_ALERT, alert))

    def findings(self) -> FindingPage:
        """What is wrong now, the worst first, and what to do: open alerts, and conditions that no rule is about."""
        return self._call(ask(operations.LIST_FINDINGS))

    def acknowledge(self, alert: str, *, note: str = "") -> AlertInfo:
        """Stop repeats and escalation of an alert."""
        return self._call(ask(operations.ACKNOWLEDGE_ALERT, alert, body=operations.AckBody(note=note)))

    def list(
        self, *, states: Sequence[str] = (), rule: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> AlertPage:
        """A page of alerts, the newest first."""
        query = operations.AlertQuery(state=[*states], rule=rule, limit=limit, cursor=cursor)
        return self._call(ask(operations.LIST_ALERTS, query=query))


class Channels:
    """`client.channels` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self, name: str) -> ChannelInfo:
        return self._call(ask(operations.GET_CHANNEL, name))

    def set(self, name: str, channel: ChannelSpec) -> ChannelInfo:
        """Define a channel, or replace it."""
        return self._call(ask(operations.SET_CHANNEL, name, body=encode(channel, "channel")))

    def delete(self, name: str) -> None:
        """Only one that no rule names."""
        self._call(ask(operations.DELETE_CHANNEL, name))

    def test(self, name: str) -> TestedChannel:
        """Send a marked message now, and return the channel's answer."""
        return self._call(ask(operations.TEST_CHANNEL, name, wait=60.0))

    def notices(self, name: str, *, state: str | None = None, limit: int = 50, cursor: str | None = None) -> NoticePage:
        """The notices of a channel and what became of them, the newest first."""
        query = operations.NoticeQuery(state=state, limit=limit, cursor=cursor)
        return self._call(ask(operations.LIST_NOTICES, name, query=query))

    def list(self) -> ChannelPage:
        """Every channel of the namespace."""
        return self._call(ask(operations.LIST_CHANNELS))


class Silences:
    """`client.silences` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def create(self, *, until: datetime, rule: str = "*", subject: str = "*", reason: str = "") -> SilenceInfo:
        """Send no notices about matching alerts until then."""
        body = operations.SilenceBody(rule=rule, subject=subject, until=until, reason=reason)
        return self._call(ask(operations.CREATE_SILENCE, body=body))

    def end(self, silence: str) -> None:
        """End a silence before its time."""
        self._call(ask(operations.END_SILENCE, silence))

    def list(self) -> SilencePage:
        """The silences of the namespace that have not ended."""
        return self._call(ask(operations.LIST_SILENCES))


class Slos:
    """`client.slos` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self, name: str) -> SloInfo:
        """An SLO, and how it stands."""
        return self._call(ask(operations.GET_SLO, name))

    def set(self, name: str, slo: SloSpec) -> SloInfo:
        """Define an SLO, or replace it; its burn-rate alerts come with it."""
        return self._call(ask(operations.SET_SLO, name, body=encode(slo, "slo")))

    def delete(self, name: str) -> None:
        """Only one that no rule names."""
        self._call(ask(operations.DELETE_SLO, name))

    def list(self) -> SloPage:
        """Every SLO of the namespace."""
        return self._call(ask(operations.LIST_SLOS))
