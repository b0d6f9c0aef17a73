"""What the checker says: valid, invalid with its witnesses, or unknown because a channel is missing."""

from typing import Literal

import msgspec

WITNESS_MAX = 12


class Violation(msgspec.Struct, frozen=True, kw_only=True):
    """One promise that was broken, and the few lines that show it."""

    invariant: str
    message: str
    run: str = ""
    witness: tuple[str, ...] = ()

    def __str__(self) -> str:
        head = f"{self.invariant}: {self.message}" + (f" (run {self.run})" if self.run else "")
        return "\n    ".join([head, *self.witness])


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """`unknown` is as red as `invalid`: what cannot be checked is not proved."""

    verdict: Literal["valid", "invalid", "unknown"]
    violations: tuple[Violation, ...] = ()
    missing: tuple[str, ...] = ()
    """Channels that hold nothing."""
    checked: tuple[str, ...] = ()
    """Invariants that there was something to look at for."""
    idle: tuple[str, ...] = ()
    """Those that there was not: that they held says nothing."""

    @property
    def valid(self) -> bool:
        return self.verdict == "valid"

    @property
    def broken(self) -> tuple[str, ...]:
        """The invariants that were violated, each once."""
        return tuple(sorted({violation.invariant for violation in self.violations}))

    def __str__(self) -> str:
        if self.verdict == "unknown":
            return f"unknown: nothing was recorded of {', '.join(self.missing)}"
        if self.valid:
            idle = f"; nothing to look at for {', '.join(self.idle)}" if self.idle else ""
            return f"valid: {len(self.checked)} invariants held{idle}"
        return "\n".join([f"invalid: {len(self.violations)} violations", *map(str, self.violations[:WITNESS_MAX])])


def told(line: msgspec.Struct) -> str:
    """A record as a line of a witness: what it says, without what it leaves at its default."""
    fields = msgspec.to_builtins(line)
    at = fields.pop("at")
    kind = fields.pop("t", type(line).__name__.lower())
    return f"{at:9.3f} {kind} " + " ".join(f"{name}={value}" for name, value in fields.items() if name != "run")
