"""Why a gate keeps the runs of a line back: who holds its limit, or when its rate lets the next one start."""

from collections.abc import Iterator, Sequence
from shlex import quote

from mainspring.domain.breakers.breaker import Breaker, BreakerState
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.limits.gates import Gate, GateState, Scope
from mainspring.domain.limits.obstacles import Obstacle, breaker_open
from mainspring.domain.runs.run import Parking, WaitReason

OF = {
    Scope.JOB: "job",
    Scope.QUEUE: "queue",
    Scope.NAMESPACE: "namespace",
    Scope.NAMED: "limit",
    Scope.BREAKER: "breaker",
}


def gate_obstacles(gates: Sequence[Gate], states: Sequence[GateState], holders: Sequence[RunId]) -> Iterator[Obstacle]:
    """One for each gate that lets nothing pass at present."""
    known = {state.id: state for state in states}
    for gate in gates:
        state = known.get(gate.id)
        if state is None:
            continue
        if gate.scope is Scope.BREAKER:
            yield from breaker_holds(gate, state)
        elif state.full:
            yield full(gate, state, holders)
        elif state.opens_at is not None:
            yield spent(gate, state)


def full(gate: Gate, state: GateState, holders: Sequence[RunId]) -> Obstacle:
    runs = [id_text(run) for run in holders]
    text = f"{gate.scope.capitalize()} {gate.name} is at its limit: {state.held} of {state.at_once} under way"
    if runs and state.held <= len(runs):
        text = f"Limit {state.at_once} of {OF[gate.scope]} {gate.name} is held by {' and '.join(runs)}"
    return Obstacle(
        code=f"{OF[gate.scope]}_limit" if gate.scope is not Scope.NAMED else "named_limit",
        reason=WaitReason.LIMIT,
        text=text,
        remedy=change_of(gate, "--at-once N"),
        facts={OF[gate.scope]: gate.name, "at_once": state.at_once, "held": state.held, "runs": runs},
    )


def change_of(gate: Gate, option: str) -> str:
    """The command that changes the number or the rate of a gate."""
    name = quote(gate.name)
    if gate.scope is Scope.JOB:
        return f"mainspring jobs edit {name}"
    scope = "" if gate.scope is Scope.NAMED else f" --scope {gate.scope}"
    return f"mainspring limits set {name}{scope} {option}"


def breaker_holds(gate: Gate, state: GateState) -> Iterator[Obstacle]:
    """That a breaker is being probed, or lets its runs go in waves; one that is open is an obstacle of the line itself."""
    facts = {"breaker": gate.name, "at_once": state.at_once, "held": state.held}
    if state.at_once and (state.full or state.opens_at is not None):
        text = f"Breaker {gate.name} is half open: its probes were let through, and this run waits for how they end"
        yield Obstacle(
            code="breaker_half_open", reason=WaitReason.BREAKER, text=text, remedy=reset_of(gate.name), facts=facts
        )
    elif state.opens_at is not None and gate.gap and not state.at_once:
        text = f"Breaker {gate.name} has closed, and lets {1_000_000 // gate.gap} runs go in a second for now"
        yield Obstacle(
            code="breaker_wave",
            reason=WaitReason.BREAKER,
            text=text,
            remedy=reset_of(gate.name),
            until=state.opens_at,
            facts=facts,
        )


def reset_of(breaker: str) -> str:
    return f"mainspring breakers reset {quote(breaker)}"


def parked_obstacle(parking: Parking, breaker: Breaker | None) -> Obstacle:
    """The reason of a run whose handler found a breaker open."""
    if breaker is not None and breaker.state.refuses:
        return breaker_open(breaker)
    code, until = "breaker_wave", None
    text = f"Breaker {parking.breaker} has closed, and lets runs that were parked go in waves"
    if breaker is not None and breaker.state is BreakerState.HALF_OPEN:
        code, text = "breaker_half_open", f"Breaker {parking.breaker} is being probed, and this run waits for that"
    elif breaker is None or not breaker.wave:
        code, until = "breaker_open", parking.until
        text = f"Breaker {parking.breaker} was open on the executor of its last attempt; no attempt was spent"
    return Obstacle(
        code=code,
        reason=WaitReason.BREAKER,
        text=text,
        remedy=reset_of(parking.breaker),
        until=until,
        facts={"breaker": parking.breaker},
    )


def spent(gate: Gate, state: GateState) -> Obstacle:
    return Obstacle(
        code="rate",
        reason=WaitReason.LIMIT,
        text=f"The rate of {OF[gate.scope]} {gate.name} is used up for now",
        remedy=change_of(gate, "--rate N/s"),
        until=state.opens_at,
        facts={OF[gate.scope]: gate.name},
    )
