# app.py
import uuid

from flask import Flask, request
from tollgate import (
    TEST_KEYS,
    RefusedError,
    Tollgate,
    TollgateError,
    UnavailableError,
    create_idempotency_key,
    create_nonce,
    render_script,
    render_widget,
)

url, keys = "http://localhost:3000", TEST_KEYS["pass"]
page = {"action": "signup", "hostname": "localhost"}
tollgate = Tollgate(url=url, **keys)
app = Flask(__name__)
# one record per form, not per session; in your application, a table of your database
attempts = {}


@app.get("/")
def show():
    attempt = {
        "id": str(uuid.uuid4()),
        "nonce": create_nonce(),
        "idempotency_key": create_idempotency_key(),
    }
    attempts[attempt["id"]] = attempt
    intent = tollgate.create_intent(nonce=attempt["nonce"], **page)
    attempt["intent_id"] = intent.intent_id
    html = f"""<form method="post">
      <input type="hidden" name="attempt" value="{attempt["id"]}">
      {render_widget(url=url, sitekey=keys["sitekey"], intent_id=intent.intent_id)}
      <button>Sign up</button>
    </form>
    {render_script(url=url)}"""
    return html, {"Cache-Control": "no-store"}


@app.post("/")
def take():
    attempt = attempts.get(request.form.get("attempt"))
    if attempt is None or "intent_id" not in attempt:
        return "Please open the form again.", 403
    # the same form can arrive again, also twice at once
    if "done" in attempt:
        return "Welcome!"
    tollgate.verify(
        response=request.form.get("svc-captcha-response"),
        intent_id=attempt["intent_id"],
        idempotency_key=attempt["idempotency_key"],
        **page,
    )
    if "done" not in attempt:
        attempt["done"] = True
        # act here
    return "Welcome!"


@app.errorhandler(TollgateError)
def failed(error):
    # for you
    app.logger.error("%s %s", error, f"{url}/docs/errors#{error.code}" if error.status else "")
    # for the visitor
    if isinstance(error, RefusedError):
        return 'Please <a href="/">open the form again</a>.', 409
    if isinstance(error, UnavailableError):
        return 'Please <a href="/">try again</a> in a minute.', 503
    return "Something is wrong on our side.", 500
