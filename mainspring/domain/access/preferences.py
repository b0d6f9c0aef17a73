"""What a person chose about how the console looks and acts, wherever that person signs in."""

import re
from typing import Literal

import msgspec

from mainspring.errors import InvalidInputError

ZONE_MAX = 64
ZONE = re.compile(r"(?:[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*)?")
"""As browsers name zones; empty: that of the browser."""


Theme = Literal["auto", "light", "dark"]
Density = Literal["compact", "regular", "roomy"]
Language = Literal["en", "zh"]
Range = Literal["15m", "1h", "24h", "7d"]
"""How much time charts show first."""


class Preferences(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """None: the person has not chosen, and each browser does as it likes."""

    language: Language | None = None
    theme: Theme | None = None
    density: Density | None = None
    zone: str | None = None
    own_zone: str | None = None
    """The zone that the clock offers beside the browser's own and UTC."""
    keys: bool | None = None
    """Whether single keys act."""
    range: Range | None = None


def check_preferences(chosen: Preferences) -> Preferences:
    """Raises InvalidInputError, which names the field."""
    for field in ("zone", "own_zone"):
        zone = getattr(chosen, field)
        if zone is not None and (len(zone) > ZONE_MAX or not ZONE.fullmatch(zone)):
            raise InvalidInputError(field, "is no name of a time zone, such as Europe/Berlin", code="bad_zone")
    return chosen
