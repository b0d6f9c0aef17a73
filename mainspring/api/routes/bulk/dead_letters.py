"""Serves dead letters: runs that failed for good, grouped by their error."""

import re
from collections.abc import Sequence
from datetime import datetime

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.paging import next_of, parse_place, write_place
from mainspring.api.routes.runs.list import check_named
from mainspring.api.views import view_of
from mainspring.contract.bulk import (
    DeadGroupInfo,
    DeadGroupPage,
    DeadLetterInfo,
    DeadLetterPage,
    FailureFigureInfo,
    FailureFigures,
    FailureNoteInfo,
    MuteInfo,
)
from mainspring.contract.insights import failures
from mainspring.contract.operations import bulk
from mainspring.contract.runs import RunDiscard
from mainspring.domain.bulk.failure_note import FailureNote, Mute
from mainspring.domain.ids import RunId, id_text, parse_run_id
from mainspring.domain.names import JOB_MAX
from mainspring.domain.runs.dead_letter import (
    COUNT_MAX,
    FINGERPRINT,
    DeadGroup,
    DeadLetter,
    FailureFigure,
    parse_fingerprint,
)
from mainspring.store.interface import DeadFilter

HEX_ID = re.compile("[0-9a-f]{32}")

router = Routes()


@router.bind(bulk.LIST_DEAD_GROUPS)
async def list_dead_groups(call: Call, query: bulk.DeadGroupQuery) -> DeadGroupPage:
    place = parse_place(query.cursor, FINGERPRINT)
    after = None if place is None else (place[0], bytes.fromhex(place[1]))
    job = check_named("job", query.job, most=JOB_MAX)
    groups = await call.engine.dead.groups(call.namespace, job=job, after=after, limit=query.limit)
    following = next_of(groups, query.limit, lambda last: write_place(last.last_at, last.fingerprint.hex()))
    return DeadGroupPage(await show_groups(call, groups), following)


@router.bind(bulk.LIST_DEAD_LETTERS)
async def list_dead_letters(call: Call, fingerprint: str, query: bulk.DeadLetterQuery) -> DeadLetterPage:
    place = parse_place(query.cursor, HEX_ID)
    wanted = DeadFilter(
        namespace=call.namespace,
        fingerprint=parse_fingerprint(fingerprint),
        after=None if place is None else (place[0], RunId(bytes.fromhex(place[1]))),
        limit=query.limit,
    )
    page = await call.engine.dead.letters(wanted)
    following = None if page.next is None else write_place(page.next[0], page.next[1].hex())
    return DeadLetterPage([show_letter(letter) for letter in page.letters], following)


@router.bind(bulk.DISCARD_RUN)
async def discard_run(call: Call, run_id: str, body: bulk.DiscardBody) -> DeadLetterInfo:
    run = parse_run_id(run_id)
    return show_letter(await call.engine.dead.discard(call.namespace, run, actor=call.actor, reason=body.reason))


@router.bind(failures.NOTE_FAILURE)
async def note_failure(call: Call, fingerprint: str, body: failures.FailureNoteBody) -> FailureNoteInfo:
    note = await call.engine.dead.notes.note(call.namespace, fingerprint, body.note, actor=call.actor)
    return show_note(fingerprint, note)


@router.bind(failures.ASSIGN_FAILURE)
async def assign_failure(call: Call, fingerprint: str, body: failures.FailureOwnerBody) -> FailureNoteInfo:
    note = await call.engine.dead.notes.assign(call.namespace, fingerprint, body.owner, actor=call.actor)
    return show_note(fingerprint, note)


@router.bind(failures.GET_FAILURE_FIGURES)
async def get_failure_figures(call: Call, query: failures.FailureFiguresQuery) -> FailureFigures:
    found = await call.engine.dead.notes.figures(call.namespace, query.fingerprint)
    return FailureFigures([show_figure(one) for one in found])


@router.bind(failures.MUTE_FAILURE)
async def mute_failure(call: Call, fingerprint: str, body: failures.MuteBody) -> FailureNoteInfo:
    note = await call.engine.dead.notes.mute(
        call.namespace, fingerprint, until=body.until, reason=body.reason, actor=call.actor
    )
    return show_note(fingerprint, note)


@router.bind(failures.UNMUTE_FAILURE)
async def unmute_failure(call: Call, fingerprint: str, body: failures.UnmuteBody) -> FailureNoteInfo:
    notes = call.engine.dead.notes
    return show_note(fingerprint, await notes.unmute(call.namespace, fingerprint, reason=body.reason, actor=call.actor))


async def show_groups(call: Call, groups: Sequence[DeadGroup]) -> list[DeadGroupInfo]:
    """Groups with what people say of them."""
    notes = await call.engine.dead.notes.of(call.namespace, [group.fingerprint for group in groups])
    return [show_group(group, notes[group.fingerprint], call.now) for group in groups]


def show_group(group: DeadGroup, note: FailureNote, now: datetime) -> DeadGroupInfo:
    return view_of(
        DeadGroupInfo,
        group,
        note=note.note,
        noted_by=note.noted_by,
        noted_at=note.noted_at,
        owner=note.owner,
        owned_by=note.owned_by,
        owned_at=note.owned_at,
        mute=show_mute(note.mute),
        muted=note.mute is not None and note.mute.holds(now, group.last_at),
        fingerprint=group.fingerprint.hex(),
        more=group.runs >= COUNT_MAX,
        example=id_text(group.example),
    )


def show_note(fingerprint: str, note: FailureNote) -> FailureNoteInfo:
    return view_of(FailureNoteInfo, note, fingerprint=fingerprint, mute=show_mute(note.mute))


def show_figure(figure: FailureFigure) -> FailureFigureInfo:
    return view_of(
        FailureFigureInfo,
        figure,
        fingerprint=figure.fingerprint.hex(),
        hours=list(figure.hours),
        versions=list(figure.versions),
    )


def show_mute(mute: Mute | None) -> MuteInfo | None:
    return None if mute is None else view_of(MuteInfo, mute)


def show_letter(letter: DeadLetter) -> DeadLetterInfo:
    gone = letter.discarded
    discarded = None if gone is None else RunDiscard(gone.at, gone.by, gone.reason)
    fingerprint = letter.fingerprint.hex()
    return view_of(DeadLetterInfo, letter, run=id_text(letter.run), fingerprint=fingerprint, discarded=discarded)
