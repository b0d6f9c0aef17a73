"""Operations of saved views, and their body."""

from types import NoneType
from typing import Annotated

import msgspec

from mainspring.contract.base.operation import Operation
from mainspring.contract.insights.views import SavedViewInfo, SavedViewList
from mainspring.contract.operations.runs import RunQueryText
from mainspring.domain.access.permissions import Permission
from mainspring.domain.insights.saved_view import VIEW_NAME, VIEW_NAME_MAX

ViewName = Annotated[
    str,
    msgspec.Meta(min_length=1, max_length=VIEW_NAME_MAX, extra_json_schema={"pattern": f"^{VIEW_NAME.pattern}$"}),
]


class ViewBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a view looks for."""

    q: RunQueryText


LIST_VIEWS = Operation(
    "list_views",
    "GET /api/v1/views",
    Permission.RUNS_READ,
    "List the saved views of the caller, and those that are shared in the namespace.",
    SavedViewList,
    tag="insights",
)
SAVE_VIEW = Operation(
    "save_view",
    "PUT /api/v1/views/{name}",
    Permission.VIEWS_WRITE,
    "Keep a query of runs under a name, for the caller alone.",
    SavedViewInfo,
    body=ViewBody,
    parts={"name": ViewName},
    repeatable=True,
    tag="insights",
)
DELETE_VIEW = Operation(
    "delete_view",
    "DELETE /api/v1/views/{name}",
    Permission.VIEWS_WRITE,
    "Delete a saved view of the caller.",
    NoneType,
    parts={"name": ViewName},
    tag="insights",
)
SHARE_VIEW = Operation(
    "share_view",
    "PUT /api/v1/shared-views/{name}",
    Permission.VIEWS_SHARE,
    "Keep a query of runs under a name, for all of the namespace.",
    SavedViewInfo,
    body=ViewBody,
    parts={"name": ViewName},
    repeatable=True,
    tag="insights",
)
DELETE_SHARED_VIEW = Operation(
    "delete_shared_view",
    "DELETE /api/v1/shared-views/{name}",
    Permission.VIEWS_SHARE,
    "Delete a view that is shared in the namespace.",
    NoneType,
    parts={"name": ViewName},
    tag="insights",
)
