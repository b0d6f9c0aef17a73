"""`mainspring enqueue --wait` of a workflow, and bulk operations on its runs, against a real server."""

from pathlib import Path

import msgspec
import pytest

from tests.cli.scene import Shell

pytestmark = pytest.mark.slow

FLOW = """
owner: followed
workflows:
  - name: followed
    steps:
      first: {job: greet, mapping: {name: $.input.name}}
      second: {job: greet, mapping: {name: $.first}}
    result: $.second
  - name: outer
    steps:
      inner: {job: followed, mapping: {name: $.input.name}}
    result: $.inner
  - name: resting
    steps:
      rest: {sleep: 0.01s}
  - name: dozing
    steps:
      rest: {sleep: 1h}
"""


@pytest.fixture
def applied(call: Shell, tmp_path: Path) -> None:
    file = tmp_path / "flows.yaml"
    file.write_text(FLOW)
    assert call("apply", str(file))[0] == 0


@pytest.mark.usefixtures("applied")
def test_the_steps_of_a_workflow_and_of_those_below_it_are_told_as_they_end(call: Shell) -> None:
    code, printed, told = call("enqueue", "outer", "name=Anna", "--wait")

    assert code == 0, told
    assert printed.startswith('"')
    assert {"inner: succeeded", "inner.first: succeeded", "inner.second: succeeded"} <= set(told.splitlines())


@pytest.mark.usefixtures("applied")
def test_a_sweep_over_workflow_runs_is_shown_before_it_is_begun(call: Shell) -> None:
    shown = call("sweeps", "create", "resume", "--job", "followed", "--dry-run")
    done = call("sweeps", "create", "resume", "--job", "followed", "--wait", "-o", "json")
    refused = call("sweeps", "create", "skip", "--job", "followed")

    assert shown[:2] == (0, "0 runs\n")
    assert (done[0], msgspec.json.decode(done[1])["state"]) == (0, "done")
    assert (refused[0], "terms.step" in refused[2]) == (3, True)


@pytest.mark.usefixtures("applied")
def test_the_runs_of_a_workflow_are_listed_without_those_of_its_waits(call: Shell) -> None:
    assert call("enqueue", "resting", "--wait")[0] == 0
    listed = call("workflows", "runs", "list", "resting", "--state", "succeeded", "-o", "name")[1].split()
    [run] = listed
    steps = msgspec.json.decode(call("workflows", "runs", "steps", run, "-o", "json")[1])["runs"]
    [rest] = [one["run"] for one in steps]

    assert set(call("runs", "list", "--job", "resting", "-o", "name")[1].split()) == {run, rest}
    assert f"rest of {run}" in call("runs", "show", rest)[1]
    assert f"it is the run of a step of {run}" in call("workflows", "runs", "show", rest)[2]
    assert call("workflows", "runs", "list", "resting", "--state", "failed", "-o", "name")[1] == ""


@pytest.mark.usefixtures("applied")
def test_workflow_runs_are_listed_by_what_they_wait_for(call: Shell) -> None:
    run = call("enqueue", "dozing")[1].split()[-1]
    found: list[str] = []
    while found != [run]:
        found = call("workflows", "runs", "list", "dozing", "--waiting-for", "sleep", "-o", "name")[1].split()
    shown = call("workflows", "runs", "list", "dozing")[1]

    assert "rest" in shown
    assert "sleep" in shown
    assert call("workflows", "runs", "list", "dozing", "--failed-step", "rest", "-o", "name")[1] == ""
    assert call("runs", "cancel", run)[0] == 0
