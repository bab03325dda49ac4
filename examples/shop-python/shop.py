"""A small shop that uses Tollgate, with nothing but Python's standard library and the SDK. Read attempts.py first.

    TOLLGATE_URL=… TOLLGATE_SITEKEY=… TOLLGATE_SECRET=… SHOP_SESSION_KEY=… SHOP_DATABASE=shop.sqlite3 python3 shop.py

``SHOP_SESSION_KEY`` is any text of at least 16 bytes that only the shop knows. ``SHOP_PORT`` is a free port unless set,
``SHOP_HOSTNAME`` is ``localhost``, and a page waits ``SHOP_DEADLINE`` seconds for Tollgate, 6 unless set. The shop prints
its address once it listens.
"""

import json
import logging
import os
import re
import secrets
import signal
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Dict, Optional, Tuple
from urllib.parse import parse_qs, urlsplit

import attempts
import pages
from fields import ACTIONS, Form, Payload, find_product, read_one
from records import Records, Shop
from tollgate import Html, Tollgate, TollgateError, hash_session, render_script, render_widget

log = logging.getLogger("shop")

BODY_LIMIT = 8 * 1024
NOSCRIPT = "To keep robots out, your browser does a short calculation here. Please switch on JavaScript and reload."
TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
#: The files are those of the shop in TypeScript.
ASSETS = {f"/{path.name}": path for path in (Path(__file__).resolve().parents[1] / "shop" / "public").iterdir()}

#: Status, page, and the address to go to.
Reply = Tuple[int, Html, Optional[str]]
FOREIGN: Reply = (403, pages.draw_message("This form isn’t yours", "It was opened in another browser."), None)
NOT_FOUND: Reply = (404, pages.draw_message("Not found", "There is no such page."), None)


def redirect(location: str) -> Reply:
    return 303, pages.draw_message("Done", "The page has moved."), location


def answer_get(shop: Shop, path: str, query: Form, session: str) -> Reply:
    if path == "/":
        return 200, pages.draw_home(), None
    if path[1:] in ACTIONS:
        product = find_product(read_one(query, "product"))
        return show(shop, path[1:], session, 200, {"quantity": "1", "product": product.slug if product else ""})
    if path == "/activity":
        return activity(shop, session)
    sale = shop.records.find_sale(path[len("/receipts/") :], session) if path.startswith("/receipts/") else None
    return NOT_FOUND if sale is None else (200, pages.draw_receipt(sale), None)


def answer_post(shop: Shop, path: str, form: Form, session: str) -> Reply:
    if path[1:] in ACTIONS:
        return submit(shop, path[1:], form, session)
    if path == "/exemptions/forget":
        try:
            revoked = attempts.forget_device(shop, session)
        except TollgateError as error:
            log.warning("revoke: %s", error)
            return activity(shop, session, "We forgot this device, but Tollgate has not yet. Please try again.", 503)
        count = "1 exemption was" if revoked == 1 else f"{revoked} exemptions were"
        return activity(shop, session, f"This device is forgotten: {count} revoked.")
    if path not in ("/exemptions", "/reports"):
        return NOT_FOUND
    sale, outcome = shop.records.find_sale(read_one(form, "attempt"), session), read_one(form, "outcome")
    if sale is None or (path == "/reports" and outcome not in pages.OUTCOMES):
        return FOREIGN
    try:
        if path == "/exemptions":
            attempts.take_exemption(shop, sale)
            return redirect(f"/receipts/{sale['id']}")
        attempts.file_report(shop, sale, outcome)
        return redirect("/activity")
    except TollgateError as error:
        log.warning("%s: %s", path, error)
        status = 409 if error.status in (403, 409) else 503
        if path == "/reports":
            return activity(shop, session, "The report was not accepted, or not delivered yet.", status)
        notice = "We couldn’t arrange that. The next form asks for the check as usual."
        return status, pages.draw_receipt(sale, notice), None


def submit(shop: Shop, action: str, form: Form, session: str) -> Reply:
    kind, payload, faults, error = attempts.submit_form(shop, action, session, form)
    if kind == "completed":
        return redirect(f"/receipts/{read_one(form, 'attempt')}")
    if kind == "faulty":
        return show(shop, action, session, 422, payload, faults)
    if kind == "changed":
        return 409, pages.draw_changed(action), None
    if error is None:
        return FOREIGN
    advice = pages.advise_on(error, action)
    # what was sent: only the same fields are accepted again
    sent = {name: read_one(form, name) for name in form}
    if advice.next == "renew":
        return show(shop, action, session, advice.status, payload, {}, advice.text, sent)
    return advice.status, pages.draw_advice(advice, action, sent), None


def show(
    shop: Shop, action: str, session: str, status: int, typed: Payload,
    faults: Payload = {}, notice: str = "", replaced: Optional[Payload] = None
) -> Reply:  # fmt: skip
    """Opens a form and shows it, or says why it cannot be opened. ``replaced`` are the fields that it replaces."""
    try:
        attempt, intent_id = attempts.open_form(shop, action, session)
    except TollgateError as error:
        advice = pages.advise_on(error, action)
        return advice.status, pages.draw_advice(advice, action, replaced), None
    about = {"url": shop.url, "sitekey": shop.sitekey, "intent_id": intent_id, "noscript": NOSCRIPT}
    widget = Html(render_widget(**about, renew="/renew") + render_script(url=shop.url))
    return status, pages.draw_form(action, attempt, widget, typed, faults, notice), None


