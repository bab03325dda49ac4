"""The limits of a try: time, address and size."""

import asyncio
import contextlib
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

import tollgate
from clients import KINDS, perform, timeless
from scripted import ScriptedServer, ServedCase
from vectors import CALLS

INPUT = CALLS["verify"]["input"]


class TimeTest(ServedCase):
    """A call ends whatever a server does."""

    def expect_unreachable(self, url: str) -> None:
        for kind in KINDS:
            with self.assertRaises(tollgate.UnavailableError):
                perform(kind, url, "verify", INPUT, timeout=0.1, deadline=0.6)

    def test_a_server_that_drips_is_not_waited_for(self) -> None:
        self.server.tell("drip")
        self.expect_unreachable(self.server.url)
        self.assertGreater(len(self.server.received), len(KINDS), "it was tried again")

    def test_a_server_that_takes_connections_and_says_nothing_is_not_waited_for(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            self.expect_unreachable(f"http://127.0.0.1:{silent.getsockname()[1]}")

    def test_a_server_that_is_not_there_is_unreachable(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as gone:
            port = gone.getsockname()[1]
        self.expect_unreachable(f"http://127.0.0.1:{port}")

    def test_an_address_that_swallows_packets_leaves_time_for_the_next_one(self) -> None:
        self.tell("verify", "ok")
        port = int(self.server.url.rsplit(":", 1)[1])
        with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
            queued = [_begin_connecting(full.getsockname()) for _ in range(4)]
            found = [
                (socket.AF_INET, socket.SOCK_STREAM, 6, "", at) for at in (full.getsockname(), ("127.0.0.1", port))
            ]
            with mock.patch("socket.getaddrinfo", return_value=found):
                perform(tollgate.Tollgate, self.server.url, "verify", INPUT, timeout=2)
            for waiting in queued:
                waiting.close()
        self.assertEqual(len(self.server.received), 1)

    def test_an_unknown_host_name_is_unreachable_and_named(self) -> None:
        with mock.patch("socket.getaddrinfo", side_effect=socket.gaierror(-2, "Name or service not known")), timeless():
            with self.assertRaisesRegex(tollgate.UnavailableError, "Nothing was sent.*Name or service not known") as met:
                perform(tollgate.Tollgate, "https://nowhere.example", "verify", INPUT)
        self.assertFalse(met.exception.retryable)

    def test_a_port_at_which_nothing_listens_is_named_and_was_sent_nothing(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as gone:
            port = gone.getsockname()[1]
        for kind in KINDS:
            expected = rf"Nothing was sent, because nothing listens .*127\.0\.0\.1:{port}, Connection refused"
            with timeless(), self.assertRaisesRegex(tollgate.UnavailableError, expected) as met:
                perform(kind, f"http://127.0.0.1:{port}", "verify", INPUT)
            self.assertTrue(met.exception.retryable)

    def test_what_ends_before_the_request_was_sent_is_said_with_its_cause(self) -> None:
        causes: "list[tuple[str, OSError, str, bool]]" = [
            ("connect", OSError(113, "No route to host"), "no connection", True),
            ("connect", TimeoutError(), "no connection", True),
            ("getaddrinfo", socket.gaierror(socket.EAI_AGAIN, "Temporary failure"), "the name server gave no address", True),
            ("_secure", ConnectionResetError(104, "Connection reset by peer"), "the TLS handshake", True),
            ("_secure", ssl.SSLError(1, "alert protocol version"), "the TLS handshake", False),
        ]
        for place, error, says, retryable in causes:
            target = {"connect": "socket.socket.connect", "getaddrinfo": "socket.getaddrinfo"}.get(place)
            url = "https://127.0.0.1:4700" if place == "_secure" else "http://127.0.0.1:4700"
            with self.subTest(str(error)), contextlib.ExitStack() as stack:
                if place == "_secure":
                    stack.enter_context(mock.patch("socket.socket.connect"))
                stack.enter_context(mock.patch(target or "tollgate.transport._secure", side_effect=error))
                stack.enter_context(timeless())
                expected = rf"Nothing was sent, because {says}.*127\.0\.0\.1:4700, "
                with self.assertRaisesRegex(tollgate.UnavailableError, expected) as met:
                    perform(tollgate.Tollgate, url, "verify", INPUT)
                self.assertEqual(met.exception.retryable, retryable)

    def test_a_server_that_is_gone_after_a_try_that_may_have_arrived_leaves_open_what_became_of_the_call(self) -> None:
        for kind in KINDS:
            with socket.create_server(("127.0.0.1", 0)) as once:
                port = once.getsockname()[1]
                thread = threading.Thread(target=lambda: once.accept()[0].close())
                thread.start()
                connect = socket.socket.connect
                tried: "list[None]" = []

                def gone(sock: socket.socket, at: object, tried: "list[None]" = tried, connect: object = connect) -> None:
                    tried.append(None)
                    if len(tried) > 1:
                        raise ConnectionRefusedError(111, "Connection refused")
                    connect(sock, at)  # type: ignore[operator]

                with timeless(), mock.patch("socket.socket.connect", gone):
                    with self.assertRaises(tollgate.UnavailableError) as met:
                        perform(kind, f"http://127.0.0.1:{port}", "verify", INPUT)
                thread.join()
            self.assertGreater(len(tried), 1)
            self.assertTrue(met.exception.retryable)
            self.assertIn("what became of the call is not known", str(met.exception))
            self.assertNotIn("Nothing was sent", str(met.exception))

    def test_a_server_that_does_not_speak_tls_is_named_and_not_tried_again(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as plain:
            thread = threading.Thread(target=_answer_plainly, args=(plain,))
            thread.start()
            with self.assertRaisesRegex(tollgate.UnavailableError, "Nothing was sent.*does not speak TLS") as met:
                perform(tollgate.Tollgate, f"https://127.0.0.1:{plain.getsockname()[1]}", "verify", INPUT)
            thread.join()
        self.assertFalse(met.exception.retryable)


class NonsenseTest(ServedCase):
    """A call returns or raises a TollgateError whatever the answer."""

    def test_what_http_client_stumbles_over_is_no_answer_and_may_be_repeated(self) -> None:
        for answer in (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-d\r\n",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{",
            b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
            b"HTTP/1.1 -1 OK\r\n\r\n",
            b"HTTP/1.1 2\xb20 OK\r\n\r\n",
            b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200 + b"\r\n",
            b"HTTP/1.1 200 OK\r\na: " + b"b" * 70_000 + b"\r\n\r\n",
            b"HTTP/1.1 100 Continue\r\n\r\n" * 50,
            b"HTTP/1.1 200",
            b"\r\n",
        ):
            with self.subTest(answer[:50]):
                self.server.tell(answer)
                for kind in KINDS:
                    with timeless(), self.assertRaises(tollgate.TollgateError) as raised:
                        perform(kind, self.server.url, "verify", INPUT)
                    self.assertTrue(raised.exception.retryable)


class CancellationTest(ServedCase):
    """A cancelled coroutine."""

    def test_a_cancelled_call_ends_at_once_and_is_not_repeated(self) -> None:
        self.server.tell("drip")

        async def cancel() -> None:
            client = tollgate.AsyncTollgate(url=self.server.url, timeout=0.5, **tollgate.TEST_KEYS["pass"])
            calling = asyncio.ensure_future(client.verify(**INPUT))
            while not self.server.received:
                await asyncio.sleep(0.01)
            calling.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await calling

        asyncio.run(cancel())
        self.assertEqual(len(self.server.received), 1)

    def test_the_loop_turns_while_a_call_waits(self) -> None:
        self.server.tell("drip")

        async def turn() -> int:
            client = tollgate.AsyncTollgate(
                url=self.server.url, timeout=0.2, deadline=0.2, **tollgate.TEST_KEYS["pass"]
            )
            calling = asyncio.ensure_future(client.verify(**INPUT))
            turns = 0
            while not calling.done():
                turns += 1
                await asyncio.sleep(0.01)
            self.assertIsInstance(calling.exception(), tollgate.UnavailableError)
            return turns

        self.assertGreater(asyncio.run(turn()), 2)


class SharingTest(ServedCase):
    """One client for the whole program."""

    def test_threads_share_a_client_and_each_gets_its_own_answer(self) -> None:
        self.tell("verify", "ok")
        client = tollgate.Tollgate(url=self.server.url, **tollgate.TEST_KEYS["pass"])
        outcomes = []

        def call(action: str) -> None:
            try:
                outcomes.append(client.verify(**{**INPUT, "action": action}).action)
            except tollgate.MisconfiguredError:
                outcomes.append("refused")

        threads = [threading.Thread(target=call, args=(action,)) for action in ("checkout", "signup") * 8]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(outcomes), ["checkout"] * 8 + ["refused"] * 8)


class AddressTest(ServedCase):
    """The secret is sent to the configured address only."""

    def test_a_proxy_of_the_environment_is_not_used(self) -> None:
        self.tell("verify", "ok")
        proxies = dict.fromkeys(("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy"), self.elsewhere.url)
        with mock.patch.dict(os.environ, proxies):
            perform(tollgate.Tollgate, self.server.url, "verify", INPUT)
        self.assertEqual(len(self.server.received), 1)

    def test_what_follows_an_answer_is_not_read_as_another(self) -> None:
        body = b'{"error":"already-redeemed"}'
        self.server.tell((409, {}, body + b"HTTP/1.1 200 OK\r\n\r\n"))
        with self.assertRaises(tollgate.TollgateError):
            perform(tollgate.Tollgate, self.server.url, "verify", INPUT)
        self.assertEqual(len(self.server.received), 1)


@unittest.skipUnless(shutil.which("openssl"), "openssl makes the certificates")
class CertificateTest(unittest.TestCase):
    """Over TLS nothing is sent to a server with another name."""

    certificate: Path
    server: ScriptedServer
    port: str

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.certificate = Path(folder.name) / "certificate.pem"
        key = Path(folder.name) / "key.pem"
        made = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
        files = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(cls.certificate)]
        subprocess.run([*made.split(), *files], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cls.certificate, key)
        cls.server = ScriptedServer("drop", tls=context)
        cls.addClassCleanup(cls.server.close)
        cls.port = cls.server.url.rsplit(":", 1)[1]

    def setUp(self) -> None:
        self.server.tell((200, {}, b'{"revoked": 1}'))

    def call(self, host: str) -> tollgate.Revocation:
        client = tollgate.Tollgate(url=f"https://{host}:{self.port}", **tollgate.TEST_KEYS["pass"])
        return client.revoke_grant(grant_id=CALLS["revoke_grant"]["input"]["grant_id"])

    def test_a_certificate_that_is_trusted_and_names_the_host_is_taken(self) -> None:
        with mock.patch.dict(os.environ, {"SSL_CERT_FILE": str(self.certificate)}):
            self.assertEqual(self.call("localhost").revoked, 1)

    def test_an_untrusted_certificate_is_refused_before_anything_is_sent(self) -> None:
        with timeless(), self.assertRaisesRegex(tollgate.UnavailableError, "(?i)certificate"):
            self.call("localhost")
        self.assertEqual(self.server.received, [])

    def test_a_certificate_that_is_not_accepted_is_not_tried_again(self) -> None:
        with self.assertRaisesRegex(tollgate.UnavailableError, "Nothing was sent.*SSL_CERT_FILE") as met:
            self.call("localhost")
        self.assertFalse(met.exception.retryable)

    def test_a_certificate_of_another_host_is_refused_before_anything_is_sent(self) -> None:
        with mock.patch.dict(os.environ, {"SSL_CERT_FILE": str(self.certificate)}):
            with timeless(), self.assertRaisesRegex(tollgate.UnavailableError, "(?i)certificate"):
                self.call("127.0.0.1")
        self.assertEqual(self.server.received, [])


def _answer_plainly(server: socket.socket) -> None:
    connection, _ = server.accept()
    with connection:
        connection.recv(4096)
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")


def _begin_connecting(address: "tuple[str, int]") -> socket.socket:
    waiting = socket.socket()
    waiting.setblocking(False)
    waiting.connect_ex(address)
    time.sleep(0)
    return waiting
