"""Every act of the console asks for the permission of its operation first, so that a person who may not is told who may."""

import re
from pathlib import Path

import pytest

from mainspring.api.app import create_app
from mainspring.api.auth import BoundRoute
from mainspring.api.engine_gate import EngineGate
from mainspring.contract.base.operation import API, Operation
from mainspring.domain.access.permissions import PERMISSIONS, Permission, Role
from mainspring.settings import ServerSettings
from scripts import write_console_types

PAGES = Path(__file__).parents[2] / "console" / "pages"
METHODS = {"post": "POST", "put": "PUT", "patch": "PATCH", "remove": "DELETE"}
CALL = re.compile(r"\b(post|put|patch|remove)(?:<[^>(]*>)?\(\s*(`[^`]*`|\"[^\"]*\")")
ASKED = re.compile(r"\"([a-z]+:[a-z]+)\"")
FREE = PERMISSIONS[Role.VIEWER] | {Permission.OPEN}
"""What everybody may who sees the page."""


def operations() -> list[Operation[object]]:
    routes = create_app(EngineGate(), ServerSettings()).router.routes
    return [route.operation for route in routes if isinstance(route, BoundRoute)]


def calls() -> list[tuple[str, str, Path]]:
    """Method, path and file of every call that changes something; a part that is computed is `*`."""
    found = []
    for file in sorted(PAGES.rglob("*.ts*")):
        for verb, text in CALL.findall(file.read_text()):
            path = re.sub(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", "*", text[1:-1]).partition("?")[0]
            found.append((METHODS[verb], path, file))
    return found


def asked_in(file: Path) -> set[str]:
    """The permissions that are asked for in the room of a page, or in the page if it stands alone."""
    files = file.parent.glob("*.ts*") if file.parent != PAGES else [file]
    return {name for one in files for name in ASKED.findall(one.read_text())}


def fits(operation: Operation[object], method: str, path: str) -> bool:
    parts, wanted = path.split("/"), operation.path.removeprefix(f"{API}/").split("/")
    if parts[0] == "*" and len(parts) < len(wanted):
        # The beginning was computed, of as many parts as it takes.
        wanted = wanted[len(wanted) - len(parts) :]
    if operation.method != method or len(parts) != len(wanted):
        return False
    return all("*" in one or other.startswith("{") or one == other for one, other in zip(parts, wanted, strict=True))


@pytest.mark.parametrize(
    ("method", "path", "file"), calls(), ids=lambda value: value.name if isinstance(value, Path) else value
)
def test_an_act_is_shown_with_the_role_that_may(method: str, path: str, file: Path) -> None:
    needed = {one.permission for one in operations() if fits(one, method, path)}

    assert needed, f"{method} {path} is no operation"
    # A verb that is computed fits several operations: one of them is the one that is meant.
    assert needed & FREE or needed & {Permission(name) for name in asked_in(file) if name in set(Permission)}


def test_acts_are_found_in_the_sources() -> None:
    assert len(calls()) > 50


def test_the_roles_of_permissions_are_those_of_the_code() -> None:
    assert write_console_types.RIGHTS.read_text() == write_console_types.rights(), "run `make docs-api`"
