"""Namespaces: list, make, delete."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, actor_of, grant_of, require
from mainspring.api.engine_gate import engine_of
from mainspring.api.http.json_io import read_struct, show
from mainspring.api.openapi.document import accepts, answers
from mainspring.contract.access import NamespaceInfo, NamespacePage, NewNamespaceBody
from mainspring.domain.access.permissions import NAMESPACE, Namespace, check_namespace_name
from mainspring.domain.access.token import check_reach

NamespaceName = Annotated[str, Path(alias="name", json_schema_extra={"pattern": f"^{NAMESPACE.pattern}$"})]


STRUCTS = (NewNamespaceBody, NamespaceInfo, NamespacePage)

router = APIRouter(prefix="/api/v1/namespaces", route_class=GuardedRoute, tags=["namespaces"])
_new = msgspec.json.Decoder(NewNamespaceBody)


@router.get("", openapi_extra=answers({200: (NamespacePage,)}), response_model=None)
@require(Permission.NAMESPACES_READ)
async def list_namespaces(request: Request) -> Response:
    """The namespaces that the token reaches."""
    token = grant_of(request).token
    found = [each for each in await engine_of(request).access.namespaces.list() if token.reaches(each.name)]
    return show(NamespacePage([show_namespace(each) for each in found]))


@router.post(
    "",
    status_code=201,
    openapi_extra=accepts(NewNamespaceBody) | answers({201: (NamespaceInfo,)}),
    response_model=None,
)
@require(Permission.NAMESPACES_WRITE)
async def create_namespace(request: Request) -> Response:
    body = await read_struct(request, _new)
    namespaces = engine_of(request).access.namespaces
    made = await namespaces.create(body.name, description=body.description, by=actor_of(request))
    return show(show_namespace(made), status=201)


@router.get("/{name}", openapi_extra=answers({200: (NamespaceInfo,)}), response_model=None)
@require(Permission.NAMESPACES_READ)
async def get_namespace(request: Request, name: NamespaceName) -> Response:
    check_reach(grant_of(request).token, check_namespace_name(name))
    return show(show_namespace(await engine_of(request).access.namespaces.get(name)))


@router.delete("/{name}", status_code=204, openapi_extra=answers({204: ()}), response_model=None)
@require(Permission.NAMESPACES_WRITE)
async def delete_namespace(request: Request, name: NamespaceName) -> Response:
    """Delete a namespace that holds no jobs, live runs, executors or active tokens."""
    await engine_of(request).access.namespaces.delete(check_namespace_name(name), by=actor_of(request))
    return Response(status_code=204)


def show_namespace(namespace: Namespace) -> NamespaceInfo:
    return NamespaceInfo(namespace.name, namespace.description, namespace.created_at)
