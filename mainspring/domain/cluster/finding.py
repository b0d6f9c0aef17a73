"""The result of one of the doctor's checks, with its remedy."""

from collections.abc import Mapping
from enum import StrEnum

import msgspec


class Grade(StrEnum):
    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


class Finding(msgspec.Struct, frozen=True):
    """One line of the doctor's report."""

    check: str
    grade: Grade
    found: str
    advice: str = ""
    code: str = ""
    """Names the sentence, for callers that say it in another language; empty: it is said in English only."""
    values: Mapping[str, str | float] = {}
    """What the sentence names."""


def ok(check: str, found: str, code: str = "", **values: str | float) -> Finding:
    return Finding(check, Grade.OK, found, code=code, values=values)


def warn(check: str, found: str, advice: str, code: str = "", **values: str | float) -> Finding:
    return Finding(check, Grade.WARN, found, advice, code, values)


def fail(check: str, found: str, advice: str, code: str = "", **values: str | float) -> Finding:
    return Finding(check, Grade.FAIL, found, advice, code, values)
