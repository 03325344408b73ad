"""Run a command that needs engines: ``python scripts/with_engines.py COMMAND [ARGUMENT ...]``.

A PostgreSQL server is started for it, on loopback, on a free port and in a temporary folder, and
stopped afterwards. Spark needs Java. What is not there is installed where apt-get may do so;
otherwise this fails, and says what is missing. The command finds the engines by

    DPWILCOXON_POSTGRES   the address of an empty database, password included
    JAVA_HOME             a Java that Spark runs on
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

POSTGRES_PLACES: Final = ("usr/lib/postgresql/*/bin", "usr/pgsql-*/bin", "opt/homebrew/bin")
POSTGRES_PROGRAMS: Final = ("initdb", "pg_ctl", "postgres")
JAVA_PLACES: Final = ("usr/lib/jvm/*", "opt/homebrew/opt/openjdk@*")
JAVA_VERSIONS: Final = range(17, 24)  # later ones lack what Hadoop's security asks for
JAVA_MODULE: Final = "jdk.incubator.vector"  # Spark asks for it, and trimmed Javas lack it
USER, DATABASE = "custodian", "clinic"
ATTEMPTS: Final = 5  # to find a port that is still free when the server takes it


def main(command: Sequence[str]) -> int:
    """Run a command, and return its exit code."""
    if not command:
        raise SystemExit(__doc__)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server is stopped, too
    java = ensured(find_java, "openjdk-17-jre-headless", "a Java from 17 to 23")
    programs = ensured(find_postgres, "postgresql", "a PostgreSQL server")
    with postgres_server(programs) as address:
        engines = {"JAVA_HOME": str(java), "DPWILCOXON_POSTGRES": address}
        try:
            return subprocess.run(command, env=os.environ | engines, check=False).returncode  # noqa: S603 - it was asked for
        except KeyboardInterrupt:  # the command has met it, too
            return 130


def ensured(find: Callable[[], Path | None], package: str, what: str) -> Path:
    """Find something, or install the package of Debian that has it."""
    found = find()
    if found is not None:
        return found
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        raise SystemExit(f"{what} is needed and was not found; install it ({package} in Debian).")
    print(f"Installing {package} ...", flush=True)
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "--yes", "--no-install-recommends", package]):
        subprocess.run([apt, "-qq", *words], env=environment, check=True)  # noqa: S603 - our words
    found = find()
    if found is None:
        raise SystemExit(f"{what} is needed; {package} was installed and does not have it.")
    return found


def find_java() -> Path | None:
    """The home of the first Java that Spark runs on."""
    on_path = shutil.which("java")
    homes = [Path(os.environ["JAVA_HOME"])] if "JAVA_HOME" in os.environ else []
    homes += [Path(on_path).resolve().parent.parent] if on_path else []
    homes += [home for place in JAVA_PLACES for home in sorted(Path("/").glob(place))]
    return next((home for home in homes if _suits(home / "bin" / "java")), None)


def _suits(java: Path) -> bool:
    with suppress(OSError):
        version = _said([java, "-version"])
        number = re.search(r'version "(\d+)', version)
        if number and int(number[1]) in JAVA_VERSIONS:
            return JAVA_MODULE in _said([java, "--list-modules"])
    return False


def _said(command: Sequence[str | Path]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - found
    return done.stdout + done.stderr


def find_postgres() -> Path | None:
    """The folder with the programs of the newest PostgreSQL server, or of the one on the path."""
    on_path = shutil.which("initdb")
    folders = [Path(on_path).resolve().parent] if on_path else []
    for place in POSTGRES_PLACES:
        folders += sorted(Path("/").glob(place), key=_version, reverse=True)
    has_all = (
        folder
        for folder in folders
        if all((folder / program).exists() for program in POSTGRES_PROGRAMS)
    )
    return next(has_all, None)


def _version(folder: Path) -> int:
    numbers = re.findall(r"\d+", str(folder))
    return int(numbers[-1]) if numbers else 0


@contextmanager
def postgres_server(programs: Path) -> Iterator[str]:
    """Run a server with one empty database, and give its address."""
    user = _unprivileged_user()
    password = secrets.token_hex(16)
    with tempfile.TemporaryDirectory(prefix="dpwilcoxon-postgres-") as folder:
        place = Path(folder)
        (place / "password").write_text(password)
        if user is not None:
            for path in (place, place / "password"):
                shutil.chown(path, user)

        def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
            return subprocess.run(  # noqa: S603 - our own words
                [programs / words[0], *words[1:]],
                user=user,
                extra_groups=None if user is None else [],
                cwd=place,
                stdout=subprocess.DEVNULL,  # not a pipe, which the server would keep open
                stderr=subprocess.PIPE if words[0] == "initdb" else subprocess.DEVNULL,
                text=True,
                check=False,
            )

        data = place / "data"
        pwfile = f"--pwfile={place / 'password'}"
        made = run("initdb", "-D", data, "-U", USER, "-A", "scram-sha-256", "-E", "UTF8", pwfile)
        if made.returncode != 0:
            raise SystemExit(f"initdb failed: {made.stderr}")
        port = _started(run, data)
        try:
            _make_database(port, password)
            yield f"postgres://{USER}:{password}@127.0.0.1:{port}/{DATABASE}"
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")


def _unprivileged_user() -> str | None:
    """Whose server it is to be: PostgreSQL refuses to run as root."""
    import pwd

    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    found = next((user for user in ("postgres", "nobody") if user in known), None)
    if found is None:
        raise SystemExit("PostgreSQL cannot run as root, and there is no user `postgres`.")
    return found


def _started(run: Callable[..., subprocess.CompletedProcess[str]], data: Path) -> int:
    for _ in range(ATTEMPTS):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        options = f"-h 127.0.0.1 -p {port} -c unix_socket_directories='' -c fsync=off"
        log = data.parent / "log"
        if run("pg_ctl", "-D", data, "-l", log, "-w", "-o", options, "start").returncode == 0:
            return port
    raise SystemExit(f"The PostgreSQL server does not start: {log.read_text()}")


def _make_database(port: int, password: str) -> None:
    import psycopg

    with psycopg.connect(
        host="127.0.0.1",
        port=port,
        user=USER,
        password=password,
        dbname="postgres",
        autocommit=True,
    ) as connection:
        connection.execute(f"CREATE DATABASE {DATABASE}".encode())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
