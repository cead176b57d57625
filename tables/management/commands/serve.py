"""`manage.py serve`: the whole service in the foreground, with the demo data, until Ctrl-C."""

import signal
from typing import Any, NoReturn

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from config import env
from config.processes import Fleet, ProcessError
from tables.management import first_login


class Command(BaseCommand):
    help = "Migrate, load the demo data, then run web, workers and beat in the foreground until Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default=env.HOST, help="address to listen on (default HOST, else %(default)s)")
        parser.add_argument("--port", type=int, default=env.PORT, help="default PORT, else %(default)s")

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        call_command("migrate", verbosity=0)
        call_command("demo_data", stdout=self.stdout)
        login = first_login.ensure(env.DATA_DIR / "first-login")
        connections.close_all()  # an idle session for hours; with the embedded server the lease stays
        signal.signal(signal.SIGTERM, _interrupt)
        try:
            with Fleet(log_dir=None) as fleet:
                address = self._start(fleet, host, port)
                self._greet(address, login)
                ended = fleet.wait()
                raise CommandError(f"{ended.describe_end()}: everything is stopped")
        except KeyboardInterrupt:
            self.stdout.write("stopped")

    def _start(self, fleet: Fleet, host: str, port: int) -> str:
        try:
            address = fleet.web(host=host, port=port, processes=env.WEB_PROCESSES)
            fleet.worker(concurrency=env.WORKER_PROCESSES)
            fleet.webhooks(threads=env.WEBHOOK_THREADS)
            fleet.beat()
            fleet.wait_until_ready()
        except OSError as error:
            raise CommandError(f"cannot listen on {host}:{port}: {error.strerror}; choose another PORT") from error
        except ProcessError as error:
            raise CommandError(str(error)) from error
        return address

    def _greet(self, address: str, login: first_login.Login | None) -> None:
        self.stdout.write(f"console  {address}/admin/")
        if login is not None:
            self.stdout.write(f"login    {login.username}  {login.password}   (change it there)")
        self.stdout.write("ready; Ctrl-C stops everything")
        self.stdout.flush()  # into a file or a pipe it would stay here, unseen, until the end


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt
