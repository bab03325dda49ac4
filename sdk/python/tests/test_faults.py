"""A real service, and everything that can go wrong on the way to it: one decision, one unit charged."""

import asyncio
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, List
from unittest import mock

import tollgate
from clients import KINDS, perform
from deployment import FAULTS_URL, KEYS, URL, books, earn, needs_deployment, open_intent, plan, seen
from vectors import promises

#: Performs a call by its name on the wire.
Caller = Callable[[str, Dict[str, Any]], Dict[str, Any]]

SESSION = tollgate.hash_session("a key of the tests alone", "session")

#: Faults of the first tries that a call recovers from.
OVERCOME: List[Dict[str, Any]] = [
    {"name": "nothing is wrong", "faults": []},
    {"name": "the answer is lost after the work was done", "faults": [{"kind": "drop"}]},
    {"name": "the request is lost", "faults": [{"kind": "drop", "reaches": False}]},
    {"name": "the answer is lost three times", "faults": [{"kind": "drop"}] * 3},
    {"name": "the answer never comes", "faults": [{"kind": "hang"}], "timeout": 0.3},
    {"name": "the answer comes too late", "faults": [{"kind": "delay", "ms": 1_000}], "timeout": 0.3},
    {"name": "the answer drips", "faults": [{"kind": "drip", "ms": 100}], "timeout": 0.3},
    {"name": "the answer is cut in the middle", "faults": [{"kind": "cut"}]},
    {"name": "the answer is not HTTP", "faults": [{"kind": "garbage"}]},
    {"name": "a proxy answers with a login page", "faults": [{"kind": "answer", "status": 200, "body": "<!doctype html>"}]},
    {"name": "a proxy cannot reach the service", "faults": [{"kind": "answer", "status": 502, "body": "<h1>Bad gateway</h1>"}]},
    {"name": "a proxy times out", "faults": [{"kind": "answer", "status": 504, "body": ""}]},
    {
        "name": "the service is busy, then unavailable",
        "faults": [
            {"kind": "answer", "status": 429, "headers": {"retry-after": "0"}, "body": '{"error":"rate-limited"}'},
            {"kind": "answer", "status": 503, "headers": {"retry-after": "0"}, "body": '{"error":"unavailable"}'},
        ],
    },
]

#: Faults that end a call as not verified, although the service has done its work.
REFUSED: List[Dict[str, Any]] = [
    *(
        {"name": f"a redirection with {status}", "faults": [{"kind": "redirect", "status": status}]}
        for status in (301, 302, 303, 307, 308)
    ),
    *(
        {"name": f"the answer has another {field}", "faults": [{"kind": "change", "fields": {field: value}}]}
        for field, value in {
            "intent_id": "0192f0c1-7a1b-7c3d-8e4f-5a6b7c8d9e0f",
            "action": "signup",
            "hostname": "evil.example",
            "success": "true",
            "assessment": "failed",
            "decision_id": "dec_",
        }.items()
    ),
    *(
        {"name": f"the answer lacks {field}", "faults": [{"kind": "change", "drop": [field]}]}
        for field in ("intent_id", "action", "hostname", "success", "assessment", "decision_id")
    ),
]


class FaultCase(unittest.TestCase):
    def costs(self, **expected: int) -> Callable[[], None]:
        """Begins to count; the check that exactly this was added to the books."""
        before = books()

        def check() -> None:
            now = books()
            added = {name: now[name] - before[name] for name in now if now[name] != before[name]}
            self.assertEqual(added, expected)

        return check

    def setUp(self) -> None:
        # how long the waits are is asked elsewhere
        for name in ("_FIRST_WAIT", "_JITTER"):
            shortened = mock.patch(f"tollgate.retry.{name}", 0.01)
            shortened.start()
            self.addCleanup(shortened.stop)

    def expect_same_bytes(self, tries: int, or_more: bool = False) -> None:
        requests = seen()
        self.assertEqual(requests["elsewhere"], [], "the secret goes nowhere else")
        self.assertTrue(len(requests["here"]) == tries or (or_more and len(requests["here"]) > tries), requests["here"])
        self.assertEqual(len({request["body"] for request in requests["here"]}), 1, "every try sends the same bytes")


