"""Zones by their names, and the probable one for an unknown name."""

import re
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from mainspring.errors import InvalidInputError

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}")
ODD = frozenset({"right", "posix", "localtime", "posixrules", "Factory"})
"""What lies beside the zones on some machines: of one machine only, or with leap seconds counted in."""


@lru_cache(maxsize=1024)
def zone_of(name: str, field: str = "zone") -> ZoneInfo:
    """Raises InvalidInputError, with the nearest zone if one is near."""
    if len(name) > 100 or not NAME.fullmatch(name) or name.partition("/")[0] in ODD:
        raise unknown(name, field)
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise unknown(name, field) from None


def unknown(name: str, field: str) -> InvalidInputError:
    near = nearest(name[:100])
    hint = f"; did you mean {near}?" if near else ", such as Europe/Berlin"
    return InvalidInputError(field, f"{name[:100]!r} is not a zone of the IANA database{hint}", code="unknown_zone")


@lru_cache(maxsize=1024)
def nearest(name: str) -> str:
    """The zone whose name, or whose city's name, is spelt most alike; empty if none is."""
    import difflib  # noqa: PLC0415 only for those who mistype

    wanted = name.strip().lower().replace(" ", "_")
    if not wanted:
        return ""
    whole = {zone.lower(): zone for zone in sorted(known())}
    cities = {zone.lower().rpartition("/")[2]: zone for zone in sorted(known(), reverse=True)}
    if found := whole.get(wanted) or cities.get(wanted):
        return found
    if close := difflib.get_close_matches(wanted, whole, n=1, cutoff=0.7):
        return whole[close[0]]
    close = difflib.get_close_matches(wanted.rpartition("/")[2], cities, n=1, cutoff=0.7)
    return cities[close[0]] if close else ""


@lru_cache(maxsize=1)
def known() -> frozenset[str]:
    """All names; reading them takes a while, which only those who mistype have to wait."""
    return frozenset(zone for zone in available_timezones() if zone.partition("/")[0] not in ODD)
