"""Runs: set them aside, let them go on, and see what they remember meanwhile."""

from collections.abc import Sequence

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, actor_of, require
from mainspring.api.engine_gate import engine_of, namespace_of
from mainspring.api.http.json_io import read_struct, show, shown_json
from mainspring.api.openapi.document import accepts, answers
from mainspring.api.routes.runs.create import RunIdText
from mainspring.api.routes.runs.views import show_run
from mainspring.contract.checkpoints import CheckpointInfo, EffectInfo, ResumeRunBody, RunMemory, StepInfo, SuspendBody
from mainspring.contract.runs import RunInfo
from mainspring.domain.ids import parse_run_id
from mainspring.domain.runs.checkpoints import MemoryKind, Recollection

STRUCTS = (SuspendBody, ResumeRunBody, RunMemory)

router = APIRouter(prefix="/api/v1/runs", route_class=GuardedRoute, tags=["runs"])
_suspend = msgspec.json.Decoder(SuspendBody)
_resume = msgspec.json.Decoder(ResumeRunBody)


@router.post(
    "/{id}/suspend",
    openapi_extra=accepts(SuspendBody, optional=True) | answers({200: (RunInfo,), 202: (RunInfo,)}),
    response_model=None,
)
@require(Permission.RUNS_STEER)
async def suspend_run(request: Request, run_id: RunIdText) -> Response:
    """Set a run aside: 200 if it waits, 202 while its handler has yet to yield."""
    body = await read_struct(request, _suspend, optional=True)
    engine, namespace, run = engine_of(request), namespace_of(request), parse_run_id(run_id)
    waits = await engine.suspending.suspend(
        namespace, run, actor=actor_of(request), reason=body.reason, resume_at=body.resume_at
    )
    return show(show_run(await engine.get(namespace, run)), status=200 if waits else 202)


@router.post(
    "/{id}/resume",
    openapi_extra=accepts(ResumeRunBody, optional=True) | answers({200: (RunInfo,)}),
    response_model=None,
)
@require(Permission.RUNS_STEER)
async def resume_run(request: Request, run_id: RunIdText) -> Response:
    """Let a suspended run go on from its checkpoint, behind its steps."""
    body = await read_struct(request, _resume, optional=True)
    engine, namespace, run = engine_of(request), namespace_of(request), parse_run_id(run_id)
    await engine.suspending.resume(namespace, run, actor=actor_of(request), reason=body.reason)
    return show(show_run(await engine.get(namespace, run)))


@router.get("/{id}/memory", openapi_extra=answers({200: (RunMemory,)}), response_model=None)
@require(Permission.RUNS_READ)
async def get_memory(request: Request, run_id: RunIdText) -> Response:
    """The checkpoint of a run, the results of its steps, and its effects."""
    engine, run = engine_of(request), parse_run_id(run_id)
    await engine.get(namespace_of(request), run)
    return show(show_memory(await engine.suspending.memories(run)))


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