@needs_deployment
@promises(OVERCOME)
class OvercomeTest(FaultCase):
    """A call succeeds despite a fault, and is carried out once."""

    def check(self, case: Dict[str, Any]) -> None:
        for kind in KINDS:

            def call(name: str, fields: Dict[str, Any], kind: Any = kind) -> Dict[str, Any]:
                plan(*case["faults"])
                timeout = case.get("timeout", 5.0)
                outcome: Dict[str, Any] = perform(kind, FAULTS_URL, name, fields, **KEYS, timeout=timeout)
                # a busy machine may let a short time-out pass once more
                self.expect_same_bytes(len(case["faults"]) + 1, or_more="timeout" in case)
                return outcome

            self.open_intent(call)
            decision = self.verify(call)
            self.report(call, decision)
            self.exempt(call, decision)

    def open_intent(self, call: Caller) -> None:
        check = self.costs(intents=1)
        nonce = tollgate.create_nonce()
        call("create_intent", {"action": "checkout", "hostname": "localhost", "nonce": nonce, "session": SESSION})
        check()

    def verify(self, call: Caller) -> str:
        earned, check = earn(SESSION), self.costs(decisions=1, charged=1)
        decision = call("verify", earned)
        check()
        return str(decision["decision_id"])

    def report(self, call: Caller, decision: str) -> None:
        check = self.costs(reports=1)
        about = {"decision_id": decision, "event_id": tollgate.create_event_id(), "occurred_at": int(time.time())}
        receipt = call("feedback", {**about, "outcome": "legitimate", "business_type": "order"})
        self.assertEqual((receipt["revision"], receipt["latest_event_id"]), (1, about["event_id"]))
        check()

    def exempt(self, call: Caller, decision: str) -> None:
        check = self.costs(grants=1)
        grant = call("create_grant", {"decision_id": decision, "session": SESSION})
        check()
        call("revoke_grant", {"grant_id": grant["grant_id"]})
        again = perform(tollgate.Tollgate, URL, "revoke_grant", {"grant_id": grant["grant_id"]}, **KEYS)
        self.assertEqual(again, {"revoked": 0})


@needs_deployment
@promises(REFUSED)
class RefusedTest(FaultCase):
    """An answer that does not match is not a pass; the repeated call gets the decision, charged once."""

    def check(self, case: Dict[str, Any]) -> None:
        for kind in KINDS:
            earned = earn()
            check = self.costs(decisions=1, charged=1)
            plan(*case["faults"])
            with self.assertRaises(tollgate.MisconfiguredError):
                perform(kind, FAULTS_URL, "verify", earned, **KEYS)
            self.expect_same_bytes(1)
            decision = perform(kind, FAULTS_URL, "verify", earned, **KEYS)
            self.assertEqual(decision["intent_id"], earned["intent_id"])
            check()


@needs_deployment
class OnceTest(FaultCase):
    """A token works once."""

    def test_the_same_call_from_twenty_threads_at_once_is_one_decision(self) -> None:
        earned, check = earn(), self.costs(decisions=1, charged=1)
        client = tollgate.Tollgate(url=URL, **KEYS)
        with ThreadPoolExecutor(20) as threads:
            decisions = list(threads.map(lambda _: client.verify(**earned), range(20)))
        self.assertEqual(len(set(decisions)), 1)
        check()

    def test_the_same_call_from_twenty_coroutines_at_once_is_one_decision(self) -> None:
        earned, check = earn(), self.costs(decisions=1, charged=1)

        async def race() -> List[tollgate.Decision]:
            client = tollgate.AsyncTollgate(url=URL, **KEYS)
            return await asyncio.gather(*(client.verify(**earned) for _ in range(20)))

        self.assertEqual(len(set(asyncio.run(race()))), 1)
        check()

    def test_another_key_or_other_values_find_it_redeemed(self) -> None:
        earned = earn()
        perform(tollgate.Tollgate, URL, "verify", earned, **KEYS)
        with self.assertRaisesRegex(tollgate.RefusedError, "already-redeemed"):
            fields = {**earned, "idempotency_key": tollgate.create_idempotency_key()}
            perform(tollgate.Tollgate, URL, "verify", fields, **KEYS)
        with self.assertRaisesRegex(tollgate.InvalidError, "idempotency-conflict"):
            perform(tollgate.Tollgate, URL, "verify", {**earned, "response": "tgr_other"}, **KEYS)


