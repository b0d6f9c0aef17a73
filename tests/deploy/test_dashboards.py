"""The Grafana dashboards. That their queries are answered is tested by a real Prometheus, in tests/acceptance."""

import re

import pytest

from mainspring.domain.metrics import declared
from mainspring.domain.metrics.family import Metric
from scripts.write_dashboards import DASHBOARDS, FOLDER, dashboard


@pytest.mark.parametrize("name", DASHBOARDS)
def test_a_dashboard_is_as_the_list_of_panels_has_it(name: str) -> None:
    assert (FOLDER / f"{name}.json").read_bytes() == dashboard(name), "run: make dashboards"


def test_no_other_dashboard_is_shipped() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == DASHBOARDS.keys()


def test_panels_name_only_metrics_that_exist() -> None:
    known = {metric.name for metric in vars(declared).values() if isinstance(metric, Metric)}
    texts = " ".join(panel.expression for panels in DASHBOARDS.values() for panel in panels)
    named = {re.sub("_(bucket|count|sum)$", "", name) for name in re.findall(r"\b(?:mainspring|process)_\w+", texts)}

    assert named <= known
