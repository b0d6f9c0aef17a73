"""What clients do to triggers, and how these end when a trial does."""

import asyncio
from typing import Any

import msgspec

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import id_text
from mainspring.domain.metadata import RunMetadata
from mainspring.scheduler.operations.triggers import TriggerOperations
from proof.sim.plan import Act

NAMESPACE = "default"
ACTOR = Actor("trial")
OF_TRIGGERS = frozenset({"define", "pause_trigger", "resume_trigger", "skip_next", "fire_now", "delete_trigger"})
GOES_ON = 8.0
"""Seconds for which triggers go on when all is healed."""
MICROS = 1_000_000


async def steer_trigger(triggers: TriggerOperations, act: Act) -> str:
    """Ask for it; returns the run of a fire, or else nothing."""
    match act.act:
        case "define":
            assert act.spec is not None
            arguments = msgspec.json.encode({"mark": act.name, "seconds": act.seconds, "fails": 0})
            spec = msgspec.structs.replace(act.spec, input=msgspec.Raw(arguments))
            await triggers.define(NAMESPACE, [spec], actor=ACTOR)
        case "pause_trigger":
            await triggers.pause(NAMESPACE, act.name, reason="a trial", actor=ACTOR)
        case "resume_trigger":
            await triggers.resume(NAMESPACE, act.name, actor=ACTOR)
        case "skip_next":
            await triggers.skip_next(NAMESPACE, act.name, actor=ACTOR)
        case "delete_trigger":
            await triggers.delete(NAMESPACE, act.name, actor=ACTOR)
        case _:
            return id_text((await triggers.fire_now(NAMESPACE, act.name, actor=ACTOR)).run)
    return ""


def fired_by(extra: bytes | None) -> dict[str, Any]:
    """What a run says of its trigger."""
    if not extra:
        return {}
    told = msgspec.json.decode(extra, type=RunMetadata)
    fire_at = None if told.fire_at is None else round(told.fire_at.timestamp() * MICROS)
    return {"trigger": told.trigger, "fire_at": fire_at}


async def let_triggers_go_on(names: list[str]) -> list[Act]:
    """Wait a while, in which what is due is fired; then say how they are taken away, so that everything can end."""
    if names:
        await asyncio.sleep(GOES_ON)
    return [Act(at=0, act="delete_trigger", server=0, name=name) for name in names]
