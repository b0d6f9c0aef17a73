"""How the attempts of a claim are put into frames."""

from collections.abc import Callable, Mapping

from mainspring.domain.queues.line import Line
from mainspring.domain.runs.attempt import Claim
from mainspring.wire.codec import encode
from mainspring.wire.messages import Start

FRAME_SOFT_MAX = 4 * 1024 * 1024
"""A Start frame is cut before its inputs grow past this."""

Framing = Callable[[Claim], list[bytes]]


def start_frames(claim: Claim, lines: Mapping[int, Line], timeouts: Mapping[int, float]) -> list[bytes]:
    """As few frames as the attempts' size allows; `timeouts` by job, of those that have one."""
    numbers = sorted(set(claim.lines))
    names = [lines[number].handler for number in numbers]
    positions = {number: position for position, number in enumerate(numbers)}
    handlers = [0] * len(claim) if len(numbers) == 1 else [positions[number] for number in claim.lines]
    limits = [] if timeouts.keys().isdisjoint(claim.jobs) else [timeouts.get(job, 0.0) for job in claim.jobs]
    return [
        encode(
            [
                Start(
                    claim.token,
                    part,
                    names,
                    claim.runs[begin:end],
                    handlers[begin:end],
                    claim.attempts[begin:end],
                    claim.inputs[begin:end],
                    claim.extras[begin:end],
                    limits[begin:end],
                )
            ]
        )
        for part, (begin, end) in enumerate(cuts(claim.inputs))
    ]


def cuts(inputs: list[bytes]) -> list[tuple[int, int]]:
    """Where to cut a batch so that no frame carries much more than the soft maximum."""
    if sum(map(len, inputs)) <= FRAME_SOFT_MAX:
        return [(0, len(inputs))]
    pieces: list[tuple[int, int]] = []
    begin = size = 0
    for position, raw in enumerate(inputs):
        if size and size + len(raw) > FRAME_SOFT_MAX:
            pieces.append((begin, position))
            begin, size = position, 0
        size += len(raw)
    return [*pieces, (begin, len(inputs))]
