"""Input that is refused before anything is sent."""

import unittest
from datetime import datetime, timedelta, timezone
from typing import Any, Dict, Iterator

import tollgate
from clients import KINDS, REQUIRED, perform
from scripted import ServedCase
from vectors import CALLS, class_of, input_of, promises, read_vectors


class RefusalCase(ServedCase):
    def refuse(self, call: str, fields: Dict[str, Any], code: str, field: "str | None") -> None:
        for kind in KINDS:
            self.tell(call, "ok")
            with self.assertRaises(tollgate.TollgateError) as raised:
                perform(kind, self.server.url, call, fields)
            self.assertEqual(self.server.received, [], "nothing may be sent")
            error = raised.exception
            self.assertEqual((error.code, error.field, error.status), (code, field, None))
            self.assertEqual((error.request_id, error.retryable), (None, False))
            self.assertEqual(type(error).__name__, class_of(code, field))


@promises(read_vectors("arguments"))
class ArgumentsTest(RefusalCase):
    """Invalid inputs."""

    def check(self, case: Dict[str, Any]) -> None:
        self.refuse(case["call"], input_of(case["call"], case), case["code"], case.get("field"))


MESSAGES = read_vectors("messages")


@promises(MESSAGES["local"])
class LocalMessagesTest(ServedCase):
    """The message states the broken rule."""

    def check(self, case: Dict[str, Any]) -> None:
        for kind in KINDS:
            with self.assertRaises(tollgate.TollgateError) as raised:
                perform(kind, self.server.url, case["call"], input_of(case["call"], case))
            error, text = raised.exception, str(raised.exception)
            self.assertEqual((error.field, error.status, error.request_id), (case["field"], None, None))
            self.assertRegex(text, r"\A`[a-z_]+`:? .*[^.]\. \(bad-request, field [a-z_]+, not sent\)\Z")
            self.assertIn(case["says"], text)
            # it may be visitor data
            value = case.get("input", {}).get(case["field"])
            if isinstance(value, str) and len(value) > 5:
                self.assertNotIn(value, text)


@promises(MESSAGES["service"])
class RefusalMessagesTest(ServedCase):
    """Refusals of well-formed values by the service."""

    def check(self, case: Dict[str, Any]) -> None:
        body = f'{{"error": "bad-request", "field": "{case["field"]}"}}'
        for kind in KINDS:
            self.tell(case["call"], {"status": 422, "body": body})
            with self.assertRaises(tollgate.TollgateError) as raised:
                perform(kind, self.server.url, case["call"], CALLS[case["call"]]["input"])
            self.assertEqual((raised.exception.field, raised.exception.status), (case["field"], 422))
            self.assertIn(case["says"], str(raised.exception))


def each_grammar() -> Iterator[Dict[str, Any]]:
    for name, grammar in read_vectors("grammars").items():
        for place in grammar["fields"]:
            call, field = place.split(".")
            if call != "client":
                yield {"name": f"{name} as {place}", "call": call, "field": field, **grammar}


@promises(each_grammar())
class GrammarsTest(RefusalCase):
    """Every field with every value of its grammar."""

    def check(self, case: Dict[str, Any]) -> None:
        call, field = case["call"], case["field"]
        for value in case["refuse"]:
            # None means absent in Python
            if value is not None or field in REQUIRED[call]:
                with self.subTest(value=value):
                    self.refuse(call, {**CALLS[call]["input"], field: value}, "bad-request", field)
        for value in case["accept"]:
            fields = {**CALLS[call]["input"], field: value}
            sent = value.lower() if "uuid" in case["name"] else value
            # if the answer names a field, it must be this one
            answer = {name: sent for name in CALLS[call]["answer"] if name == field}
            with self.subTest(value=value):
                self.tell(call, {"answer": answer})
                perform(tollgate.Tollgate, self.server.url, call, fields)
                self.assertEqual(len(self.server.received), 1)


class MomentsTest(RefusalCase):
    """Times of events."""

    def sent_for(self, moment: Any) -> bytes:
        self.tell("feedback", "ok")
        fields = {**CALLS["feedback"]["input"], "occurred_at": moment}
        perform(tollgate.Tollgate, self.server.url, "feedback", fields)
        return self.server.received[0].body

    def test_a_moment_with_a_time_zone_is_sent_in_whole_seconds(self) -> None:
        moment = datetime(2023, 11, 14, 23, 13, 20, 999_999, timezone(timedelta(hours=1)))
        self.assertIn(b'"occurred_at": 1700000000', self.sent_for(moment))

    def test_a_moment_without_a_time_zone_is_refused(self) -> None:
        fields = {**CALLS["feedback"]["input"], "occurred_at": datetime(2023, 11, 14)}
        self.refuse("feedback", fields, "bad-request", "occurred_at")
        with self.assertRaisesRegex(tollgate.InvalidError, "a datetime with a time zone: it is not a number"):
            perform(tollgate.Tollgate, self.server.url, "feedback", fields)

    def test_seconds_with_a_fraction_are_refused_and_those_without_are_sent_as_integers(self) -> None:
        fields = {**CALLS["feedback"]["input"], "occurred_at": 1700000000.25}
        self.refuse("feedback", fields, "bad-request", "occurred_at")
        self.assertIn(b'"occurred_at": 1700000000,', self.sent_for(1700000000.0))


class ResponseTokenTest(unittest.TestCase):
    """Whether the visitor had finished the check."""

    def test_a_token_is_distinguished_from_other_values(self) -> None:
        grammar = read_vectors("grammars")["response"]
        self.assertTrue(all(tollgate.is_response_token(value) for value in grammar["accept"]))
        self.assertFalse(any(tollgate.is_response_token(value) for value in grammar["refuse"]))
