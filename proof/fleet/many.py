"""`python -m proof.fleet.many COUNT NAME SLOTS URL …`: many executors in one process, each with a session of its own."""

import signal
import sys
import threading

from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.jobs.job import Pool
from mainspring.executor.process.executor import Executor
from mainspring.settings import ExecutorSettings
from proof.fleet.jobs import app
from tests.support.processes import EXECUTOR_TOKEN


def main() -> None:
    count, name, slots, *servers = sys.argv[1:]
    executors = [
        Executor(
            app.handlers,
            ExecutorSettings(
                servers=tuple(servers),
                token=EXECUTOR_TOKEN,
                name=f"{name}-{number}",
                pools=(PoolSize(Pool.LOOP, 0, int(slots), int(slots)), PoolSize(Pool.THREADS, 0, 1, 1)),
            ),
        )
        for number in range(int(count))
    ]
    threads = [threading.Thread(target=one.run, kwargs={"signals": False}) for one in executors]

    def stop(*_: object) -> None:
        for one in executors:
            one.stop()

    signal.signal(signal.SIGTERM, stop)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
