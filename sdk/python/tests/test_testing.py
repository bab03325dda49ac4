"""solve(), for the tests of merchants."""

import dataclasses
import re
import unittest
from pathlib import Path
from typing import Any, Dict

import tollgate
from deployment import KEYS, URL, needs_deployment
from scripted import ServedCase
from tollgate.testing import solve

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "testing.md"
PAGE = {"action": "signup", "hostname": "shop.example"}


@needs_deployment
class SolveTest(unittest.TestCase):
    """tollgate.testing"""

    def open(self, name: str) -> "tuple[tollgate.Tollgate, tollgate.Intent]":
        client = tollgate.Tollgate(url=URL, **tollgate.TEST_KEYS[name])
        return client, client.create_intent(nonce=tollgate.create_nonce(), **PAGE)

    def test_the_token_passes(self) -> None:
        client, intent = self.open("pass")
        decision = client.verify(
            response=solve(url=URL, intent=intent),
            intent_id=intent.intent_id,
            idempotency_key=tollgate.create_idempotency_key(),
            **PAGE,
        )
        self.assertEqual(decision.intent_id, intent.intent_id)

    def test_the_unit_test_of_the_guide_passes(self) -> None:
        (code,) = re.findall(r"```python Python\n(from tollgate import TEST_KEYS.*?)```", GUIDE.read_text(encoding="utf-8"), re.S)
        names: Dict[str, Any] = {}
        exec(compile(code.replace("http://localhost:3000", URL), "testing.md", "exec"), names)
        names["test_a_visitor_with_a_token_passes"]()

    def test_what_the_service_refuses_is_an_error(self) -> None:
        _, intent = self.open("fail")
        with self.assertRaisesRegex(RuntimeError, "422 .*solution-invalid.* as always with the test key `fail`"):
            solve(url=URL, intent=intent)
        strange = dataclasses.replace(intent, hostname="other.example")
        with self.assertRaisesRegex(RuntimeError, "403 .*origin-not-allowed.*the origin of a page of this hostname"):
            solve(url=URL, intent=strange)

    def test_a_challenge_of_another_site_is_not_solved(self) -> None:
        client = tollgate.Tollgate(url=URL, **KEYS)
        intent = client.create_intent(action="signup", nonce=tollgate.create_nonce(), hostname="localhost")
        with self.assertRaisesRegex(ValueError, "test keys only"):
            solve(url=URL, intent=intent)


class UnreachableTest(ServedCase):
    """What is not the service."""

    def test_an_answer_that_is_cut_off_or_not_the_services_is_named(self) -> None:
        intent = tollgate.Intent("0192f0c1-7a1b-7c3d-8e4f-5a6b7c8d9e0f", tollgate.TEST_KEYS["pass"]["sitekey"], "a", "b", 0)
        for answer, says in (
            ("drop", "cannot be reached"),
            ("cut", "cannot be reached|is not the service's"),
            ((200, {}, b"<h1>Log in</h1>"), "is not the service's"),
            ((502, {}, b"<h1>Bad gateway</h1>"), "answered 502"),
        ):
            self.server.tell(answer)
            with self.subTest(str(answer)), self.assertRaisesRegex(RuntimeError, says):
                solve(url=self.server.url, intent=intent)
