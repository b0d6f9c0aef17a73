"""Whether the store is what it always has to be."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, require
from mainspring.api.engine_gate import engine_of
from mainspring.api.http.json_io import show
from mainspring.api.openapi.document import answers
from mainspring.contract.cluster import InvariantInfo, InvariantsInfo
from mainspring.domain.cluster.invariants import INVARIANTS

STRUCTS = (InvariantsInfo,)

router = APIRouter(prefix="/api/v1/invariants", route_class=GuardedRoute, tags=["invariants"])


@router.get("", openapi_extra=answers({200: (InvariantsInfo,)}), response_model=None)
@require(Permission.INVARIANTS_READ)
async def list_invariants(request: Request) -> Response:
    """What always holds of the store, over all namespaces, and whether it does; bounded, so that it may be asked often."""
    broken = {found.name: found.examples for found in await engine_of(request).dead.violations()}
    return show(
        InvariantsInfo(
            [
                InvariantInfo(name=name, says=says, holds=name not in broken, examples=list(broken.get(name, ())))
                for name, says in INVARIANTS.items()
            ]
        )
    )