@needs_deployment
class CorrectionTest(FaultCase):
    """Feedback is corrected in order."""

    def test_a_correction_that_another_one_preceded_is_accepted_with_the_latest_event_of_the_error(self) -> None:
        for kind in KINDS:
            decision = perform(kind, URL, "verify", earn(), **KEYS)["decision_id"]

            def report(kind: Any = kind, decision: str = decision, **fields: Any) -> Dict[str, Any]:
                about = {"decision_id": decision, "outcome": "unknown", "business_type": "review"}
                receipt: Dict[str, Any] = perform(kind, URL, "feedback", {**about, **fields}, **KEYS)
                return receipt

            first, second, third = (
                {"event_id": tollgate.create_event_id(), "occurred_at": int(time.time())} for _ in range(3)
            )
            report(**first)
            report(**second, supersedes_event_id=first["event_id"])
            with self.assertRaisesRegex(tollgate.RefusedError, "supersede-required") as required:
                report(**third)
            self.assertEqual(required.exception.latest_event_id, second["event_id"])
            with self.assertRaisesRegex(tollgate.RefusedError, "supersede-stale") as stale:
                report(**third, supersedes_event_id=first["event_id"])
            self.assertEqual(stale.exception.latest_event_id, second["event_id"])
            again = report(**first)
            self.assertEqual((again["revision"], again["latest_event_id"]), (1, second["event_id"]))
            self.assertEqual(report(**third, supersedes_event_id=second["event_id"])["revision"], 3)


@needs_deployment
class TestSitesTest(FaultCase):
    """The published test keys give the errors that they stand for."""

    def test_each_of_them_raises_its_own_error(self) -> None:
        for name, code in {
            "spent": "already-redeemed",
            "expired": "intent-expired",
            "quota": "quota-exceeded",
            "down": "unavailable",
        }.items():
            with self.subTest(name):
                keys = tollgate.TEST_KEYS[name]
                fields = {
                    **open_intent(keys=keys),
                    "response": "tgr_x",
                    "idempotency_key": tollgate.create_idempotency_key(),
                }
                with self.assertRaises(tollgate.TollgateError) as raised:
                    perform(tollgate.Tollgate, URL, "verify", fields, **keys, deadline=0.5)
                self.assertEqual(raised.exception.code, code)
                self.assertRegex(str(raised.exception.request_id), r"\Areq_")

    def test_a_limit_comes_with_the_seconds_to_wait(self) -> None:
        with self.assertRaisesRegex(tollgate.UnavailableError, "rate-limited") as raised:
            perform(
                tollgate.Tollgate,
                URL,
                "create_intent",
                {"action": "checkout", "hostname": "localhost", "nonce": tollgate.create_nonce()},
                **tollgate.TEST_KEYS["limit"],
                deadline=0.5,
            )
        self.assertGreaterEqual(raised.exception.retry_after or 0, 1)

    def test_an_unknown_secret_is_unauthorized(self) -> None:
        keys = {"sitekey": KEYS["sitekey"], "secret": "tg_secret_k3PbQ9xT2LmVw7ZyR4dNc8HsJ6fGa1UeXo5CvBtKqMn0htdcX"}
        with self.assertRaisesRegex(tollgate.MisconfiguredError, "unauthorized"):
            perform(tollgate.Tollgate, URL, "revoke_grant", {"session": SESSION}, **keys)
