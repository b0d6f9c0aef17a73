"""Every operation of the contract is served once and used by the client, and the document is made of them."""

import importlib
import pkgutil
import re
from collections import Counter
from typing import Any

import mainspring.contract
from mainspring.api.app import create_app
from mainspring.api.auth import BoundRoute
from mainspring.api.engine_gate import EngineGate
from mainspring.api.openapi.document import document
from mainspring.contract.base.operation import Operation
from mainspring.settings import ServerSettings
from tests.architecture.source import package

MODULES = [
    importlib.import_module(module.name)
    for module in pkgutil.walk_packages(mainspring.contract.__path__, "mainspring.contract.")
]
OPERATIONS = {name: value for module in MODULES for name, value in vars(module).items() if isinstance(value, Operation)}
APP = create_app(EngineGate(), ServerSettings())
PART = re.compile(r"\{(\w+)\}")


def test_an_operation_is_a_constant_of_its_own_name() -> None:
    assert OPERATIONS
    assert {name: operation.name.upper() for name, operation in OPERATIONS.items()} == {
        name: name for name in OPERATIONS
    }


def test_every_operation_is_bound_exactly_once() -> None:
    bound = Counter(route.operation.name for route in APP.routes if isinstance(route, BoundRoute))

    assert bound == Counter(operation.name for operation in OPERATIONS.values())


def test_an_operation_types_only_parts_that_its_path_has() -> None:
    for operation in OPERATIONS.values():
        assert set(operation.parts) <= set(PART.findall(operation.path)), operation.name


def test_no_two_components_share_a_name_or_show_a_python_path() -> None:
    schemas: dict[str, Any] = document(APP)["components"]["schemas"]

    assert [name for name in schemas if not re.fullmatch("[A-Z][A-Za-z0-9]+", name)] == []


def test_a_summary_is_a_sentence() -> None:
    for operation in OPERATIONS.values():
        assert re.fullmatch(r"[A-Z].*\.", operation.summary), operation.name


def test_clients_name_no_path_of_their_own() -> None:
    named = [source.name for source in package() if source.inside.startswith("client/") and "/api/v1" in source.text]

    assert named == []
