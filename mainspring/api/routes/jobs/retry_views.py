"""How retry policies look in JSON, going in and coming out."""

from typing import Annotated

import msgspec

from mainspring.domain.jobs.rules import ATTEMPTS_MAX, BACKOFF_MAX, KIND, LIMIT_MAX, MULTIPLIER_MAX, NAMES_MAX
from mainspring.domain.runs.attempt import KIND_MAX

Unset = msgspec.UnsetType
UNSET = msgspec.UNSET

Attempts = Annotated[int, msgspec.Meta(ge=1, le=ATTEMPTS_MAX)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=BACKOFF_MAX)]
Multiplier = Annotated[float, msgspec.Meta(ge=1, le=MULTIPLIER_MAX)]
Limit = Annotated[float, msgspec.Meta(gt=0, le=LIMIT_MAX)]
Kind = Annotated[str, msgspec.Meta(max_length=KIND_MAX, pattern=f"^{KIND.pattern}$")]
Kinds = Annotated[tuple[Kind, ...], msgspec.Meta(max_length=NAMES_MAX)]


class RetryPolicyBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    attempts: Attempts = 1
    backoff: Seconds = 1.0
    backoff_max: Seconds = 600.0
    multiplier: Multiplier = 2.0
    retry_on: Kinds = ()
    """Error classes by name, plain or qualified, with all that derive from them, or codes; empty: any error."""
    give_up_on: Kinds = ()
    """The same for errors that are never tried again; these win."""
    budget: Limit | None = None
    """Seconds from the beginning of the first attempt, after which none begins."""


class RetryPolicyChangesBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    attempts: Attempts | Unset = UNSET
    backoff: Seconds | Unset = UNSET
    backoff_max: Seconds | Unset = UNSET
    multiplier: Multiplier | Unset = UNSET
    retry_on: Kinds | Unset = UNSET
    give_up_on: Kinds | Unset = UNSET
    budget: Limit | Unset | None = UNSET


class RetryPolicyView(msgspec.Struct, frozen=True):
    attempts: int
    backoff: float
    backoff_max: float
    multiplier: float
    retry_on: tuple[str, ...]
    give_up_on: tuple[str, ...]
    budget: float | None
