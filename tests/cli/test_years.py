"""Instants that no server knows: refused in one line by every option that takes one."""

from collections.abc import Iterator

import click
import pytest

from mainspring.cli import durations
from mainspring.cli.commands.triggers import fields as trigger_fields
from mainspring.cli.main import command
from tests.cli.scene import Shell

READERS = (durations.read_since, durations.read_ahead, trigger_fields.read_instant)
OUTSIDE = [
    "0001-01-01T00:00:00Z",
    "0001-01-01",
    "1899-12-31T23:59:59Z",
    "3000-01-01T00:00:00Z",
    "9999-12-31T23:59:59-12:00",
]
NO_INSTANTS = ["NaN", "infinity", "1e308", "2030-02-31"]


def options(at: click.Command) -> Iterator[tuple[click.Command, click.Parameter]]:
    """Every option below a command that is read as an instant."""
    if isinstance(at, click.Group):
        context = click.Context(at)
        for name in at.list_commands(context):
            below = at.get_command(context, name)
            assert below is not None
            yield from options(below)
    yield from ((at, each) for each in at.params if each.callback in READERS)


@pytest.mark.parametrize("value", [*OUTSIDE, *NO_INSTANTS, "999999w"])
def test_every_option_refuses_what_is_no_known_instant(value: str) -> None:
    found = list(options(command))
    asked = [(at, option) for at, option in found if value != "999999w" or option.callback in READERS[:2]]
    for at, option in asked:
        with pytest.raises(click.BadParameter):
            option.process_value(click.Context(at), value)

    assert len(found) > 10


@pytest.mark.parametrize("value", [*OUTSIDE, *NO_INSTANTS])
def test_so_does_enqueue_with_its_own_option(shell: Shell, value: str) -> None:
    code, _, said = shell("enqueue", "report", "--due-at", value)

    assert code == 2
    assert "--due-at: " in said
    assert "Traceback" not in said
