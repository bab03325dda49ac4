"""The errors, as data."""

import copy
import pickle
import unittest

import tollgate
from tollgate.errors import fail
from vectors import ERRORS


class ErrorsTest(unittest.TestCase):
    """A class for what to do."""

    def test_every_class_is_public_and_every_public_one_has_a_code(self) -> None:
        public = {name for name in tollgate.__all__ if name.endswith("Error")} - {"TollgateError", "WebhookError"}
        self.assertEqual(public, {kind["class"] for kind in ERRORS})
        self.assertTrue(all(issubclass(getattr(tollgate, name), tollgate.TollgateError) for name in public))

    def test_a_message_ends_with_code_field_status_and_request(self) -> None:
        for kind in ERRORS:
            text = str(fail(kind["code"], status=409, field="nonce", request_id="req_1"))
            self.assertRegex(text, r"\A[A-Z].*[^.]\. \([a-z-]+, field nonce, status 409, req_1\)\Z")

    def test_an_error_survives_its_way_to_another_process(self) -> None:
        stale = fail("supersede-stale", status=409, latest_event_id="0192f0c1-7a1b-7c3d-8e4f-5a6b7c8d9e12")
        limited = fail("rate-limited", status=429, request_id="req_1", retry_after=3, reason="busy")
        for error in (stale, limited):
            for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
                self.assertIs(type(twin), type(error))
                self.assertEqual((str(twin), vars(twin)), (str(error), vars(error)))
