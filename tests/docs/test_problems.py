"""The page of problem codes has every stable code of the source, and no other."""

import ast
import re
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from mainspring.api.app import create_app
from mainspring.api.engine_gate import EngineGate
from mainspring.api.openapi.document import document
from mainspring.contract.operations.runs import LogQuery
from mainspring.domain.runs.checkpoints import MemoryKind
from mainspring.settings import ServerSettings
from tests.architecture.source import ROOT, package

PAGE = (ROOT / "docs" / "reference" / "problems.md").read_text()
WHY = (ROOT / "docs" / "guides" / "why.md").read_text()
BAD = re.compile("bad_[a-z_]+")
KINDS = {
    "NotFoundError": "unknown_{}",
    "ConflictError": "{}_conflict",
    "StaleError": "{}_stale",
    "check_version": "{}_stale",
}
"""Whose codes are made of what they are about, unless they say another."""
FIRST_CELL = re.compile(r"^\| (`.+?) \|", re.MULTILINE)
BETWEEN = PAGE.partition("## Between server and executor")[2]
FROM_STATUS = {found.phrase.lower().replace(" ", "_") for found in HTTPStatus}
"""What a refusal of the web framework itself is called."""


def named() -> set[str]:
    """The codes in the first column of the tables, and in the words on the wire."""
    cells = " ".join(
        [*FIRST_CELL.findall(PAGE), BETWEEN.partition(": see")[0], *re.findall("`config`|`schema`", BETWEEN)]
    )
    return set(re.findall(r"`([a-z_]+)`", cells))


def stable_codes() -> set[str]:
    reasons = {keyword for source in package() for found in source.parts for keyword in keywords_of_obstacles(found)}
    return {
        code
        for source in package()
        for found in source.parts
        if found not in reasons
        for code in codes_in(found)
        if code
    }


def keywords_of_obstacles(found: ast.AST) -> list[ast.keyword]:
    """The words of a reason that `why` gives: no refusal, and explained in the guide."""
    return found.keywords if isinstance(found, ast.Call) and getattr(found.func, "id", "") == "Obstacle" else []


def codes_in(found: ast.AST) -> Iterator[str]:
    match found:
        case ast.keyword(arg="code", value=ast.Constant(value=str(code))):
            yield code
        case ast.ClassDef(body=body):
            for line in body:
                match line:
                    case (
                        ast.Assign(targets=[ast.Name(id="code")], value=ast.Constant(value=str(code)))
                        | ast.AnnAssign(target=ast.Name(id="code"), value=ast.Constant(value=str(code)))
                    ):
                        yield code


def codes_of_kinds() -> set[str]:
    calls = [found for source in package() for found in source.parts if isinstance(found, ast.Call)]
    return {code for call in calls for code in code_of_kind(call)}


def code_of_kind(call: ast.Call) -> Iterator[str]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in KINDS and all(keyword.arg != "code" for keyword in call.keywords):
        match call.args:
            case [ast.Constant(value=str(kind)), *_]:
                yield KINDS[name].format(kind)


def codes_of_fields() -> set[str]:
    """Whatever a request may say can be said wrongly."""
    made = document(create_app(EngineGate(), ServerSettings()))
    operations = [operation for item in made["paths"].values() for operation in item.values()]
    bodies = {name for operation in operations for name in fields_in(operation.get("requestBody", {}), made, set())}
    parameters = {each.get("name", "namespace") for one in operations for each in one.get("parameters", ())}
    # The parameter that makes a stream of the answer is not in the document.
    return {f"bad_{name}" for name in bodies | {name for name in parameters if name.islower()} | {*LogQuery.hidden}}


def fields_in(part: Any, made: dict[str, Any], seen: set[str]) -> Iterator[str]:
    if isinstance(part, list):
        for each in part:
            yield from fields_in(each, made, seen)
    if not isinstance(part, dict) or part.get("$ref") in seen:
        return
    if isinstance(reference := part.get("$ref"), str):
        seen.add(reference)
        yield from fields_in(made["components"]["schemas"][reference.rpartition("/")[2]], made, seen)
    if isinstance(properties := part.get("properties"), dict):
        yield from properties
    for name, each in part.items():
        yield from fields_in(list(each.values()) if name == "properties" else each, made, seen)


def all_codes() -> set[str]:
    bad = {text for text in literals() if BAD.fullmatch(text)} | {f"bad_{kind.label}" for kind in MemoryKind}
    return stable_codes() | bad | codes_of_kinds() | codes_of_fields()


def literals() -> set[str]:
    return {found.value for source in package() for found in source.parts if is_text(found)}  # type: ignore[attr-defined]


def is_text(found: ast.AST) -> bool:
    return isinstance(found, ast.Constant) and isinstance(found.value, str)


def test_every_stable_code_is_explained() -> None:
    codes = all_codes()

    assert sorted(codes - named()) == []
    assert {"over_budget", "run_final", "token_conflict", "plan_stale", "bad_url", "bad_backoff", "bad_wait"} <= codes
    assert len(codes) > 200


def test_every_code_that_is_explained_exists() -> None:
    known = all_codes() | literals() | FROM_STATUS

    assert sorted(named() - known) == []
    assert len(named()) > 200


def test_each_code_is_explained_once() -> None:
    cells = re.findall(r"`([a-z_]+)`", " ".join(FIRST_CELL.findall(PAGE)))

    assert sorted({code for code in cells if cells.count(code) > 1}) == []


def test_every_reason_is_explained_in_the_guide() -> None:
    keywords = {word for source in package() for found in source.parts for word in keywords_of_obstacles(found)}
    reasons = {code for word in keywords for code in codes_in(word)}
    explained = set(re.findall(r"`([a-z_]+)`", " ".join(FIRST_CELL.findall(WHY))))

    assert sorted(reasons - explained) == []
    assert len(reasons) > 10
