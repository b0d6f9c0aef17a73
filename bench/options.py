"""How much to measure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """The choices of one invocation; a quick one only shows that everything works."""

    quick: bool = False
    rounds: int = 3
    scale: float = 1.0
    """Factor for the size of the history."""

    def scaled(self, count: int) -> int:
        return max(200, count // 10) if self.quick else count
