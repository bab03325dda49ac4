"""The code of docs/backend.md, with psycopg on a real PostgreSQL."""

import os
import re
import threading
import types
import unittest
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple
from unittest import mock

import tollgate
from deployment import FAULTS_URL, URL, books, needs_deployment, plan, solve
from merchants import answer, needs

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "backend.md"
SETTINGS = {"TOLLGATE_URL": FAULTS_URL or URL}
SESSION = tollgate.hash_session("a key of the shop", "a session")
BELL = {"product": "bell", "quantity": 1}


@needs_deployment
@needs("psycopg")
class GuideTest(unittest.TestCase):
    """checkout.py"""

    shop: Dict[str, types.FunctionType]

    @classmethod
    def setUpClass(cls) -> None:
        text = GUIDE.read_text(encoding="utf-8")
        (tables,) = re.findall(r"```sql\n(create table attempts.*?)```", text, re.S)
        (code,) = re.findall(r"```python\n# checkout.py\n(.*?)```", text, re.S)
        settings = mock.patch.dict(os.environ, SETTINGS)
        settings.start()
        cls.addClassCleanup(settings.stop)
        cls.shop = {}
        exec(compile(code.replace("shop.example", "localhost"), "backend.md", "exec"), cls.shop)
        with _connect() as db:
            db.execute(f"drop table if exists orders, attempts; {tables}")

    def setUp(self) -> None:
        plan()
        self.db = _connect()
        self.addCleanup(self.db.close)
        self.attempt, self.intent_id = self.shop["open_form"](self.db, SESSION)
        self.charged = books()["charged"]

    def submit(
        self, token: Optional[str], payload: object = BELL, session: str = SESSION, attempt: Any = None
    ) -> object:
        return self.shop["submit"](self.db, session, attempt or self.attempt, payload, token)

    def race(self, submissions: Sequence[Tuple[Any, str]]) -> List[object]:
        """The result of each payload and token, each on its own connection."""
        results: Dict[int, object] = {}
        start = threading.Barrier(len(submissions))

        def send(index: int) -> None:
            payload, token = submissions[index]
            with _connect() as db:
                start.wait()
                results[index] = self.shop["submit"](db, SESSION, self.attempt, payload, token)

        threads = [threading.Thread(target=send, args=(index,)) for index in range(len(submissions))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return [results[index] for index in range(len(submissions))]

    def orders(self) -> List[Tuple[str, Any]]:
        found = self.db.execute("select decision_id, payload from orders where attempt_id = %s", (self.attempt,))
        return [(row["decision_id"], row["payload"]) for row in found]

    def assert_ordered_once(self, payload: object = BELL) -> None:
        self.assertEqual(self.orders(), [(f"dec_{self.intent_id.replace('-', '')}", payload)])
        self.assertEqual(books()["charged"] - self.charged, 1)

    def test_identical_submissions_are_one_order(self) -> None:
        token = solve(self.intent_id)
        self.assertEqual([self.submit(token), self.submit(token)], ["done"] * 2)
        self.assertEqual(self.race([(BELL, token)] * 10), ["done"] * 10)
        self.assert_ordered_once()

    def test_ten_identical_submissions_at_once_are_one_order(self) -> None:
        self.assertEqual(self.race([(BELL, solve(self.intent_id))] * 10), ["done"] * 10)
        self.assert_ordered_once()

    def test_another_payload_or_token_is_refused(self) -> None:
        token = solve(self.intent_id)
        self.assertEqual(self.submit(token), "done")
        self.assertEqual(self.submit(token, {**BELL, "quantity": 9}), "changed")
        self.assertEqual(self.submit(token, None), "changed")
        self.assertEqual([self.submit(other) for other in ("tgr_other", "", None)], ["changed"] * 3)
        self.assertEqual(self.submit(token), "done")
        self.assert_ordered_once()

    def test_of_two_payloads_at_once_one_is_ordered_and_the_other_refused(self) -> None:
        token, other = solve(self.intent_id), {**BELL, "quantity": 9}
        results = self.race([(BELL, token), (other, token)] * 5)
        winner = results.index("done") % 2
        self.assertEqual(results, ["done" if index % 2 == winner else "changed" for index in range(10)])
        self.assert_ordered_once((BELL, other)[winner])

    def test_a_token_that_is_missing_forged_or_of_another_form_orders_nothing(self) -> None:
        self.assertEqual([self.submit(None), self.submit("")], ["incomplete"] * 2)
        _, other = self.shop["open_form"](self.db, SESSION)
        self.assertEqual(self.submit(solve(other)), "response-invalid")
        self.assertEqual(self.submit(solve(self.intent_id)), "changed", "the refused token is frozen")
        self.attempt, _ = self.shop["open_form"](self.db, SESSION)
        self.assertEqual(self.submit("tgr_forged"), "response-invalid")
        self.assertEqual(self.orders(), [])
        self.assertEqual(books()["charged"], self.charged)

    def test_a_form_of_another_session_or_none_is_not_found(self) -> None:
        token = solve(self.intent_id)
        self.assertEqual(self.submit(token, session="another session"), "foreign")
        for attempt in ("nothing", "00000000-0000-0000-0000-000000000000", 7):
            self.assertEqual(self.submit(token, attempt=attempt), "foreign")
        self.assertEqual(self.submit(token), "done", "it was not frozen by them")

    def test_a_failure_of_the_service_orders_nothing_and_can_be_repeated(self) -> None:
        token = solve(self.intent_id)
        for status, code in ((402, "quota-exceeded"), (500, "internal-error")):
            plan(answer(status, code))
            self.assertEqual(self.submit(token), code)
            self.assertEqual(self.orders(), [])
        self.assertEqual(self.submit(token, {**BELL, "quantity": 9}), "changed")
        self.assertEqual(self.submit(token), "done")
        self.assert_ordered_once()

    def test_what_is_done_stays_done_when_the_decision_can_no_longer_be_repeated(self) -> None:
        token = solve(self.intent_id)
        self.assertEqual(self.submit(token), "done")
        plan(answer(409, "already-redeemed"))
        self.assertEqual(self.submit(token), "done")
        self.assert_ordered_once()

    def test_an_intent_is_not_attached_over_another(self) -> None:
        client = self.shop["tollgate"]

        def steal(**fields: str) -> tollgate.Intent:
            intent = client.create_intent(**fields)
            self.db.execute(
                "update attempts set intent_id = gen_random_uuid() where nonce = %s", (fields["nonce"],)
            )
            return intent

        with mock.patch.dict(self.shop, tollgate=types.SimpleNamespace(create_intent=steal)):
            with self.assertRaisesRegex(RuntimeError, "already has an intent"):
                self.shop["open_form"](self.db, SESSION)

    def test_no_form_is_shown_where_no_intent_was_opened(self) -> None:
        plan({**answer(402, "quota-exceeded"), "reaches": False})
        with self.assertRaises(tollgate.QuotaExceededError):
            self.shop["open_form"](self.db, SESSION)


def _connect() -> Any:
    import psycopg
    from psycopg.rows import dict_row

    return psycopg.connect(os.environ["GUIDE_DATABASE_URL"], autocommit=True, row_factory=dict_row)
