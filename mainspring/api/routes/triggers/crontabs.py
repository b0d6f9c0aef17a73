"""Serves the preview of a crontab that is to become triggers."""

import asyncio
from functools import partial

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.routes.triggers.define import find
from mainspring.api.routes.triggers.views import show_preview
from mainspring.contract.operations import triggers
from mainspring.contract.triggers import CrontabPreview, CrontabRefusal, CrontabRemark, CrontabTrigger, PreviewedInstant
from mainspring.domain.imports.crontab import JOB, read_crontab
from mainspring.domain.imports.found import ImportedTrigger
from mainspring.domain.triggers.describe import say
from mainspring.errors import InvalidInputError, NotFoundError

LINES_MAX = 500
"""Lines that become triggers at once."""

router = Routes()


@router.bind(triggers.READ_CRONTAB)
async def preview_crontab(call: Call, body: triggers.CrontabBody) -> CrontabPreview:
    # Each line is read and checked as a trigger, which takes a while for many.
    reading = partial(read_crontab, body.text, zone=body.zone, now=call.now, with_users=body.system)
    found = await asyncio.to_thread(reading)
    if len(found.taken) > LINES_MAX:
        reason = f"has {len(found.taken)} lines that become triggers: at most {LINES_MAX} at once"
        raise InvalidInputError("text", reason, code="bad_text")
    return CrontabPreview(
        triggers=[await show_line(call, one, body.count) for one in found.taken],
        refused=[CrontabRefusal(one.line, one.text, one.reason) for one in found.refused],
        remarks=[CrontabRemark(one.line, one.text) for one in found.remarks],
        runnable=await is_runnable(call),
    )


async def show_line(call: Call, one: ImportedTrigger, count: int) -> CrontabTrigger:
    return CrontabTrigger(
        line=one.line,
        words=say(one.spec),
        trigger=one.spec,
        instants=await next_of(call, one, count),
        notes=list(one.notes),
        exists=await find(call, one.spec.name) is not None,
    )


async def next_of(call: Call, one: ImportedTrigger, count: int) -> list[PreviewedInstant]:
    if not count:
        return []
    found = await call.engine.triggers.preview(call.namespace, one.spec, after=call.now, count=count)
    return show_preview(one.spec, found).instants


async def is_runnable(call: Call) -> bool:
    try:
        await call.engine.jobs.get(call.namespace, JOB)
    except NotFoundError:
        return False
    return True
