"""Refusals to delete calendars and jobs that triggers need."""

from collections.abc import Sequence

from mainspring.errors import ConflictError

TRIGGERS_NAMED = 3
"""How many of them an error names."""


def refuse_triggered(job: str, triggers: Sequence[str]) -> None:
    """Raise ConflictError if there are triggers that start the job."""
    if triggers:
        named = ", ".join(repr(name) for name in triggers[:TRIGGERS_NAMED])
        more = " and others" if len(triggers) > TRIGGERS_NAMED else ""
        raise ConflictError(
            "job", job, f"is started by {named}{more}: delete these triggers first", code="job_triggered"
        )
