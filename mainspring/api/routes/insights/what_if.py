"""Serves what another definition would have done to past runs, and a definition as Python."""

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.routes.jobs.views import changed
from mainspring.contract.insights import what_if
from mainspring.domain.ids import id_text
from mainspring.domain.jobs.python import as_python
from mainspring.domain.jobs.replay import Affected

SAMPLES = 5

router = Routes()


@router.bind(what_if.WHAT_IF)
async def try_definition(call: Call, name: str, body: what_if.WhatIfBody) -> what_if.WhatIfInfo:
    found = await call.engine.jobs.what_if(
        call.namespace, name, lambda spec: changed(spec, body.changes), limit=body.runs
    )
    return what_if.WhatIfInfo(
        job=name,
        runs=found.runs,
        succeeded=found.succeeded,
        failed=found.failed,
        since=found.since,
        until=found.until,
        at_once=found.at_once,
        effects=[show_effect(one) for one in found.effects],
        unjudged=found.unjudged,
    )


def show_effect(one: Affected) -> what_if.WhatIfEffect:
    newest = sorted(one.runs, reverse=True)[:SAMPLES]
    return what_if.WhatIfEffect(
        effect=one.effect.value,
        runs=len(one.runs),
        samples=[id_text(run) for run in newest],
        seconds=one.seconds,
        longest=one.longest,
    )


@router.bind(what_if.GET_JOB_PYTHON)
async def get_job_python(call: Call, name: str) -> what_if.JobPython:
    return what_if.JobPython(as_python((await call.engine.jobs.get(call.namespace, name)).spec))
