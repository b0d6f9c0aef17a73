"""Whether a sweep can be begun: its filter and its terms go with its act."""

from mainspring.domain.bulk.operation import CANARIES_MAX, FlowTerms, SweepAct, SweepFilter
from mainspring.domain.years import check_years
from mainspring.errors import InvalidInputError


def check_sweep(act: SweepAct, chosen: SweepFilter, *, canaries: int, everything: bool) -> None:
    """Raises InvalidInputError for options that contradict each other."""
    if not 0 <= canaries <= CANARIES_MAX:
        raise InvalidInputError("canaries", f"is 0 to {CANARIES_MAX}", code="bad_canaries")
    if canaries and act is not SweepAct.RETRY:
        raise InvalidInputError("canaries", "only a retry has them", code="bad_canaries")
    if chosen == SweepFilter() and not everything:
        reason = "is empty: say `all` if every one is meant"
        raise InvalidInputError("filter", reason, code="empty_filter")
    for field in ("since", "until"):
        if (at := getattr(chosen, field)) is not None:
            check_years(at, f"filter.{field}", code=f"bad_{field}")
    if act is SweepAct.CANCEL and chosen.fingerprint is not None:
        raise InvalidInputError("filter.fingerprint", "is for runs that have failed", code="bad_fingerprint")
    check_flow_filter(act, chosen)
    if act is not SweepAct.CANCEL and chosen.states:
        raise InvalidInputError("filter.states", "is for a cancel: dead letters have failed", code="bad_states")


def check_flow_filter(act: SweepAct, chosen: SweepFilter) -> None:
    if act.of_flows and chosen.job is None:
        raise InvalidInputError("filter.job", f"{act} needs the name of the workflow", code="bad_job")
    if act.of_flows and chosen.fingerprint is not None:
        raise InvalidInputError("filter.fingerprint", "is for dead letters", code="bad_fingerprint")
    if not act.of_flows and chosen.failed_step is not None:
        raise InvalidInputError("filter.failed_step", "is for acts on workflow runs", code="bad_failed_step")


def check_terms(act: SweepAct, terms: FlowTerms) -> None:
    """Raises InvalidInputError for terms that the act does not have, or lacks."""
    if bool(terms.step) != act.names_step:
        reason = "names the step that it is about" if act.names_step else f"{act} is about no step"
        raise InvalidInputError("terms.step", reason, code="bad_step")
    if terms.result is not None and act is not SweepAct.MARK:
        raise InvalidInputError("terms.result", "only a mark has one", code="bad_result")
    if terms.version is not None and act not in (SweepAct.RESUME, SweepAct.MOVE):
        raise InvalidInputError("terms.version", "only a resume and a move have one", code="bad_version")
    if terms.redo and act is not SweepAct.RESUME:
        raise InvalidInputError("terms.redo", "only a resume has it", code="bad_redo")
