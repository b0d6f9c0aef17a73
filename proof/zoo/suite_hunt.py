"""Looks for a bug with a test of the suite: it must fail with the bug in place, and pass without it."""

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout

import pytest

from proof.zoo.bug import Bug

PASSED, FAILED = 0, 1
"""What pytest ends with."""
PLAIN = ("-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--tb=no", "--assert=plain")


class Failures:
    """The tests that failed."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.names.append(report.nodeid.rpartition("::")[2])


def hunt_in_suite(bug: Bug) -> str | None:
    """The test that failed; None if the bug has escaped, or if the test fails without it."""
    with bug.change():
        ended, failures = run([bug.test])
    if ended != FAILED or run([bug.test])[0] != PASSED:
        return None
    return f"{failures[0]} fails"


def run(tests: Sequence[str]) -> tuple[int, list[str]]:
    failures = Failures()
    with redirect_stdout(sys.stderr):
        ended = pytest.main([*PLAIN, *tests], plugins=[failures])
    return int(ended), failures.names
