"""Dead letters: what failed for good, by what it died of."""

import re
from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, actor_of, require
from mainspring.api.engine_gate import engine_of, namespace_of
from mainspring.api.http.json_io import read_struct, show
from mainspring.api.http.paging import parse_place, place_pattern, write_place
from mainspring.api.openapi.document import accepts, answers
from mainspring.api.routes.runs.create import RunIdText
from mainspring.api.routes.runs.list import check_named
from mainspring.contract.bulk import DeadGroupInfo, DeadGroupPage, DeadLetterInfo, DeadLetterPage, DiscardBody
from mainspring.contract.runs import RunDiscard
from mainspring.domain.ids import RunId, id_text, parse_run_id
from mainspring.domain.names import JOB_MAX
from mainspring.domain.runs.dead_letter import COUNT_MAX, FINGERPRINT, DeadGroup, DeadLetter, parse_fingerprint
from mainspring.store.interface import DeadFilter

PAGE_MAX = 500
HEX_ID = re.compile("[0-9a-f]{32}")

Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]
Job = Annotated[str | None, Query(min_length=1, max_length=JOB_MAX)]
GroupCursor = Annotated[str | None, Query(json_schema_extra={"pattern": place_pattern(FINGERPRINT)})]
LetterCursor = Annotated[str | None, Query(json_schema_extra={"pattern": place_pattern(HEX_ID)})]
FingerprintText = Annotated[str, Path(alias="fingerprint", json_schema_extra={"pattern": f"^{FINGERPRINT.pattern}$"})]


STRUCTS = (DiscardBody, DeadGroupPage, DeadLetterPage, DeadLetterInfo)

router = APIRouter(prefix="/api/v1", route_class=GuardedRoute, tags=["dead letters"])
_discard = msgspec.json.Decoder(DiscardBody)


@router.get("/dead-letters", openapi_extra=answers({200: (DeadGroupPage,)}), response_model=None)
@require(Permission.RUNS_READ)
async def list_dead_groups(
    request: Request, *, job: Job = None, limit: Limit = 50, cursor: GroupCursor = None
) -> Response:
    """What failed for good and was neither retried nor discarded, grouped by job, class of error and message."""
    place = parse_place(cursor, FINGERPRINT)
    after = None if place is None else (place[0], bytes.fromhex(place[1]))
    groups = await engine_of(request).dead.groups(
        namespace_of(request), job=check_named("job", job, most=JOB_MAX), after=after, limit=limit
    )
    last = groups[-1] if len(groups) == limit else None
    following = None if last is None else write_place(last.last_at, last.fingerprint.hex())
    return show(DeadGroupPage([show_group(group) for group in groups], following))


@router.get("/dead-letters/{fingerprint}", openapi_extra=answers({200: (DeadLetterPage,)}), response_model=None)
@require(Permission.RUNS_READ)
async def list_dead_letters(
    request: Request, fingerprint: FingerprintText, *, limit: Limit = 50, cursor: LetterCursor = None
) -> Response:
    """The runs of one group, oldest first."""
    place = parse_place(cursor, HEX_ID)
    query = DeadFilter(
        namespace=namespace_of(request),
        fingerprint=parse_fingerprint(fingerprint),
        after=None if place is None else (place[0], RunId(bytes.fromhex(place[1]))),
        limit=limit,
    )
    page = await engine_of(request).dead.letters(query)
    following = None if page.next is None else write_place(page.next[0], page.next[1].hex())
    return show(DeadLetterPage([show_letter(letter) for letter in page.letters], following))


@router.post(
    "/runs/{id}/discard",
    openapi_extra=accepts(DiscardBody, optional=True) | answers({200: (DeadLetterInfo,)}),
    response_model=None,
)
@require(Permission.RUNS_STEER)
async def discard_run(request: Request, run_id: RunIdText) -> Response:
    """Have a run that failed for good listed among the dead letters no more; it stays failed."""
    body = await read_struct(request, _discard, optional=True)
    letter = await engine_of(request).dead.discard(
        namespace_of(request), parse_run_id(run_id), actor=actor_of(request), reason=body.reason
    )
    return show(show_letter(letter))


def show_group(group: DeadGroup) -> DeadGroupInfo:
    return DeadGroupInfo(
        fingerprint=group.fingerprint.hex(),
        job=group.job,
        error=group.error,
        message=group.message,
        runs=group.runs,
        more=group.runs >= COUNT_MAX,
        first_at=group.first_at,
        last_at=group.last_at,
        example=id_text(group.example),
    )


def show_letter(letter: DeadLetter) -> DeadLetterInfo:
    gone = letter.discarded
    return DeadLetterInfo(
        run=id_text(letter.run),
        job=letter.job,
        queue=letter.queue,
        fingerprint=letter.fingerprint.hex(),
        error=letter.error,
        message=letter.message,
        reason=letter.reason,
        failed_at=letter.failed_at,
        discarded=None if gone is None else RunDiscard(gone.at, gone.by, gone.reason),
    )
