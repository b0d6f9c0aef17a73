"""`mainspring plan` and `apply` of a file of queues, limits, shares and breakers."""

from pathlib import Path

import pytest

from mainspring.cli.commands.dispatch.files import read_dispatch_file
from mainspring.errors import ConfigError
from tests.cli.scene import Shell

FILE = """\
queues:
  letters: {limit: 200, rate: 500/s, ageing: 10m, hurry: 30s, budget: 100000, when_full: shed}
limits:
  erp: {max: 50}
  tenant: {max: 5, key: tenant, of: {acme: 20}}
breakers:
  sms: {failures: 50%, slow: 80% over 2s, window: 30s, min_calls: 20, wait: 10s..10m, probes: 5, ignore: [InvalidNumber]}
"""
GONE = "queues: {letters: null}\nlimits: {erp: null, tenant: null}\nbreakers: {sms: null}\n"


def test_a_plan_is_shown_applied_and_then_empty(call: Shell, tmp_path: Path) -> None:
    file = tmp_path / "dispatch.yaml"
    file.write_text(FILE)
    planned = call("plan", str(file))
    applied = call("apply", str(file))
    again = call("plan", str(file))
    shown = call("queues", "show", "letters")[1]
    sms = call("breakers", "show", "sms")[1]

    assert planned[0] == 7
    assert "+ limit erp\n    at_once: 50\n" in planned[1]
    assert "~ key tenant[acme]\n    at_once: none -> 20\n" in planned[1]
    assert "~ queue letters\n    ageing: none -> 600.0\n" in planned[1]
    assert (applied[0], again[0], again[1]) == (0, 0, "nothing to do\n")
    assert "shed" in shown
    assert "50% failed or 80% over 2 s, of at least 20 calls in 30 s" in sms


def test_an_edit_by_hand_is_drift_and_applying_puts_it_back(call: Shell, tmp_path: Path) -> None:
    file = tmp_path / "dispatch.yaml"
    file.write_text(FILE)
    call("apply", str(file))
    call("limits", "set", "erp", "--at-once", "7")
    call("queues", "change", "letters", "--ageing", "none")
    drifted = call("plan", str(file))
    call("apply", str(file))

    assert drifted[0] == 7
    assert "~ limit erp\n    at_once: 7 -> 50\n" in drifted[1]
    assert "~ queue letters\n    ageing: none -> 600.0\n" in drifted[1]
    assert drifted[1].endswith("2 to change\n")
    assert call("plan", str(file))[0] == 0


def test_what_is_null_is_taken_away_and_what_is_not_named_stays(call: Shell, tmp_path: Path) -> None:
    file, gone = tmp_path / "dispatch.yaml", tmp_path / "gone.yaml"
    file.write_text(FILE)
    gone.write_text(GONE)
    call("apply", str(file))
    call("limits", "set", "by-hand", "--at-once", "3")
    unasked = call("apply", str(gone))
    removed = call("apply", str(gone), "--yes")
    left = call("limits", "list")[1]
    call("limits", "delete", "by-hand")

    assert unasked[0] == 2
    assert (removed[0], call("plan", str(gone))[0]) == (0, 0)
    assert "by-hand" in left
    assert "erp" not in left


def test_such_a_file_goes_alone(call: Shell, tmp_path: Path) -> None:
    file = tmp_path / "dispatch.yaml"
    file.write_text(FILE)

    code, _, said = call("plan", str(file), str(file))
    assert code == 2
    assert "apply it alone" in said


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("limits:\n  erp: {max: 0}\n", 2, "outside 1 to"),
        ("limits:\n  erp: {max: many}\n", 2, "no whole number"),
        ("limits:\n  erp: {}\n", 2, "is missing"),
        ("limits:\n  erp: {max: 5, at_once: 5}\n", 2, "give one of them"),
        ("limits:\n  erp: {max: 5, of: {acme: 2}}\n", 2, "needs a key"),
        ("limits:\n  erp: {rate: 0/s}\n", 2, "no rate"),
        ("limits:\n  erp: {rate: 5/s, burst: 0}\n", 2, "burst"),
        ("queues:\n  mail:\n    agein: 10m\n", 3, "did you mean ageing"),
        ("queues:\n  mail:\n    ageing: soon\n", 3, "no length of time"),
        ("queues:\n  mail:\n    when_full: drop\n", 3, "when_full"),
        ("queues:\n  mail:\n    budget: -1\n", 3, "budget: is 0 to"),
        ("breakers:\n  sms:\n    window: 0.5\n", 3, "outside 1 to 3600"),
        ("breakers:\n  sms: {min_calls: 20, window_calls: 5}\n", 2, "could never open"),
        ("breakers:\n  sms:\n    failures: most\n", 3, "no share"),
        ("shares:\n  mail:\n    acme: 0\n", 3, "no weight"),
        ("shares:\n  mail:\n    acme: 2000\n", 3, "no weight"),
        ("queue:\n  mail: {}\nlimits: {}\n", 2, "did you mean queues"),
        ("limits:\n  - erp\n", 2, "names to values"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, text: str, place: int, words: str) -> None:
    file = tmp_path / "dispatch.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError) as refused:
        read_dispatch_file(file)

    assert f"dispatch.yaml:{place}:" in str(refused.value)
    assert words in str(refused.value)
