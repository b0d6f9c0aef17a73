"""Forecasts whose duty the test performs."""

import asyncio

from mainspring.domain.triggers.fire_times.forecast import Forecast
from mainspring.scheduler.triggers.count_forecasts import Question
from tests.scheduler.scene import Scene

LONG = 60.0


async def counted(scene: Scene, question: Question) -> Forecast:
    """The whole forecast: a reader waits for it."""
    looking = asyncio.create_task(scene.scheduler.forecasts.look(question, wait=LONG))
    await asyncio.sleep(0)
    while await scene.scheduler.forecasts.tick():
        pass
    return (await looking).forecast
