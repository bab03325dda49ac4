"""The errors, as data."""

import copy
import pickle
import re
import unittest

import tollgate
from tollgate.errors import CODES
from vectors import read_vectors

ERRORS = read_vectors("errors")


class ErrorsTest(unittest.TestCase):
    """A class for each code."""

    def test_every_code_of_the_service_has_its_class_status_and_retryable(self) -> None:
        known = {(code, status): error for code, error in CODES.items() for status in error.statuses}
        self.assertEqual(
            {key: (error.__name__, error.retryable) for key, error in known.items()},
            {(case["code"], case["status"]): (case["class"], case["retryable"]) for case in ERRORS["service"]},
        )

    def test_every_class_is_public_and_is_a_tollgate_error(self) -> None:
        for case in ERRORS["service"] + ERRORS["local"]:
            error = getattr(tollgate, case["class"])
            self.assertTrue(issubclass(error, tollgate.TollgateError))
            self.assertEqual((error.code, error.retryable), (case["code"], case["retryable"]))

    def test_a_message_is_one_sentence_that_ends_with_code_status_and_request(self) -> None:
        for error in CODES.values():
            text = str(error(status=409, field="nonce", request_id="req_1"))
            self.assertRegex(
                text, r"\A[A-Z][^.!]+(\.\d[^.!]*)? \([a-z-]+, status 409, field nonce, request req_1\)\.\Z"
            )

    def test_an_error_survives_its_way_to_another_process(self) -> None:
        stale = tollgate.SupersedeStaleError(status=409)
        stale.latest_event_id = "0192f0c1-7a1b-7c3d-8e4f-5a6b7c8d9e12"
        limited = tollgate.RateLimitedError(status=429, request_id="req_1", retry_after=3, reason="busy")
        for error in (stale, limited):
            for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
                self.assertIs(type(twin), type(error))
                self.assertEqual((str(twin), vars(twin)), (str(error), vars(error)))

    def test_classes_say_what_they_are_for(self) -> None:
        for error in CODES.values():
            self.assertTrue(re.match(r"[A-Z].*\.", error.__doc__ or ""), error.__name__)
