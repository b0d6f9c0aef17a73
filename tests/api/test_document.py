"""The OpenAPI document has what version 3.1 asks of it, and what a client needs to be written from it."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from mainspring.api.app import create_app
from mainspring.api.engine_gate import EngineGate
from mainspring.api.openapi.document import document
from mainspring.settings import ServerSettings
from tests.api.conftest import Server

Part = dict[str, Any]

PLACES = {"namespace": "query", "Mainspring-Namespace": "header"}
OPEN = {
    ("get", "/livez"),
    ("get", "/readyz"),
    ("get", "/version"),
    ("post", "/hooks/{id}"),
    ("post", "/api/v1/sign-in"),
    ("get", "/api/v1/sign-in/providers"),
    ("post", "/api/v1/invitations/show"),
    ("post", "/api/v1/invitations/accept"),
}
STATUS = re.compile("[1-5][0-9][0-9]|default")
BRACES = re.compile(r"\{(\w+)\}")


@pytest.fixture(scope="module")
def made() -> Part:
    return document(create_app(EngineGate(), ServerSettings()))


def operations(made: Part) -> Iterator[tuple[str, str, Part]]:
    for path, item in made["paths"].items():
        for method, operation in item.items():
            yield method, path, operation


def parameters(made: Part, operation: Part) -> list[Part]:
    return [resolved(made, each) for each in operation.get("parameters", ())]


def resolved(made: Part, part: Part) -> Part:
    for step in part["$ref"].removeprefix("#/").split("/") if "$ref" in part else ():
        made = made[step]
    return made if "$ref" in part else part


def test_the_document_has_its_own_required_fields(made: Part) -> None:
    assert re.fullmatch(r"3\.1\.\d+", made["openapi"])
    assert made["info"]["title"]
    assert made["info"]["version"]
    assert len(list(operations(made))) > 90


def test_each_answer_has_a_description_and_sound_content_and_headers(made: Part) -> None:
    for method, path, operation in operations(made):
        assert operation["responses"], (method, path)
        for status, answer in operation["responses"].items():
            assert STATUS.fullmatch(status)
            assert answer["description"], (method, path, status)
            assert all("schema" in media for media in answer.get("content", {}).values())
            assert all("schema" in one and one["description"] for one in answer.get("headers", {}).values())


def test_each_parameter_has_a_name_a_place_and_a_schema_and_those_of_a_path_are_required(made: Part) -> None:
    for method, path, operation in operations(made):
        found = parameters(made, operation)
        assert all(each["in"] in ("query", "header", "path", "cookie") for each in found)
        assert all(("schema" in each) != ("content" in each) for each in found), (method, path)
        assert all(each["required"] for each in found if each["in"] == "path")
        assert {each["name"] for each in found if each["in"] == "path"} == set(BRACES.findall(path))
        names = [(each["in"], each["name"]) for each in found]
        assert len(names) == len(set(names)), (method, path)


def test_every_reference_leads_somewhere(made: Part) -> None:
    def references(part: Any) -> Iterator[Part]:
        if isinstance(part, dict):
            if isinstance(part.get("$ref"), str):
                yield part
            part = list(part.values())
        for each in part if isinstance(part, list) else ():
            yield from references(each)

    assert all(resolved(made, reference) for reference in references(made))


def test_each_operation_takes_a_token_and_a_namespace_but_for_those_that_are_open(made: Part) -> None:
    [(name, scheme)] = made["components"]["securitySchemes"].items()
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    assert made["security"] == [{name: []}]

    for method, path, operation in operations(made):
        places = {each["name"]: each["in"] for each in parameters(made, operation) if each["name"] in PLACES}
        is_open = (method, path) in OPEN
        assert operation.get("security") == ([] if is_open else None), (method, path)
        assert places == ({} if is_open else PLACES), (method, path)


def test_operations_have_short_names_of_their_own(made: Part) -> None:
    names = [operation["operationId"] for _, _, operation in operations(made)]

    assert len(names) == len(set(names))
    assert {"create_runs", "start_run", "get_job"} <= set(names)
    assert [name for name in names if "api_v1" in name] == []


@pytest.mark.parametrize("path", ["/api/v1/runs", "/api/v1/jobs/{name}/runs"])
def test_a_run_may_be_asked_for_with_a_key_in_the_head(made: Part, path: str) -> None:
    found = [each["name"] for each in parameters(made, made["paths"][path]["post"]) if each["in"] == "header"]

    assert "Idempotency-Key" in found


@pytest.mark.parametrize("kind", ["jobs", "triggers", "calendars"])
def test_answers_with_a_version_say_that_they_are_tagged(made: Part, kind: str) -> None:
    path = made["paths"][f"/api/v1/{kind}/{{name}}"]
    tagged = [path["get"]["responses"][status] for status in ("200", "304")]
    tagged += [path["put"]["responses"][status] for status in ("200", "201")]

    assert all("ETag" in answer["headers"] for answer in tagged)
    assert "Location" in path["put"]["responses"]["201"]["headers"]


def test_a_problem_says_when_to_come_back(made: Part) -> None:
    answers = [one["responses"]["default"] for _, _, one in operations(made) if "default" in one["responses"]]

    assert answers
    assert all("Retry-After" in answer["headers"] for answer in answers)


def test_the_document_is_the_same_each_time_it_is_asked_for() -> None:
    app = create_app(EngineGate(), ServerSettings())
    first = str(document(app))

    assert str(document(app)) == first


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("?namespace=", []),
        ("?namespace=a&namespace=b", []),
        ("", [""]),
        ("", ["a", "b"]),
        ("", ["No"]),
        ("?namespace=default", ["other"]),
    ],
)
async def test_a_namespace_that_says_nothing_or_two_things_is_refused(
    server: Server, query: str, fields: list[str]
) -> None:
    headers = [("mainspring-namespace", field) for field in fields]
    answer = await server.http.get(f"/api/v1/jobs{query}", headers=headers)

    assert (answer.status_code, answer.json()["code"]) == (422, "bad_namespace")
