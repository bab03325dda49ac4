"""The options of a client are checked."""

import unittest
from typing import Any, Dict

from clients import KINDS
from tollgate import TEST_KEYS
from tollgate.options import read_base_url
from vectors import promises, read_vectors

SECRETS = read_vectors("secrets")
URLS = read_vectors("urls")
URL = "https://tollgate.example"


@promises(SECRETS["refuse"])
class RefusedKeysTest(unittest.TestCase):
    """Invalid keys."""

    def check(self, case: Dict[str, Any]) -> None:
        for kind in KINDS:
            with self.assertRaises(ValueError) as raised:
                kind(url=URL, sitekey=case["sitekey"], secret=case["secret"])
            message = str(raised.exception)
            self.assertIn(case["says"].lower(), message.lower())
            for value in (case["sitekey"], case["secret"]):
                if isinstance(value, str) and "tg_secret_" in value:
                    self.assertNotIn(value[10:30], message)


@promises(SECRETS["accept"])
class AcceptedKeysTest(unittest.TestCase):
    """Valid keys."""

    def check(self, case: Dict[str, Any]) -> None:
        for kind in KINDS:
            kind(url=URL, sitekey=case["sitekey"], secret=case["secret"])


class UrlTest(unittest.TestCase):
    """The service's address."""

    def test_trailing_slashes_of_an_address_are_removed(self) -> None:
        for case in URLS["accept"]:
            with self.subTest(case["url"]):
                for kind in KINDS:
                    kind(url=case["url"], **TEST_KEYS["pass"])
                self.assertEqual(read_base_url(case["url"]), case["base"])

    def test_http_to_other_hosts_needs_allow_insecure(self) -> None:
        for url in URLS["insecure"]:
            with self.subTest(url):
                for kind in KINDS:
                    with self.assertRaisesRegex(ValueError, "allow_insecure=True"):
                        kind(url=url, **TEST_KEYS["pass"])
                    kind(url=url, allow_insecure=True, **TEST_KEYS["pass"])

    def test_an_invalid_address_is_refused(self) -> None:
        for url in URLS["refuse"]:
            with self.subTest(url=url):
                for kind in KINDS:
                    with self.assertRaisesRegex(ValueError, "url"):
                        kind(url=url, **TEST_KEYS["pass"])


class TimesTest(unittest.TestCase):
    """Timeout and deadline."""

    def test_times_are_numbers_of_seconds_above_zero(self) -> None:
        for name in ("timeout", "deadline"):
            for value in (0, -1, True, None, "5", float("nan"), float("inf")):
                with self.subTest(name, value=value):
                    for kind in KINDS:
                        with self.assertRaisesRegex(ValueError, name):
                            kind(url=URL, **TEST_KEYS["pass"], **{name: value})


class TestKeysTest(unittest.TestCase):
    """The published test keys."""

    def test_they_are_those_of_the_contract(self) -> None:
        self.assertEqual(dict(TEST_KEYS), read_vectors("testKeys"))
