"""Address books are small, and nobody loads one that no setting names."""

import subprocess
import sys

import pytest

from mainspring.discovery.address import BUILT_IN
from tests.architecture.source import ROOT

MOST = 150
ADAPTERS = sorted({place.partition(":")[0] for place in BUILT_IN.values()})
LOADED = """
import sys
import mainspring.cli.processes.executor, mainspring.executor.process.executor, mainspring.client, mainspring.cli.main
print(*sys.modules)
"""


@pytest.mark.parametrize("module", ADAPTERS)
def test_an_adapter_is_small(module: str) -> None:
    lines = (ROOT / f"{module.replace('.', '/')}.py").read_text().splitlines()

    assert 20 < len(lines) <= MOST


def test_an_executor_a_client_and_the_command_line_load_no_adapter_unless_an_address_names_it() -> None:
    said = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True).stdout.split()

    assert "mainspring.discovery.directory" in said
    assert not {*ADAPTERS, "kazoo", "dns", "mainspring.discovery.http"} & set(said)
