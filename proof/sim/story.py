"""A trial told line by line, for people: who did what, when, and what the store made of it."""

from collections.abc import Iterator

from proof.records import (
    Execution,
    Fault,
    Operation,
    Record,
    Records,
    RuleChange,
    SessionChange,
    Transition,
)
from proof.sim.plan import Plan


def tell(plan: Plan, records: Records, *, run: str = "") -> Iterator[str]:
    """The plan in short, then everything in the order of time; of one run only, if that is named."""
    config = plan.config
    yield f"seed {plan.seed}: {config.servers} servers, {config.executors} executors with {config.slots} slots each"
    yield f"lease {config.lease} s, grace {config.grace} s, poll {config.poll} s, claims of {config.claim_batch}"
    yield f"{len(plan.workload)} acts and {len(plan.nemesis)} faults; all is healed at {config.heal_at:.1f} s"
    names = {line.run: line.mark for line in records.run_rows}
    lines = [line for line in records.lines() if isinstance(line, TOLD)]
    for line in sorted(lines, key=lambda each: each.at):
        if not run or getattr(line, "run", run) in {run, ""} or names.get(getattr(line, "run", "")) == run:
            text = sentence(line, names)
            if text:
                yield f"{line.at:9.3f}  {text}"


TOLD = (Operation, Execution, Transition, SessionChange, RuleChange, Fault)


def sentence(line: Record, names: dict[str, str]) -> str:
    match line:
        case Operation():
            return operation(line, names)
        case Execution():
            outcome = f" ({line.outcome})" if line.outcome else ""
            return f"{line.executor}  handler of {short(line.run, names)}#{line.attempt}: {line.event}{outcome}"
        case Transition():
            return transition(line, names)
        case SessionChange():
            # Renewals are many, and only their absence tells something.
            return (
                f"store  session {line.session[:6]} of {line.executor} is {line.state}" if line.state != "live" else ""
            )
        case RuleChange():
            return f"store  {line.kind} of {line.name}: {'on' if line.on else 'off'}"
        case Fault():
            until = f" until {line.until:.3f}" if line.until > line.at else ""
            return f"NEMESIS  {line.fault} {line.target} {line.detail}".rstrip() + until
        case _:
            return ""


def operation(line: Operation, names: dict[str, str]) -> str:
    what = short(line.run, names) if line.run else line.mark or line.name
    if line.phase == "invoke":
        return f"client  {line.act} {what}?" + (f" key {line.key}" if line.key else "")
    told = {"ok": f"yes {line.state}".rstrip(), "fail": f"refused: {line.code}", "info": "no answer"}[line.phase]
    return f"client  {line.act} {what}: {told}"


def transition(line: Transition, names: dict[str, str]) -> str:
    owner = f" by {line.token[:6]} for session {line.session[:6]}" if line.session else ""
    counts = "".join(
        f", {count} {name}" for name, count in (("failures", line.failures), ("losses", line.losses)) if count
    )
    why = f" ({line.reason})" if line.reason else ""
    lost = "  -- forgotten by a fail-over" if line.lost else ""
    step = f"{line.before or 'new'} -> {line.state}"
    return f"store  {short(line.run, names)}#{line.attempt}: {step}{owner}{counts}{why}{lost}"


def short(run: str, names: dict[str, str]) -> str:
    return names.get(run) or run[-6:]
