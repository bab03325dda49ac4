"""The shop's records in SQLite. What must happen once is one conditional statement whose rows are counted."""

import json
import secrets
import sqlite3
import time
import uuid
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, List, Optional, Tuple

from fields import Payload

_TABLES = (Path(__file__).resolve().parent / "tables.sql").read_text(encoding="utf-8")


class Store:
    """Each call has a connection of its own: requests are threads."""

    def __init__(self, path: str) -> None:
        self._path = path
        with self._open() as sql:
            sql.executescript(_TABLES)
            sql.execute(
                "insert into settings values ('session_key', ?) on conflict do nothing", (secrets.token_hex(32),)
            )
            (self.session_key,) = sql.execute("select value from settings where name = 'session_key'").fetchone()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        # every statement is a transaction of its own, unless one is begun
        sql = sqlite3.connect(self._path, timeout=5, isolation_level=None)
        sql.row_factory = sqlite3.Row
        try:
            yield sql
        finally:
            sql.close()

    def create_attempt(
        self, action: str, hostname: str, session: str, nonce: str, key: str, grant_id: Optional[str]
    ) -> str:
        attempt = str(uuid.uuid4())
        self._write(
            """insert into attempts (id, action, hostname, session, nonce, idempotency_key, grant_id, created_at)
               values (?, ?, ?, ?, ?, ?, ?, ?)""",
            attempt,
            action,
            hostname,
            session,
            nonce,
            key,
            grant_id,
            int(time.time()),
        )
        return attempt

    def attach_intent(self, attempt: str, intent_id: str) -> None:
        """Attaches the intent to the attempt. An intent that is attached stays."""
        attached = self._write(
            "update attempts set intent_id = ?, state = 'opened' where id = ? and intent_id is null", intent_id, attempt
        )
        if attached != 1:
            raise RuntimeError("the attempt has an intent already")

    def prepare_renewal(self, session: str, intent_id: str, nonce: str, key: str) -> Optional[sqlite3.Row]:
        """Stores what the next intent is opened with. None: no such form of this session, or it was submitted."""
        self._write(
            """update attempts set nonce = ?, idempotency_key = ?
               where session = ? and ? in (intent_id, renewed_intent_id) and token is null""",
            nonce,
            key,
            session,
            intent_id,
        )
        return self._read("select * from attempts where nonce = ?", nonce)

    def replace_intent(self, attempt: str, previous: str, intent_id: str) -> bool:
        """Puts another intent in the place of the page's; of several the last one counts. False: it was submitted."""
        replaced = self._write(
            """update attempts set intent_id = ?, renewed_intent_id = ?, grant_id = null
               where id = ? and token is null""",
            intent_id,
            previous,
            attempt,
        )
        return replaced == 1

    def find_attempt(self, attempt: str, action: str, session: str) -> Optional[sqlite3.Row]:
        """The attempt, if it belongs to this session and action and has an intent."""
        return self._read(
            "select * from attempts where id = ? and action = ? and session = ? and intent_id is not null",
            attempt,
            action,
            session,
        )

    def freeze_attempt(self, attempt: str, payload: Payload, token: str) -> None:
        """Freezes payload and token at the first submission. Later ones, and one that lost a race, change nothing."""
        self._write(
            "update attempts set payload = ?, token = ?, state = 'submitted' where id = ? and token is null",
            json.dumps(payload),
            token,
            attempt,
        )

    def note_refusal(self, attempt: str, code: str) -> None:
        """Never overwrites that it went through, in another request of the same form."""
        self._write(
            "update attempts set state = 'refused', refusal = ? where id = ? and state <> 'completed'", code, attempt
        )

    def complete(self, attempt: sqlite3.Row, decision_id: str) -> None:
        """Does the business of an attempt, once: asked again, or by two at once, it is done already."""
        table, column, value = (
            ("orders", "payload", attempt["payload"])
            if attempt["action"] == "checkout"
            else ("subscribers", "email", json.loads(attempt["payload"])["email"])
        )
        with self._open() as sql:
            sql.execute("begin immediate")
            sql.execute(
                f"""insert into {table} (attempt_id, decision_id, {column}, placed_at) values (?, ?, ?, ?)
                    on conflict (attempt_id) do nothing""",
                (attempt["id"], decision_id, value, int(time.time())),
            )
            sql.execute("update attempts set state = 'completed', refusal = null where id = ?", (attempt["id"],))
            sql.execute("commit")

    def find_sale(self, attempt: str, session: str) -> Optional[sqlite3.Row]:
        """A completed attempt of this session, with what came of it and its exemption."""
        return self._read(f"{_SALES} where a.id = ? and a.session = ? and a.state = 'completed'", attempt, session)

    def list_attempts(self, session: str) -> List[sqlite3.Row]:
        with self._open() as sql:
            query = f"{_SALES} where a.session = ? order by a.created_at desc, a.rowid desc limit 50"
            return sql.execute(query, (session,)).fetchall()

    def request_exemption(self, attempt: str, session: str) -> None:
        self._write(
            "insert into exemptions (attempt_id, session) values (?, ?) on conflict do nothing", attempt, session
        )

    def keep_exemption(self, attempt: str, grant_id: str, expires_at: int) -> None:
        self._write(
            """update exemptions set grant_id = ?, expires_at = ?
               where attempt_id = ? and grant_id is null and not forgotten""",
            grant_id,
            expires_at,
            attempt,
        )

    def pick_exemption(self, session: str) -> Optional[str]:
        """A grant that the session can still use."""
        row = self._read(
            """select grant_id from exemptions
               where session = ? and grant_id is not null and not used and not forgotten and expires_at > ?""",
            session,
            int(time.time()),
        )
        return None if row is None else row["grant_id"]

    def use_exemption(self, grant_id: str) -> None:
        self._write("update exemptions set used = 1 where grant_id = ?", grant_id)

    def forget_exemptions(self, session: str) -> None:
        self._write("update exemptions set forgotten = 1 where session = ?", session)

    def latest_report(self, attempt: str) -> Optional[sqlite3.Row]:
        return self._read("select * from reports where attempt_id = ? order by number desc limit 1", attempt)

    def record_report(self, attempt: str, event_id: str, outcome: str, supersedes: Optional[str]) -> bool:
        """Puts a report at the end of its line. False: another one got there first."""
        added = self._write(
            """insert into reports (event_id, attempt_id, outcome, occurred_at, supersedes) values (?, ?, ?, ?, ?)
               on conflict do nothing""",
            event_id,
            attempt,
            outcome,
            int(time.time()),
            supersedes,
        )
        return added == 1

    def accept_report(self, event_id: str, revision: int, until: int) -> None:
        self._write(
            "update reports set revision = ?, correctable_until = ? where event_id = ?", revision, until, event_id
        )

    def _write(self, statement: str, *values: object) -> int:
        with self._open() as sql:
            return sql.execute(statement, values).rowcount

    def _read(self, statement: str, *values: object) -> Optional[sqlite3.Row]:
        with self._open() as sql:
            row: Optional[sqlite3.Row] = sql.execute(statement, values).fetchone()
            return row


_SALES = """select a.*, o.number, coalesce(o.decision_id, s.decision_id) as decision_id,
    coalesce(o.placed_at, s.placed_at) as placed_at, e.grant_id as given, e.expires_at, e.used, e.forgotten
  from attempts a left join orders o on o.attempt_id = a.id left join subscribers s on s.attempt_id = a.id
  left join exemptions e on e.attempt_id = a.id"""


def count(path: str) -> Tuple[int, int]:
    """Orders and subscribers in a shop's records."""
    sql = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        query = "select (select count(*) from orders), (select count(*) from subscribers)"
        orders, letters = sql.execute(query).fetchone()
        return orders, letters
    finally:
        sql.close()
