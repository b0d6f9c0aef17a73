"""Hides secrets in text that leaves the process: the rule of `config show`, for whole lines."""

import os
import re

from mainspring.settings.concealing import SECRETS
from mainspring.settings.origins import HIDDEN

SHAPES = (
    (re.compile(r"\bms_([a-z2-7]{13})_[a-z2-7]{52}\b"), rf"ms_\1_{HIDDEN}"),
    (
        re.compile(
            r"\b((?:[a-z]+_)?(?:password|passwd|secret|token|api_?key|routing_key)=)[^&\s,;'\"]+", re.IGNORECASE
        ),
        rf"\1{HIDDEN}",
    ),
    (re.compile(r"\b(bearer|basic)\s+[A-Za-z0-9+/=._~-]{8,}", re.IGNORECASE), rf"\1 {HIDDEN}"),
    (re.compile(r"(://[^/\s:@]*:)[^/\s@]+(?=@)"), rf"\1{HIDDEN}"),
)
"""Tokens of ours, parameters that are named like secrets, headers, and passwords in addresses."""
MARKS = ("ms_", "=", "://", "earer", "EARER", "asic", "ASIC")
"""A line without any of these holds none of the shapes."""
# It would be found everywhere.
SHORT = 6
"""A shorter value is not looked for."""
VALUES = tuple(text for name in sorted(SECRETS) if len(text := os.environ.get(name, "")) >= SHORT)
"""The secrets that this process was started with, before they are taken out of its environment."""


def mask(text: str) -> str:
    for value in VALUES:
        text = text.replace(value, HIDDEN)
    if any(mark in text for mark in MARKS):
        for shape, instead in SHAPES:
            text = shape.sub(instead, text)
    return text
