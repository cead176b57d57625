"""Settings of the tests: a data directory, so embedded servers, and a queue of their own, apart from `make run`."""

import os
from pathlib import Path

os.environ.setdefault("JACKPOT_DATA", str(Path(__file__).resolve().parent.parent / "var" / "tests"))
# Not setdefault: the processes of pytest-xdist inherit that of the one that started them.
os.environ["QUEUE"] = f"tests-{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"

from config import env
from config.embedded import postgres
from config.settings import *

# The owner makes and migrates the tests' database; `tests.conftest` then lets the tests work as the application.
DATABASES = {"default": env.owner_database()}
DATABASE_ROLE = env.application_role() or postgres.APPLICATION

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Static files are looked for when they are asked for: each test's client would look through all of them at its start.
WHITENOISE_AUTOREFRESH = True
# A suite calls faster than anybody else; tests of the throttles set their own.
THROTTLES = dict.fromkeys(THROTTLES, 0)
# Most tests are about what comes after signing in; those of the second factor demand it.
STAFF_TWO_FACTOR = False
