"""Real PostgreSQL for the tests: a cluster of its own in a temporary folder, on a socket alone.

1. It refuses to run as root: there it runs as the user that Debian's package has made.
2. A database for a test is made from a template that has the newest schema.
3. A cluster may be the synchronous replica of another one, and take its place.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import quote

import psycopg
import pytest
from psycopg import sql

from firmware_bridge.floor.archive import migrations
from firmware_bridge.floor.archive.dialects import connect

_OPEN = "/dev/shm"  # noqa: S108  a folder of its own is made there
_SETTINGS = """
listen_addresses = ''
shared_buffers = 16MB
max_connections = 40
"""


def programs() -> Path:
    """Return where the server's programs lie; the test is skipped where there are none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if not found:
        pytest.skip("PostgreSQL is not installed")
    return found[-1].parent


class Cluster:
    """A running server."""

    def __init__(self, *, sync: bool = False, primary: Cluster | None = None) -> None:
        """Make and start it; what is not to survive a loss of power need not be synchronised.

        With a primary it is the replica of that, which waits for it at every commit from then on.
        """
        self._programs = programs()
        # The path of a socket must be short, and another user than root must reach it, whatever folder tests have.
        self.folder = Path(mkdtemp(prefix="td-pg-", dir=_OPEN if Path(_OPEN).is_dir() else None))
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user is not None:
            shutil.chown(self.folder, self._user)
        self.data = self.folder / "data"
        if primary is None:
            self._run("initdb", "--auth=trust", "--username=owner", "--no-sync", "-D", str(self.data))
        else:
            where = ["-h", str(primary.folder), "-U", "owner"]
            self._run("pg_basebackup", *where, "-D", str(self.data), "-R", "-X", "stream", "--no-sync")
        with (self.data / "postgresql.conf").open("a", encoding="ascii") as file:
            file.write(f"fsync = {'on' if sync else 'off'}\n{_SETTINGS}unix_socket_directories = '{self.folder}'\n")
        self.start()
        if primary is not None:
            with psycopg.connect(primary.url("postgres"), autocommit=True) as connection:
                connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
                connection.execute("SELECT pg_reload_conf()")

    def promote(self) -> None:
        """Make a replica the one that writes."""
        self._run("pg_ctl", "promote", "-w", "-t", "60", "-D", str(self.data))

    def _run(self, program: str, *words: str) -> None:
        command = [str(self._programs / program), *words]
        subprocess.run(command, check=True, capture_output=True, user=self._user, cwd=self.folder, timeout=120)

    def start(self) -> None:
        """Start the server; it takes connections when this returns."""
        self._run("pg_ctl", "start", "-w", "-t", "60", "-D", str(self.data), "-l", str(self.folder / "log"))

    def kill(self) -> None:
        """Kill the server and all its processes, without a word."""
        pid = int((self.data / "postmaster.pid").read_text(encoding="ascii").splitlines()[0])
        os.kill(pid, signal.SIGQUIT)  # what PostgreSQL calls immediate: nothing is written any more
        while Path(f"/proc/{pid}/stat").exists() and " Z " not in Path(f"/proc/{pid}/stat").read_text(encoding="ascii"):
            os.sched_yield()

    def stop(self) -> None:
        """Stop the server and remove everything."""
        self._run("pg_ctl", "stop", "-m", "immediate", "-D", str(self.data))
        shutil.rmtree(self.folder)

    def url(self, database: str, user: str = "owner", replica: Cluster | None = None) -> str:
        """The address of a database: here, or where the one of both servers is that writes."""
        folders = [self.folder, *([] if replica is None else [replica.folder])]
        hosts = ",".join(quote(str(folder), safe="") for folder in folders)
        wanted = "" if replica is None else "&target_session_attrs=read-write"
        return f"postgresql:///{database}?host={hosts}&user={user}{wanted}"

    def database(self, template: str = "template1") -> str:
        """Make a database; its name."""
        name = f"td_{secrets.token_hex(6)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            command = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
            connection.execute(command.format(sql.Identifier(name), sql.Identifier(template)))
        return name

    def copied(self, name: str) -> str:
        """Make a copy of a database, whose users are cut off; the name of the copy."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
        return self.database(name)

    def replace(self, name: str, template: str) -> None:
        """Put a copy of another database in the place of one; its users are cut off."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            for command in ("DROP DATABASE {} WITH (FORCE)", "CREATE DATABASE {} TEMPLATE {}"):
                names = map(sql.Identifier, (name, template)[: command.count("{}")])
                connection.execute(sql.SQL(command).format(*names))

    def migrated(self) -> str:
        """Make a database with the newest schema; its name."""
        name = self.database()
        dialect = connect(self.url(name))
        migrations.migrate(dialect)
        dialect.close()
        return name
