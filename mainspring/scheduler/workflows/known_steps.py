"""The attempts of steps that are under way on this server's executors, by their workflow runs."""

from collections.abc import Iterable

from mainspring.domain.ids import RunId
from mainspring.domain.metadata import STEP, read_metadata
from mainspring.domain.runs.attempt import Claim, Successes

Place = tuple[RunId, str]
"""A workflow run, and the name of its step."""
KNOWN_MAX = 200_000
"""More are forgotten, the oldest first: what is not known here goes by notes."""


class KnownSteps:
    """Nothing depends on it but speed: the end of a step that is not known here leaves a note, and a duty takes it up."""

    def __init__(self) -> None:
        self._places: dict[RunId, Place] = {}

    def __len__(self) -> int:
        return len(self._places)

    def started(self, claim: Claim) -> None:
        """Note which attempts of a claim are steps, as their metadata say."""
        for run, extra in zip(claim.runs, claim.extras, strict=False):
            if extra is not None and extra.startswith(STEP):
                about = read_metadata(extra)
                if (workflow := about.workflow_id) is not None:
                    self._places[run] = (workflow, about.step)
        while len(self._places) > KNOWN_MAX:
            del self._places[next(iter(self._places))]

    def ended(self, runs: Iterable[RunId]) -> bool:
        """Forget attempts that are over; whether a step was among them."""
        if not self._places:
            return False
        before = len(self._places)
        for run in runs:
            self._places.pop(run, None)
        return len(self._places) < before

    def split(self, successes: Successes) -> tuple[Successes, Successes, list[Place]]:
        """Successes of plain runs, those of steps, and the places of these."""
        found = [self._places.get(run) for run in successes.runs]
        steps = [at for at, place in enumerate(found) if place is not None]
        if not steps:
            return successes, NONE, []
        plain = [at for at, place in enumerate(found) if place is None]
        places = [place for place in found if place is not None]
        return successes.picked(plain), successes.picked(steps), places


NONE = Successes([], [], [], [], [])
