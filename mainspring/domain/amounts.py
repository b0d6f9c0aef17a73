"""Amounts as people write them: `2`, `1.5`, `512MiB`, `4GiB`."""

import re
from typing import Any

AMOUNT = re.compile(r"(\d{1,15}(?:\.\d{1,6})?)\s*([A-Za-z]*)")
UNITS = {
    "": 1,
    "k": 1e3,
    "M": 1e6,
    "G": 1e9,
    "kB": 1e3,
    "MB": 1e6,
    "GB": 1e9,
    "TB": 1e12,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
    "TiB": 2**40,
}
AMOUNT_MAX = 1e15
EXAMPLES = "2, 1.5 or 16GiB"


def read_amount(text: Any) -> Any:
    """A number with its unit as a number; any other value is returned as it is, for the rules to refuse."""
    found = AMOUNT.fullmatch(text.strip()) if isinstance(text, str) else None
    return float(found[1]) * UNITS[found[2]] if found is not None and found[2] in UNITS else text


def show_amount(name: str, amount: float) -> str:
    """An amount for people; of memory with its unit."""
    if name == "memory" and amount >= UNITS["MiB"]:
        unit = "GiB" if amount >= UNITS["GiB"] else "MiB"
        return f"{amount / UNITS[unit]:g} {unit}"
    return f"{amount:g}"
