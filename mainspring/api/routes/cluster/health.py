"""Serves liveness, readiness and version. Callers without a token learn whether, callers with one learn why."""

import platform

from starlette.responses import Response

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.engine_gate import gate_of
from mainspring.api.http.json_io import respond
from mainspring.contract.cluster import LivenessInfo, ReadinessInfo, VersionInfo
from mainspring.contract.operations.cluster import LIVEZ, READYZ, VERSION
from mainspring.domain.access.permissions import NAMESPACE_ALL
from mainspring.version import __version__
from mainspring.wire.messages import PROTOCOL

PRODUCT = "mainspring"

router = Routes()


@router.bind(LIVEZ)
async def livez(_call: Call) -> LivenessInfo:
    return LivenessInfo(alive=True)


@router.bind(READYZ)
async def readyz(call: Call) -> Response:
    state = call.request.app.state
    found = gate_of(call.request).readiness()
    grant = await state.authenticator.recognise(call.request)
    is_known = grant is not None or state.public_details
    counts = state.public_details or (grant is not None and grant.token.namespace == NAMESPACE_ALL)
    shown = ReadinessInfo(
        ready=found.ready,
        # The part after the colon may name hosts and users.
        reason=found.reason if is_known else found.reason.partition(":")[0],
        executors=found.executors if counts else None,
        durability=found.durability or None if counts else None,
    )
    return respond(shown, status=200 if found.ready else 503)


@router.bind(VERSION)
async def version(call: Call) -> VersionInfo:
    state = call.request.app.state
    if await state.authenticator.recognise(call.request) is None and not state.public_details:
        return VersionInfo(product=PRODUCT)
    return VersionInfo(product=PRODUCT, version=__version__, protocol=PROTOCOL, python=platform.python_version())
