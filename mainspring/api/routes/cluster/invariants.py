"""Serves the invariants of the store."""

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.contract.cluster import InvariantInfo, InvariantsInfo
from mainspring.contract.operations.cluster import LIST_INVARIANTS
from mainspring.domain.cluster.invariants import INVARIANTS

router = Routes()


@router.bind(LIST_INVARIANTS)
async def list_invariants(call: Call) -> InvariantsInfo:
    broken = {found.name: found.examples for found in await call.engine.dead.violations()}
    return InvariantsInfo(
        [
            InvariantInfo(name=name, says=says, holds=name not in broken, examples=list(broken.get(name, ())))
            for name, says in INVARIANTS.items()
        ]
    )
