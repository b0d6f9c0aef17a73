"""Tests never sleep, and none is switched off."""

from fnmatch import fnmatch

import pytest

from tests.architecture.source import Source, suite
from tests.architecture.uses import uses

REFUSED = (
    "time.sleep",
    "asyncio.sleep",
    "anyio.sleep",
    "pytest.skip",
    "pytest.xfail",
    "pytest.importorskip",
    "pytest.mark.skip",
    "pytest.mark.skipif",
    "pytest.mark.xfail",
    "unittest.skip*",
    "unittest.mock.*",
)


@pytest.mark.parametrize("source", suite(), ids=lambda source: source.name)
def test_a_test_waits_for_events_not_for_time_and_is_never_skipped(source: Source) -> None:
    found = [
        f"{source.name}:{line} uses {name}"
        for line, name in uses(source.tree)
        if any(fnmatch(name, refused) for refused in REFUSED)
    ]

    assert found == []
