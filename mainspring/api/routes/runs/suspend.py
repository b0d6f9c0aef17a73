"""Serves suspension of runs, and their checkpoints."""

from collections.abc import Sequence

import msgspec
from starlette.responses import Response

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.json_io import respond, shown_json
from mainspring.api.routes.runs.views import show_run
from mainspring.contract.checkpoints import CheckpointInfo, EffectInfo, RunMemory, StepInfo
from mainspring.contract.operations import checkpoints
from mainspring.contract.runs import RunInfo
from mainspring.domain.ids import parse_run_id
from mainspring.domain.runs.checkpoints import MemoryKind, Recollection

router = Routes()


@router.bind(checkpoints.SUSPEND_RUN)
async def suspend_run(call: Call, run_id: str, body: checkpoints.SuspendBody) -> Response:
    engine, namespace, run = call.engine, call.namespace, parse_run_id(run_id)
    waits = await engine.suspending.suspend(
        namespace, run, actor=call.actor, reason=body.reason, resume_at=body.resume_at
    )
    return respond(show_run(await engine.get(namespace, run)), status=200 if waits else 202)


@router.bind(checkpoints.RESUME_RUN)
async def resume_run(call: Call, run_id: str, body: checkpoints.ResumeRunBody) -> RunInfo:
    engine, namespace, run = call.engine, call.namespace, parse_run_id(run_id)
    await engine.suspending.resume(namespace, run, actor=call.actor, reason=body.reason)
    return show_run(await engine.get(namespace, run))


@router.bind(checkpoints.GET_MEMORY)
async def get_memory(call: Call, run_id: str) -> RunMemory:
    engine, run = call.engine, parse_run_id(run_id)
    await engine.get(call.namespace, run)
    return show_memory(await engine.suspending.memories(run))


def show_memory(kept: Sequence[Recollection]) -> RunMemory:
    checkpoints = [one for one in kept if one.kind is MemoryKind.CHECKPOINT]
    return RunMemory(
        checkpoint=show_checkpoint(checkpoints[0]) if checkpoints else None,
        steps=[
            StepInfo(name=one.name, result=raw(one), attempt=one.attempt, at=one.at)
            for one in kept
            if one.kind is MemoryKind.STEP
        ],
        effects=[show_effect(one) for one in kept if one.kind is MemoryKind.EFFECT],
    )


def show_checkpoint(one: Recollection) -> CheckpointInfo:
    return CheckpointInfo(state=raw(one), attempt=one.attempt, at=one.at)


def show_effect(one: Recollection) -> EffectInfo:
    done = one.value is not None
    return EffectInfo(name=one.name, done=done, result=raw(one) if done else None, attempt=one.attempt, at=one.at)


def raw(one: Recollection) -> msgspec.Raw:
    return shown_json(one.value or b"null")
