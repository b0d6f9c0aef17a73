"""Tests never sleep, and none is switched off."""

import re
from fnmatch import translate

from tests.architecture.source import suite
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
is_refused = re.compile("|".join(map(translate, REFUSED))).match


def test_a_test_waits_for_events_not_for_time_and_is_never_skipped() -> None:
    found = [
        f"{source.name}:{line} uses {name}"
        for source in suite()
        for line, name in uses(source.tree)
        if is_refused(name)
    ]

    assert found == []
