"""The shop's records in SQLite, and what all parts of the shop share."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import List, NamedTuple, Optional

from tollgate import Tollgate


class Records:
    """Each statement is a transaction on a connection of its own: requests are threads."""

    def __init__(self, path: str) -> None:
        self._path = path
        with closing(self._open()) as sql:
            sql.execute("pragma journal_mode = wal")
            sql.executescript((Path(__file__).parent / "tables.sql").read_text(encoding="utf-8"))

    def _open(self) -> sqlite3.Connection:
        sql = sqlite3.connect(self._path, timeout=5, isolation_level=None)
        sql.row_factory = sqlite3.Row
        return sql

    def write(self, statement: str, *values: object) -> int:
        """Returns how many rows were changed."""
        with closing(self._open()) as sql:
            return sql.execute(statement, values).rowcount

    def read(self, statement: str, *values: object) -> List[sqlite3.Row]:
        with closing(self._open()) as sql:
            return sql.execute(statement, values).fetchall()

    def find_sale(self, attempt: str, session: str) -> Optional[sqlite3.Row]:
        """A completed form of this session."""
        statement = "select * from activity where id = ? and session = ? and number is not null"
        return next(iter(self.read(statement, attempt, session)), None)


class Shop(NamedTuple):
    records: Records
    tollgate: Tollgate
    #: Address of Tollgate for the visitor's browser.
    url: str
    sitekey: str
    #: The configured hostname of the shop's pages, without port. It never comes from a request.
    hostname: str
