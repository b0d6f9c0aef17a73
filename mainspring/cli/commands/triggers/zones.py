"""Instants of a trigger as the clock of its own zone shows them, wherever the viewer is."""

from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from mainspring.client.views.triggers import TriggerInfo

UTC_ZONE = ZoneInfo("UTC")


def zoned(trigger: TriggerInfo, at: datetime | None) -> str | None:
    """With its offset; in UTC if the rule follows no clock on a wall, or this machine does not know its zone."""
    return in_zone(zone_of(trigger), at)


def in_zone(zone: ZoneInfo, at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(zone).isoformat(sep=" ", timespec="seconds")


def zone_of(trigger: TriggerInfo) -> ZoneInfo:
    try:
        return ZoneInfo(trigger.spec["when"].get("zone") or UTC_ZONE.key)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC_ZONE
