"""Alerts, their rules, channels and silences."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from mainspring.client.calls import AsyncCall, ask
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


class AsyncAlertRules:
    """`client.alert_rules` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, name: str) -> AlertRuleInfo:
        return await self._call(ask(operations.GET_ALERT_RULE, name))

    async def set(self, name: str, rule: AlertSpec) -> AlertRuleInfo:
        """Define a rule, or replace it."""
        return await self._call(ask(operations.SET_ALERT_RULE, name, body=encode(rule, "rule")))

    async def delete(self, name: str) -> None:
        """Delete a rule; its alerts end."""
        await self._call(ask(operations.DELETE_ALERT_RULE, name))

    async def apply(
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
        return await self._call(ask(operations.APPLY_ALERTS, body=encode(body, "rules"), wait=60.0))

    async def list(self) -> AlertRulePage:
        """Every rule of the namespace."""
        return await self._call(ask(operations.LIST_ALERT_RULES))


class AsyncAlerts:
    """`client.alerts` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, alert: str) -> AlertInfo:
        return await self._call(ask(operations.GET_ALERT, alert))

    async def findings(self) -> FindingPage:
        """What is wrong now, the worst first, and what to do: open alerts, and conditions that no rule is about."""
        return await self._call(ask(operations.LIST_FINDINGS))

    async def acknowledge(self, alert: str, *, note: str = "") -> AlertInfo:
        """Stop repeats and escalation of an alert."""
        return await self._call(ask(operations.ACKNOWLEDGE_ALERT, alert, body=operations.AckBody(note=note)))

    async def list(
        self, *, states: Sequence[str] = (), rule: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> AlertPage:
        """A page of alerts, the newest first."""
        query = operations.AlertQuery(state=[*states], rule=rule, limit=limit, cursor=cursor)
        return await self._call(ask(operations.LIST_ALERTS, query=query))


class AsyncChannels:
    """`client.channels` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, name: str) -> ChannelInfo:
        return await self._call(ask(operations.GET_CHANNEL, name))

    async def set(self, name: str, channel: ChannelSpec) -> ChannelInfo:
        """Define a channel, or replace it."""
        return await self._call(ask(operations.SET_CHANNEL, name, body=encode(channel, "channel")))

    async def delete(self, name: str) -> None:
        """Only one that no rule names."""
        await self._call(ask(operations.DELETE_CHANNEL, name))

    async def test(self, name: str) -> TestedChannel:
        """Send a marked message now, and return the channel's answer."""
        return await self._call(ask(operations.TEST_CHANNEL, name, wait=60.0))

    async def notices(
        self, name: str, *, state: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> NoticePage:
        """The notices of a channel and what became of them, the newest first."""
        query = operations.NoticeQuery(state=state, limit=limit, cursor=cursor)
        return await self._call(ask(operations.LIST_NOTICES, name, query=query))

    async def list(self) -> ChannelPage:
        """Every channel of the namespace."""
        return await self._call(ask(operations.LIST_CHANNELS))


class AsyncSilences:
    """`client.silences` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def create(self, *, until: datetime, rule: str = "*", subject: str = "*", reason: str = "") -> SilenceInfo:
        """Send no notices about matching alerts until then."""
        body = operations.SilenceBody(rule=rule, subject=subject, until=until, reason=reason)
        return await self._call(ask(operations.CREATE_SILENCE, body=body))

    async def end(self, silence: str) -> None:
        """End a silence before its time."""
        await self._call(ask(operations.END_SILENCE, silence))

    async def list(self) -> SilencePage:
        """The silences of the namespace that have not ended."""
        return await self._call(ask(operations.LIST_SILENCES))


class AsyncSlos:
    """`client.slos` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, name: str) -> SloInfo:
        """An SLO, and how it stands."""
        return await self._call(ask(operations.GET_SLO, name))

    async def set(self, name: str, slo: SloSpec) -> SloInfo:
        """Define an SLO, or replace it; its burn-rate alerts come with it."""
        return await self._call(ask(operations.SET_SLO, name, body=encode(slo, "slo")))

    async def delete(self, name: str) -> None:
        """Only one that no rule names."""
        await self._call(ask(operations.DELETE_SLO, name))

    async def list(self) -> SloPage:
        """Every SLO of the namespace."""
        return await self._call(ask(operations.LIST_SLOS))
