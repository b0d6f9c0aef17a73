"""Bugs in what becomes of runs that are set aside."""

from mainspring.domain.runs import retry
from mainspring.executor.attempts.steps import AttemptCheckpoints
from mainspring.scheduler.settlement import settle_attempts
from mainspring.scheduler.settlement.due_runs import ResumeRuns
from proof.zoo.bug import Bug
from proof.zoo.changing import rewrites

SUSPENDS = frozenset({"suspend"})

BUGS = [
    Bug(
        name="a wish to suspend is forgotten at the end of an attempt",
        origin="a wish that is looked at while the attempt goes on, and not when it ends",
        breaks="S35: what is suspended is given to nobody",
        needs=SUSPENDS,
        change=rewrites(
            settle_attempts,
            "after_attempt",
            ("if held.suspend and (decision.state", "if False and (decision.state"),
        ),
    ),
    Bug(
        name="a handler that is to yield never does",
        origin="a message that arrives, and that nobody acts on",
        breaks="S35: a handler yields at its next checkpoint or step",
        needs=SUSPENDS,
        change=rewrites(AttemptCheckpoints, "yield_if_asked", ("if self._attempt.suspending:", "if False:")),
    ),
    Bug(
        name="a yield counts as a failure",
        origin="an ending that is neither a success nor a failure, and is taken for the latter",
        breaks="S35: what is suspended is neither a failure nor a loss",
        needs=SUSPENDS,
        change=rewrites(
            retry,
            "after_outcome",
            (
                "return after_yielding(end, held)",
                "return retry_or_fail(end, held, policy=spec.retry, now=now, jitter=jitter)",
            ),
        ),
    ),
    Bug(
        name="a suspended run sleeps through its instant",
        origin="a timer that dies with the process that set it",
        breaks="S35: what is suspended goes on at its instant",
        needs=SUSPENDS,
        change=rewrites(ResumeRuns, "next_due", ("return await self._store.runs.next_resume()", "return None")),
    ),
]
