"""The recorded walk-through is what a new user sees: it is played again, with real processes."""

import pytest

from scripts.walk_through import PAGE, record
from tests.docs.blocks import read

pytestmark = [pytest.mark.slow]


async def test_a_new_user_sees_what_the_page_shows() -> None:
    assert await record() == PAGE.read_text(), "run: make docs-walk"


def test_the_page_has_what_a_new_user_does() -> None:
    typed = " ".join(command.text for block in read(PAGE).of("console") for command in block.commands())

    for words in (
        "init",
        "up",
        "enqueue",
        "doctor",
        "runs list",
        "runs show",
        "runs logs",
        "runs retry",
        "runs cancel",
    ):
        assert f"mainspring {words}" in typed
    for words in ("queues pause", "queues resume", "top --once"):
        assert f"mainspring {words}" in typed
