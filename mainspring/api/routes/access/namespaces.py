"""Serves namespaces."""

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.contract.access import NamespaceInfo, NamespacePage
from mainspring.contract.operations import access
from mainspring.domain.access.permissions import Namespace, check_namespace_name
from mainspring.domain.access.token import check_reach

router = Routes()


@router.bind(access.LIST_NAMESPACES)
async def list_namespaces(call: Call) -> NamespacePage:
    grant = call.grant
    found = [each for each in await call.engine.access.namespaces.list() if grant.reaches(each.name)]
    return NamespacePage([show_namespace(call, each) for each in found])


@router.bind(access.CREATE_NAMESPACE)
async def create_namespace(call: Call, body: access.NewNamespaceBody) -> NamespaceInfo:
    namespaces = call.engine.access.namespaces
    return show_namespace(call, await namespaces.create(body.name, description=body.description, by=call.actor))


@router.bind(access.GET_NAMESPACE)
async def get_namespace(call: Call, name: str) -> NamespaceInfo:
    check_reach(call.grant.token, check_namespace_name(name))
    return show_namespace(call, await call.engine.access.namespaces.get(name))


@router.bind(access.DELETE_NAMESPACE)
async def delete_namespace(call: Call, name: str) -> None:
    await call.engine.access.namespaces.delete(check_namespace_name(name), by=call.actor)


def show_namespace(call: Call, namespace: Namespace) -> NamespaceInfo:
    weight = call.engine.queues.namespace_rule(namespace.name).policy.weight
    return NamespaceInfo(namespace.name, namespace.description, namespace.created_at, weight)
