"""Lengths of time as people write them: `90`, `45s`, `10m`, `1h30m`, `7d`, `2w`."""

import re

NUMBER = r"\d{1,9}(?:\.\d{1,6})?"
LENGTH = re.compile(rf"{NUMBER}|(?:{NUMBER}[wdhms])+")
PART = re.compile(rf"({NUMBER})([wdhms]?)")
UNITS = {"w": 604_800, "d": 86_400, "h": 3600, "m": 60, "s": 1, "": 1}
ORDER = "wdhms"
EXAMPLES = "45s, 10m, 1h30m or 7d"


def read_length(text: str) -> float | None:
    """Seconds; None unless it is a number, or numbers with units, the largest first and each once."""
    if LENGTH.fullmatch(text) is None:
        return None
    parts = PART.findall(text)
    places = [ORDER.find(unit) for _, unit in parts]
    if places != sorted(set(places)):
        return None
    return float(sum(float(number) * UNITS[unit] for number, unit in parts))
