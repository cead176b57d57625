"""One browser and one web process for all tests here; each test has contexts and rows of its own."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from config.processes import Fleet
from tests.browser.visits import Visits
from tests.owner import application_url

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
_FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The browser. While it is there Playwright's event loop runs in this thread, and Django must not mind that."""
    assert Path(CHROMIUM).exists(), f"there is no {CHROMIUM}: `make browser` installs it"
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "yes")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(_FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def fleet(
    django_db_setup: None, django_db_blocker: object, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Fleet]:
    """A web process with streams on the tests' database, at `fleet.address`."""
    environment = {"DATABASE_URL": application_url(), "DJANGO_ALLOW_ASYNC_UNSAFE": "", "STAFF_TWO_FACTOR": "false"}
    with Fleet(log_dir=tmp_path_factory.mktemp("browser"), environment=environment) as processes:
        processes.web()
        yield processes


@pytest.fixture(scope="package")
def worker(fleet: Fleet) -> Fleet:
    """A worker process beside the web process: what is posted to the API is settled."""
    fleet.worker()
    fleet.wait_until_ready()
    return fleet


@pytest.fixture
def visit(chromium: Browser, fleet: Fleet, transactional_db: None) -> Iterator[Visits]:
    """Opens pages as people: `page = visit("/admin/", by=person("ann"))`. At the end of the test no page may have
    called another host, logged an error, raised one, or missed a file.
    """
    with Visits(chromium, fleet.address) as visits:
        yield visits
        visits.check()
