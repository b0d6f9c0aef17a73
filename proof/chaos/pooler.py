"""PgBouncer in transaction mode before whichever PostgreSQL is the primary."""

import os
import shutil
import signal

from proof.chaos.places import DATABASE, POOLER, POOLER_PORT, POSTGRES_PORT
from proof.chaos.postgres import Postgres
from proof.chaos.processes import Actor, Ground, as_unprivileged
from proof.chaos.waiting import until
from tests.support.pgbouncer import CONFIGURATION, POOL_SIZE, find_pgbouncer

EXTRA = "server_connect_timeout = 2\nserver_login_retry = 1\nquery_timeout = 20\ntcp_user_timeout = 5000\n"


class Pooler:
    """Its configuration names one host. Who promotes another rewrites it and has it read again, as operators do."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._root = ground.scratch / POOLER
        self._file = self._root / "pgbouncer.ini"
        command = [*as_unprivileged(), find_pgbouncer(), "-q", str(self._file)]
        self.actor = Actor(ground, "pgbouncer", POOLER, command)

    @property
    def address(self) -> str:
        return f"{self._ground.network.address(POOLER)}:{POOLER_PORT}"

    async def start(self, primary: Postgres) -> None:
        self._root.mkdir()
        self._write(primary)
        if os.geteuid() == 0:
            shutil.chown(self._root, "nobody", "nogroup")
        self.actor.start()
        await until(lambda: self.actor.alive, "PgBouncer")

    def lead_to(self, primary: Postgres) -> None:
        self._write(primary)
        self.actor.signal(signal.SIGHUP)

    def _write(self, primary: Postgres) -> None:
        target = f"host={primary.host} port={POSTGRES_PORT} user={DATABASE}"
        host, _, port = self.address.rpartition(":")
        text = CONFIGURATION.format(target=target, host=host, port=port, size=POOL_SIZE, root=self._root)
        self._file.write_text(text + EXTRA)
        self._file.chmod(0o644)
