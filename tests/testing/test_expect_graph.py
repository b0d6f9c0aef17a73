"""A test says what a workflow's graph is, in a line."""

import pytest

from mainspring import App
from mainspring.testing import expect_graph

app = App("graphs")


@app.job
def charge(order: int) -> int:
    return order


@app.job
def pack(order: int) -> int:
    return order


@app.job
def ship(payment: int, parcel: int) -> int:
    return payment + parcel


@app.job
def mail(label: int) -> int:
    return label


@app.job
def tidy() -> None: ...


@app.workflow(finally_=tidy)
def fulfil(order: int) -> int:
    return ship.step(charge.step(order), pack.step(order))


chain = app.workflow(charge >> pack >> mail, name="chain")


def test_what_is_as_expected_passes() -> None:
    expect_graph(fulfil, "charge, pack -> ship")
    expect_graph(fulfil, "charge -> ship; pack -> ship")
    expect_graph(chain, "charge -> pack -> mail")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("charge -> pack -> ship", "it has no charge -> pack; nobody expects charge -> ship"),
        ("charge, pack, weigh -> ship", "it has no weigh; it has no weigh -> ship"),
        ("charge -> ship", "nobody expects pack; nobody expects pack -> ship"),
        ("", "nobody expects charge; nobody expects charge -> ship"),
    ],
)
def test_what_is_not_is_told_by_step_and_edge(text: str, told: str) -> None:
    with pytest.raises(AssertionError) as raised:
        expect_graph(fulfil, text)

    assert str(raised.value).startswith(f"workflow 'fulfil': {told}")


def test_a_job_without_steps_has_no_graph() -> None:
    with pytest.raises(LookupError, match="job 'charge' is no workflow"):
        expect_graph(charge, "charge")
