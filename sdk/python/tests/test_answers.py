"""The outcome of every kind of answer."""

import json
from typing import Any, Dict

import tollgate
from clients import KINDS, perform, timeless
from scripted import ServedCase
from vectors import CALLS, ERRORS, class_of, input_of, promises, read_vectors


class OutcomeCase(ServedCase):
    def expect(self, call: str, expected: Dict[str, Any], outcome: Any) -> None:
        if "value" in expected:
            self.assertEqual(outcome, {**CALLS[call]["answer"], **expected["value"]})
            return
        error = expected["error"]
        self.assertIsInstance(outcome, tollgate.TollgateError)
        self.assertEqual(type(outcome).__name__, class_of(error["code"], error.get("field"), error["retryable"]))
        for name in ("code", "status", "retryable", "field", "request_id", "retry_after", "latest_event_id"):
            if name in error:
                self.assertEqual(getattr(outcome, name), error[name], name)
        self.assertIn(error.get("says", ""), str(outcome))

    def outcome_of(self, *arguments: Any) -> Any:
        try:
            return perform(*arguments)
        except tollgate.TollgateError as error:
            return error


@promises(read_vectors("answers"))
class AnswersTest(OutcomeCase):
    """One answer, given to every try."""

    def check(self, case: Dict[str, Any]) -> None:
        call, expected = case["call"], case["expect"]
        for kind in KINDS:
            self.tell(call, case)
            with timeless():
                self.expect(call, expected, self.outcome_of(kind, self.server.url, call, input_of(call, case)))
            again = expected.get("error", {}).get("retryable", False)
            self.assertEqual(len(self.server.received) > 1, again, "whether it was repeated")


@promises(
    {**kind, "name": f"{status} {kind['code']}", "status": status} for kind in ERRORS for status in kind["statuses"]
)
class CodesTest(OutcomeCase):
    """Every code of the service, and whether it is repeated."""

    def check(self, case: Dict[str, Any]) -> None:
        error = {name: case[name] for name in ("code", "status", "retryable")}
        for kind in KINDS:
            self.tell("verify", {"status": case["status"], "body": json.dumps({"error": case["code"]})})
            with timeless():
                outcome = self.outcome_of(kind, self.server.url, "verify", CALLS["verify"]["input"])
            self.expect("verify", {"error": error}, outcome)
            self.assertEqual(len(self.server.received) > 1, case["retryable"])


@promises(read_vectors("retries"))
class RetriesTest(OutcomeCase):
    """Different answers to successive tries."""

    def check(self, case: Dict[str, Any]) -> None:
        call, expected = case["call"], case["expect"]
        for kind in KINDS:
            self.tell(call, *case["answers"])
            with timeless() as clock:
                self.expect(call, expected, self.outcome_of(kind, self.server.url, call, input_of(call, case)))
            self.assertEqual(len(self.server.received), expected["tries"])
            self.assertEqual(len({request.body for request in self.server.received}), 1, "the same bytes")
            self.assertEqual(len(clock.waits), len(expected["waits"]))
            for wait, least in zip(clock.waits, expected["waits"]):
                self.assertTrue(least <= wait * 1000 <= least + 100, f"{wait} s after {least} ms")


class RequestTest(ServedCase):
    """The request."""

    def test_each_call_sends_its_fields_as_json_under_the_secret(self) -> None:
        for kind in KINDS:
            for call, about in CALLS.items():
                with self.subTest(f"{kind.__name__}.{call}"):
                    self.tell(call, "ok")
                    perform(kind, self.server.url + "/base/", call, about["input"])
                    (request,) = self.server.received
                    self.assertEqual(request.path, "/base" + about["path"])
                    self.assertEqual(json.loads(request.body), about["input"])
                    secret = tollgate.TEST_KEYS["pass"]["secret"]
                    self.assertEqual(request.headers["authorization"], f"Bearer {secret}")
                    self.assertEqual(request.headers["content-type"], "application/json")
                    self.assertEqual(request.headers["host"], self.server.url.split("//")[1])
                    self.assertEqual(request.headers["user-agent"], f"tollgate-python/{tollgate.__version__}")
                    self.assertNotIn(secret.encode(), request.body)
