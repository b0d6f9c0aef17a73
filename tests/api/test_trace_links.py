"""Runs link to the place where their traces are shown."""

import pytest

from mainspring.api.routes.runs.create import trace_link
from mainspring.errors import ConfigError
from mainspring.settings import ServerSettings, load

TEMPLATE = "https://traces.example.com/trace/{trace}?tab=1"


@pytest.mark.parametrize(
    ("template", "trace", "url"),
    [(TEMPLATE, "ab12", "https://traces.example.com/trace/ab12?tab=1"), (TEMPLATE, None, None), ("", "ab12", None)],
)
def test_a_traced_run_is_linked_where_the_operator_said(template: str, trace: str | None, url: str | None) -> None:
    assert trace_link(template, trace) == url


@pytest.mark.parametrize("text", ["https://traces.example.com", "javascript:{trace}", "{trace}"])
def test_an_address_without_a_place_for_the_trace_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="trace-url"):
        load(ServerSettings, {"trace_url": text})
