"""The shop over HTTP: sessions, limits and headers."""

import json
import logging
import re
import secrets
import sys
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, Optional
from urllib.parse import parse_qs, urlsplit

from answer import FOREIGN, Form, Reply, Shop
from pages import ASSETS, draw_message, security_headers
from tollgate import hash_session

log = logging.getLogger("shop")

#: Bytes. The longest honest form, address and token included, is a quarter of it.
BODY_LIMIT = 8 * 1024
COOKIE = "pennywheel"


def handler_of(shop: Shop, session_key: str) -> "type[BaseHTTPRequestHandler]":
    class Handler(BaseHTTPRequestHandler):
        server_version, sys_version = "Pennywheel", ""
        #: Seconds that a read or write may hang.
        timeout = 10
        #: A new visitor's.
        fresh_cookie: Optional[str] = None

        def do_GET(self) -> None:
            path, query = urlsplit(self.path).path, urlsplit(self.path).query
            if path in ASSETS:
                kind, body = ASSETS[path]
                self._send(200, kind, body, {"Cache-Control": "public, max-age=300"})
            else:
                self._answer(lambda session: shop.get(path, parse_qs(query), session))

        def do_POST(self) -> None:
            path = urlsplit(self.path).path
            if path == "/renew":
                intent_id: Optional[str] = self._read("application/json", _read_intent)
                if intent_id is not None:
                    status, answer = shop.renew(intent_id, hash_session(session_key, self._cookie()))
                    text = json.dumps(answer).encode("ascii")
                    self._send(status, "application/json", text, {"Cache-Control": "no-store"})
                return
            form: Optional[Form] = self._read(
                "application/x-www-form-urlencoded",
                lambda text: parse_qs(text, keep_blank_values=True, errors="strict"),
            )
            if form is not None:
                self._answer(lambda session: shop.post(path, form, session))

        def _read(self, kind: str, parse: Callable[[str], Any]) -> Any:
            """The body; None if it cannot be read, which has been answered then."""
            length = self.headers.get("Content-Length", "")
            origin = self.headers.get("Origin")
            # browsers name the page's origin with every form; a program that does not carries nobody's cookie
            if origin is not None and urlsplit(origin).netloc != self.headers.get("Host"):
                self._page(FOREIGN)
            elif self.headers.get_content_type() != kind:
                self._page(Reply(415, draw_message("We couldn’t read that", "Only forms are taken here.")))
            elif not re.fullmatch("[0-9]{1,9}", length) or int(length) > BODY_LIMIT:
                self._page(Reply(413, draw_message("We couldn’t read that", "That is too long for us.")))
            else:
                try:
                    return parse(self.rfile.read(int(length)).decode("ascii"))
                except ValueError:
                    self._page(Reply(400, draw_message("We couldn’t read that", "The request is malformed.")))
            return None

        def _answer(self, page: Callable[[str], Reply]) -> None:
            try:
                reply = page(hash_session(session_key, self._cookie()))
            except Exception:
                log.exception("%s", urlsplit(self.path).path)
                reply = Reply(500, draw_message("Something broke", "The fault is ours. Please come back later."))
            self._page(reply)

        def _cookie(self) -> str:
            try:
                found = SimpleCookie(self.headers.get("Cookie", "")).get(COOKIE)
            except CookieError:
                found = None
            if found is not None and re.fullmatch("[A-Za-z0-9_-]{43}", found.value):
                return found.value
            self.fresh_cookie = secrets.token_urlsafe(32)
            return self.fresh_cookie

        def _page(self, reply: Reply) -> None:
            headers = {"Cache-Control": "no-store"}
            if reply.location is not None:
                headers["Location"] = reply.location
            if reply.status in (429, 503):
                headers["Retry-After"] = "10"
            if self.fresh_cookie is not None:
                # behind TLS, name it __Host-… and add Secure; this shop also runs on plain http://localhost
                headers["Set-Cookie"] = f"{COOKIE}={self.fresh_cookie}; Path=/; HttpOnly; SameSite=Lax"
            self._send(reply.status, "text/html; charset=utf-8", reply.markup.encode("utf-8"), headers)

        def _send(self, status: int, kind: str, body: bytes, headers: Dict[str, str]) -> None:
            self.send_response(status)
            about = {"Content-Type": kind, "Content-Length": str(len(body)), **security_headers(shop.url)}
            for name, value in {**about, **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """No line per request: what goes wrong is logged where it does."""

    return Handler


def _read_intent(text: str) -> str:
    """The expired intent that the component asks to renew. Raises ValueError."""
    body = json.loads(text)
    intent_id = body.get("intent_id") if isinstance(body, dict) else None
    if not isinstance(intent_id, str):
        raise ValueError("no intent_id")
    return intent_id


class Server(ThreadingHTTPServer):
    daemon_threads = True
    #: Connections that wait to be accepted.
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):
            log.exception("connection")
