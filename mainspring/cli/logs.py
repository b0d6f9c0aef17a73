"""What the processes say on stderr."""

import logging

FORMAT = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"


def log_to_stderr(level: str) -> None:
    logging.basicConfig(level=level.upper(), format=FORMAT)
    # uvicorn announces what our own lines already say.
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
