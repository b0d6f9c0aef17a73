"""Options of a job that could not mean anything are refused where the job is defined, with its name and the field."""

from datetime import timedelta
from typing import Any

import pytest

from mainspring import App, Trigger
from mainspring.domain.jobs.job import OnLost, Pool, RetryPolicy
from mainspring.errors import InvalidInputError
from mainspring.executor.handlers.options import JobLimits
from mainspring.executor.handlers.registry import Handlers


class SoldOutError(Exception): ...


def order(item: str) -> None: ...


@pytest.mark.parametrize(
    ("options", "field", "code", "words"),
    [
        ({"foo": 1}, "foo", "unknown_option", "is no option of a job (job 'order')"),
        ({"retries": 5}, "retries", "unknown_option", "did you mean retry?"),
        ({"prioirty": 9}, "prioirty", "unknown_option", "did you mean priority?"),
        ({"retry": 3}, "retry", "bad_retry", "3 is no RetryPolicy, such as RetryPolicy(attempts=3)"),
        ({"retry": None}, "retry", "bad_retry", "None is no RetryPolicy"),
        ({"retry": RetryPolicy(attempts="3")}, "retry.attempts", "bad_attempts", "Expected `int`, got `str`"),  # type: ignore[arg-type]
        ({"retry": RetryPolicy(attempts=0)}, "retry.attempts", "bad_attempts", "0 is outside 1"),
        ({"retry": RetryPolicy(retry_on="OSError")}, "retry.retry_on", "bad_retry_on", "Expected `array`, got `str`"),
        ({"retry": RetryPolicy(give_up_on=(int,))}, "retry.give_up_on[0]", "bad_give_up_on", "got `type`"),  # type: ignore[arg-type]
        ({"retry": RetryPolicy(backoff=float("nan"))}, "retry.backoff", "bad_backoff", "nan is outside 0"),
        ({"retry": RetryPolicy(budget=timedelta(0))}, "retry.budget", "bad_budget", "0.0 is not more than 0"),
        ({"name": 5}, "name", "bad_name", "Expected `str`, got `int`"),
        ({"name": ""}, "name", "bad_job", "needs 1 to 200"),
        ({"queue": 5}, "queue", "bad_queue", "Expected `str`, got `int`"),
        ({"priority": "x"}, "priority", "bad_priority", "Expected `int`, got `str`"),
        ({"priority": True}, "priority", "bad_priority", "Expected `int`, got `bool`"),
        ({"priority": 10}, "priority", "bad_priority", "10 is outside 0 (least urgent) to 9"),
        ({"pool": "bogus"}, "pool", "bad_pool", "'bogus' is none of loop, threads, processes"),
        ({"timeout": "5s"}, "timeout", "bad_timeout", "got `str`"),
        ({"timeout": -1}, "timeout", "bad_timeout", "-1.0 is not more than 0"),
        ({"deadline": timedelta(0)}, "deadline", "bad_deadline", "0.0 is not more than 0"),
        ({"start_within": float("inf")}, "start_within", "bad_start_within", "inf is not more than 0"),
        ({"on_lost": "forget"}, "on_lost", "bad_on_lost", "'forget' is none of retry, fail, ask"),
        ({"losses_max": 0}, "losses_max", "bad_losses_max", "0 is outside 1"),
        ({"losses_max": "3"}, "losses_max", "bad_losses_max", "Expected `int`, got `str`"),
    ],
)
def test_what_a_job_cannot_say_is_refused_with_its_name(
    options: dict[str, Any], field: str, code: str, words: str
) -> None:
    with pytest.raises(InvalidInputError) as refused:
        Handlers().add(order, **options)

    assert (refused.value.field, refused.value.code) == (field, code)
    assert words in str(refused.value)
    assert f"(job {options.get('name', 'order')!r})" in str(refused.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"crn": "0 6 * * *"}, "crn: is no option of a job; did you mean cron? (job 'order')"),
        ({"triggers": Trigger(every=60)}, "is no list of triggers, such as [Trigger(cron='0 6 * * *')] (job 'order')"),
        ({"triggers": ["0 6 * * *"]}, "triggers: ['0 6 * * *'] is no list of triggers"),
    ],
)
def test_an_app_refuses_what_it_does_not_know_as_well(options: dict[str, Any], words: str) -> None:
    app = App("shop")

    with pytest.raises(InvalidInputError) as refused:
        app.job(**options)(order)

    assert words in str(refused.value)
    assert not list(app)


def test_errors_may_be_named_by_their_classes_and_times_by_timedeltas() -> None:
    said = RetryPolicy(
        attempts=3,
        backoff=timedelta(seconds=5),
        backoff_max=timedelta(minutes=1),
        budget=timedelta(hours=1),
        retry_on=[OSError, "sold_out"],
        give_up_on=(SoldOutError,),
    )

    handler = Handlers().add(order, retry=said, timeout=timedelta(seconds=5), pool="processes", on_lost="fail")

    assert handler.retry == RetryPolicy(
        attempts=3,
        backoff=5.0,
        backoff_max=60.0,
        budget=3600.0,
        retry_on=("OSError", "sold_out"),
        give_up_on=(f"{__name__}.SoldOutError",),
    )
    assert (handler.limits, handler.pool) == (JobLimits(timeout=5.0, on_lost=OnLost.FAIL), Pool.PROCESSES)
