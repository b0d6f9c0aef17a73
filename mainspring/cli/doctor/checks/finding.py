"""The result of a check, with its remedy."""

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


def ok(check: str, found: str) -> Finding:
    return Finding(check, Grade.OK, found)


def warn(check: str, found: str, advice: str) -> Finding:
    return Finding(check, Grade.WARN, found, advice)


def fail(check: str, found: str, advice: str) -> Finding:
    return Finding(check, Grade.FAIL, found, advice)
