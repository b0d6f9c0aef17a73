"""A definition as Python: run, the code makes the very definition that it was written from."""

from typing import Any, Self

import msgspec
import pytest

from mainspring.app.app import App
from mainspring.domain.jobs.job import JobSpec, OnLost, RetryPolicy
from mainspring.domain.jobs.python import as_python
from mainspring.domain.limits.policy import Blocking, Debounce, Fair, KeptHistory, Limit, Policy, Rate, Throttle
from mainspring.domain.routing.canary import Canary
from mainspring.domain.routing.route import Route, Strategy

SCHEMA = {
    "type": "object",
    "properties": {"order": {"type": "integer"}, "note": {"type": "string", "default": "x"}, "class": {}},
    "required": ["order"],
}


KEYED = msgspec.json.encode({"type": "object", "properties": {name: {"type": "string"} for name in "abk"}})


def spec(name: str = "charge", **fields: Any) -> JobSpec:
    return JobSpec(name=name, handler=name, **{"schema": KEYED, **fields})


def made_by(code: str) -> JobSpec:
    """What the code registers."""
    names: dict[str, Any] = {}
    exec(code, names)
    app: App = names["app"]
    [found] = app.handlers.specs
    return found


@pytest.mark.parametrize(
    "wanted",
    [
        spec(),
        spec("pay.charge-all"),
        spec("class"),
        spec(queue="pay", priority=8, timeout=30.0, deadline=3600.0, start_within=60.0, description="Charges."),
        spec(on_lost=OnLost.ASK, losses_max=5, description='Says """much""" \\ more'),
        spec(retry=RetryPolicy(attempts=5, backoff=2.0, retry_on=("TimeoutError",), give_up_on=("x.Y",), budget=60.0)),
        spec(policy=Policy(at_once=3, limit_key=("a", "b"), rate=Rate("100/s", burst=7), blocking=Blocking.LATEST)),
        spec(policy=Policy(limits=(Limit(name="shared"), Limit(2, "k")), fair=Fair("k"))),
        spec(policy=Policy(debounce=Debounce(5.0, "k", 60.0), throttle=Throttle("1/h", "k"))),
        spec(policy=Policy(route=Route(Strategy.HASH, key=("k",)), requires=("gpu", "zone in (eu, us)"))),
        spec(policy=Policy(canary=Canary("2.5", 0.05), history=KeptHistory.NONE, breaker="gateway", runs_on=">=2")),
        spec(policy=Policy(uses={"memory": "4GiB", "gpu": 1}, executor_limit=2, slices=4, settle_by="any")),
    ],
    ids=lambda one: msgspec.json.encode(one.policy).decode() if one.policy != Policy() else one.name,
)
def test_the_code_makes_the_definition(wanted: JobSpec) -> None:
    made = made_by(as_python(wanted))

    # A docstring is for readers: descriptions are what people say of a job.
    said = {"schema": wanted.schema, "returns": wanted.returns, "description": wanted.description}
    assert msgspec.structs.replace(made, **said) == wanted


def test_arguments_stand_in_the_function_those_that_may_be_left_out_last() -> None:
    code = as_python(spec(schema=msgspec.json.encode(SCHEMA)))

    assert "def charge(order: int, note: str = 'x') -> None:" in code


def test_a_job_of_a_handler_that_executors_have_is_made_by_a_call() -> None:
    wanted = JobSpec(name="ping", handler="http", queue="net", input=b'{"url":"https://example.net"}', timeout=5.0)
    code = as_python(wanted)
    asked: dict[str, Any] = {}

    class Jobs:
        def create(self, name: str, **fields: Any) -> None:
            asked.update(fields, name=name)

    class Client:
        jobs = Jobs()

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None: ...

    first, rest = code.split("\n", 1)
    exec(rest, {"Client": Client})

    assert first == "from mainspring import Client"
    assert asked == {
        "name": "ping",
        "handler": "http",
        "queue": "net",
        "timeout": 5.0,
        "input": {"url": "https://example.net"},
    }
