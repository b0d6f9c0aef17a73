"""A type checker finds a wrong call of a job before it is made."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import ROOT

SAMPLES = [ROOT / "tests" / "typing" / name for name in ("jobs.py", "workflows.py")]

WRONG = """
from tests.typing.jobs import Ship, add

add.call(lft=1)
Ship.enqueue_sync(nmber=1)
reveal_type(add)
"""

pytestmark = pytest.mark.slow


def mypy(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mypy", "--no-error-summary", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_jobs_are_typed_as_the_sample_says() -> None:
    done = mypy(*map(str, SAMPLES))

    assert (done.stdout, done.returncode) == ("", 0), done.stdout + done.stderr


def test_what_a_wrong_call_is_told_names_the_right_argument(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(WRONG)
    done = mypy(str(wrong))

    assert done.returncode == 1
    assert 'Unexpected keyword argument "lft"' in done.stdout
    assert 'did you mean "left"?' in done.stdout
    assert 'Unexpected keyword argument "nmber"' in done.stdout
    assert "FunctionJob[[left: int, right: int =], int, [left: int, right: int =], int]" in done.stdout
