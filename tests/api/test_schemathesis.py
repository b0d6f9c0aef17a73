"""The API against its own description: every check that schemathesis has, on a real server."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from tests.api.conftest import API_TOKEN, Server

HERE = Path(__file__).parent / "fuzz"
EXAMPLES = 5

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.timeout(900)
async def test_no_check_fails(server: Server, tmp_path: Path) -> None:
    examining = await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name("schemathesis"),
        *("--config-file", str(HERE / "schemathesis.toml"), "run", f"{server.url}/api/v1/openapi.json"),
        *("-H", f"Authorization: Bearer {API_TOKEN}", "--checks", "all", "--max-examples", str(EXAMPLES)),
        *(
            "--request-timeout",
            "70",
            "--max-response-time",
            "65",
            "--continue-on-failure",
            "--no-color",
            "--warnings",
            "off",
        ),
        cwd=tmp_path,
        env={**os.environ, "SCHEMATHESIS_HOOKS": "tests.api.fuzz.hooks", "PYTHONPATH": str(HERE.parents[2])},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await examining.communicate()

    assert examining.returncode == 0, said.decode()[-20_000:]
    assert b"No issues found" in said, said.decode()[-2_000:]
