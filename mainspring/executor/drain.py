"""How an executor comes to an orderly end: finish or hand back, and leave nothing unsaid."""

import logging

from mainspring.clock import Clock
from mainspring.executor.conversation import Conversation

log = logging.getLogger(__name__)

INTERRUPT_MAX = 2.0
"""Seconds that interrupted attempts have for their own cleaning up."""
HEED_MAX = 2.0
"""Seconds to wait for a server to hear that nothing more is taken."""
SETTLE_MAX = 10.0
"""Seconds to find a server that takes the last outcomes."""


async def drain(conversation: Conversation, clock: Clock, *, grace: float) -> bool:
    """Bring every attempt to an end; say whether the server knows them all."""
    runner = conversation.runner
    log.info("draining: %d attempts in hand", len(runner.holdings))
    conversation.withdraw()
    if not await clock.wait(runner.idle, grace):
        runner.interrupt(runner.holdings.all())
        await clock.wait(runner.idle, INTERRUPT_MAX)
        runner.hand_back()
    if conversation.lease.held:
        # Until then a start may be on its way; it would be lost with us.
        await clock.wait(conversation.heeded, HEED_MAX)
    settled = await clock.wait(runner.handed_in, SETTLE_MAX)
    if not settled:
        log.warning("%d outcomes could not be handed in; their runs start again elsewhere", len(runner.outbox))
    return settled
