"""A sign-up with Flask and SQLite.

    pip install flask http://localhost:3000/sdk/tollgate_captcha-0.2.0-py3-none-any.whl
    export TOLLGATE_URL=http://localhost:3000 TOLLGATE_SITEKEY=… TOLLGATE_SECRET=… SESSION_KEY=$(openssl rand -hex 32)
    PORT=8000 DATABASE=signup.sqlite3 python flask_app.py

The form is at http://localhost:8000/signup. ``TOLLGATE_HOSTNAME`` is the hostname of your own page, ``localhost`` unless
set. In production, run ``flask_app:app`` with a WSGI server.

Authentication, rate limits of your own pages and CSRF protection remain your responsibility. Here, browsers do not send
the session cookie with a form of another site (``SameSite=Lax``), and a form is accepted only from the session that it
was shown to.
"""

import json
import logging
import os
import re
import sqlite3
import uuid

from flask import Flask, g, render_template_string, request, session
from tollgate import (
    RefusedError,
    Tollgate,
    TollgateError,
    UnavailableError,
    create_idempotency_key,
    create_nonce,
    hash_session,
    is_response_token,
    render_script,
    render_widget,
)

URL, SITEKEY, SESSION_KEY = (os.environ[name] for name in ("TOLLGATE_URL", "TOLLGATE_SITEKEY", "SESSION_KEY"))
# from the configuration, never from the form or the Host header
ACTION, HOSTNAME = "signup", os.environ.get("TOLLGATE_HOSTNAME", "localhost")
DATABASE = os.environ.get("DATABASE", "signup.sqlite3")
EMAIL = re.compile(r"[^\s@\x00-\x1f]{1,64}@[^\s@\x00-\x1f]{1,180}\.[^\s@\x00-\x1f]{2,60}")

tollgate = Tollgate(url=URL, sitekey=SITEKEY, secret=os.environ["TOLLGATE_SECRET"])
app = Flask(__name__)
app.secret_key = SESSION_KEY
# behind HTTPS, add SESSION_COOKIE_SECURE=True
app.config.update(SESSION_COOKIE_SAMESITE="Lax", SESSION_COOKIE_HTTPONLY=True)
# the development server logs query strings, which may contain anything
logging.getLogger("werkzeug").setLevel(logging.ERROR)

TABLES = """
create table if not exists attempts (
  id text primary key, session text not null, action text not null, hostname text not null,
  nonce text not null unique, idempotency_key text not null unique, intent_id text unique, renewed_intent_id text,
  payload text, token text, check ((payload is null) = (token is null))
);
create table if not exists subscribers (
  attempt text not null unique references attempts, decision text not null unique, email text not null
);
"""

HEAD = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">"""

FORM = (
    HEAD
    + """<title>Sign up</title>{{ script }}<h1>Sign up</h1>
{% if notice %}<p role="alert">{{ notice }}</p>{% endif %}
<form method="post" action="/signup">
  <input type="hidden" name="attempt" value="{{ attempt }}">
  <p><label>E-mail <input name="email" type="email" autocomplete="email" value="{{ email }}" required></label></p>
  {{ widget }}
  <p><button>Sign up</button></p>
</form>"""
)

# "Try again" sends exactly what was sent before: anything else would be another submission
MESSAGE = (
    HEAD
    + """<title>{{ title }}</title><h1>{{ title }}</h1><p>{{ text }}</p>
{% if again %}<form method="post" action="/signup">
  <input type="hidden" name="attempt" value="{{ again.id }}">
  <input type="hidden" name="email" value="{{ again.payload.email }}">
  <input type="hidden" name="svc-captcha-response" value="{{ again.token }}">
  <button>Try again</button>
</form>{% elif link %}<p><a href="/signup">{{ link }}</a></p>{% endif %}"""
)


def say(status, title, text, *, again=None, link=None, headers=None):
    return render_template_string(MESSAGE, title=title, text=text, again=again, link=link), status, headers or {}


def refuse(error, **offer):
    """A page for a failed call: what happened and how to continue. Never a success."""
    if not isinstance(error, UnavailableError):
        return say(500, "Something is wrong", "Something is wrong on our side. You were not signed up.")
    text = "We could not finish the verification. Please try again: you are never signed up twice."
    return say(503, "Please try again", text, headers={"Retry-After": str(error.retry_after or 10)}, **offer)


def connect():
    store = sqlite3.connect(DATABASE, timeout=20, isolation_level=None)  # every statement is a transaction of its own
    store.row_factory = sqlite3.Row
    return store


def store():
    if "store" not in g:
        g.store = connect()
    return g.store


@app.teardown_appcontext
def close(_):
    if "store" in g:
        g.pop("store").close()


@app.after_request
def keep_out_of_caches(response):
    # a page with an intent is for one visitor
    response.headers["Cache-Control"] = "no-store"
    return response


def visitor():
    """The keyed hash of the visitor's session, for the records and Tollgate."""
    return hash_session(SESSION_KEY, session.setdefault("id", create_nonce()))


