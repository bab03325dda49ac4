"""The secret is shown nowhere."""

import asyncio
import contextlib
import copy
import http.client
import io
import logging
import pickle
import pprint
import traceback
from typing import Any, Dict, Iterator, List
from unittest import mock

import tollgate
from clients import KINDS, perform, timeless
from scripted import ServedCase
from vectors import CALLS

SECRET = "tg_secret_k3PbQ9xT2LmVw7ZyR4dNc8HsJ6fGa1UeXo5CvBtKqMn0htdcX"
SITEKEY = "tg_site_TESTpass000000000000"
#: A part of it that is found however it is quoted.
TRACE = SECRET[12:30]
KEYS: tollgate.SiteKeys = {"sitekey": SITEKEY, "secret": SECRET}


def shown_by(error: BaseException) -> str:
    """What an error reporter would show: messages, causes, and the variables of all frames except a test's."""
    shown: List[str] = []
    for each in _with_causes(error):
        shown += [repr(each), str(each), pprint.pformat(vars(each))]
        for frame in traceback.TracebackException.from_exception(each, capture_locals=True).stack:
            if frame.filename != __file__:
                shown += [str(frame), str(frame.locals)]
    return "\n".join(shown)


def _with_causes(error: BaseException) -> Iterator[BaseException]:
    yield error
    for before in (error.__cause__, error.__context__):
        if before is not None:
            yield from _with_causes(before)


class SecrecyTest(ServedCase):
    """Representations of a client."""

    def hide(self, text: str) -> None:
        self.assertNotIn(TRACE, text)

    def test_a_client_shows_its_site_and_never_its_secret(self) -> None:
        for kind in KINDS:
            client = kind(url="https://tollgate.example", **KEYS)
            self.assertIn(SITEKEY, repr(client))
            shown = [repr(client), str(client), f"{client!a}", pprint.pformat(client)]
            for name in dir(client):
                value = getattr(client, name)
                shown += [repr(value), pprint.pformat(getattr(value, "__dict__", ""))]
            self.hide("\n".join(shown))
            with self.assertRaises(TypeError):
                vars(client)

    def test_a_client_is_not_pickled_or_copied(self) -> None:
        for kind in KINDS:
            client = kind(url="https://tollgate.example", **KEYS)
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                with self.assertRaises(TypeError):
                    pickle.dumps(client, protocol)
            with self.assertRaises(TypeError):
                copy.deepcopy(client)

    def test_no_error_of_a_call_shows_it_nor_a_variable_of_a_frame_that_the_error_passed(self) -> None:
        answers: List[Any] = [
            "drop",
            "cut",
            "garbage",
            {"status": 503},
            {"status": 409, "body": '{"error":"already-redeemed"}'},
            {"status": 401, "body": '{"error":"unauthorized"}'},
            {"status": 422, "body": '{"error":"bad-request","field":"' + SECRET + '"}'},
            {"status": 409, "body": '{"error":"' + SECRET + '"}', "headers": {"x-request-id": SECRET}},
            {"status": 200, "body": '{"secret":"' + SECRET + '"}', "headers": {"retry-after": SECRET}},
            {"status": 301, "headers": {"location": "{elsewhere}/?" + SECRET}},
        ]
        for kind in KINDS:
            for answer in answers:
                with self.subTest(repr(answer)[:40]), timeless():
                    self.tell("verify", answer)
                    try:
                        client = kind(url=self.server.url, **KEYS)
                        outcome = client.verify(**CALLS["verify"]["input"])
                        asyncio.run(outcome) if kind is tollgate.AsyncTollgate else outcome
                        self.fail("this is not a pass")
                    except tollgate.TollgateError as error:
                        self.hide(shown_by(error))
                        self.assertIsNone(error.__cause__)
                        self.assertIsNone(error.__context__)

    def test_no_error_of_an_option_shows_it_nor_a_variable_of_ours(self) -> None:
        options: List[Dict[str, Any]] = [
            {"url": "http://tollgate.example"},
            {"url": "nowhere"},
            {"timeout": 0},
            {"sitekey": "tg_site_"},
            {"secret": SECRET[:-1] + "x"},
            {"secret": SECRET + "\n"},
            {"sitekey": SECRET, "secret": SITEKEY},
            {"sitekey": SECRET, "secret": SECRET},
        ]
        for kind in KINDS:
            for option in options:
                with self.subTest(", ".join(option)):
                    try:
                        kind(**{"url": "https://tollgate.example", **KEYS, **option})
                        self.fail("this is not a client")
                    except ValueError as error:
                        self.hide(shown_by(error))
                        self.assertIsNone(error.__cause__)

    def test_nothing_is_logged_or_printed_not_even_where_http_is_being_debugged(self) -> None:
        heard = io.StringIO()
        handler = logging.StreamHandler(heard)
        logging.getLogger().addHandler(handler)
        self.addCleanup(logging.getLogger().removeHandler, handler)
        with (
            mock.patch.object(http.client.HTTPConnection, "debuglevel", 1),
            mock.patch.object(logging.root, "level", 1),
        ):
            with contextlib.redirect_stdout(heard), contextlib.redirect_stderr(heard):
                for kind in KINDS:
                    self.tell("verify", "ok")
                    perform(kind, self.server.url, "verify", CALLS["verify"]["input"], **KEYS)
        self.hide(heard.getvalue())
