"""`python -m tests.benchmarks`: every figure, or those that are named; see `--help`."""

import argparse
import json
import os
import sys
import time
from collections.abc import Mapping
from typing import Any

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.benchmarks.settings"


def main() -> int:
    """0 where everything ran, whatever came out: a goal that is missed is said, not an error. A figure that fails takes
    none of the others with it.
    """
    import django

    django.setup()
    from tests.benchmarks import figures, showing
    from tests.benchmarks.measuring import FULL, SMOKE

    arguments = _arguments(figures.FIGURES)
    scale = SMOKE if arguments.smoke else FULL
    if arguments.runs:
        scale = figures.with_runs(scale, arguments.runs)
    teller = showing.Teller(quiet=arguments.json)
    report: dict[str, Any] = {
        "scale": scale.name, "runs": scale.runs, "machine": showing.machine(), "figures": {}, "failed": {},
    }  # fmt: skip
    with figures.Books(scale, teller) as books:
        for name in arguments.figures or list(figures.FIGURES):
            began = time.monotonic()
            try:
                with teller.stage(name) as told:
                    measured = figures.FIGURES[name](scale, books, told)
            except Exception as error:  # noqa: BLE001 - whatever it is, the next figure may be measured all the same
                report["failed"][name] = teller.failed(name, error)
                continue
            report["figures"][name] = measured.json() | {"seconds": round(time.monotonic() - began, 1)}
            teller.show(name, figures.summary(name), measured)
    if arguments.json:
        print(json.dumps(report, indent=1))  # noqa: T201
    return 1 if report["failed"] else 0


def _arguments(known: Mapping[str, object]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("figures", nargs="*", metavar="FIGURE", help=f"of: {', '.join(known)} (default: all)")
    parser.add_argument("--runs", type=int, metavar="N", help="runs of each way, whose median counts")
    parser.add_argument(
        "--smoke", action="store_true", help="little of everything: shows that it works, judges nothing"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else on stdout")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.figures if name not in known]:
        parser.error(f"there is no figure {unknown[0]!r}; there are: {', '.join(known)}")
    return arguments


if __name__ == "__main__":
    sys.exit(main())
