"""The lines about workflow runs in the records of a trial."""

from proof.lines import Record


class FlowRow(Record, frozen=True, kw_only=True, tag="flow"):
    """D: a workflow run that is over, or under way."""

    run: str
    job: str
    spec: str
    """Its definition, JSON."""
    states: dict[str, str]
    """Of its steps, by their names."""


class StepRow(Record, frozen=True, kw_only=True, tag="step"):
    """D: the run of a step, or of an item of a map."""

    workflow: str
    step: str
    item: int | None
    run: str
    state: str
    """Empty: there is no such run."""
    result: str = ""
    """JSON."""
