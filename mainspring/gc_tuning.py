"""Python's collector of cycles, told how a process that lives long is best served."""

import gc

THRESHOLDS = (10_000, 20, 50)


def tune_gc() -> None:
    """What was imported stays for good, and runs leave no cycles: looking less often saves a tenth of the time, and the
    pauses in which all that was imported is looked through."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
