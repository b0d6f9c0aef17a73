"""Every error of the project.

MainspringError
  ConfigError                a setting is missing or wrong
  InvalidInputError          field, reason: a value of the caller's cannot be accepted
    TooLargeError            over a limit of size or depth
  NotFoundError              kind, key
  ConflictError              kind, key, reason
    StaleError               it was changed since the caller read it; nothing was changed now
  AccessDeniedError          the caller is unknown: no token, or an unknown, expired or revoked one
  ForbiddenError             the caller is known, and lacks the permission
  UnavailableError           try again later; nothing was changed, or it is not known whether it was
    StartingError            the server cannot take calls yet; nothing was changed
    DrainingError            the server is about to end; nothing was changed
    StoreUnavailableError    the database cannot be reached, is full or is shutting down
      StoreBusyError         another program holds a lock in the database for too long; nothing was changed
    OutcomeUnknownError      the database went away while it worked on this: it may or may not have been done
    LeaseLostError           the executor session that was to own this is gone; nothing was changed
    TooManyTriesError        retry_after: too many wrong passwords; nothing was looked at
    OverBudgetError          kind, key, depth, limit, retry_after: a queue or namespace is full; no run was accepted
      TooManyKeysError         more new keys than a namespace may bring in a second; no run was accepted
  SchemaError                the database's schema and this version do not fit
  WireError                  the other side broke the protocol
    FrameError               a frame is malformed, oversized or out of order
    VersionError             the other side speaks another protocol version
  RunFailedError             a run that was awaited did not succeed
    RunCancelledError        the run was cancelled

`code` is stable: it is what the API, the wire and the command line show.
"""


class MainspringError(Exception):
    """Base of all errors that Mainspring raises on purpose."""

    code = "error"


class ConfigError(MainspringError):
    code = "config"


class InvalidInputError(MainspringError):
    code = "invalid_input"

    def __init__(self, field: str, reason: str, *, code: str | None = None) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason
        if code is not None:
            self.code = code


class TooLargeError(InvalidInputError):
    code = "too_large"


class NotFoundError(MainspringError):
    code = "not_found"

    def __init__(self, kind: str, key: str, hint: str = "") -> None:
        super().__init__(f"unknown {kind} {key!r}" + (f": {hint}" if hint else ""))
        self.kind = kind
        self.key = key
        self.code = f"unknown_{kind}"


class ConflictError(MainspringError):
    code = "conflict"

    def __init__(self, kind: str, key: str, reason: str, *, code: str | None = None) -> None:
        super().__init__(f"{kind} {key!r}: {reason}")
        self.kind = kind
        self.key = key
        self.reason = reason
        self.code = code or f"{kind}_conflict"


class StaleError(ConflictError):
    def __init__(self, kind: str, key: str, reason: str) -> None:
        super().__init__(kind, key, reason)
        self.code = f"{kind}_stale"


class AccessDeniedError(MainspringError):
    code = "access_denied"

    def __init__(self, reason: str = "", *, code: str | None = None) -> None:
        super().__init__(reason)
        if code is not None:
            self.code = code


class ForbiddenError(MainspringError):
    code = "forbidden"

    def __init__(self, reason: str = "", *, code: str | None = None) -> None:
        super().__init__(reason)
        if code is not None:
            self.code = code


class UnavailableError(MainspringError):
    code = "unavailable"


class StartingError(UnavailableError):
    code = "starting"


class DrainingError(UnavailableError):
    code = "draining"


class StoreUnavailableError(UnavailableError):
    code = "store_unavailable"

    def __init__(self, reason: str = "", *, in_doubt: bool = False) -> None:
        super().__init__(reason)
        self.in_doubt = in_doubt
        """Whether the requested change may have been made nevertheless."""


class StoreBusyError(StoreUnavailableError):
    code = "store_busy"


class OutcomeUnknownError(UnavailableError):
    code = "outcome_unknown"


class LeaseLostError(UnavailableError):
    code = "lease_lost"


class TooManyTriesError(UnavailableError):
    code = "too_many_tries"

    def __init__(self, retry_after: float) -> None:
        super().__init__(f"too many wrong passwords: try again in {retry_after:.0f} s")
        self.retry_after = retry_after
        """Seconds."""


class OverBudgetError(UnavailableError):
    code = "over_budget"

    def __init__(self, kind: str, key: str, *, depth: int, limit: int, retry_after: float) -> None:
        super().__init__(
            f"{kind} {key!r} is over its budget: {depth} of at most {limit} runs wait there;"
            f" try again in {retry_after:.0f} s"
        )
        self.kind = kind
        self.key = key
        self.depth = depth
        """How many accepted runs are not started yet."""
        self.limit = limit
        self.retry_after = retry_after
        """Seconds."""


class TooManyKeysError(OverBudgetError):
    code = "too_many_keys"

    def __init__(self, namespace: str, *, new: int, limit: int, retry_after: float) -> None:
        super().__init__("namespace", namespace, depth=new, limit=limit, retry_after=retry_after)
        said = f"namespace {namespace!r} brings more than {limit} new keys of limits and shares a second"
        self.args = (f"{said}: try again in {retry_after:.0f} s",)


class SchemaError(MainspringError):
    code = "schema"


class WireError(MainspringError):
    code = "wire"


class FrameError(WireError):
    code = "bad_frame"


class VersionError(WireError):
    code = "protocol_version"

    def __init__(self, theirs: int, ours: int) -> None:
        newer = "newer" if theirs > ours else "older"
        super().__init__(
            f"protocol {theirs} is {newer} than this side's {ours}: upgrade the {newer_side(theirs, ours)}"
        )


class RunFailedError(MainspringError):
    code = "run_failed"

    def __init__(self, run: str, state: str, reason: str) -> None:
        super().__init__(f"run {run} ended {state}: {reason}")
        self.run = run
        self.state = state
        self.reason = reason


class RunCancelledError(RunFailedError):
    code = "run_cancelled"


def newer_side(theirs: int, ours: int) -> str:
    return "older side, which is this one" if theirs > ours else "other side"
