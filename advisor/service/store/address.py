"""Where a store is: a file, or a database by URL."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from advisor.service.store.errors import DriverMissingError, StoreAddressError

INSTALL: Final = {"psycopg": "psycopg[binary]", "psycopg2": "psycopg2-binary"}
"""PostgreSQL's drivers that can be used from a thread, and what to install for each."""
DEFAULT_DRIVER: Final = "psycopg"


@dataclass(frozen=True)
class Address:
    """A store's place: `path` for a file, None for a database elsewhere; `name` is how sentences call it."""

    url: URL
    path: Path | None
    name: str


def default_path() -> Path:
    """The file in the person's own data folder."""
    from platformdirs import user_data_path

    return user_data_path("tableside", appauthor=False) / "history.sqlite3"


def address(where: str | Path | None) -> Address:
    """The place that a file's name or a URL means; None is the default file.

    Raises `StoreAddressError` for a database that is neither SQLite nor PostgreSQL and for a URL that cannot be read.
    """
    if where is None:
        return _file(default_path())
    if isinstance(where, Path) or "://" not in where:
        if not str(where):
            raise StoreAddressError("A store needs a file's name or a URL: this one is empty.")
        return _file(Path(where))
    try:
        url = make_url(where)
    except (ArgumentError, ValueError):
        # The URL may hold a password, so it is not repeated.
        raise StoreAddressError(
            "The store's URL cannot be read: write postgresql://NAME:PASSWORD@HOST/DATABASE, or a file's name."
        ) from None
    shown = url.render_as_string(hide_password=True)
    backend, _, driver = url.drivername.partition("+")
    if backend == "sqlite" and driver in ("", "pysqlite"):
        if not url.database or url.database == ":memory:" or url.database.startswith("file:") or url.query:
            raise StoreAddressError(f"{shown} keeps nothing or has options: give the file's name alone.")
        return _file(Path(url.database))
    if backend not in ("postgresql", "postgres"):
        raise StoreAddressError(f"{shown} is a database of an unknown kind: use a file, or postgresql://.")
    driver = driver or DEFAULT_DRIVER
    if driver not in INSTALL:
        raise StoreAddressError(f"{shown} asks for the driver {driver}: one of {', '.join(INSTALL)} is expected.")
    return Address(url.set(drivername=f"postgresql+{driver}"), None, shown)


def driver_missing(place: Address) -> DriverMissingError:
    """The error that says what to install."""
    driver = place.url.get_driver_name()
    return DriverMissingError(
        f"{place.name} needs the driver {driver}, which is not installed: run `pip install '{INSTALL[driver]}'`."
    )


def _file(path: Path) -> Address:
    try:
        path = path.expanduser().absolute()
    except (RuntimeError, OSError) as error:
        raise StoreAddressError(f"{path} cannot be found: {error}") from error
    return Address(URL.create("sqlite", database=str(path)), path, str(path))
