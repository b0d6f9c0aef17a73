"""What callers are told when the database is held or lost in the middle of what they asked for."""

import sqlite3
from pathlib import Path

import pytest

from mainspring.api.errors import honest, problem_of
from mainspring.client.transport.problems import error_of
from mainspring.domain.jobs.job import JobSpec
from mainspring.errors import OutcomeUnknownError, StoreBusyError, StoreUnavailableError
from mainspring.store.sqlite import transactions
from tests.api.conftest import serving


@pytest.mark.parametrize(
    ("method", "in_doubt", "code"),
    [
        ("POST", True, "outcome_unknown"),
        ("DELETE", True, "outcome_unknown"),
        ("POST", False, "store_unavailable"),
        ("GET", True, "store_unavailable"),
    ],
)
def test_a_change_whose_outcome_is_not_known_is_called_so(method: str, in_doubt: bool, code: str) -> None:
    problem = problem_of(honest(method, StoreUnavailableError("lost", in_doubt=in_doubt)))

    assert (problem.status, problem.code) == (503, code)


@pytest.mark.parametrize("kind", [StoreBusyError, StoreUnavailableError, OutcomeUnknownError])
def test_a_client_raises_what_the_server_said(kind: type[Exception]) -> None:
    answer = f'{{"code": "{kind.code}", "detail": "so"}}'.encode()  # type: ignore[attr-defined]

    assert type(error_of(503, answer)) is kind


async def test_a_file_that_another_program_holds_is_told_within_the_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transactions, "SETTINGS", ("busy_timeout = 50", *transactions.SETTINGS[1:]))
    async with serving(tmp_path, [JobSpec(name="open", handler="open")]) as server:
        other = sqlite3.connect(tmp_path / "mainspring.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        refused = [await server.post({"job": "open", "key": key}) for key in ("j", "k")]
        other.execute("ROLLBACK")
        other.close()
        accepted = await server.post({"job": "open", "key": "k"})

    for answer in refused:
        assert (answer.status_code, answer.json()["code"]) == (503, "store_busy")
        assert int(answer.headers["retry-after"]) > 0
        assert "another process is holding" in answer.json()["detail"]
    assert (accepted.status_code, accepted.json().get("existing", False)) == (201, False)
