"""Bugs in what is decided about steps: all of them are of other systems."""

from mainspring.domain.workflows import advance, again, stages
from mainspring.domain.workflows import compile as compiling
from mainspring.domain.workflows.advance import Advance
from mainspring.domain.workflows.values import ResultPlace
from mainspring.scheduler.workflows.mover import Mover
from proof.zoo.bug import Bug
from proof.zoo.changing import requeries, rewrites, together

NOTED = """
WITH noted AS (
  INSERT INTO mainspring.notes (workflow, step, state, runs)
  SELECT s.workflow, s.step, 3, 1 FROM mainspring.steps AS s WHERE s.run = ANY (:run::uuid[])
)
"""
"""The end of a step whose run has only begun."""

BUGS = [
    Bug(
        name="an input that cannot be put together leaves its step waiting",
        origin="https://github.com/argoproj/argo-workflows/issues/14337",
        breaks="L5: every workflow run ends",
        change=rewrites(
            Advance,
            "begin",
            (
                "self.moved.refusals.append(Refusal(number, error.code, str(error)))\n        self.finish(number, FAILED)\n",
                "",
            ),
        ),
        caught_by="success x sweep before an input that misses",
    ),
    Bug(
        name="a result that cannot be read leaves its workflow run under way",
        origin="https://github.com/hatchet-dev/hatchet/issues/3276",
        breaks="L5: every workflow run ends",
        change=together(
            rewrites(
                ResultPlace, "value", ("except (msgspec.DecodeError, RecursionError):", "except ZeroDivisionError:")
            ),
            rewrites(Mover, "__call__", ("except Exception as error:", "except ZeroDivisionError as error:")),
        ),
        caught_by="success without a readable result x sweep",
    ),
    Bug(
        name="a retry of a step forgets what comes behind it",
        origin="https://github.com/celery/celery/issues/6631",
        breaks="S37: what comes behind a step that runs again runs again",
        change=rewrites(again, "retry_from", ("{number, *graph.descendants(number)}", "{number}")),
        caught_by="retry from a step x sweep",
    ),
    Bug(
        name="a skipped parent counts as failed if the other one has not ended yet",
        origin="https://github.com/apache/airflow/issues/19222",
        breaks="S14: states follow from rules and ends, in whatever order these come",
        change=rewrites(
            compiling,
            "counting",
            (
                "failed = mine.count(FAILED) + mine.count(CANCELLED)",
                "failed = mine.count(FAILED) + mine.count(CANCELLED) + (0 if succeeded else skipped)",
            ),
        ),
        caught_by="success x success of branches",
    ),
    Bug(
        name="a wait that is to be skipped parks its workflow run",
        origin="https://github.com/windmill-labs/windmill/issues/9821",
        breaks="L5: every workflow run ends",
        change=rewrites(
            Advance, "decide", ("self.skip(number, Skip.WHEN)", "step.wait is None and self.skip(number, Skip.WHEN)")
        ),
        caught_by="success x sweep before a wait that is skipped",
    ),
    Bug(
        name="unfinished items of a late workflow run count as skipped, and it as succeeded",
        origin="https://github.com/apache/airflow/issues/37332",
        breaks="S14: what a deadline ends has failed",
        change=together(
            rewrites(
                advance,
                "settled_state",
                ("if counts.failed > failures", "if counts.failed - counts.cancelled > failures"),
                ("return CANCELLED if halted else None", "return SUCCEEDED if halted else None"),
            ),
            rewrites(
                stages,
                "outcome_of",
                ("return FAILED if flow.requests & FlowRequest.DEADLINE else SUCCEEDED", "return SUCCEEDED"),
            ),
        ),
        caught_by="deadline x take up of a map",
    ),
    Bug(
        name="what comes behind an inner workflow run does not wait for it",
        origin="https://oban.pro/docs/pro/changelog.html",
        breaks="S14: a step begins when its rule holds",
        change=requeries(
            "wait_for_steps",
            (
                "UPDATE mainspring.runs",
                f"{NOTED} UPDATE mainspring.runs",
            ),
            database="postgres",
        ),
        caught_by="begin of an inner workflow run x take up",
    ),
]
