"""The requests of webhooks."""

import json
import unittest
from typing import Any, Dict
from unittest import mock

import tollgate
from vectors import read_vectors

VECTORS = read_vectors("webhooks")


def verify(case: Dict[str, Any], body: Any) -> Dict[str, Any]:
    with mock.patch("time.time", return_value=case.get("now", VECTORS["now"])):
        return tollgate.verify_webhook(case["headers"], body, VECTORS["secret"])


class WebhooksTest(unittest.TestCase):
    """Verifying the requests of webhooks."""

    def test_what_the_service_signed_is_accepted(self) -> None:
        for case in VECTORS["accept"]:
            with self.subTest(case["name"]):
                self.assertEqual(verify(case, case["body"]), json.loads(case["body"]))
                self.assertEqual(verify(case, case["body"].encode("utf-8")), json.loads(case["body"]))

    def test_anything_else_is_refused(self) -> None:
        for case in VECTORS["refuse"]:
            with self.subTest(case["name"]), self.assertRaises(tollgate.WebhookError):
                verify(case, case["body"])

    def test_a_malformed_secret_is_refused_without_being_quoted(self) -> None:
        case = VECTORS["accept"][0]
        for secret in VECTORS["secrets"]:
            with self.subTest(secret["name"]), self.assertRaises(ValueError) as raised:
                tollgate.verify_webhook(case["headers"], case["body"], secret["secret"])
            self.assertNotIn("MfKQ9r8", str(raised.exception))
