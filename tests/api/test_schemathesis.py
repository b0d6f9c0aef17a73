"""The API against its own description: every check that schemathesis has, on a real server."""

import asyncio
import os
import sys
from pathlib import Path

from mainspring.domain.jobs.job import JobSpec
from tests.api.conftest import API_TOKEN, Server, serving

HERE = Path(__file__).parent / "fuzz"
EXAMPLES = 5

SEED = "1"
"""The same requests every time, as far as answers do not lead elsewhere; another one finds other mistakes."""


async def test_no_check_fails(tmp_path: Path) -> None:
    # What a job wants of its input is not in the document: this one takes any.
    async with serving(tmp_path, [JobSpec(name="open", handler="open")]) as server:
        ended, said = await examine(server, tmp_path)

    assert ended == 0, said[-20_000:]
    assert "No issues found" in said, said[-2_000:]


async def examine(server: Server, here: Path) -> tuple[int | None, str]:
    examining = await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name("schemathesis"),
        *("--config-file", str(HERE / "schemathesis.toml"), "run", f"{server.url}/api/v1/openapi.json"),
        *("-H", f"Authorization: Bearer {API_TOKEN}", "--checks", "all", "--max-examples", str(EXAMPLES)),
        *("--seed", os.environ.get("SCHEMATHESIS_SEED", SEED)),
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
        cwd=here,
        env={**os.environ, "SCHEMATHESIS_HOOKS": "tests.api.fuzz.hooks", "PYTHONPATH": str(HERE.parents[2])},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await examining.communicate()
    return examining.returncode, said.decode()
