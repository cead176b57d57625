"""Settings of the benchmarks: the service's own, with a data directory, and so an embedded server, of their own."""

import os
from pathlib import Path

os.environ.setdefault("JACKPOT_DATA", str(Path(__file__).resolve().parent.parent.parent / "var" / "bench"))

from config import settings as service
from config.settings import *

# What is sealed while it is measured is nobody's chain.
LOGGING = {**service.LOGGING, "loggers": {"jackpot.chain": {"level": "WARNING"}}}
