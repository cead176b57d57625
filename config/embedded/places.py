"""Where the embedded servers of a data directory live. Pure arithmetic on paths, plus making the folders."""

import hashlib
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

_LONGEST_SOCKET_NAME = ".s.PGSQL.5432.lock"
_SOCKET_PATH_LIMIT = 107
# Commas separate hosts in a PostgreSQL address, and a broker's address is a URL: plain characters only.
_PLAIN = re.compile(r"[A-Za-z0-9/._+-]+")
_SHORT_ROOT = Path("/tmp")  # fixed, not TMPDIR: all commands of one data directory must agree


@dataclass(frozen=True)
class Places:
    """The folders and sockets that belong to one data directory."""

    data: Path

    @property
    def sockets(self) -> Path:
        """Folder of the sockets: `run/` inside, or a short private one under /tmp where that cannot be addressed."""
        inside = self.data / "run"
        longest = os.fsencode(inside / _LONGEST_SOCKET_NAME)
        if len(longest) <= _SOCKET_PATH_LIMIT and _PLAIN.fullmatch(str(inside)):
            return inside
        digest = hashlib.sha256(os.fsencode(self.data)).hexdigest()[:12]
        return _SHORT_ROOT / f"jackpot-{os.geteuid()}-{digest}"

    @property
    def keeper_socket(self) -> Path:
        return self.sockets / "keeper.sock"

    @property
    def broker_socket(self) -> Path:
        return self.sockets / "broker.sock"

    @property
    def postgres_socket(self) -> Path:
        return self.sockets / ".s.PGSQL.5432"

    @property
    def lock(self) -> Path:
        return self.data / "keeper.lock"

    @property
    def logs(self) -> Path:
        return self.data / "log"

    def make(self) -> None:
        """Create the folders, private to this user. Raises OSError; PermissionError if /tmp's belongs to another."""
        for folder in (self.data, self.logs, self.sockets):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = self.sockets.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            raise PermissionError(f"{self.sockets} belongs to another user; remove it or set another data directory")


def of(data_dir: Path) -> Places:
    """The places of a data directory, which need not exist yet."""
    return Places(data_dir.resolve())
