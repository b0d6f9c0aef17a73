"""Workflows in Python: the function is called once, and what cannot be is refused with file and line."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from mainspring import (
    App,
    ConfigError,
    ConflictError,
    Context,
    InvalidInputError,
    approval,
    either,
    event,
    failed,
    otherwise,
    skipped,
    sleep,
    when,
)
from mainspring.domain.workflows.spec import StepCall, StepSpec, WorkflowSpec, read_workflow

app = App("shop")


@dataclass
class Payment:
    id: str
    total: float


@app.job
def charge(order: int) -> Payment:
    return Payment(str(order), 10)


@app.job
def refund(payment: Payment) -> None: ...


@app.job
def ship(payment: Payment, fast: bool = False) -> str:
    return f"{payment.id} {fast}"


@app.job
def mail(order: int, label: str) -> None: ...


@app.job
def audit(order: int) -> None: ...


@app.job
def rows(order: int) -> list[int]:
    return [order]


@app.job
def bill(number: int, month: int = 1) -> int:
    return number * month


@app.job
def add_up(numbers: list[int]) -> int:
    return sum(numbers)


@app.workflow(finally_=audit, fail_fast=True, deadline=60, priority=7)
def order_flow(order: int) -> str:
    payment = charge.as_step(undo=refund)(order)
    with when(payment.total > 1000):
        manual = ship.as_step(name="manual")(payment, fast=True)
    with otherwise():
        automatic = ship.step(payment)
    label = either(manual, automatic, default="refused")
    mail.as_step(may_fail=True)(order, label)
    audit.as_step(after=[manual, automatic], rule="all_done")(order)
    audit.as_step(rule=failed(payment) | (skipped(manual) & skipped(automatic)))(order)
    return label


def spec_of(name: str) -> WorkflowSpec:
    handler = app.handlers.get(name)
    assert handler is not None
    return read_workflow(handler.spec.workflow)


def test_a_function_compiles_to_the_definition_that_yaml_has() -> None:
    order = {"order": "$.input.order"}
    large = {"$.charge.total": {"gt": 1000}}

    assert spec_of("order_flow") == WorkflowSpec(
        steps={
            "charge": StepSpec(
                job="charge", mapping=order, undo=StepCall(job="refund", mapping={"payment": "$.charge"})
            ),
            "manual": StepSpec(job="ship", input={"fast": True}, mapping={"payment": "$.charge"}, when=large),
            "ship": StepSpec(job="ship", mapping={"payment": "$.charge"}, when={"not": large}),
            "either": StepSpec(either=("$.manual", "$.ship"), default="refused"),
            "mail": StepSpec(job="mail", mapping={**order, "label": "$.either"}, may_fail=True),
            "audit": StepSpec(job="audit", mapping=order, after=("manual", "ship"), rule="all_done"),
            "audit-2": StepSpec(
                job="audit",
                mapping=order,
                rule={
                    "any": [
                        {"charge": ["failed", "cancelled"]},
                        {"all": [{"manual": "skipped"}, {"ship": "skipped"}]},
                    ]
                },
            ),
        },
        result="$.either",
        finally_=StepCall(job="audit", mapping=order),
        fail_fast=True,
    )


def test_a_workflow_is_a_job_that_servers_run() -> None:
    handler = app.handlers.get("order_flow")
    assert handler is not None
    spec = handler.spec

    assert (spec.handler, spec.deadline, spec.priority) == ("workflow", 60.0, 7)
    assert "order_flow" not in [handler.name for handler in app.handlers]
    assert spec in app.handlers.specs


def test_a_chain_takes_what_came_before() -> None:
    own = App("chains")
    handle = own.workflow(rows >> add_up >> bill, name="nightly", priority=2)

    handler = own.handlers.get("nightly")
    assert handler is not None
    assert handle.name == "nightly"
    assert read_workflow(handler.spec.workflow).steps == {
        "rows": StepSpec(job="rows", mapping={"order": "$.input.order"}),
        "add_up": StepSpec(job="add_up", mapping={"numbers": "$.rows"}),
        "bill": StepSpec(job="bill", mapping={"number": "$.add_up"}),
    }


def test_a_map_names_the_parameter_of_its_items_and_defaults_complete_the_input() -> None:
    own = App("maps")

    @own.workflow
    def month_end(order: int, month: int = 3) -> int:
        return add_up.step(bill.as_step(at_once=5, failures_max=0.1).map(rows.step(order), month=month))

    handler = own.handlers.get("month_end")
    assert handler is not None
    mapped = read_workflow(handler.spec.workflow).steps["bill"]
    assert mapped == StepSpec(
        job="bill", mapping={"month": "$.input.month"}, each="$.rows", item="number", at_once=5, failures_max=0.1
    )
    assert msgspec.json.decode(handler.spec.input) == {"month": 3}


def test_then_names_one_child_and_keeps_the_job_s_own_result() -> None:
    own = App("then")

    @own.job
    def last(text: str) -> None: ...

    @own.job(then=last)
    def middle(payment: Payment) -> str:
        return payment.id

    @own.job(then="middle")
    def pack(order: int) -> Payment:
        return Payment(str(order), 1)

    handler = own.handlers.get("pack")
    assert handler is not None
    spec = read_workflow(handler.spec.workflow)
    assert (handler.spec.handler, list(spec.steps), spec.result) == ("pack", ["pack", "middle", "last"], "$.pack")
    assert pack(3) == Payment("3", 1)


def tries() -> list[tuple[str, Callable[[Any], Any], str]]:
    """What people try with a placeholder that cannot be."""

    def loop(order: Any) -> Any:
        for row in rows.step(order):
            charge.step(row)

    def assign(order: Any) -> Any:
        payment: Any = charge.step(order)
        payment.total = 3

    def assign_item(order: Any) -> Any:
        numbers: Any = rows.step(order)
        numbers[0] = 3

    def enter(order: Any) -> Any:
        with charge.step(order):  # type: ignore[attr-defined]
            pass

    def mixed(order: Any) -> Any:
        payment = charge.step(order)
        audit.as_step(rule=failed(payment) | (payment.total > 1))(order)

    def state_block(order: Any) -> Any:
        with when(failed(charge.step(order))):
            audit.step(order)

    def lone_otherwise(_order: Any) -> Any:
        with otherwise():
            pass

    one = "use `with when(condition):`"
    compute = "compute with it in a job"
    return [
        ("if", lambda order: 1 if order else 2, one),
        ("if comparison", lambda order: 1 if order > 3 else 2, one),
        ("and", lambda order: order and order, one),
        ("not", lambda order: not order, one),
        ("while", lambda order: any(order for _ in [1]), one),
        ("for", loop, "job.map"),
        ("list", lambda order: list(rows.step(order)), "job.map"),
        ("unpack", lambda order: [*rows.step(order)], "job.map"),
        ("len", lambda order: len(rows.step(order)), compute),
        ("+", lambda order: order + 1, compute),
        ("+ from the right", lambda order: 1 + order, compute),
        ("*", lambda order: order * 2, compute),
        ("/", lambda order: order / 2, compute),
        ("%", lambda order: order % 2, compute),
        ("-", lambda order: -order, compute),
        ("sum", lambda order: sum(rows.step(order)), "job.map"),
        ("int", int, compute),
        ("float", float, compute),
        ("round", round, compute),
        ("range", range, compute),
        ("f-string", lambda order: f"order {order}", "pass it to a job"),
        ("str", str, "pass it to a job"),
        ("format", format, "pass it to a job"),
        ("in", lambda order: 3 in rows.step(order), compute),
        ("call", lambda order: order(), "pass it to a job"),
        ("with", enter, "pass it to a job"),
        ("set", assign, "return another value from a job"),
        ("set item", assign_item, "return another value from a job"),
        ("compare two", lambda order: order > charge.step(order).total, "with a constant only"),
        ("slice", lambda order: rows.step(order)[1:], "a name or a position"),
        ("negative index", lambda order: rows.step(order)[-1], "a name or a position"),
        ("nested", lambda order: add_up.step([order]), "a parameter of its own"),
        ("map a constant", lambda _order: bill.map([1, 2]), "not over a constant"),
        ("rule of values", lambda order: audit.as_step(rule=order > 1)(order), "a rule is over states"),
        ("states and values", mixed, "do not mix"),
        ("when over states", state_block, "give states by `rule`"),
        ("otherwise alone", lone_otherwise, "right after a `with when"),
        ("when a constant", charge.as_step(when=False), "a condition is a comparison"),
    ]  # fmt: skip


@pytest.mark.parametrize(("body", "advice"), [pytest.param(body, advice, id=name) for name, body, advice in tries()])
def test_what_a_placeholder_cannot_do_is_refused_with_file_and_line(body: Callable[[Any], Any], advice: str) -> None:
    def tried(order: int) -> Any:
        return body(order)

    with pytest.raises(ConfigError) as raised:
        App("tries").workflow(tried)

    message = str(raised.value)
    assert advice in message
    assert "test_workflows.py:" in message


def defined(function: Callable[..., Any], **options: Any) -> str:
    with pytest.raises((ConfigError, ConflictError)) as raised:
        App("bad").workflow(function, **options)
    return str(raised.value)


def test_definitions_that_cannot_run_are_refused_with_their_place() -> None:
    async def waits(order: int) -> None: ...

    def asks(ctx: Context, order: int) -> None: ...

    def constant(order: int) -> int:
        charge.step(order)
        return 3

    def branch(order: int) -> str:
        payment = charge.step(order)
        with when(payment.total > 3):
            label = ship.step(payment)
        audit.step(order)
        return label

    def missing(order: int) -> str:
        return ship.step(charge.step(order).totl)  # type: ignore[attr-defined]

    def empty(order: int) -> None: ...

    assert "awaits nothing" in defined(waits)
    assert "no context" in defined(asks)
    assert "returns 3: return the result of a step" in defined(constant)
    assert "may be skipped" in defined(branch)
    assert 'charge returns an object without "totl"' in defined(missing)
    assert "0 steps" in defined(empty)
    with pytest.raises(InvalidInputError, match="timeout"):
        App("bad").workflow(branch, timeout=3)  # type: ignore[call-overload]


def test_a_step_outside_of_a_workflow_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"inside of a function with @app\.workflow"):
        charge.step(3)


def test_a_placeholder_of_another_workflow_is_refused() -> None:
    kept: list[Any] = []

    def first(order: int) -> Payment:
        kept.append(charge.step(order))
        return kept[0]  # type: ignore[no-any-return]

    def second(order: int) -> str:
        return ship.step(kept[0])

    App("one").workflow(first)
    with pytest.raises(ConfigError, match="belongs to another workflow"):
        App("two").workflow(second)


def test_loops_by_then_are_refused_with_their_path() -> None:
    own = App("loops")

    def again(order: int) -> int:
        return order

    with pytest.raises(ConfigError, match="again -> again"):
        own.job(then="again")(again)
    with pytest.raises(ConfigError, match="no job of this app yet"):
        own.job(then="nobody")(rows.function)


def test_two_jobs_of_one_name_are_refused() -> None:
    with pytest.raises(ConflictError, match="registered twice"):
        app.workflow(rows >> add_up, name="charge")


def test_a_step_that_waits_is_recorded_with_what_it_waits_for() -> None:
    own = App("patience")

    @own.job
    def charge(order: int) -> int:
        return order

    @own.workflow
    def patient(order: int) -> int:
        seen = approval("A large order", approvers=["anna"], timeout="2d")
        paid = event("bank.paid", match={"order": order}, after=seen, look_back="1d")
        return charge.as_step(after=sleep("3d", after=paid))(order)

    handler = own.handlers.get(patient.name)
    assert handler is not None
    steps = read_workflow(handler.spec.workflow).steps
    assert steps["bank_paid"].match == {"$.order": "$.input.order"}
    assert steps["bank_paid"].after == ("approval",)
    assert steps["charge"].after == ("sleep",)
    assert (steps["approval"].approvers, steps["sleep"].sleep) == (("anna",), "3d")