def activity(shop: Shop, session: str, notice: str = "", status: int = 200) -> Reply:
    statement = "select * from activity where session = ? order by created_at desc, id limit 50"
    return status, pages.draw_activity(shop.records.read(statement, session), notice), None


def renew(shop: Shop, body: str, session: str) -> Tuple[int, Dict[str, str]]:
    """The component requests another intent here when the form's own has expired."""
    try:
        intent_id = attempts.renew_intent(shop, session, str(json.loads(body)["intent_id"]))
    except (ValueError, KeyError, TypeError):
        return 400, {"error": "bad-request"}
    except TollgateError as error:
        log.warning("renew: %s", error)
        return 503, {"error": "unavailable"}
    return (200, {"intent_id": intent_id}) if intent_id else (409, {"error": "intent-expired"})


class Handler(BaseHTTPRequestHandler):
    server_version, sys_version = "Pennywheel", ""
    #: Seconds that a read or write may take.
    timeout = 10
    shop: Shop
    session_key: str
    fresh_cookie = ""

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        asset = ASSETS.get(url.path)
        if asset is not None:
            return self.send(200, TYPES[asset.suffix], asset.read_bytes(), {"Cache-Control": "max-age=300"})
        return self.answer(lambda session: answer_get(self.shop, url.path, parse_qs(url.query), session))

    def do_POST(self) -> None:
        path = urlsplit(self.path).path
        length, origin = self.headers.get("Content-Length", ""), self.headers.get("Origin")
        kind = "application/json" if path == "/renew" else "application/x-www-form-urlencoded"
        # CSRF: browsers send the page's origin with every form
        if origin is not None and urlsplit(origin).netloc != self.headers.get("Host"):
            return self.answer(lambda _: FOREIGN)
        if self.headers.get_content_type() != kind:
            return self.refuse(415, "Only forms are accepted here.")
        if not re.fullmatch("[0-9]{1,9}", length) or int(length) > BODY_LIMIT:
            return self.refuse(413, "It is too long.")
        try:
            body = self.rfile.read(int(length)).decode("ascii")
            form = parse_qs(body, keep_blank_values=True, errors="strict")
        except ValueError:
            return self.refuse(400, "It is malformed.")
        if path != "/renew":
            return self.answer(lambda session: answer_post(self.shop, path, form, session))
        status, answer = renew(self.shop, body, self.session())
        return self.send(status, "application/json", json.dumps(answer).encode("ascii"))

    def refuse(self, status: int, text: str) -> None:
        self.answer(lambda _: (status, pages.draw_message("We couldn’t read that", text), None))

    def answer(self, work) -> None:  # type: ignore[no-untyped-def]
        try:
            status, page, location = work(self.session())
        except Exception:
            log.exception("%s", urlsplit(self.path).path)
            status, page, location = 500, pages.draw_message("Something broke", "Please reload in a moment."), None
        headers = {} if location is None else {"Location": location}
        if status in (429, 503):
            headers["Retry-After"] = "10"
        if self.fresh_cookie:
            # behind TLS, name it __Host-pennywheel and add Secure
            headers["Set-Cookie"] = f"pennywheel={self.fresh_cookie}; Path=/; HttpOnly; SameSite=Lax"
        self.send(status, "text/html; charset=utf-8", page.encode("utf-8"), headers)

    def session(self) -> str:
        """The visitor's session, as the shop stores it and Tollgate sees it: a keyed hash of the cookie."""
        found = re.search(r"(?:^|; )pennywheel=([\w-]{43})(?:;|$)", self.headers.get("Cookie", ""), re.ASCII)
        if found is None:
            self.fresh_cookie = secrets.token_urlsafe(32)
        return hash_session(self.session_key, self.fresh_cookie if found is None else found[1])

    def send(self, status: int, kind: str, body: bytes, headers: Optional[Dict[str, str]] = None) -> None:
        origin = "://".join(urlsplit(self.shop.url)[:2])
        # what a page with the component has to allow; wasm-unsafe-eval allows WebAssembly, not eval
        policy = f"""default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none';
            frame-ancestors 'none'; script-src 'self' {origin} 'wasm-unsafe-eval'; worker-src blob: {origin};
            connect-src 'self' {origin}"""
        always = {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Content-Security-Policy": " ".join(policy.split()),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
        }
        self.send_response(status)
        for name, value in {**always, **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """No line per request."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    #: Connections that wait to be accepted.
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):
            log.exception("connection")


def main() -> None:
    logging.basicConfig(format="%(levelname)s %(message)s")
    url, sitekey, secret = (os.environ[f"TOLLGATE_{name}"] for name in ("URL", "SITEKEY", "SECRET"))
    deadline = float(os.environ.get("SHOP_DEADLINE", "6"))
    client = Tollgate(url=url, sitekey=sitekey, secret=secret, deadline=deadline)
    hostname = os.environ.get("SHOP_HOSTNAME", "localhost")
    Handler.shop = Shop(Records(os.environ["SHOP_DATABASE"]), client, url, sitekey, hostname)
    Handler.session_key = os.environ["SHOP_SESSION_KEY"]
    server = Server(("127.0.0.1", int(os.environ.get("SHOP_PORT", "0"))), Handler)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    print(f"http://localhost:{server.server_address[1]}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