@app.get("/signup")
def show(notice="", email="", status=200):
    attempt, nonce = str(uuid.uuid4()), create_nonce()
    # the record is stored before the call, so that every intent belongs to one
    store().execute(
        "insert into attempts (id, session, action, hostname, nonce, idempotency_key) values (?, ?, ?, ?, ?, ?)",
        (attempt, visitor(), ACTION, HOSTNAME, nonce, create_idempotency_key()),
    )
    try:
        intent = tollgate.create_intent(action=ACTION, nonce=nonce, hostname=HOSTNAME, session=visitor())
    except TollgateError as error:
        app.logger.error("no intent for attempt %s: %s", attempt, error)
        return refuse(error, link="Try again")
    attached = store().execute(
        "update attempts set intent_id = ? where id = ? and intent_id is null", (intent.intent_id, attempt)
    )
    if attached.rowcount != 1:
        raise RuntimeError("the attempt has an intent already")
    widget = render_widget(url=URL, sitekey=SITEKEY, intent_id=intent.intent_id, renew="/signup/intent")
    page = {"notice": notice, "email": email, "attempt": attempt, "widget": widget, "script": render_script(url=URL)}
    return render_template_string(FORM, **page), status


@app.post("/signup/intent")
def renew():
    """Another intent for an open form whose intent expired."""
    expired, nonce = request.get_json().get("intent_id"), create_nonce()
    # if an answer was lost, the component asks again with the former intent
    attempt = store().execute(
        """update attempts set nonce = ?, idempotency_key = ?
           where session = ? and ? in (intent_id, renewed_intent_id) and token is null returning id""",
        (nonce, create_idempotency_key(), visitor(), expired),
    ).fetchall()
    if not attempt:
        return {}, 409
    try:
        intent = tollgate.create_intent(action=ACTION, nonce=nonce, hostname=HOSTNAME, session=visitor())
    except TollgateError as error:
        app.logger.error("no new intent: %s", error)
        return {}, 503 if isinstance(error, UnavailableError) else 500
    attached = store().execute(
        "update attempts set intent_id = ?, renewed_intent_id = ? where id = ? and token is null",
        (intent.intent_id, expired, attempt[0]["id"]),
    )
    return ({"intent_id": intent.intent_id}, 200) if attached.rowcount == 1 else ({}, 409)


def find(attempt):
    """The attempt, if it was shown to this session and has an intent."""
    row = store().execute(
        "select * from attempts where id = ? and session = ? and intent_id is not null", (attempt, visitor())
    ).fetchone()
    return row and {**row, "payload": row["payload"] and json.loads(row["payload"])}


@app.post("/signup")
def take():
    attempt = find(request.form.get("attempt"))
    if attempt is None:
        return say(403, "Unknown form", "This form was not opened in this browser.", link="Open a new form")
    payload = {"email": request.form.get("email", "").strip()}
    token = request.form.get("svc-captcha-response")
    if attempt["token"] is None:
        # only what is valid is frozen
        if not EMAIL.fullmatch(payload["email"]):
            return show("Please enter a valid e-mail address.", payload["email"], 422)
        if not is_response_token(token):
            return show("Please complete the verification.", payload["email"], 422)
        store().execute(
            "update attempts set payload = ?, token = ? where id = ? and token is null",
            (json.dumps(payload), token, attempt["id"]),
        )
        attempt = find(attempt["id"])
    # the first submission freezes content and token, also if two arrive concurrently
    if (attempt["payload"], attempt["token"]) != (payload, token):
        text = "This form was already sent with other content. The first submission counts; nothing was changed."
        return say(409, "Already sent", text, link="Open a new form")
    return settle(attempt)


def settle(attempt):
    """Redeems the frozen token and signs up, once. A repetition gets the same result."""
    done = "select 1 from subscribers where attempt = ?"
    if not store().execute(done, (attempt["id"],)).fetchone():
        try:
            decision = tollgate.verify(
                response=attempt["token"],
                intent_id=attempt["intent_id"],
                action=attempt["action"],
                hostname=attempt["hostname"],
                idempotency_key=attempt["idempotency_key"],
            )
        except RefusedError as error:
            app.logger.warning("attempt %s not verified: %s", attempt["id"], error)
            # a concurrent submission may have finished meanwhile
            if not store().execute(done, (attempt["id"],)).fetchone():
                notice = "The verification did not fit this form or has expired. Please send the form again."
                return show(notice, attempt["payload"]["email"], 409)
        except TollgateError as error:
            app.logger.error("attempt %s not verified: %s", attempt["id"], error)
            return refuse(error, again=attempt)
        else:
            store().execute(
                "insert into subscribers values (?, ?, ?) on conflict (attempt) do nothing",
                (attempt["id"], decision.decision_id, attempt["payload"]["email"]),
            )
    return say(200, "Welcome", f"{attempt['payload']['email']} is on the list.")


with connect() as first:
    first.executescript(TABLES)
first.close()

if __name__ == "__main__":
    app.run(host="127.0.0.1", port=int(os.environ.get("PORT", "8000")))
