"""A shop around the guide's checkout.py, for localhost. Prints its address once it listens."""

import os
import re
import secrets
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import psycopg
from pages import LINK, draw_again, draw_form, read_block
from psycopg.rows import dict_row
from tollgate import TollgateError, hash_session, render_script, render_widget

DATABASE_URL, URL, SITEKEY = (os.environ[name] for name in ("DATABASE_URL", "TOLLGATE_URL", "TOLLGATE_SITEKEY"))
FRESH = ("incomplete", "response-invalid", "intent-expired", "already-redeemed")
shop = {}
CODE = read_block(r"```python\n# checkout.py\n(.*?)```")
exec(compile(CODE.replace('"shop.example"', '"localhost"'), "backend.md", "exec"), shop)


def show(db, session, typed, status=200):
    attempt, intent_id = shop["open_form"](db, session)
    widget = render_widget(url=URL, sitekey=SITEKEY, intent_id=intent_id) + render_script(url=URL)
    return status, draw_form(attempt, typed, widget)


def take(db, session, sent):
    typed = {name: sent.get(name, "") for name in ("email", "quantity")}
    if not re.fullmatch(r"[\w.]+@[\w.]+", typed["email"]) or not re.fullmatch("[1-9]", typed["quantity"]):
        return show(db, session, typed, 422)
    code = shop["submit"](db, session, sent.get("attempt"), typed, sent.get("svc-captcha-response"))
    if code == "done":
        return 200, "<p>Thank you for your order.</p>"
    if code == "changed":
        return 409, f"<p>This form was already sent with other content.</p>{LINK}"
    if code in FRESH:
        return show(db, session, typed, 422 if code == "incomplete" else 409)
    if code == "foreign":
        return 403, f"<p>Please open the form again.</p>{LINK}"
    return {"quota-exceeded": 402, "rate-limited": 429}.get(code, 503), draw_again(sent)


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(lambda db, session: show(db, session, {"email": "", "quantity": "1"}))

    def do_POST(self):
        sent = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode(), keep_blank_values=True)
        self.answer(lambda db, session: take(db, session, {name: values[0] for name, values in sent.items()}))

    def answer(self, work):
        cookie = re.search(r"session=([\w-]{43})", self.headers.get("Cookie", ""))
        session = cookie[1] if cookie else secrets.token_urlsafe(32)
        with psycopg.connect(DATABASE_URL, autocommit=True, row_factory=dict_row) as db:
            try:
                hashed = hash_session(os.environ["SESSION_KEY"], session)
                status, page = work(db, hashed) if self.path == "/checkout" else (404, "")
            except TollgateError as error:
                print(error.code, file=sys.stderr, flush=True)
                status, page = 503, f"<p>The form cannot be shown now.</p>{LINK}"
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Cache-Control", "no-store")
        if not cookie:
            self.send_header("Set-Cookie", f"session={session}; Path=/; HttpOnly; SameSite=Lax")
        self.end_headers()
        self.wfile.write(f'<!doctype html><html lang="en"><title>Checkout</title>{page}</html>'.encode())

    def log_message(self, *_):
        """No line per request."""


with psycopg.connect(DATABASE_URL, autocommit=True) as first:
    first.execute(read_block(r"```sql\n(create table attempts.*?)```"))
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://localhost:{server.server_address[1]}", flush=True)
server.serve_forever()
