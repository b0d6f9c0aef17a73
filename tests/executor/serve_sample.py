"""An executor process that serves the sample app: `python -m tests.executor.serve_sample URL TOKEN GRACE`."""

import sys

from mainspring.executor.process.executor import Executor
from mainspring.executor.process.loading import load_handlers
from mainspring.settings import ExecutorSettings

APP = "tests.executor.sample:app"

if __name__ == "__main__":
    settings = ExecutorSettings(servers=(sys.argv[1],), token=sys.argv[2], name="sample", grace=float(sys.argv[3]))
    sys.exit(Executor(load_handlers(APP), settings, app=APP).run())
