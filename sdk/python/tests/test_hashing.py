"""Keyed hashes of sessions and subjects."""

import unittest
from typing import Any, Dict

import tollgate
from vectors import read_vectors

HASHES = read_vectors("hashes")


def key_of(case: Dict[str, Any]) -> Any:
    return bytes.fromhex(case["key_hex"]) if "key_hex" in case else case["key"]


class HashingTest(unittest.TestCase):
    """Hashes of sessions and subjects."""

    def test_equal_values_have_equal_hashes_in_every_language(self) -> None:
        for case in HASHES["accept"]:
            with self.subTest(case["value"][:20], kind=case["kind"]):
                hashed = getattr(tollgate, f"hash_{case['kind']}")(key_of(case), case["value"])
                self.assertEqual(hashed, case["hash"])

    def test_weak_keys_and_empty_values_are_refused_without_being_quoted(self) -> None:
        for case in HASHES["refuse"]:
            for hash_value in (tollgate.hash_session, tollgate.hash_subject):
                with self.subTest(case["name"]), self.assertRaises(ValueError) as raised:
                    hash_value(key_of(case), case["value"])
                message = str(raised.exception)
                self.assertIn(case.get("says", ""), message)
                for quoted in (case.get("key"), case["value"]):
                    if isinstance(quoted, str) and quoted != "":
                        self.assertNotIn(quoted, message)
