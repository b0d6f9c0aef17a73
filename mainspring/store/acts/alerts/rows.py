"""Rows of alerts, of their definitions, of notices and of silences."""

from typing import Any

import msgspec

from mainspring.domain.alerts.alert import Alert, AlertState, NoticeKind, Silence
from mainspring.domain.alerts.channel import Channel, ChannelSpec
from mainspring.domain.alerts.notice import Notice, NoticeState
from mainspring.domain.alerts.rule import AlertRule, AlertSpec, Severity
from mainspring.domain.slos.slo import Slo, SloSpec
from mainspring.store.tx import Row

DEFINITION_KEY = ("noun", "namespace", "name")
read_texts = msgspec.json.Decoder(tuple[str, ...]).decode


def rule_row(row: Row) -> AlertRule:
    return AlertRule(**common(row), spec=msgspec.json.decode(row["spec"], type=AlertSpec))


def channel_row(row: Row) -> Channel:
    spec = msgspec.json.decode(row["spec"], type=ChannelSpec)
    return Channel(**common(row), spec=spec, secrets=row["secrets"])


def common(row: Row) -> dict[str, Any]:
    return {name: row[name] for name in ("namespace", "name", "version", "owner", "author", "updated_at")}


def definition_row(row: Row) -> object:
    """A definition of any noun."""
    return DEFINITIONS[row["noun"]](row)


def slo_row(row: Row) -> Slo:
    return Slo(**common(row), spec=msgspec.json.decode(row["spec"], type=SloSpec))


DEFINITIONS = {"rule": rule_row, "channel": channel_row, "slo": slo_row}


def alert_fields(alert: Alert) -> dict[str, Any]:
    return msgspec.structs.asdict(alert) | {
        "severity": alert.severity.value,
        "state": alert.state.value,
        "told": msgspec.json.encode(alert.told),
    }


def alert_row(row: Row) -> Alert:
    fields = {name: row[name] for name in Alert.__struct_fields__}
    read = {
        "severity": Severity(row["severity"]),
        "state": AlertState(row["state"]),
        "told": read_texts(row["told"]),
    }
    return Alert(**fields | read)


def notice_fields(notice: Notice) -> dict[str, Any]:
    fields = msgspec.structs.asdict(notice)
    return {
        **fields,
        "topic": fields.pop("group"),
        "kind": notice.kind.value,
        "state": notice.state.value,
        "alerts": msgspec.json.encode(notice.alerts),
    }


def notice_row(row: Row) -> Notice:
    fields = {name: row[name] for name in Notice.__struct_fields__ if name != "group"}
    read = {
        "group": row["topic"],
        "kind": NoticeKind(row["kind"]),
        "state": NoticeState(row["state"]),
        "alerts": read_texts(row["alerts"]),
    }
    return Notice(**fields | read)


def silence_row(row: Row) -> Silence:
    return Silence(**{name: row[name] for name in Silence.__struct_fields__})
