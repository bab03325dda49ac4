"""A small merchant, whole: it sells three bicycle parts, keeps its own records, and asks Tollgate, through its SDK,
whether there is a person behind a form. Read it in the order counter.py, store.py, shop.py.

    TOLLGATE_URL=… TOLLGATE_SITEKEY=… TOLLGATE_SECRET=… SHOP_DATABASE=shop.sqlite3 python3 e2e/shop-python/shop.py

With ``SHOP_PORT`` absent a free port is taken; ``SHOP_PATIENCE`` is for how many seconds a visitor is made to wait for
an answer of Tollgate. Once the shop listens it prints its address.
"""

import logging
import os
import re
import secrets
import signal
import sys
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Callable, Dict, List, NamedTuple, Optional, Sequence
from urllib.parse import parse_qs, urlsplit

from aftercare import OUTCOMES, draw_activity, draw_receipt
from counter import Completed, Counter, Faulty, file_report, forget_device, open_form, submit_form, take_exemption
from fields import ACTIONS, Fault, Payload, find_product, read_one
from pages import ASSETS, FormView, draw_advice, draw_form, draw_home, draw_message, security_headers
from refusals import advise_on, regret_exemption
from store import Store
from tollgate import Html, Tollgate, TollgateError, hash_session

log = logging.getLogger("shop")

#: Bytes. The longest honest form, address and token included, is a quarter of it.
BODY_LIMIT = 8 * 1024
COOKIE = "pennywheel"

Form = Dict[str, List[str]]


class Reply(NamedTuple):
    status: int
    markup: Html
    location: Optional[str] = None


def redirect(location: str) -> Reply:
    return Reply(303, draw_message("Done", "It goes on."), location)


FOREIGN = Reply(403, draw_message("This form isn’t yours", "It was opened in another browser; nothing was sent."))
NOWHERE = Reply(404, draw_message("Nothing on this shelf", "There is no page at this address."))


class Shop:
    """The pages: what is answered to whom."""

    def __init__(self, counter: Counter, url: str, sitekey: str) -> None:
        self.counter = counter
        self.url = url
        self.sitekey = sitekey

    def get(self, path: str, query: Form, session: str) -> Reply:
        if path == "/":
            return Reply(200, draw_home())
        if path[1:] in ACTIONS:
            product = find_product(read_one(query, "product"))
            typed = {"quantity": "1", **({"product": product.slug} if product else {})}
            return self._open(path[1:], session, 200, typed)
        if path == "/activity":
            return self._activity(200, session)
        if path.startswith("/receipts/"):
            return self._receipt(path[len("/receipts/") :], session)
        return NOWHERE

    def post(self, path: str, form: Form, session: str) -> Reply:
        if path[1:] in ACTIONS:
            return self._take(path[1:], session, form)
        if path == "/exemptions/forget":
            return self._forget(session)
        sale = self.counter.store.find_sale(read_one(form, "attempt"), session)
        if path not in ("/exemptions", "/reports"):
            return NOWHERE
        if sale is None:
            return FOREIGN
        try:
            if path == "/exemptions":
                take_exemption(self.counter, sale["id"], session, sale["decision_id"])
                return redirect(f"/receipts/{sale['id']}")
            outcome = read_one(form, "outcome")
            if outcome in OUTCOMES:
                file_report(self.counter, sale["id"], sale["action"], sale["decision_id"], outcome)
            return redirect("/activity")
        except TollgateError as error:
            log.warning("%s: %s", path, error)
            if path == "/exemptions":
                return self._receipt(sale["id"], session, regret_exemption(error), 409)
            return self._activity(503, session, "The report couldn’t be delivered just now. Please send it again.")

    def _open(
        self,
        action: str,
        session: str,
        status: int,
        typed: Payload,
        faults: Sequence[Fault] = (),
        notice: str = "",
        replaced: Optional[str] = None,
    ) -> Reply:
        """A fresh form. ``replaced`` is the attempt that it would replace."""
        try:
            form = open_form(self.counter, action, session)
        except TollgateError as error:
            advice = advise_on(error, action)
            return Reply(advice.status, draw_advice(advice, action, replaced))
        return Reply(status, draw_form(action, FormView(form, self.sitekey, self.url, typed, faults, notice)))

    def _take(self, action: str, session: str, form: Form) -> Reply:
        """A submitted form, for the first time or again."""
        submission = submit_form(self.counter, action, session, form)
        if submission is None:
            return FOREIGN
        if isinstance(submission, Completed):
            return redirect(f"/receipts/{submission.attempt}")
        if isinstance(submission, Faulty):
            return self._open(action, session, 422, submission.typed, submission.faults)
        advice = advise_on(submission.error, action)
        if advice.next == "renew":
            return self._open(action, session, advice.status, submission.typed, (), advice.text, submission.attempt)
        return Reply(advice.status, draw_advice(advice, action, submission.attempt))

    def _receipt(self, attempt: str, session: str, notice: str = "", status: int = 200) -> Reply:
        sale = self.counter.store.find_sale(attempt, session)
        if sale is None:
            return NOWHERE
        return Reply(status, draw_receipt(sale, self.counter.store.latest_report(attempt), notice))

    def _activity(self, status: int, session: str, notice: str = "") -> Reply:
        store = self.counter.store
        return Reply(status, draw_activity(store.list_attempts(session), store.latest_report, notice))

    def _forget(self, session: str) -> Reply:
        try:
            forgotten = forget_device(self.counter, session)
        except TollgateError as error:
            log.warning("revoke: %s", error)
            return self._activity(503, session, "We couldn’t tell Tollgate so yet. Please try again.")
        said = "1 exemption was" if forgotten == 1 else f"{forgotten} exemptions were"
        return self._activity(200, session, f"This device is forgotten: {said} revoked.")


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
            form = self._read_form()
            if form is not None:
                path = urlsplit(self.path).path
                self._answer(lambda session: shop.post(path, form, session))

        def _read_form(self) -> Optional[Form]:
            length = self.headers.get("Content-Length", "")
            origin = self.headers.get("Origin")
            # browsers name the page's origin with every form; a program that does not carries nobody's cookie
            if origin is not None and urlsplit(origin).netloc != self.headers.get("Host"):
                self._page(FOREIGN)
            elif self.headers.get_content_type() != "application/x-www-form-urlencoded":
                self._page(Reply(415, draw_message("We couldn’t read that", "Only forms are taken here.")))
            elif not re.fullmatch("[0-9]{1,9}", length) or int(length) > BODY_LIMIT:
                self._page(Reply(413, draw_message("We couldn’t read that", "That is too long for us.")))
            else:
                try:
                    text = self.rfile.read(int(length)).decode("ascii")
                    return parse_qs(text, keep_blank_values=True, errors="strict")
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


class Server(ThreadingHTTPServer):
    daemon_threads = True
    #: Connections that wait to be accepted.
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):
            log.exception("connection")


def main() -> None:
    logging.basicConfig(format="%(levelname)s %(message)s")
    url, sitekey = os.environ["TOLLGATE_URL"], os.environ["TOLLGATE_SITEKEY"]
    patience = float(os.environ.get("SHOP_PATIENCE", "6"))
    tollgate = Tollgate(url=url, sitekey=sitekey, secret=os.environ["TOLLGATE_SECRET"], deadline=patience)
    store = Store(os.environ["SHOP_DATABASE"])
    shop = Shop(Counter(store, tollgate, "localhost"), url, sitekey)
    server = Server(("127.0.0.1", int(os.environ.get("SHOP_PORT", "0"))), handler_of(shop, store.session_key))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    print(f"http://localhost:{server.server_address[1]}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
