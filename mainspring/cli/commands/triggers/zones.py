"""Writes fire times in the trigger's own zone."""

from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from mainspring.contract.triggers import TriggerInfo

UTC_ZONE = ZoneInfo("UTC")


def zoned(trigger: TriggerInfo, at: datetime | None) -> str | None:
    """Write a fire time with its offset; in UTC if the rule has no zone or this machine does not know it."""
    return in_zone(zone_of(trigger), at)


def in_zone(zone: ZoneInfo, at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(zone).isoformat(sep=" ", timespec="seconds")


def zone_of(trigger: TriggerInfo) -> ZoneInfo:
    try:
        return ZoneInfo(trigger.spec["when"].get("zone") or UTC_ZONE.key)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC_ZONE
