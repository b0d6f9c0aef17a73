"""Bugs in how batches are filled and counted."""

from mainspring.domain.batches import batch
from mainspring.store.acts.workflows import acts
from proof.zoo.bug import Bug
from proof.zoo.changing import rewrites

BUGS = [
    Bug(
        name="a run joins a batch that was closed meanwhile",
        origin="a check that looks at the batch before its lock is held",
        breaks="S14: nothing of a workflow run that is over goes on",
        change=rewrites(batch, "refuse_closed", ("if not counts_of(flow).open:", "if False:")),
        caught_by="add x close of a batch",
    ),
    Bug(
        name="a retry sets the count of failures to zero",
        origin="a count that is written, not changed, loses what is noted and not taken up",
        breaks="L5: every workflow run ends",
        change=rewrites(
            acts, "retry_items", ("live.flow.maps[step].failed -= len(rows)", "live.flow.maps[step].failed = 0")
        ),
        caught_by="failure x retry of a batch",
    ),
]
