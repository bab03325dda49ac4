"""A sign-up with Flask and SQLite.

pip install flask http://localhost:3000/sdk/tollgate_captcha-1.0.0-py3-none-any.whl
export TOLLGATE_URL=http://localhost:3000 TOLLGATE_SITEKEY=… TOLLGATE_SECRET=… SESSION_KEY=$(openssl rand -hex 32)
flask --app flask_app run --host localhost
"""

import os
import sqlite3
import uuid

from flask import Flask, g, render_template_string, request, session
from tollgate import (
    IntentExpiredError,
    ResponseInvalidError,
    Tollgate,
    TollgateError,
    create_idempotency_key,
    create_nonce,
    hash_session,
    is_response_token,
    render_script,
    render_widget,
)

app = Flask(__name__)
app.secret_key = os.environ["SESSION_KEY"]

URL, SITEKEY = os.environ["TOLLGATE_URL"], os.environ["TOLLGATE_SITEKEY"]
ACTION, HOSTNAME = "signup", "localhost"
tollgate = Tollgate(url=URL, sitekey=SITEKEY, secret=os.environ["TOLLGATE_SECRET"])

PAGE = """<!doctype html><title>Sign up</title>{{ script }}
<p>{{ notice }}</p>
<form method="post">
  <input type="hidden" name="attempt" value="{{ attempt }}">
  <label>E-mail <input name="email" type="email" value="{{ email }}" required></label>
  {{ widget }}
  <button>Sign up</button>
</form>"""

AGAIN = """<!doctype html><title>Once more</title><p>That took too long. Nothing happens twice.</p>
<form method="post"><input type="hidden" name="attempt" value="{{ attempt }}"><button>Try again</button></form>"""


def store() -> sqlite3.Connection:
    if "store" not in g:
        # every statement is a transaction of its own
        g.store = sqlite3.connect("signup.sqlite3", isolation_level=None)
        g.store.row_factory = sqlite3.Row
        g.store.executescript(
            """create table if not exists attempts (id text primary key, session text not null, nonce text not null,
                 idempotency_key text not null, intent_id text unique, email text, token text);
               create table if not exists subscribers (attempt text not null unique references attempts,
                 decision text not null unique, email text not null);"""
        )
    return g.store


@app.teardown_appcontext
def close(_: object) -> None:
    if "store" in g:
        g.pop("store").close()


@app.get("/signup")
def show(notice: str = "", email: str = ""):
    visitor = session.setdefault("id", create_nonce())
    attempt, nonce = str(uuid.uuid4()), create_nonce()
    # the record comes first: a crash afterwards leaves something to look at, never an intent nobody knows
    store().execute(
        "insert into attempts (id, session, nonce, idempotency_key) values (?, ?, ?, ?)",
        (attempt, visitor, nonce, create_idempotency_key()),
    )
    try:
        intent = tollgate.create_intent(
            action=ACTION, nonce=nonce, hostname=HOSTNAME, session=hash_session(app.secret_key, visitor)
        )
    except TollgateError as error:
        app.logger.error("no intent: %s", error)
        return "We cannot take sign-ups right now. Please come back in a moment.", 503
    store().execute("update attempts set intent_id = ? where id = ? and intent_id is null", (intent.intent_id, attempt))
    return render_template_string(
        PAGE,
        notice=notice,
        email=email,
        attempt=attempt,
        script=render_script(url=URL),
        widget=render_widget(url=URL, sitekey=SITEKEY, intent_id=intent.intent_id),
    )


@app.post("/signup")
def take():
    key = (request.form.get("attempt"), session.get("id"))
    email, token = request.form.get("email", ""), request.form.get("svc-captcha-response")
    if email and is_response_token(token):
        # the first submission fixes what counts; every repetition runs it again
        store().execute(
            """update attempts set email = ?, token = ?
               where id = ? and session = ? and intent_id is not null and token is null""",
            (email, token, *key),
        )
    attempt = store().execute("select * from attempts where id = ? and session = ?", key).fetchone()
    if attempt is None:
        return "This form is not yours.", 403
    if attempt["token"] is None:
        return show("Please complete the form and the check.", email)
    # the shop's own record comes first: what is done needs no asking
    if store().execute("select 1 from subscribers where attempt = ?", key[:1]).fetchone():
        return "You are on the list."
    try:
        decision = tollgate.verify(
            response=attempt["token"],
            intent_id=attempt["intent_id"],
            action=ACTION,
            hostname=HOSTNAME,
            idempotency_key=attempt["idempotency_key"],
        )
    except (ResponseInvalidError, IntentExpiredError):
        return show("The check did not fit this form any more. Please send it again.", attempt["email"])
    except TollgateError as error:
        app.logger.error("not verified: %s", error)
        return render_template_string(AGAIN, attempt=attempt["id"]), 503
    # whoever comes second finds it done
    store().execute(
        "insert into subscribers values (?, ?, ?) on conflict do nothing",
        (attempt["id"], decision.decision_id, attempt["email"]),
    )
    return "You are on the list."
