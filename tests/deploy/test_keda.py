"""What the chart has KEDA read; a stub of its documented `metrics-api` scaler, since KEDA itself does not run here."""

import re
from urllib.parse import parse_qsl, urlsplit

import msgspec
import pytest

from mainspring.contract.operations.queues import GET_SCALING_OF, ScalingOfQuery
from mainspring.contract.queues import QueueScaling
from tests.architecture.source import ROOT

TEMPLATE = ROOT / "mainspring" / "deploy" / "helm" / "mainspring" / "templates" / "_executor.tpl"
GAP = re.compile(r"{{.*?}}")


def trigger_of(text: str) -> dict[str, str]:
    """The metadata of the scaler, with 1 in place of each gap."""
    found = text[text.index("metrics-api") :]
    return dict(re.findall(r"^ +(\w+): \"?(.*?)\"?$", GAP.sub("1", found), re.MULTILINE))


def read_as_keda(answer: bytes, location: str) -> float:
    """The documented GJSON path, here one field; a number or a quantity in text."""
    value = msgspec.json.decode(answer)
    for part in location.split("."):
        value = value[part]
    return float(value)


def replicas(value: float, trigger: dict[str, str]) -> int:
    """As KEDA documents it: none up to the activation value, then value over target, rounded up."""
    if value <= float(trigger["activationTargetValue"]):
        return 0
    return -int(-value // float(trigger["targetValue"]))


def test_the_scaler_asks_a_route_that_there_is_with_its_parameters() -> None:
    trigger = trigger_of(TEMPLATE.read_text())
    parts = urlsplit(trigger["url"].removeprefix("1:"))

    assert f"GET {parts.path}" == GET_SCALING_OF.address
    assert {name for name, _ in parse_qsl(parts.query)} == set(ScalingOfQuery.__struct_fields__)
    assert trigger["authMode"] == "bearer"


@pytest.mark.parametrize("wanted", [0, 1, 7])
def test_there_are_as_many_executors_as_the_answer_wants(wanted: int) -> None:
    trigger = trigger_of(TEMPLATE.read_text())
    answer = msgspec.json.encode(QueueScaling(9, 1.0, 3, 8, 12, wanted, 0.5, None))

    assert replicas(read_as_keda(answer, trigger["valueLocation"]), trigger) == wanted
