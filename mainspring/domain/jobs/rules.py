"""Checks of a job's queue, retries and times: one rule for code, executors and operators."""

import re
from collections.abc import Sequence

from mainspring.domain.jobs.job import JobSpec, RetryPolicy
from mainspring.domain.limits.rules import check_policy
from mainspring.domain.names import check_queue_name
from mainspring.domain.runs.attempt import KIND_MAX
from mainspring.domain.runs.run import check_priority
from mainspring.errors import InvalidInputError

ATTEMPTS_MAX = 10_000
BACKOFF_MAX = 7 * 86_400.0
MULTIPLIER_MAX = 100.0
LIMIT_MAX = 366 * 86_400.0
"""Seconds of a timeout, a deadline, a budget."""
COMMAND_MAX = 7 * 86_400.0
"""Seconds that a command of the built-in handler `shell` may take."""
LOSSES_MOST = 100
DESCRIPTION_MAX = 2_000
NAMES_MAX = 50
"""Names of errors in one list."""
NAME_NEW = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}")
"""Names of jobs that operators create; code may use others."""
KIND = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.([A-Za-z_][A-Za-z0-9_]*|<locals>))*")


def check_terms(spec: JobSpec) -> None:
    """Raises InvalidInputError, as do the others."""
    check_queue_name(spec.queue)
    check_priority(spec.priority)
    check_retry(spec.retry)
    check_limits(spec)
    check_policy(spec)


def check_retry(retry: RetryPolicy) -> None:
    if not 1 <= retry.attempts <= ATTEMPTS_MAX:
        reason = f"{retry.attempts} is outside 1 (no second try) to {ATTEMPTS_MAX}"
        raise InvalidInputError("retry.attempts", reason, code="bad_attempts")
    for name in ("backoff", "backoff_max"):
        seconds = getattr(retry, name)
        if not 0 <= seconds <= BACKOFF_MAX:
            reason = f"{seconds} is outside 0 to {BACKOFF_MAX:.0f} seconds"
            raise InvalidInputError(f"retry.{name}", reason, code=f"bad_{name}")
    if not 1 <= retry.multiplier <= MULTIPLIER_MAX:
        reason = f"{retry.multiplier} is outside 1 (always the same wait) to {MULTIPLIER_MAX:.0f}"
        raise InvalidInputError("retry.multiplier", reason, code="bad_multiplier")
    check_seconds(retry.budget, "retry.budget")
    check_kinds(retry.retry_on, "retry.retry_on")
    check_kinds(retry.give_up_on, "retry.give_up_on")


def check_kinds(names: Sequence[str], field: str) -> None:
    """Names of error classes, or codes."""
    code = f"bad_{field.rpartition('.')[2]}"
    if len(names) > NAMES_MAX:
        raise InvalidInputError(field, f"{len(names)} are more than {NAMES_MAX}", code=code)
    for position, name in enumerate(names):
        if len(name) > KIND_MAX or not KIND.fullmatch(name):
            reason = f"{name!r} is not the name of an error class, such as TimeoutError or shop.errors.SoldOut"
            raise InvalidInputError(f"{field}[{position}]", reason, code=code)


def check_limits(spec: JobSpec) -> None:
    for field in ("timeout", "deadline", "start_within"):
        check_seconds(getattr(spec, field), field)
    if not 1 <= spec.losses_max <= LOSSES_MOST:
        reason = f"{spec.losses_max} is outside 1 (the first loss) to {LOSSES_MOST}"
        raise InvalidInputError("losses_max", reason, code="bad_losses_max")


def check_seconds(seconds: float | None, field: str) -> None:
    if seconds is not None and not 0 < seconds <= LIMIT_MAX:
        reason = f"{seconds} is not more than 0 and at most {LIMIT_MAX:.0f} seconds"
        raise InvalidInputError(field, reason, code=f"bad_{field.rpartition('.')[2]}")
