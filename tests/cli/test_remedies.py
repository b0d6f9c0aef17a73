"""Every command that `why` and findings name exists."""

import re
from pathlib import Path

import click
import pytest

from mainspring.cli.main import command
from mainspring.domain.alerts import trouble
from mainspring.domain.limits import (
    explain,
    explain_gates,
    explain_lanes,
    explain_resources,
    explain_trigger,
    obstacles,
)

NAMED = re.compile(r"mainspring ([a-z-]+)(?: ([a-z-]+))?")
SOURCES = (explain, explain_gates, explain_lanes, explain_resources, explain_trigger, obstacles, trouble)


def named() -> set[tuple[str, str]]:
    texts = [Path(str(source.__file__)).read_text() for source in SOURCES]
    verbs = {tuple(verb.split()[:2]) for verb in explain.REMEDIES.values()}
    return {(first, second) for text in texts for first, second in NAMED.findall(text)} | {
        (first, second) for first, second in verbs
    }


@pytest.mark.parametrize(("noun", "verb"), sorted(named()))
def test_it_is_a_command(noun: str, verb: str) -> None:
    context = click.Context(command)
    group = command.get_command(context, noun)

    assert group is not None
    assert not verb or not isinstance(group, click.Group) or group.get_command(context, verb) is not None
