"""A run's arguments, completed by those of its job.

Apart from the definitions: the SDK needs this to define a job, and nothing else of them.
"""

from functools import lru_cache

import msgspec

INPUT_NONE = b"{}"


def with_defaults(defaults: bytes, raw: bytes) -> bytes:
    """The arguments of a run, completed by its job's; the run's own win key by key."""
    mine = msgspec.json.decode(defaults, type=dict[str, msgspec.Raw])
    theirs = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    return msgspec.json.encode({**mine, **theirs})


@lru_cache(maxsize=4096)
def completed_input(defaults: bytes, raw: bytes) -> bytes:
    """The same for the fixed arguments of a trigger, decoded once instead of at every fire."""
    if defaults == INPUT_NONE:
        return raw
    try:
        return with_defaults(defaults, raw)
    except (msgspec.DecodeError, RecursionError):
        # They were checked when the trigger was saved; the executor refuses the run.
        return raw
