"""A workflow as people and code write it: steps by name, and where their arguments come from."""

import re
from typing import Any

import msgspec

from mainspring.domain.suggest import did_you_mean
from mainspring.errors import InvalidInputError

HANDLER = "workflow"
"""The handler of a job that has steps; no executor has it, servers do the work."""
INPUT = "input"
"""Stands for the workflow's own input in a place: `$.input.order`."""
SELF = "workflow"
"""Stands for the workflow run in a place of an ending: its id, its state and the steps that failed."""
UNKNOWN = re.compile("Object contains unknown field `(?P<name>.+)`")
"""How the decoder says it."""
RESERVED = frozenset({INPUT, SELF})

Expression = str | dict[str, Any]
"""A rule over parents' states: the name of a usual one, or `{"any": [{"charge": "failed"}, …]}`."""
Condition = dict[str, Any]
"""A condition over values: `{"$.charge.total": {"gt": 1000}}`, and `any`, `all`, `not` of conditions."""


class StepCall(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A job to run, and its arguments: constants in `input`, places by parameter in `mapping`."""

    job: str
    input: dict[str, Any] = {}
    mapping: dict[str, str] = {}


class StepSpec(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One step: a job to run, a wait, or a value chosen among other steps' results (`either`)."""

    job: str = ""
    input: dict[str, Any] = {}
    mapping: dict[str, str] = {}
    after: tuple[str, ...] = ()
    """Parents whose results are not used."""
    rule: Expression = "all_succeeded"
    when: Condition = {}
    each: str = ""
    """The place of a list: the step runs once for each element."""
    item: str = ""
    """The parameter that takes the element; empty: the first that nothing else fills."""
    at_once: int | None = None
    """How many items may be under way at once."""
    failures_max: float = 0
    """How many items may fail, as a number, or below 1 as a share of all."""
    may_fail: bool = False
    """Its failure does not fail the workflow run."""
    undo: StepCall | None = None
    """Runs if this step succeeded and the workflow run does not."""
    either: tuple[str, ...] = ()
    """Places; the first whose step succeeded is the value."""
    default: Any = msgspec.UNSET
    """The value if all of `either` were skipped."""
    sleep: str = ""
    """A length of time, such as 3d: the step ends after it."""
    event: str = ""
    """The type of the event that ends the step; the event's data are its result."""
    match: dict[str, Any] = {}
    """By places in the event's data: the values that have to stand there, constants or places of this workflow."""
    look_back: str = ""
    """How long before the step's beginning the event may have been published."""
    approval: str = ""
    """What people are asked to approve; the form with `approved` is the step's result."""
    form: dict[str, Any] = {}
    """The JSON schema of the form."""
    approvers: tuple[str, ...] = ()
    """The names of tokens and people that may decide; empty: all who may approve."""
    approvals: int = 1
    """How many of them have to agree."""
    four_eyes: bool = False
    """The one who started the workflow run may not decide."""
    timeout: str = ""
    """After this length of time an event or an approval that has not come fails the step."""


class WorkflowSpec(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """All steps of a workflow, its result and its endings."""

    steps: dict[str, StepSpec]
    result: str = ""
    """The place of the result; empty: null."""
    on_success: StepCall | None = None
    on_failure: StepCall | None = None
    finally_: StepCall | None = msgspec.field(default=None, name="finally")
    fail_fast: bool = False
    """The first failure stops all that is under way."""
    steps_at_once: int | None = None


def read_workflow(raw: bytes | str) -> WorkflowSpec:
    """Raises InvalidInputError."""
    try:
        return msgspec.json.decode(raw, type=WorkflowSpec)
    except msgspec.ValidationError as error:
        raise step_fault(raw) or InvalidInputError("workflow", str(error), code="bad_workflow") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidInputError("workflow", str(error), code="bad_workflow") from None


def step_fault(raw: bytes | str) -> InvalidInputError | None:
    """The first step that cannot be read, by its name and field: the decoder says `steps[...]` for any of them."""
    try:
        # The first fault was found before all of it was looked at.
        whole = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    steps = whole.get("steps") if isinstance(whole, dict) else None
    for name, step in steps.items() if isinstance(steps, dict) else ():
        try:
            msgspec.convert(step, StepSpec)
        except msgspec.ValidationError as error:
            return named_fault(f"steps.{name}", str(error))
    return None


def named_fault(place: str, message: str) -> InvalidInputError:
    reason, _, path = message.partition(" - at `$")
    field = f"{place}{path.rstrip('`').replace('[...]', '')}"
    if unknown := UNKNOWN.fullmatch(reason):
        hint = did_you_mean(unknown["name"], StepSpec.__struct_encode_fields__) if field == place else ""
        reason = f"is not a field{hint}"
        return InvalidInputError(f"{field}.{unknown['name']}", reason, code="unknown_field")
    return InvalidInputError(field, f"{reason[:1].lower()}{reason[1:]}".replace("`", ""), code="bad_workflow")


def write_workflow(spec: WorkflowSpec) -> bytes:
    """Equal for equal definitions."""
    return msgspec.json.encode(spec)
