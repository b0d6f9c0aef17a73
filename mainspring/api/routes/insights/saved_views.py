"""Serves saved views, a person's own and those that are shared in a namespace."""

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.contract.insights import saved_views
from mainspring.contract.insights.views import SavedViewInfo, SavedViewList
from mainspring.domain.insights.saved_view import SHARED_BY_ALL, SavedView, owner_of

router = Routes()


@router.bind(saved_views.LIST_VIEWS)
async def list_views(call: Call) -> SavedViewList:
    found = await call.engine.access.saved_views.list(call.namespace, owner_of(call.grant))
    return SavedViewList([show_view(view) for view in found])


@router.bind(saved_views.SAVE_VIEW)
async def save_view(call: Call, name: str, body: saved_views.ViewBody) -> SavedViewInfo:
    return await save(call, owner_of(call.grant), name, body.q)


@router.bind(saved_views.SHARE_VIEW)
async def share_view(call: Call, name: str, body: saved_views.ViewBody) -> SavedViewInfo:
    return await save(call, SHARED_BY_ALL, name, body.q)


@router.bind(saved_views.DELETE_VIEW)
async def delete_view(call: Call, name: str) -> None:
    await call.engine.access.saved_views.delete(call.namespace, owner_of(call.grant), name, actor=call.actor)


@router.bind(saved_views.DELETE_SHARED_VIEW)
async def delete_shared_view(call: Call, name: str) -> None:
    await call.engine.access.saved_views.delete(call.namespace, SHARED_BY_ALL, name, actor=call.actor)


async def save(call: Call, owner: str, name: str, q: str) -> SavedViewInfo:
    return show_view(await call.engine.access.saved_views.save(call.namespace, owner, name, q, actor=call.actor))


def show_view(view: SavedView) -> SavedViewInfo:
    return SavedViewInfo(
        name=view.name,
        q=view.query,
        shared=view.owner == SHARED_BY_ALL,
        author=view.author,
        updated_at=view.updated_at,
    )
