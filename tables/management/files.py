"""Where a command's file goes, and who it was made by."""

import getpass
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from jackpot.services import Caller, Scope

COMMAND = Caller(scopes=frozenset({Scope.REPORTS_READ}), user_id=0)
"""Who reads for a command: as staff everything, and no user of that number is ever looked for."""


def operator() -> str:
    """Whoever runs the command, as the machine knows them: nobody has signed in."""
    try:
        return f"operator {getpass.getuser()}"
    except (KeyError, OSError):
        return "operator"


def store(made: bytes, output: Path | None, stdout: Any) -> None:
    """Write a new file, or text to standard output. Raises CommandError: the file is there, or can't be written."""
    if output is None:
        try:
            stdout.write(made.decode())
        except UnicodeDecodeError:
            raise CommandError("a PDF goes to a file: name it with --output") from None
        return
    try:
        with output.open("xb") as file:
            file.write(made)
    except FileExistsError:
        raise CommandError(f"{output} is there already; a pack never replaces a file") from None
    except OSError as error:
        raise CommandError(f"{output} can't be written: {error.strerror}") from None
