"""Starts a command that ends when its parent does, optionally under another user. Linux only.

Run as a script, not through `preexec_fn`, which is unsafe in a parent that has threads.
"""

import ctypes
import os
import pwd
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

PLAIN, USER_NAMESPACE, NOBODY = "plain", "user-namespace", "nobody"
_PR_SET_PDEATHSIG = 1
_CLONE_NEWUSER = 0x10000000


def wrap(
    command: Sequence[str | os.PathLike[str]], *, death_signal: signal.Signals, identity: str = PLAIN
) -> list[str]:
    """The command line that runs `command` in a session of its own and signals it when this process dies.

    `identity`: "plain" keeps the user, "user-namespace" shows root to the command as an ordinary user
    (files stay root's), "nobody" really becomes that user. The process id stays that of the started process.
    Start it from a thread that lives as long as the command should: the kernel watches that thread.
    """
    script = [sys.executable, "-I", "-S", __file__, str(os.getpid()), str(int(death_signal)), identity]
    return [*script, *(os.fspath(word) for word in command)]


def can_use_namespace() -> bool:
    """Whether this machine lets this user make a user namespace."""
    child = os.fork()
    if not child:
        try:
            _enter_namespace()
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def nobody() -> tuple[int, int]:
    """User and group id of the user without rights."""
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        return 65534, 65534
    return entry.pw_uid, entry.pw_gid


def _enter_namespace() -> None:
    """Become `nobody` inside a new user namespace: a user that has a name everywhere, as initdb wants one."""
    uid, gid = nobody()
    outer_uid, outer_gid = os.geteuid(), os.getegid()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_CLONE_NEWUSER):
        raise OSError(ctypes.get_errno(), "no user namespace")
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{uid} {outer_uid} 1"),
        ("gid_map", f"{gid} {outer_gid} 1"),
    ):
        Path("/proc/self", name).write_text(text)


def _become_nobody() -> None:
    uid, gid = nobody()
    os.setgroups([])
    os.setgid(gid)
    os.setuid(uid)
    os.chdir("/")


def main(arguments: Sequence[str]) -> None:
    parent, death_signal, identity, *command = arguments
    os.setsid()
    if identity == USER_NAMESPACE:
        _enter_namespace()
    elif identity == NOBODY:
        _become_nobody()
    # After the change of user, which would clear it.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(death_signal))
    if os.getppid() != int(parent):
        sys.exit("the parent is gone")
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
