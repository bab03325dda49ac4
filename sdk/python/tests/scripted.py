"""A server on loopback that gives scripted answers and records requests."""

import contextlib
import socket
import socketserver
import ssl
import threading
import time
import unittest
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from vectors import body_of


class Received(NamedTuple):
    path: str
    headers: Dict[str, str]
    body: bytes


#: ``(status, headers, body)``, or raw bytes, or a word of ``retries.json``; ``"drip"`` sends single bytes
#: slowly, forever.
Answer = Union[Tuple[int, Dict[str, str], bytes], bytes, str]


class ScriptedServer:
    """Gives its answers in sequence, the last one forever."""

    def __init__(self, *answers: Answer, tls: Optional[ssl.SSLContext] = None) -> None:
        self.answers = list(answers)
        self.received: List[Received] = []
        self.closing = threading.Event()
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                request = _read_request(self.rfile)
                if request is not None:
                    index = min(len(outer.received), len(outer.answers) - 1)
                    outer.received.append(request)
                    outer._answer(self.connection, outer.answers[index])

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            block_on_close = False

            def finish_request(self, request: Any, client_address: Any) -> None:
                if tls is None:
                    super().finish_request(request, client_address)
                else:
                    with tls.wrap_socket(request, server_side=True) as secured:
                        super().finish_request(secured, client_address)

            def handle_error(self, request: Any, client_address: Any) -> None:
                """Clients that disconnect are part of a test."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

        self._thread.start()

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def tell(self, *answers: Answer) -> None:
        """Starts again with other answers."""
        self.answers = list(answers)
        self.received = []

    def _answer(self, connection: socket.socket, answer: Answer) -> None:
        if answer == "drop":
            return
        if isinstance(answer, bytes):
            with contextlib.suppress(OSError):
                connection.sendall(answer)
            return
        if answer == "garbage":
            connection.sendall(b"\x00\xff\x16\x03\x01 not HTTP at all\r\n\r\n" * 8)
            return
        if answer == "cut":
            connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n{"success": true, ')
            return
        if answer == "drip":
            self._drip(connection)
            return
        assert not isinstance(answer, str), answer
        status, headers, body = answer
        head = [f"HTTP/1.1 {status} Scripted"]
        if status != 204:
            head.append(f"Content-Length: {len(body)}")
        head += [f"{name}: {value}" for name, value in headers.items()]
        # a client that has read enough disconnects
        with contextlib.suppress(OSError):
            connection.sendall("\r\n".join(head).encode("ascii") + b"\r\n\r\n" + body)

    def _drip(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n")
            while not self.closing.wait(0.02):
                connection.sendall(b" ")


class ServedCase(unittest.TestCase):
    """Tests with a server, and another one that must not be called."""

    server: ScriptedServer
    elsewhere: ScriptedServer

    @classmethod
    def setUpClass(cls) -> None:
        cls.server, cls.elsewhere = ScriptedServer("drop"), ScriptedServer("drop")
        cls.addClassCleanup(cls.server.close)
        cls.addClassCleanup(cls.elsewhere.close)

    def tearDown(self) -> None:
        self.assertEqual(self.elsewhere.received, [], "no other server may be called")

    def tell(self, call: str, *answers: Any) -> None:
        """Sets the answers of the vectors for a call."""
        self.server.tell(*(scripted(call, answer, self.elsewhere.url) for answer in answers))


def scripted(call: str, answer: Any, elsewhere: str = "") -> Answer:
    """An answer of the vectors."""
    if isinstance(answer, str):
        return (200, {}, body_of(call, {})) if answer == "ok" else answer
    headers = {name: value.replace("{elsewhere}", elsewhere) for name, value in answer.get("headers", {}).items()}
    return answer.get("status", 200), headers, body_of(call, answer)


def _read_request(stream: Any) -> Optional[Received]:
    line = stream.readline().decode("latin-1")
    if not line:
        return None
    headers: Dict[str, str] = {}
    while True:
        name, _, value = stream.readline().decode("latin-1").partition(":")
        if not value:
            break
        headers[name.strip().lower()] = value.strip()
    return Received(line.split(" ")[1], headers, stream.read(int(headers.get("content-length", "0"))))


class Clock:
    """A clock that advances only by sleeping."""

    def __init__(self) -> None:
        self.now = time.monotonic()
        self.waits: List[float] = []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)
